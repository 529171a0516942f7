import type { Read, Subject } from '../../engine/judging/readers.ts'
import type { TwoVersions } from '../../vocabulary/deployment.ts'
import { canStandInPath } from '../../vocabulary/encodings.ts'
import type { Directory } from '../../vocabulary/reading/directory.ts'
import type { ListReading } from '../../vocabulary/reading/list-reading.ts'
import { foundBy, requireList } from '../../vocabulary/reading/names.ts'
import { NAMELESS } from './list-assertions.ts'
import { cutAt, type LookAt, sameNames } from './same-names.ts'

export type SubjectOf = (directory: Directory) => Subject<ListReading>

/** What makes the versions differ for listed names makes them differ for any string. */
export const OTHER_CATS = 'the versions list other cats of a breed'
export const OTHER_HITS = 'the versions find other cats'

/** Both versions list the same names. */
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

/** More are not asked for their cats, only to say what explains that they are missing. */
const MOST_MISSING = 20

/** Breeds that one version lists and the other does not, with their cats: they are missed together. */
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

/** What a text finds in both versions is the same. A refusal finds nothing: what the other version finds was not refused for what it is. */
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
