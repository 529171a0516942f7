import type { StatementId } from '../../../../fixtures/contract/statements.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import {
  contentOfElements,
  contentOfReading,
  type DirectoryHistory,
  isDataContent,
  NAMELESS_CONTENT,
} from '../../../directory/facts/reading-contents.ts'
import type { ListKind } from '../../../directory/pages/pager.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { quoted } from '../../../directory/shared/text.ts'
import { type Contradiction, reportViolation, UndecidedContradiction } from '../../../engine/check/violations.ts'
import { SEQUENTIAL_REPEATS } from '../../../engine/finding/reproduce.ts'
import type { CheckProbe } from '../check.ts'

/**
 * Returns whether a response was invalid: not JSON, a list with a nameless element, or a 5xx although the service is
 * up.
 */
export const isInvalidContent = (content: string | undefined): boolean =>
  content !== undefined && (content === NAMELESS_CONTENT || /^(not-json|status 5\d\d)$/.test(content))

/** Finds a list that had an invalid response and a valid one, in any order. */
const findSometimesInvalidList = (history: DirectoryHistory, group: `${string} ${ListKind}`) =>
  history
    .variedResources(group)
    .concat(history.variedResources(`${group} elements`))
    .find(({ contents }) => contents.some(isDataContent) && contents.some(isInvalidContent))

/**
 * Returns a defect that is evident from one response alone, e.g. a body that is not JSON; undefined if there is none.
 */
const findOwnFault = (reading: ListReading): string | undefined =>
  [contentOfReading(reading), contentOfElements(reading)].find(isInvalidContent)

/**
 * Fails if a list once had an invalid response during the run, and has one when it is requested again. If all repeated
 * responses are valid, the check is inconclusive and does not pass: no change of the data explains the invalid response
 * (T2.9).
 */
const createStaysValidProbe =
  (
    group: ListKind,
    resourceOf: (directory: Directory, name: string) => ListResource,
    describeList: (name: string) => string,
    statements: { readonly list: StatementId; readonly name: StatementId },
  ): CheckProbe =>
  async ({ target: { directory, history }, isSettled, hasViolation, verify, createFreshReader }) => {
    const seen = findSometimesInvalidList(history, `${directory.version} ${group}`)
    if (!seen || isSettled()) return
    const resource = resourceOf(directory, seen.name)
    const contradiction = (fault = ''): Contradiction => ({
      expected: 'a valid response to every request',
      actual: `a repeated request for ${describeList(seen.name)} returned ${fault === 'not-json' ? 'a body that is not JSON' : fault}`,
      defectKind: fault,
      shownBy: [resource],
      isWrongByItself: true,
      statements: [fault === 'not-json' ? 'S-JSON' : fault === NAMELESS_CONTENT ? statements.name : statements.list],
      // A service that stops working fails in all operations, e.g. because no database connection is left.
      ...(fault.startsWith('status') && { crossOperationCause: `repeated requests return ${fault}` }),
    })
    await verify(async (read) => {
      for (let time = 0; time < SEQUENTIAL_REPEATS; time++) {
        const fault = findOwnFault(await (time === 0 ? read : createFreshReader().read)(resource))
        if (fault !== undefined) reportViolation(contradiction(fault))
      }
    })
    if (hasViolation()) return
    const once = contradiction(seen.contents.find(isInvalidContent))
    throw new UndecidedContradiction('unstable', `${once.actual}; the next response was valid again`, once)
  }

export const probeCatListStaysValid = createStaysValidProbe(
  'cats',
  ({ cats }) => cats,
  () => 'the list of all cats',
  { list: 'S-LIST-CATS', name: 'S-CAT-NAME' },
)
export const probeBreedListStaysValid = createStaysValidProbe(
  'breeds',
  ({ breeds }) => breeds,
  () => 'the list of all breeds',
  { list: 'S-LIST-BREEDS', name: 'S-BREED-NAME' },
)
export const probeBreedCatListsStayValid = createStaysValidProbe(
  'catsOf',
  ({ catsOf }, name) => catsOf(name),
  (name) => `the list of cats of the breed ${quoted(name)}`,
  { list: 'S-CATS-OF-BREED', name: 'S-CAT-NAME' },
)
