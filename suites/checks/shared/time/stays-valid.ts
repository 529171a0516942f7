import type { StatementId } from '../../../../fixtures/contract/statements.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import {
  contentOfReading,
  type DirectoryHistory,
  describeElementNames,
  isDataContent,
  NAMELESS_CONTENT,
} from '../../../directory/facts/reading-contents.ts'
import {
  areEqualLivesReadings,
  describeMissingCount,
  hasNoValidCount,
  type LivesReading,
} from '../../../directory/lives/lives-reading.ts'
import type { ListKind } from '../../../directory/pages/pager.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Resource } from '../../../engine/check/readers.ts'
import { type Contradiction, reportViolation, UndecidedContradiction } from '../../../engine/check/violations.ts'
import { SEQUENTIAL_REPEATS } from '../../../engine/finding/reproduce.ts'
import type { CheckProbe, VersionContext } from '../check.ts'

/**
 * Fails if a resource that had an invalid response has one again. If all repeated responses are valid, the check is
 * inconclusive: no change of the data explains the invalid response (T2.9).
 * @param seenFault describes what was invalid in the earlier response
 * @param faultOf describes what is invalid in a response; undefined if it is valid
 * @param contradictionOf creates the contradiction that a fault shows
 */
async function assertStaysValid<T>(
  resource: Resource<T>,
  seenFault: string,
  faultOf: (reading: T) => string | undefined,
  contradictionOf: (fault: string) => Contradiction,
  { verify, hasViolation, createFreshReader }: VersionContext,
): Promise<void> {
  const createContradiction = (fault: string) => ({ ...contradictionOf(fault), isWrongByItself: true as const })
  await verify(async (read) => {
    for (let time = 0; time < SEQUENTIAL_REPEATS; time++) {
      const fault = faultOf(await (time === 0 ? read : createFreshReader().read)(resource))
      if (fault !== undefined) reportViolation(createContradiction(fault))
    }
  })
  if (hasViolation()) return
  const once = createContradiction(seenFault)
  throw new UndecidedContradiction('unstable', `${once.actual}; the next response was valid again`, once)
}

/**
 * Returns whether a response was invalid: not JSON, a list with a nameless element, or a 5xx although the service is
 * up.
 */
export const isInvalidContent = (content: string | undefined): boolean =>
  content !== undefined && (content === NAMELESS_CONTENT || /^(not-json|status 5\d\d)$/.test(content))

/** Finds a list that had an invalid response and a valid one, in any order. Returns undefined if there is none. */
const findSometimesInvalidList = (history: DirectoryHistory, group: `${string} ${ListKind}`) =>
  history
    .variedResources(group)
    .concat(history.variedResources(`${group} elements`))
    .find(({ contents }) => contents.some(isDataContent) && contents.some(isInvalidContent))

/**
 * Creates a probe that fails if a list had an invalid response, and has one again.
 * @param resourceOf returns the list; `name` is the breed if the list is one of a breed's cats
 * @param statements the statements that an invalid list, and an element without a name, violate
 */
const createStaysValidProbe =
  (
    group: ListKind,
    resourceOf: (directory: Directory, name: string) => ListResource,
    describeList: (name: string) => string,
    statements: { readonly list: StatementId; readonly name: StatementId },
  ): CheckProbe =>
  async (context) => {
    const { directory, history } = context.target
    const seen = findSometimesInvalidList(history, `${directory.version} ${group}`)
    if (!seen || context.isSettled()) return
    const resource = resourceOf(directory, seen.name)
    await assertStaysValid(
      resource,
      seen.contents.find(isInvalidContent) ?? '',
      (reading) => [contentOfReading(reading), describeElementNames(reading)].find(isInvalidContent),
      (fault) => ({
        expected: 'a valid response to every request',
        actual: `a repeated request for ${describeList(seen.name)} returned ${fault === 'not-json' ? 'a body that is not JSON' : fault}`,
        defectKind: fault,
        shownBy: [resource],
        statements: [fault === 'not-json' ? 'S-JSON' : fault === NAMELESS_CONTENT ? statements.name : statements.list],
        // A service that stops working fails in all operations, e.g. because no database connection is left.
        ...(fault.startsWith('status') && { crossOperationCause: `repeated requests return ${fault}` }),
      }),
      context,
    )
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

/**
 * Fails if a cat had a count once and has none when its lives are requested again, even if the directory changes. Passes
 * if the response is now that for an unlisted cat, e.g. null: then the cat was removed.
 */
export const probeCountsStayValid: CheckProbe = async (context) => {
  const { changeMonitor, directory } = context.target
  const changes = [await changeMonitor.detectEarly(), await changeMonitor.detectLate()]
  const withoutCount = changes.flatMap(({ catsWithoutCount }) => catsWithoutCount)
  if (context.hasViolation() || withoutCount.length === 0) return
  const unlisted = await context.read(directory.lives(directory.controlName()))
  const isInvalid = (reading: LivesReading) => hasNoValidCount(reading) && !areEqualLivesReadings(reading, unlisted)
  const seen = withoutCount.find(({ reading }) => isInvalid(reading))
  if (!seen) return
  const resource = directory.lives(seen.cat)
  await assertStaysValid(
    resource,
    describeMissingCount(seen.reading),
    (reading) => (isInvalid(reading) ? describeMissingCount(reading) : undefined),
    (fault) => ({
      expected: 'a JSON number, whole and at least 0, in every response',
      actual: `a repeated request for the lives of ${quoted(seen.cat)} returned ${fault}`,
      defectKind: fault,
      shownBy: [resource],
      names: { atFault: [seen.cat] },
    }),
    context,
  )
}
