import { inject } from 'vitest'
import { type Version, versions } from '../../../fixtures/contract/operations.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'

/* What is tried where not everything is: less of what tries one idea. */

const { everything } = inject('extent')

/** Rows of one table: all of them in the full extent, else the first few. */
export const someRows = <T>(rows: readonly T[], few = 1): readonly T[] => (everything ? rows : rows.slice(0, few))

/** The versions in which one is told as well as in both. */
export const someVersions: readonly Version[] = everything ? versions : versions.slice(-1)

/** Where it is not what is asked that is tried. */
export const littleEffort: Partial<JudgeOptions> = everything ? {} : { effort: 'quick' }
