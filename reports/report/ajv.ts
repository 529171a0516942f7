import { createRequire } from 'node:module'
import type * as ajv from 'ajv/dist/2020.js'

const require = createRequire(import.meta.url)

/** Loads ajv on demand: most runs validate nothing, and loading takes as long as fifty requests. */
export const loadAjv = (): typeof ajv => require('ajv/dist/2020.js') as typeof ajv // The package `ajv` has these types.
