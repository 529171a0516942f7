import { type OperationId, versions } from '../../../../fixtures/contract/operations.ts'
import type { StatementId } from '../../../../fixtures/contract/statements.ts'
import { haveListsChanged } from '../../../directory/changes/change-monitor.ts'
import type { Deployment } from '../../../directory/deployment.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { EMPTY_LIST_CONTENT, haveListsVaried, isFailureContent } from '../../../directory/facts/reading-contents.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Check } from '../../../engine/check/check.ts'
import { UndecidedContradiction } from '../../../engine/check/violations.ts'
import { findFastAlternation, type StabilityLimits } from '../../../engine/evidence/fast-alternation.ts'
import { type CheckProbe, defineCheck, type VersionContext } from '../check.ts'
import type { CheckId } from '../ids.ts'
import { createChangingPagesError } from '../paging-faults.ts'
import { reportViolationOfReadings } from '../report-violation.ts'
import { probeIntermittentCatsOfBreed } from './intermittent-facts.ts'
import { findChangedBreedLists } from './missing-lists.ts'
import { assertPagesComplete, type PagedList } from './shifting-pages.ts'

/** A cat or breed may be removed and added again, or added and removed. More changes of the same name are a defect. */
const LIMITS_FOR_COMPLETE_LISTS: StabilityLimits = { bursts: 3, maxChanges: 2 }
/** A cat may move to another breed, return, and leave again. More changes of the same cat are a defect. */
const LIMITS_FOR_LISTS_OF_BREEDS: StabilityLimits = { bursts: 5, maxChanges: 4 }

/** Reads lists repeatedly. Fails if a name keeps disappearing from a list and returning. Passes if there are no lists. */
async function assertStableNames(
  lists: readonly ListResource[],
  limits: StabilityLimits,
  context: VersionContext,
): Promise<void> {
  const { createReaderPastCaches: createReader } = context.target
  const bursts = lists.flatMap((list) => {
    const usual = { resource: list, factsOf: namesOfReading, limits }
    // Reads the list with caches bypassed too: a cache hides replicas with different data, because all requests of a
    // burst get the same copy.
    return [[list.key, usual] as const, [`${list.key} past caches`, { ...usual, createReader }] as const]
  })
  const unstable = await findFastAlternation(new Map(bursts), context)
  if (!unstable) return context.verify(async () => {})
  const { resource, fact: name, readingsWithFact, readingCount, evidence } = unstable
  const reading = await context.read(resource)
  if (reading.kind === 'list' && reading.pages > 1) throw createChangingPagesError()
  await reportViolationOfReadings(resource, context, {
    expected: 'the same names in every response, unless one is added or removed',
    actual: `${quoted(name)} appears in the list and disappears: only ${readingsWithFact} of ${readingCount} responses contain this name`,
    shownBy: [resource],
    evidence,
    crossOperationCause: 'listed names disappear and return',
  })
}

/** The first pause between two readings of a polled list. */
const POLL_PAUSE_MS = 35
/**
 * The factor by which the pauses grow. It is no simple fraction, so that a periodic change is not missed at every poll.
 */
const PAUSE_GROWTH = 1.618
/** The number of names in the largest list that is polled. */
const MAX_POLLED_NAMES = 1000
/** The maximum number of pages that are read to poll one list. */
const MAX_POLLED_PAGES = 40

/** Reads a list a few times at irregular intervals. Other checks find its changes in the history of the run. */
async function pollList(list: ListResource, { target, read, createFreshReader, pause }: VersionContext): Promise<void> {
  const first = await read(list)
  if (first.kind !== 'list' || first.size > MAX_POLLED_NAMES) return
  const polls = Math.min(target.effort.pollsPerList, Math.floor(MAX_POLLED_PAGES / first.pages))
  for (let nth = 0; nth < polls; nth++) {
    if (nth > 0) await pause(POLL_PAUSE_MS * PAUSE_GROWTH ** nth)
    await createFreshReader().read(list)
  }
}

/** Returns whether a list takes several requests to read, even if the last page adds no name. */
async function isPaged(list: ListResource, { createFreshReader }: VersionContext): Promise<boolean> {
  const reader = createFreshReader()
  return (await reader.read(list)).kind === 'list' && reader.exchangesFor(list).length > 1
}

/** The groups of readings in the history that show whether the directory changed. */
const GROUPS = ['cats', 'breeds', 'catsOf', 'lives'] as const

/**
 * Requires that something else changed if a list had other names for a moment: a change of one list alone does not prove
 * that the directory changed (T2.2).
 * @param name the breed whose cats are listed, if the list is one of a breed's cats
 * @throws {UndecidedContradiction} if nothing else changed
 */
