import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { TwoVersions } from '../../directory/deployment.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import { pointer } from '../../directory/readings/json.ts'
import { isSameReading } from '../../directory/readings/list-operations.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { foundBy, requireList } from '../../directory/readings/names.ts'
import { canStandInPath } from '../../directory/shared/encodings.ts'
import { quoted } from '../../directory/shared/text.ts'
import type { Read, Subject } from '../../engine/check/readers.ts'
import { broken } from '../../engine/check/violations.ts'
import { NAMELESS } from './list-assertions.ts'
import { cutAt, type LookAt, sameNames } from './same-names.ts'

export type SubjectOf = (directory: Directory) => Subject<ListReading>

/** A difference for listed names explains a difference for any string. */
export const OTHER_CATS = 'the versions list other cats of a breed'
const OTHER_HITS = 'the versions find other cats'

/** Fails if the versions list different names. */
export async function sameList(
  of: SubjectOf,
  { older, newer }: TwoVersions,
  asked: string,
  read: Read,
  mentions: readonly string[] = [],
): Promise<void> {
  const [one, other] = await Promise.all([read(of(older)), read(of(newer))])
  sameNames(
    { of: older.version, list: requireList(one), subject: of(older) },
    { of: newer.version, list: requireList(other), subject: of(newer) },
    asked,
    { mentions },
  )
}

/** The limit of breeds whose cats are requested to explain why they are missing. */
const MOST_MISSING = 20

/** Breeds that only one version lists, with their cats: these are missing for the same reason. */
export async function missedTogether({ older, newer }: TwoVersions, read: Read): Promise<readonly string[]> {
  const [one, other] = (await Promise.all([read(older.breeds), read(newer.breeds)])).map(requireList)
  if (!one || !other) return []
  const missed = [
    ...one.names.filter((breed) => !other.has(breed)).map((breed) => ({ breed, listedBy: older })),
    ...other.names.filter((breed) => !one.has(breed)).map((breed) => ({ breed, listedBy: newer })),
  ]
  const cats = await Promise.all(
    missed
      .filter(({ breed }) => canStandInPath(breed))
      .slice(0, MOST_MISSING)
      .map(async ({ breed, listedBy }) => foundBy(await read(listedBy.catsOf(breed)))?.names ?? []),
  )
  return [...missed.map(({ breed }) => breed), ...cats.flat()]
}

/**
 * Fails if a string finds different names in the versions (R11.1). A refusal counts as an empty result, unless the
 * other version finds something (R11.3).
 */
export async function sameFound(
  of: SubjectOf,
  asked: string,
  { older, newer }: TwoVersions,
  read: Read,
  { first, cause }: { readonly first?: LookAt; readonly cause: string },
): Promise<void> {
  const [one, other] = await Promise.all([read(of(older)), read(of(newer))])
  const [found, foundByOther] = [foundBy(one), foundBy(other)]
  if (!found || !foundByOther) return
  const isAnyNameless = [one, other].some((list) => list.kind === 'list' && list.nameless !== undefined)
  sameNames(
    { of: older.version, list: found, subject: of(older) },
    { of: newer.version, list: foundByOther, subject: of(newer) },
    asked,
    {
      ...(first && { first }),
      causes: isAnyNameless ? [NAMELESS] : [cause],
      causesOf: ({ of: version, list }) => cutAt(list.names.length, { version }),
    },
  )
}

const catsOf =
  (breed: string): SubjectOf =>
  (directory) =>
    directory.catsOf(breed)
const hitsOf =
  (query: string): SubjectOf =>
  (directory) =>
    directory.search(query)

type SameFor = (text: string, target: TwoVersions, read: Read) => Promise<void>

export const sameCatsOfBreed =
  (first: LookAt): SameFor =>
  (breed, target, read) =>
    sameFound(catsOf(breed), `the cats of ${quoted(breed)}`, target, read, { first, cause: OTHER_CATS })

