import { isDataContent } from '../../../directory/facts/reading-contents.ts'
import { readBreedsIfReadable } from '../../../directory/inputs/listed-names.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import { foldText } from '../../../directory/shared/text.ts'
import type { ResourceContents } from '../../../engine/history/reading-history.ts'
import type { VersionContext } from '../check.ts'

const wordsOf = (name: string): readonly string[] => foldText(name).match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Functions that return a part of a name that a cache may take for the whole name: the name without case and accents,
 * its first word, and its last word.
 */
const NAME_PARTS: readonly ((name: string) => string | undefined)[] = [
  foldText,
  (name) => wordsOf(name)[0],
  (name) => wordsOf(name).at(-1),
]

type NamePair = readonly [name: string, other: string]

/** Returns, for each of `NAME_PARTS`, the pairs of names that have this part in common, e.g. the same first word. */
const selectSimilarNamePairs = (names: readonly string[]): readonly (readonly NamePair[])[] =>
  NAME_PARTS.map((partOf) => {
    const known = new Map<string, string>()
    return names.flatMap((name): readonly NamePair[] => {
      const part = partOf(name) ?? name
      const other = known.get(part)
      known.set(part, name)
      return other === undefined || other === name ? [] : [[name, other]]
    })
  })

/** The maximum number of names that are selected for one name. */
const MAX_SIMILAR = 4

/**
 * Selects names that a cache with an incomplete key may confuse with the given name: similar names first, then any
 * others.
 */
export function selectSimilarNames(name: string, names: readonly string[]): readonly string[] {
  const others = names.filter((one) => one !== name)
  const similar = NAME_PARTS.flatMap((partOf) => others.filter((one) => partOf(one) === partOf(name)))
  return [...new Set([...similar.slice(0, MAX_SIMILAR - 1), ...others])].slice(0, MAX_SIMILAR)
}

/** Returns breeds whose list equals that of a breed with a similar name: a cache may take a part of it for the name. */
export function findConfusedBreeds(lists: readonly ResourceContents[]): readonly string[] {
  const contents = new Map(lists.map(({ name, contents: [first] }) => [name, first]))
  return selectSimilarNamePairs([...contents.keys()])
    .flat()
    .filter(([name, other]) => isDataContent(contents.get(name)) && contents.get(name) === contents.get(other))
    .map(([name]) => name)
}

/** The maximum probability that the counts of a group are equal by chance. Above it, they are no evidence. */
const MAX_CHANCE_OF_EQUAL_COUNTS = 0.05

/** Returns the probability that two independent counts are equal. */
function chanceOfEqualCounts(counts: readonly string[]): number {
  const shares = [...new Set(counts)].map((one) => counts.filter((count) => count === one).length / counts.length)
  return shares.reduce((sum, share) => sum + share ** 2, 0)
}

/**
 * Returns one cat of each group of similar names whose counts are all equal, although counts of other cats differ. A
 * cache may take a part of the name for the whole name. A pair of names that differ only in case or accents needs no
 * such group, because caches and databases confuse these names most often.
 */
export function findConfusedCats(lives: readonly ResourceContents[]): readonly string[] {
  const counts = new Map(lives.map(({ name, contents: [first = ''] }) => [name, first]))
  const chance = chanceOfEqualCounts([...counts.values()])
  const [twins = [], ...others] = selectSimilarNamePairs([...counts.keys()])
  const hasEqualCount = ([name, other]: NamePair) => counts.get(name) === counts.get(other)
  const confusedTwins = twins.filter(hasEqualCount).slice(0, 1)
  const confused = others.flatMap((pairs) => {
    const areEqual = pairs.every(hasEqualCount)
    return areEqual && chance ** pairs.length <= MAX_CHANCE_OF_EQUAL_COUNTS ? pairs.slice(0, 1) : []
  })
  return [...new Set([...confusedTwins, ...confused].map(([name]) => name))]
}

/** Returns all names; the names of cats that have the same breed as the given cat come first. */
export async function putCatsOfSameBreedFirst(
  cat: string,
  names: readonly string[],
  { target: { directory }, read }: VersionContext,
): Promise<readonly string[]> {
  const breeds = await readBreedsIfReadable(directory, read)
  const lists = await Promise.all(breeds.map(async (breed) => namesOfReading(await read(directory.catsOf(breed)))))
  return [...new Set([...(lists.find((list) => list.includes(cat)) ?? []), ...names])]
}
