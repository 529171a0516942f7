import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { VersionPairTarget } from '../../directory/deployment.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import { describeNonList } from '../../directory/readings/describe-non-list.ts'
import { toJsonPointer } from '../../directory/readings/json.ts'
import { areEqualListReadings } from '../../directory/readings/list-operations.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { readRequiredList, requireList, requireListOrEmpty } from '../../directory/readings/names.ts'
import { canBeInPath } from '../../directory/shared/encodings.ts'
import { formatCount, quoted } from '../../directory/shared/text.ts'
import type { Read, Resource } from '../../engine/check/readers.ts'
import { reportViolation } from '../../engine/check/violations.ts'
import { NAMELESS_CAUSE, NOT_JSON_CAUSE } from './list-assertions.ts'
import { assertSameNames, createTruncationCauses, type ListShownFirst } from './same-names.ts'

/** Returns the list to compare, of one version. */
export type ListSelector = (directory: Directory) => Resource<ListReading>

/**
 * The cause of findings about a breed whose cats differ between the versions. Findings with the same cause are reported
 * only once.
 */
export const DIFFERENT_CATS_CAUSE = 'the versions list different cats of a breed'
const DIFFERENT_HITS_CAUSE = 'the versions find different cats'

/**
 * Fails if the versions list different names.
 * @param otherNames further names that a finding depends on, e.g. the cats of a missing breed
 */
export async function assertSameList(
  selectList: ListSelector,
  { older, newer }: VersionPairTarget,
  subject: string,
  read: Read,
  otherNames: readonly string[] = [],
): Promise<void> {
  const [one, other] = await Promise.all([read(selectList(older)), read(selectList(newer))])
  assertSameNames(
    { description: older.version, list: requireList(one), resource: selectList(older) },
    { description: newer.version, list: requireList(other), resource: selectList(newer) },
    subject,
    { otherNames },
  )
}

/**
 * The maximum number of breeds, listed by only one version, whose cats are read. The other version lacks these cats for
 * the same reason.
 */
const MAX_MISSING_BREEDS = 20

/**
 * Returns the breeds that only one version lists, with their cats. The other version lacks these cats too, because it
 * lacks their breeds, so they are not a separate defect.
 */
export async function findCatsOfMissingBreeds(
  { older, newer }: VersionPairTarget,
  read: Read,
): Promise<readonly string[]> {
  const [one, other] = await Promise.all([older.breeds, newer.breeds].map((list) => readRequiredList(list, read)))
  if (!one || !other) return []
  const missingBreeds = [
    ...one.names.filter((breed) => !other.has(breed)).map((breed) => ({ breed, listedBy: older })),
    ...other.names.filter((breed) => !one.has(breed)).map((breed) => ({ breed, listedBy: newer })),
  ]
  const cats = await Promise.all(
    missingBreeds
      .filter(({ breed }) => canBeInPath(breed))
      .slice(0, MAX_MISSING_BREEDS)
      .map(async ({ breed, listedBy }) => requireListOrEmpty(await read(listedBy.catsOf(breed)))?.names ?? []),
  )
  return [...missingBreeds.map(({ breed }) => breed), ...cats.flat()]
}

/** Fails if one version finds names, and the response of the other is not JSON, which hides what it finds. */
function assertBothReadable(
  selectList: ListSelector,
  subject: string,
  { older, newer }: Pick<VersionPairTarget, 'older' | 'newer'>,
  readings: readonly [ListReading, ListReading],
): void {
  const [one, other] = readings
  for (const [unreadable, found, version, otherVersion] of [
    [one, other, older, newer],
    [other, one, newer, older],
  ] as const) {
    if (unreadable.kind !== 'not-json' || unreadable.isEmpty) continue
    if (found.kind !== 'list' || found.names.length === 0) continue
    reportViolation({
      expected: `the same names in ${older.version} and ${newer.version}`,
      actual: `${subject}: ${version.version} returned ${describeNonList(unreadable)}, ${otherVersion.version} returned ${formatCount(found.names.length, 'name')}`,
      defectKind: 'a body that cannot be read, and names in the other version',
      shownBy: [selectList(otherVersion), selectList(version)],
      causes: [NOT_JSON_CAUSE],
    })
  }
}

/**
 * Fails if a string finds different names in the versions (R11.1). A refusal counts as an empty result if the other
 * version finds nothing either (R11.3).
 */
export async function assertSameResults(
  selectList: ListSelector,
  subject: string,
  { older, newer }: VersionPairTarget,
  read: Read,
  { shownFirst, cause }: { readonly shownFirst?: ListShownFirst; readonly cause: string },
): Promise<void> {
  const [one, other] = await Promise.all([read(selectList(older)), read(selectList(newer))])
  assertBothReadable(selectList, subject, { older, newer }, [one, other])
  const [found, foundByOther] = [requireListOrEmpty(one), requireListOrEmpty(other)]
  if (!found || !foundByOther) return
  const isAnyNameless = [one, other].some((list) => list.kind === 'list' && list.namelessElement !== undefined)
  assertSameNames(
    { description: older.version, list: found, resource: selectList(older) },
    { description: newer.version, list: foundByOther, resource: selectList(newer) },
    subject,
    {
      ...(shownFirst && { shownFirst }),
      causes: isAnyNameless ? [NAMELESS_CAUSE] : [cause],
      causesOf: ({ description: version, list }) => createTruncationCauses(list.names.length, { version }),
    },
  )
}

type ParityAssertion = (text: string, target: VersionPairTarget, read: Read) => Promise<void>

