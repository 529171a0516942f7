import { inject } from 'vitest'
import { type Version, versions } from '../../../fixtures/contract/operations.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'

/** These helpers reduce the cases outside the full extent. */

const { everything } = inject('extent')

/** Returns all cases of a table in the full extent, else the first `few`. */
export const rowsOfExtent = <T>(rows: readonly T[], few = 1): readonly T[] => (everything ? rows : rows.slice(0, few))

/** The versions to test: both in the full extent, else v3 only. */
export const versionsOfExtent: readonly Version[] = everything ? versions : versions.slice(-1)

/** The effort of tests that do not depend on it: standard in the full extent, else quick. */
export const effortOfExtent: Partial<JudgeOptions> = everything ? {} : { effort: 'quick' }
