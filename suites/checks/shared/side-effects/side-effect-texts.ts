import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import type { DataChanges } from '../../../directory/changes/change-monitor.ts'
import type { Directory } from '../../../directory/facts/directory.ts'

/** A phrase for the requests of each operation. */
const OPERATION_PHRASES: Readonly<Record<OperationId, string>> = {
  listCats: 'reading the list of cats',
  listBreeds: 'reading the list of breeds',
  listCatsOfBreed: "reading a breed's cats",
  searchCats: 'searching',
  getLivesLeft: 'reading lives',
}

/** Returns the texts of a finding that says: requests of this operation change lists. */
export const describeListSideEffect = (operation: OperationId, { version }: Directory) => ({
  expected: `${OPERATION_PHRASES[operation]} (${version}) changes no list`,
  actual: `${OPERATION_PHRASES[operation]} (${version}) changes lists: the lists change more often when these requests are sent than in pauses without them`,
  defectKind: 'lists change with the requests',
})

/** Describes a change of the data during the run, with the first example. */
export const describeObservedChange = (what: 'lists' | 'lives', { example }: Pick<DataChanges, 'example'>): string =>
  `${what === 'lists' ? 'the lists' : 'lives'} changed during the run${example === undefined ? '' : ` (${example})`}`

/** Returns the texts of a finding that says: requests of this operation change lives. */
export const describeLivesSideEffect = (operation: OperationId, version: string) => ({
  expected: `${OPERATION_PHRASES[operation]} (${version}) does not change the lives of cats`,
  actual: `${OPERATION_PHRASES[operation]} (${version}) changes the lives of cats: the lives change more often when these requests are sent than in pauses without them`,
  defectKind: 'lives change with the requests',
})

/** Returns the title of the check which verifies that requests of an operation change nothing. */
export const readOnlyTitleOf = (operation: OperationId): string => `${OPERATION_PHRASES[operation]} changes nothing`