/** Creates an assertion that fails if the versions list different cats for a breed. */
export const createSameCatsAssertion =
  (shownFirst: ListShownFirst): ParityAssertion =>
  (breed, target, read) =>
    assertSameResults(({ catsOf }) => catsOf(breed), `the cats of the breed ${quoted(breed)}`, target, read, {
      shownFirst,
      cause: DIFFERENT_CATS_CAUSE,
    })

const EMPTY_QUERY = 'q='
/** The query strings without `q` and with an empty `q`. They too must find the same cats in both versions (R11.4). */
export const EMPTY_QUERY_STRINGS = ['', EMPTY_QUERY]

/**
 * Returns whether a version refuses a query, e.g. of white space, and each version responds to it as to an empty query
 * (O-SEARCH-BLANK). If so, a difference between the versions is no violation.
 */
async function isReadAsEmpty(query: string, { older, newer }: VersionPairTarget, read: Read): Promise<boolean> {
  const readings = await Promise.all([older, newer].map((one) => read(one.search(query))))
  if (!readings.some(({ kind }) => kind === 'refused')) return false
  const empty = await Promise.all([older, newer].map((one) => read(one.raw.query(EMPTY_QUERY))))
  return readings.every((reading, nth) => empty[nth] !== undefined && areEqualListReadings(reading, empty[nth]))
}

/** Creates an assertion that fails if the versions find different cats for a query. */
export const createSameHitsAssertion =
  (shownFirst: ListShownFirst): ParityAssertion =>
  async (query, target, read) => {
    if (await isReadAsEmpty(query, target, read)) return
    const { older, newer } = target
    const isListed = shownFirst === 'the list without the name'
    const subject = isListed
      ? `a search for ${quoted(query)}`
      : `${older.version} and ${newer.version} match the query ${quoted(query)} differently`
    await assertSameResults(({ search }) => search(query), subject, target, read, {
      shownFirst,
      cause: DIFFERENT_HITS_CAUSE,
    })
  }

const describeSearch = (queryString: string): string => {
  if (queryString === '') return 'a search without q'
  return queryString === EMPTY_QUERY ? 'a search with an empty q' : `a search with ${queryString}`
}

/** Fails if a search with a query string finds different names in the versions, and neither refuses an empty query. */
export async function assertSameResultsForQueryString(
  queryString: string,
  target: VersionPairTarget,
  read: Read,
): Promise<void> {
  const { older, newer } = target
  const readings = await Promise.all([read(older.raw.query(queryString)), read(newer.raw.query(queryString))])
  if (EMPTY_QUERY_STRINGS.includes(queryString) && readings.some(({ kind }) => kind === 'refused')) return
  await assertSameResults(({ raw }) => raw.query(queryString), describeSearch(queryString), target, read, {
    cause: DIFFERENT_HITS_CAUSE,
  })
}

/** Gives advice if only one version serves an empty or absent `q` (R11.5). */
export async function assertServedInBothOrNeither(
  queryString: string,
  { older, newer }: VersionPairTarget,
  read: Read,
): Promise<void> {
  const versions = [older, newer]
  const readings = await Promise.all(versions.map(({ raw }) => read(raw.query(queryString))))
  const isServed = readings.map(({ kind }) => kind === 'list' || kind === 'nothing')
  const refused = versions[readings.findIndex(({ kind }) => kind === 'refused')]
  if (!isServed.includes(true) || !refused) return
  const search = describeSearch(queryString)
  reportViolation({
    expected: `both versions serve ${search}, or neither does`,
    actual: `${refused.version} refuses ${search}, but ${refused === older ? newer.version : older.version} serves such a search`,
    defectKind: 'served in one version only',
    shownBy: versions.map(({ raw }) => raw.query(queryString)),
  })
}

/** The operations whose JSON shapes are compared between versions. */
export const operationsWithComparedShapes = [
  { operation: 'listCats', listKind: 'cats', listDescription: 'the list of all cats' },
  { operation: 'listBreeds', listKind: 'breeds', listDescription: 'the list of all breeds' },
  { operation: 'listCatsOfBreed', listKind: 'catsOf', listDescription: 'the list of cats of a breed' },
  { operation: 'searchCats', listKind: 'search', listDescription: 'the result of a search' },
] as const satisfies readonly { operation: OperationId; listKind: keyof Directory['shapes']; listDescription: string }[]

export type OperationWithComparedShapes = (typeof operationsWithComparedShapes)[number]

const describePlaces = ({ list, name }: { readonly list: string; readonly name: string }): string =>
  `the list is ${list === '' ? 'the whole body' : `at ${list}`}, and ${name === '' ? 'the elements are the names' : `the name of each element is at ${name}`}`

/** Fails if an operation has its list, or the names in it, at different places in the JSON of the versions (R11.7). */
export async function assertSameShape(
  { listKind, listDescription }: OperationWithComparedShapes,
  { older, newer }: VersionPairTarget,
): Promise<void> {
  const [one, other] = await Promise.all([older.shapes[listKind](), newer.shapes[listKind]()])
  if (!one || !other || 'unreadable' in one || 'unreadable' in other) return
  const [inOne, inOther] = [one, other].map(({ list, name }) => ({
    list: toJsonPointer(list),
    name: toJsonPointer(name),
  }))
  if (!inOne || !inOther || (inOne.list === inOther.list && inOne.name === inOther.name)) return
  reportViolation({
    expected: 'the list and the names in it are at the same places in the JSON of both versions',
    actual: `${listDescription}: in ${older.version}, ${describePlaces(inOne)}; in ${newer.version}, ${describePlaces(inOther)}`,
    shownBy: [older, newer].map(({ breeds, cats }) => (listKind === 'breeds' ? breeds : cats)),
    // A change of the data does not change the shape of the lists.
    isWrongByItself: true,
  })
}
