import type { StatementId } from '../../../../fixtures/contract/statements.ts'
import {
  contentOfReading,
  findEqualContents,
  isDataContent,
  isFailureContent,
} from '../../../directory/facts/reading-contents.ts'
import { readBreedsIfReadable, readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Resource } from '../../../engine/check/readers.ts'
import {
  COMPARISON_ROUNDS,
  type ComparedResource,
  type Condition,
  createFirstRequestCondition,
  createNewUrlCondition,
  createPrecedingRequestCondition,
  findDependence,
  readComparedResource,
} from '../../../engine/evidence/compare-conditions.ts'
import { createConcurrencyCondition } from '../../../engine/evidence/concurrency-condition.ts'
import { findSharedEntry } from '../../../engine/finding/cache-symptoms.ts'
import { WAIT_BEYOND_UNDECLARED_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import type { ResourceContents } from '../../../engine/history/reading-history.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { createFailureFacts, describeServiceFailure, reportViolationOfReadings } from '../report-violation.ts'
import { selectSimilarNamePairs, selectSimilarNames } from './similar-names.ts'

/** A resource whose readings varied during the run, and other requests on which its response may wrongly depend. */
interface VariedResource<T> extends ComparedResource<T> {
  /** The resource as a noun phrase, e.g. `the list of all cats`. */
  readonly description: string
  /** The statement of the operation, which a failure violates. */
  readonly statement: StatementId
  readonly namesAtFault?: readonly string[]
  /** Resources of the same operation that a cache may confuse with this one, e.g. cats with similar names. */
  readonly similar: readonly { readonly name: string; readonly resource: Resource<T> }[]
  readonly sameOperation: readonly Resource<unknown>[]
  readonly otherOperations: readonly Resource<unknown>[]
  /** True if the response did not vary, but equals that of a similar resource: then only these are tried. */
  readonly isOnlyEqual?: boolean
}

const MAX_OTHERS_OF_OPERATION = 3

const selectOthers = (name: string, names: readonly string[]): readonly string[] =>
  names.filter((one) => one !== name).slice(0, MAX_OTHERS_OF_OPERATION)

/** Selects one resource of each operation, except of the operation `except`. */
async function selectOtherOperations(
  except: 'cats' | 'breeds' | 'catsOf' | 'search' | 'lives',
  { target: { directory, livesDirectory }, read }: VersionContext,
): Promise<readonly Resource<unknown>[]> {
  const [[cat], [breed]] = await Promise.all([
    readNamesForPaths(directory.cats, read),
    readBreedsIfReadable(directory, read),
  ])
  const hasLives = livesDirectory === directory
  return [
    ...(except === 'breeds' ? [] : [directory.breeds]),
    ...(except === 'catsOf' || breed === undefined ? [] : [directory.catsOf(breed)]),
    ...(except === 'cats' ? [] : [directory.cats]),
    ...(except === 'search' || cat === undefined ? [] : [directory.search(cat)]),
    ...(except === 'lives' || cat === undefined || !hasLives ? [] : [directory.lives(cat)]),
  ]
}

const headOf = ({ key }: Resource<unknown>): Resource<unknown> => ({
  key: `HEAD ${key}`,
  readWith: (ask) => ask({ method: 'HEAD', target: key, follow: true }),
})

/**
 * Requests each similar resource right before the suspected one. Returns the first similar resource whose content the
 * suspected one then returns: probably a cache confuses them.
 */
async function findConfusedResource<T>(varied: VariedResource<T>, context: VersionContext) {
  for (const { name, resource } of varied.similar) {
    const before = await readComparedResource({ ...varied, resource }, context)
    const own = await readComparedResource(varied, context)
    if (before.content === own.content && isDataContent(own.content)) return { name, resource }
  }
  return undefined
}

async function selectConditions<T>(
  varied: VariedResource<T>,
  context: VersionContext,
): Promise<readonly Condition<T>[]> {
  const { sameOperation, otherOperations } = varied
  const confused = await findConfusedResource(varied, context)
  const similar = confused
    ? [createPrecedingRequestCondition<T>(confused.resource, quoted(confused.name), WAIT_BEYOND_UNDECLARED_COPIES_MS)]
    : []
  if (varied.isOnlyEqual) return similar
  // `--effort quick` sends too few requests to try each operation.
  const precedingOthers = context.target.effort.pollsPerList > 0 ? otherOperations : []
  return [
    ...similar,
    createPrecedingRequestCondition(headOf(varied.resource), 'its headers (HEAD)'),
    ...precedingOthers.map((other) => createPrecedingRequestCondition<T>(other, other.key)),
    createFirstRequestCondition(context.target.createUniqueValue),
    createNewUrlCondition(context.target.createUniqueValue, (content) => !isDataContent(content)),
    createConcurrencyCondition({ sameOperation, otherOperations }),
  ]
}

/** Reports the first suspected resource whose response depends on other requests. */
async function verifyIndependence<T>(varied: readonly VariedResource<T>[], context: VersionContext): Promise<void> {
  const possible: { compared: VariedResource<T>; condition: Condition<T> }[] = []
  for (const compared of varied) {
    // Waits after a failure: a cache that stores failures would return this failure even without the other requests.
    if (isFailureContent((await readComparedResource(compared, context)).content))
      await context.pause(WAIT_BEYOND_UNDECLARED_COPIES_MS)
    for (const condition of await selectConditions(compared, context)) possible.push({ compared, condition })
  }
  const found = await findDependence<T, VariedResource<T>>(possible, context)
  if (!found) return
  const { description, resource, namesAtFault, statement } = found.compared
  const circumstances = `${found.condition.circumstance} (${COMPARISON_ROUNDS} of ${COMPARISON_ROUNDS} tries)`
  const failure = isFailureContent(found.alone) ? undefined : describeServiceFailure(found.evidence)
  await reportViolationOfReadings(resource, context, {
    ...(failure === undefined
      ? {
          expected: 'the same response, whatever other requests are sent before or at the same time',
          actual: `${description} is different ${circumstances}`,
          statements: [statement, 'S-READ-ONLY'],
        }
      : createFailureFacts(failure, `${description} returned ${failure} ${circumstances}`, statement)),
    shownBy: [resource],
    evidence: found.evidence,
    isIntermittent: true,
    // If two requests share an entry of a cache, that causes the violations of other checks, and not the reverse.
    restsOnAllResponses: findSharedEntry(found.evidence.exchanges) === undefined,
    ...(namesAtFault && { namesAtFault }),
  })
}

/** Selects lists of breeds' cats that varied during the run, or that equal the list of another breed. */
async function selectVariedMembers(context: VersionContext): Promise<readonly VariedResource<ListReading>[]> {
  const { target, read } = context
  const { directory, history, effort } = target
  const breeds = await readNamesForPaths(directory.breeds, read)
  const listed = new Set(breeds)
  const lists = history.resources(`${directory.version} catsOf`).filter(({ name }) => listed.has(name))
  const varied = lists.filter(({ contents }) => contents.length > 1)
  const selected = [...new Set([...varied, ...findEqualContents(lists)])].slice(0, effort.variedResources)
  const otherOperations = await selectOtherOperations('catsOf', context)
  return selected.map((list) => ({
    resource: directory.catsOf(list.name),
    contentOf: contentOfReading,
    description: `the list of cats of the breed ${quoted(list.name)}`,
    statement: 'S-CATS-OF-BREED',
    namesAtFault: [list.name],
    similar: selectSimilarNames(list.name, breeds).map((one) => ({ name: one, resource: directory.catsOf(one) })),
    sameOperation: selectOthers(list.name, breeds).map((breed) => directory.catsOf(breed)),
    otherOperations,
    isOnlyEqual: !varied.includes(list),
  }))
}

/**
 * Fails if the list of a breed's cats varied because its response depends on requests sent before it or at the same
 * time (T2.5, T2.6).
 */
export const probeRequestDependenceOfBreedLists: CheckProbe = async (context) => {
  if (context.hasViolation() || context.target.changeMonitor.isExplained('lists')) return
  await verifyIndependence(await selectVariedMembers(context), context)
}

const STATEMENTS = { cats: 'S-LIST-CATS', breeds: 'S-LIST-BREEDS' } as const

/**
 * Creates a probe that fails if the list of all cats, or of all breeds, varied because its response depends on other
 * requests (T2.5, T2.6).
 */
export const createRequestDependenceProbe =
  (of: 'cats' | 'breeds'): CheckProbe =>
  async (context) => {
    const { directory, history, changeMonitor } = context.target
    if (context.hasViolation() || changeMonitor.isExplained('lists')) return
    if (!history.hasVaried(`${directory.version} ${of}`)) return
    const varied = {
      resource: directory[of],
      contentOf: contentOfReading,
      description: `the list of all ${of}`,
      statement: STATEMENTS[of],
      similar: [],
      sameOperation: [],
      otherOperations: await selectOtherOperations(of, context),
    }
    await verifyIndependence([varied], context)
  }

/** Fails if a search varied because its response depends on requests sent before it or at the same time (T2.5, T2.6). */
export const probeRequestDependenceOfSearches: CheckProbe = async (context) => {
  const { directory, history, changeMonitor, effort } = context.target
  // `--effort quick` sends too few requests for this.
  if (context.hasViolation() || changeMonitor.isExplained('lists') || effort.pollsPerList === 0) return
  const varied = history.variedResources(`${directory.version} search`).map(({ name }) => name)
  const otherOperations = await selectOtherOperations('search', context)
  await verifyIndependence(
    varied.slice(0, effort.variedResources).map((query) => ({
      resource: directory.search(query),
      contentOf: contentOfReading,
      description: `the search for ${quoted(query)}`,
      statement: 'S-SEARCH',
      similar: [],
      sameOperation: selectOthers(query, varied).map((other) => directory.search(other)),
      otherOperations,
    })),
    context,
  )
}

/** If equal counts are more probable than this, they are no evidence that a cache confuses similar names. */
const MAX_CHANCE_OF_EQUAL_COUNTS = 0.05

/** Returns the probability that two independent counts are equal. */
function chanceOfEqualCounts(counts: readonly string[]): number {
  const shares = [...new Set(counts)].map((one) => counts.filter((count) => count === one).length / counts.length)
  return shares.reduce((sum, share) => sum + share ** 2, 0)
}

/**
 * Returns one cat of each group of similar names whose counts are all equal, although counts of other cats differ. A
 * cache may take a part of the name for the whole name.
 */
function findConfusedCats(lives: readonly ResourceContents[]): readonly string[] {
  const counts = new Map(lives.map(({ name, contents: [first = ''] }) => [name, first]))
  const chance = chanceOfEqualCounts([...counts.values()])
  return selectSimilarNamePairs([...counts.keys()]).flatMap((pairs) => {
    const areEqual = pairs.every(([name, other]) => counts.get(name) === counts.get(other))
    return areEqual && chance ** pairs.length <= MAX_CHANCE_OF_EQUAL_COUNTS
      ? pairs.slice(0, 1).map(([name]) => name)
      : []
  })
}

/** Returns all names; the names of cats that have the same breed as the given cat come first. */
async function readBreedMatesFirst(
  cat: string,
  names: readonly string[],
  { target: { directory }, read }: VersionContext,
): Promise<readonly string[]> {
  const breeds = await readBreedsIfReadable(directory, read)
  const lists = await Promise.all(breeds.map(async (breed) => namesOfReading(await read(directory.catsOf(breed)))))
  return [...new Set([...(lists.find((list) => list.includes(cat)) ?? []), ...names])]
}

/**
 * Selects the cats whose lives varied, or may be the lives of another cat. If an unlisted cat has a count, selects the
 * first listed cat too.
 */
async function selectVariedCats(context: VersionContext): Promise<readonly VariedResource<LivesReading>[]> {
  const { target, read } = context
  const { directory, history, effort } = target
  const names = await readNamesForPaths(directory.cats, read)
  const recorded = new Map(history.resources(`${directory.version} lives`).map((one) => [one.name, one]))
  const listed = names.flatMap((name) => recorded.get(name) ?? [])
  const listedResources = new Set(listed)
  const unlisted = await read(directory.lives(directory.controlName()))
  const varied = [
    ...[...recorded.values()]
      .filter((one) => one.contents.length > 1 && listedResources.has(one))
      .map(({ name }) => name),
    ...findConfusedCats(listed),
    ...(unlisted.kind === 'count' ? names.slice(0, 1) : []),
  ]
  const otherOperations = await selectOtherOperations('lives', context)
  const selected = [...new Set(varied)].slice(0, effort.variedResources)
  return Promise.all(
    selected.map(async (name) => {
      const similar = selectSimilarNames(name, await readBreedMatesFirst(name, names, context)).map((one) => ({
        name: one,
        resource: directory.lives(one),
      }))
      return {
        resource: directory.lives(name),
        contentOf: contentOfReading,
        description: `the count of lives of ${quoted(name)}`,
        statement: 'S-LIVES',
        namesAtFault: [name],
        similar,
        sameOperation: similar.map(({ resource }) => resource),
        otherOperations,
      }
    }),
  )
}

/** Fails if a count of lives depends on requests sent before it or at the same time (T2.5, T2.6). */
export const probeRequestDependenceOfLives: CheckProbe = async (context) => {
  if (context.hasViolation() || context.target.changeMonitor.isExplained('lives')) return
  await verifyIndependence(await selectVariedCats(context), context)
}
