import type fc from 'fast-check'
import type { Read } from '../../engine/judging/readers.ts'
import { sample } from '../../engine/judging/sample.ts'
import type { Deployment } from '../deployment.ts'
import { canStandInPath } from '../encodings.ts'
import type { Directory } from '../reading/directory.ts'
import { distinctNames, foundBy, sorted } from '../reading/names.ts'
import { alterationsOf, altered } from './alterations.ts'
import { queries, segments } from './arbitraries.ts'
import { pathNames, searchableNames } from './own-names.ts'
import { fewQueryTroubles, fewSegmentTroubles, queryTroubles, segmentTroubles } from './troubles.ts'

/** Strings that nobody chose: generated ones, and those that are always tried. */
export interface Strings {
  readonly generated: fc.Arbitrary<string>
  readonly examples: readonly string[]
  /** How many more there are than are tried. */
  readonly leftOut: number
}

/** What decides which strings are tried. */
export type Tried = Pick<Deployment, 'effort' | 'alterations' | 'seed' | 'strings'>

const inLetters = new WeakMap<readonly string[], readonly string[]>()

/** Looked for once in a list: it may be large, and is asked for by many checks. */
function beginningWithLetters(names: readonly string[]): readonly string[] {
  const known = inLetters.get(names) ?? names.filter((name) => /^\p{L}{3,}/u.test(name))
  inLetters.set(names, known)
  return known
}

/** What people type instead of the names of a few cats; of each kind, the first tells how a search matches. */
export async function nearQueries(
  directory: Directory,
  { effort, alterations, seed }: Tried,
  read: Read,
  most = effort.catsForNearQueries,
): Promise<string[]> {
  const listed = sorted(await distinctNames(directory.cats, read))
  const few = sample(beginningWithLetters(listed), most, seed, String)
  return altered(alterationsOf(alterations, 'queries', effort.strings), { few, listed })
}

/** Search queries: trouble-makers, what people type instead of a name, and what nobody chose. */
export const anyQuery = async (directory: Directory, tried: Tried, read: Read): Promise<Strings> => ({
  generated: queries(await searchableNames(directory, read)),
  examples: [
    ...tried.strings,
    ...(await nearQueries(directory, tried, read)),
    ...(tried.effort.strings === 'all' ? queryTroubles : fewQueryTroubles),
  ],
  leftOut: tried.effort.strings === 'all' ? 0 : queryTroubles.length - fewQueryTroubles.length,
})

/** A few breeds that have cats: only what leads to their lists shows that it leads there. */
async function inhabited(
  directory: Directory,
  { effort: { breedsLookedAt, breedsForNearMisses }, seed }: Tried,
  read: Read,
): Promise<string[]> {
  const listed = sorted(await pathNames(directory.breeds, read))
  const breeds = sample(listed, breedsLookedAt, seed, String)
  const lists = await Promise.all(
    breeds.map(async (breed) => ({ breed, list: foundBy(await read(directory.catsOf(breed))) })),
  )
  const filled = lists.filter(({ list }) => list && list.names.length > 0).map(({ breed }) => breed)
  return [...sample(filled.length > 0 ? filled : breeds, breedsForNearMisses, seed, String)]
}

/** Strings for the segment of a breed: near-misses, trouble-makers, and what nobody chose. */
export async function anyBreedName(directory: Directory, tried: Tried, read: Read): Promise<Strings> {
  const breeds = await distinctNames(directory.breeds, read)
  const few = await inhabited(directory, tried, read)
  const own = tried.strings.filter((text) => text !== '')
  const near = altered(alterationsOf(tried.alterations, 'breeds', tried.effort.strings), {
    few,
    listed: sorted(breeds),
  })
  return {
    generated: segments(breeds),
    examples: [
      ...own.filter((name) => !breeds.includes(name)),
      ...near.filter((name) => canStandInPath(name) && !breeds.includes(name)),
      ...troublesOf(tried.effort),
    ],
    leftOut: segmentTroubles.length - troublesOf(tried.effort).length,
  }
}

const troublesOf = ({ strings }: Tried['effort']) => (strings === 'all' ? segmentTroubles : fewSegmentTroubles)

/** Strings for the segment of a cat. */
export const anyCatName = async ({ cats }: Directory, { strings, effort }: Tried, read: Read): Promise<Strings> => ({
  generated: segments(await distinctNames(cats, read)),
  examples: [...strings.filter((text) => text !== ''), ...troublesOf(effort)],
  leftOut: segmentTroubles.length - troublesOf(effort).length,
})