/** Query strings with q empty or absent: parity covers them too (R11.4). */
const EMPTY = 'q='
export const NO_QUERIES = ['', EMPTY]

/**
 * A query of white space may be read as an empty one (O-SEARCH-BLANK), which one version serves and the other refuses.
 */
async function isReadAsEmpty(query: string, { older, newer }: TwoVersions, read: Read): Promise<boolean> {
  const readings = await Promise.all([older, newer].map((one) => read(one.search(query))))
  if (!readings.some(({ kind }) => kind === 'refused')) return false
  const empty = await Promise.all([older, newer].map((one) => read(one.raw.query(EMPTY))))
  return readings.every((reading, nth) => empty[nth] !== undefined && isSameReading(reading, empty[nth]))
}

export const sameHits =
  (first: LookAt): SameFor =>
  async (query, target, read) => {
    if (await isReadAsEmpty(query, target, read)) return
    await sameFound(hitsOf(query), `a search for ${quoted(query)}`, target, read, { first, cause: OTHER_HITS })
  }

/** Compares the results of a query string if both versions serve it. */
export async function sameFoundBy(sent: string, target: TwoVersions, read: Read): Promise<void> {
  const { older, newer } = target
  const readings = await Promise.all([read(older.raw.query(sent)), read(newer.raw.query(sent))])
  if (NO_QUERIES.includes(sent) && readings.some(({ kind }) => kind === 'refused')) return
  await sameFound(({ raw }) => raw.query(sent), `a search with ${sent === '' ? 'no q' : sent}`, target, read, {
    cause: OTHER_HITS,
  })
}

/** Advises if only one version serves an empty or absent `q` (R11.5). */
export async function servedInBoth(sent: string, { older, newer }: TwoVersions, read: Read): Promise<void> {
  const versions = [older, newer]
  const readings = await Promise.all(versions.map(({ raw }) => read(raw.query(sent))))
  const isServed = readings.map(({ kind }) => kind === 'list' || kind === 'nothing')
  const refused = versions[readings.findIndex(({ kind }) => kind === 'refused')]
  if (!isServed.includes(true) || !refused) return
  const what = sent === '' ? 'a search without q' : 'a search with an empty q'
  broken({
    expected: `both versions serve ${what}, or neither does`,
    actual: `${refused.version} refuses ${what}, which ${refused === older ? newer.version : older.version} serves`,
    manner: 'served in one version only',
    shownBy: versions.map(({ raw }) => raw.query(sent)),
  })
}

/** The places of an operation's lists in both versions. */
export const listShapes = [
  { operation: 'listCats', of: 'cats', shownBy: ({ cats }: Directory) => cats },
  { operation: 'listBreeds', of: 'breeds', shownBy: ({ breeds }: Directory) => breeds },
  { operation: 'listCatsOfBreed', of: 'catsOf', shownBy: ({ cats }: Directory) => cats },
  { operation: 'searchCats', of: 'search', shownBy: ({ cats }: Directory) => cats },
] as const satisfies readonly { operation: OperationId; of: keyof Directory['shapes']; shownBy: SubjectOf }[]

export async function sameShape(
  { of, shownBy }: (typeof listShapes)[number],
  { older, newer }: TwoVersions,
): Promise<void> {
  const [one, other] = await Promise.all([older.shapes[of](), newer.shapes[of]()])
  if (!one || !other || 'unreadable' in one || 'unreadable' in other) return
  const [inOne, inOther] = [one, other].map(({ list, name }) => ({ list: pointer(list), name: pointer(name) }))
  if (!inOne || !inOther || (inOne.list === inOther.list && inOne.name === inOther.name)) return
  broken({
    expected: 'list and name at the same places in both versions',
    actual: `the list is at ${inOne.list || 'the top level'} with the name at ${inOne.name || 'the element itself'} in ${older.version}, but at ${inOther.list || 'the top level'} with the name at ${inOther.name || 'the element itself'} in ${newer.version}`,
    shownBy: [shownBy(older), shownBy(newer)],
  })
}
