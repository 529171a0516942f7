import { inject } from 'vitest'
import { type Version, versions } from '../../../fixtures/contract/operations.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'

/** Reduced sets of cases outside the full extent. */

const { everything } = inject('extent')

/** Returns all rows of a table in the full extent, else the first few. */
export const selectRows = <T>(rows: readonly T[], few = 1): readonly T[] => (everything ? rows : rows.slice(0, few))

/** Both versions in the full extent, else one of them. */
export const selectedVersions: readonly Version[] = everything ? versions : versions.slice(-1)

/** Quick effort outside the full extent, for tests that do not depend on the requests. */
export const selectedEffort: Partial<JudgeOptions> = everything ? {} : { effort: 'quick' }
