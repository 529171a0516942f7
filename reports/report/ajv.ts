import { createRequire } from 'node:module'
import type * as ajv from 'ajv/dist/2020.js'

const requireModule = createRequire(import.meta.url)

/** Loaded when something is first held against a schema: most runs hold nothing against one, and it takes as long as fifty requests. */
export const loadAjv = (): typeof ajv => requireModule('ajv/dist/2020.js') as typeof ajv // The package has these types.
