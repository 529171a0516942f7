import { inject } from 'vitest'
import { type Version, versions } from '../../../fixtures/contract/operations.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'

/** True in `npm run test:full`. In `npm test`, the functions of this file reduce the number of cases. */

const { everything } = inject('extent')

/** Returns the cases of a table to test: in `npm run test:full` all, in `npm test` the first `few`. */
export const selectRowsToTest = <T>(rows: readonly T[], few = 1): readonly T[] =>
  everything ? rows : rows.slice(0, few)

/** The versions to test: in `npm run test:full` both, in `npm test` v3 only. */
export const versionsToTest: readonly Version[] = everything ? versions : versions.slice(-1)

/** The effort of tests whose result does not depend on it: in `npm run test:full` standard, in `npm test` quick. */
export const effortOptionsForTests: Partial<JudgeOptions> = everything ? {} : { effort: 'quick' }