function requireOtherChange(
  list: ListResource,
  { listKind, name = '' }: { readonly listKind: 'cats' | 'breeds' | 'catsOf'; readonly name?: string },
  { target: { directory, history }, isSettled }: VersionContext,
): void {
  const own = `${directory.version} ${listKind}` as const
  const contents = history.variedResources(own).find((one) => one.name === name)?.contents
  const [first, other] = contents?.filter((content) => !isFailureContent(content)) ?? []
  // A list of all cats or breeds that is empty only at first, e.g. while it is loaded, was wrong for a moment too.
  const wasEmptyAtFirst = listKind !== 'catsOf' && first === EMPTY_LIST_CONTENT
  const isBack = other !== undefined && (wasEmptyAtFirst || history.latestContent(own, name) === first)
  const varied = versions.flatMap((version) =>
    GROUPS.flatMap((group) => history.variedResources(`${version} ${group}`).map((one) => ({ group, name: one.name }))),
  )
  if (!isBack || isSettled() || varied.some((one) => one.group !== listKind || one.name !== name)) return
  const actual = 'the list contained other names for a moment, although nothing else changed'
  const expected = 'the same names in every response, unless one is added or removed'
  throw new UndecidedContradiction('unstable', actual, { expected, actual, shownBy: [list] })
}

/** Creates a probe that tests a list for names that keep coming and going, if lists have changed. */
const createStableNamesProbe =
  ({ element, listOf, namesShownBy }: Pick<StableNamesFacts, 'element' | 'listOf' | 'namesShownBy'>): CheckProbe =>
  async (context) => {
    const { changeMonitor, directory, describeChangesSoFar, history } = context.target
    const haveChanged =
      (await haveListsChanged(changeMonitor)) || haveListsVaried(history) || describeChangesSoFar() !== undefined
    const hasUnexplainedChange = haveChanged && !changeMonitor.isExplained('lists')
    const list = listOf(directory)
    if (hasUnexplainedChange && (await isPaged(list, context)))
      return assertPagesComplete({ list, namesShownBy }, context)
    await assertStableNames(hasUnexplainedChange ? [list] : [], LIMITS_FOR_COMPLETE_LISTS, context)
    requireOtherChange(list, { listKind: `${element}s` }, context)
  }

/** Tests the changed lists of breeds' cats. */
const probeStableMembers: CheckProbe = async (context) => {
  const { target, read } = context
  const { directory } = target
  await haveListsChanged(target.changeMonitor)
  const changed = target.changeMonitor.isExplained('lists') ? [] : await findChangedBreedLists(directory, target, read)
  await assertStableNames(changed, LIMITS_FOR_LISTS_OF_BREEDS, context)
  for (const { name } of target.history.variedResources(`${directory.version} catsOf`))
    requireOtherChange(directory.catsOf(name), { listKind: 'catsOf', name }, context)
}

/** The instructions in `how` after a list was read many times in a row. */
const STEPS_AFTER_SERIES =
  'The check fails if the same name disappears and returns in both series. 3. If a name disappeared and returned during the run, read the list in bursts of several requests, a few seconds apart. The check fails if the name keeps disappearing and returning although another list always contains it.'

/** The properties in which the checks of the lists of all cats and of all breeds differ. */
interface StableNamesFacts {
  readonly id: CheckId
  readonly operation: OperationId
  readonly element: 'cat' | 'breed'
  readonly listStatement: StatementId
  readonly requires: readonly CheckId[]
  readonly listOf: (directory: Directory) => ListResource
  readonly namesShownBy: PagedList['namesShownBy']
  readonly probeIntermittentNames: CheckProbe
}

const commonFacts = {
  level: 'must',
  clauses: ['T2.7', 'T2.2', 'T2.8', 'R15.1'],
  when: 'last',
  fix: 'Serve all requests from the same data. The usual cause is a replica behind a load balancer that lacks some rows. If lists are paginated, order them by a unique column (`ORDER BY name, id`).',
} as const

/** Creates the check that fails if the same names leave a list and return more than twice (T2.7). */
export const createStableNamesCheck = ({
  element,
  listStatement,
  listOf,
  namesShownBy,
  probeIntermittentNames,
  ...own
}: StableNamesFacts): Check<Deployment> =>
  defineCheck({
    ...commonFacts,
    ...own,
    title: `no ${element} keeps disappearing from the list of all ${element}s`,
    statements: [listStatement],
    why: `A client that reads the list repeatedly sees the same ${element} deleted and added again and again.`,
    how: `1. Read the list at intervals during the run. 2. If any list of the service changed, read the list of all ${element}s in two series of many requests, a few seconds apart. ${STEPS_AFTER_SERIES} 4. If the list is paginated, its pages together must contain every name that other lists or responses contain from the beginning of the run to its end. 5. If the list was different for a moment while nothing else changed, the check is inconclusive, and the report gives the reason "unstable".`,
    probesMeanwhile: [(context) => pollList(listOf(context.target.directory), context)],
    probes: [createStableNamesProbe({ element, listOf, namesShownBy }), probeIntermittentNames],
  })

/** Fails if the same cats leave a breed's list and return more than twice (T2.7). */
export const stableBreedListsCheck = defineCheck({
  ...commonFacts,
  id: 'breed-cats/do-not-come-and-go',
  title: "no cat keeps disappearing from a breed's list",
  operation: 'listCatsOfBreed',
  statements: ['S-CATS-OF-BREED'],
  requires: ['breed-cats/have-names'],
  explainedBy: ['cats/do-not-come-and-go', 'breeds/do-not-come-and-go'],
  why: 'A client that reads the list repeatedly sees the same cat deleted and added again and again.',
  how: `1. Find the breeds whose list of cats changed during the run. 2. Read each of these lists in two series of many requests, a few seconds apart. ${STEPS_AFTER_SERIES}`,
  probes: [probeStableMembers, probeIntermittentCatsOfBreed],
})
