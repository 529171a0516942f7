import { toJsonPointer } from '../readings/json.ts'
import { findNameCandidates, nameStringsOf } from '../readings/name-candidates.ts'
import { foldText } from '../shared/text.ts'
import { compareScoresDescending, type PlaceEvidence } from './place-evidence.ts'
import type { ListedCatNames } from './response-observations.ts'

const listPointerOf = ({ candidate }: PlaceEvidence): string => toJsonPointer(candidate.list.place)

/**
 * Returns the places of the shortest of the lists with the most requested names, because longer lists may contain
 * suggestions. Returns all places if the shortest list lacks a further match, i.e. a name that contains the query.
 */
export function preferShorterLists(places: readonly PlaceEvidence[]): readonly PlaceEvidence[] {
  const most = Math.max(...places.map(({ inputMatchCount }) => inputMatchCount))
  const [least, ...others] = places
    .filter(({ inputMatchCount }) => inputMatchCount === most)
    .toSorted((one, other) => one.nameCount - other.nameCount)
  if (!least || others.some((one) => lacksMatchingNames(least, one))) return places
  const shortest = new Set(
    [least, ...others].filter(({ nameCount }) => nameCount === least.nameCount).map(listPointerOf),
  )
  return places.filter((one) => shortest.has(listPointerOf(one)))
}

/** Returns whether a list lacks a name that contains the requested string and is in another list. */
const lacksMatchingNames = (one: PlaceEvidence, another: PlaceEvidence): boolean =>
  another.namesByInput.some(([input, names]) => {
    const ownNames = new Set(one.namesByInput.flatMap(([otherInput, some]) => (otherInput === input ? some : [])))
    return names.some((name) => !ownNames.has(name) && foldText(name).includes(foldText(input)))
  })

/**
 * Selects the lists with the cats of the requested breed, because other arrays may contain recommended cats. Prefers
 * lists whose cats a search for the breed finds, and then those whose cats are not also in the lists of other breeds.
 */
export async function selectListsOfBreed(
  places: readonly PlaceEvidence[],
  cats: ListedCatNames,
  fetchSearch: ((breed: string) => Promise<unknown>) | undefined,
): Promise<readonly PlaceEvidence[]> {
  const withListedCats = places.filter((one) => one.countListedCats(cats) > 0)
  if (
    !fetchSearch ||
    new Set(withListedCats.filter(({ hasEqualContent }) => !hasEqualContent).map(listPointerOf)).size < 2
  )
    return places
  const breeds = [...new Set(withListedCats.flatMap(({ namesByInput }) => namesByInput.map(([breed]) => breed)))]
  const found = new Map(
    await Promise.all(breeds.map(async (breed) => [breed, candidateStringsIn(await fetchSearch(breed))] as const)),
  )
  const scores = new Map<string, readonly number[]>()
  for (const one of withListedCats) {
    const score = [areFoundBySearch(one, cats, found) ? 1 : 0, haveSharedNames(one) ? 0 : 1]
    const before = scores.get(listPointerOf(one))
    if (!before || compareScoresDescending(before, score) > 0) scores.set(listPointerOf(one), score)
  }
  const [best] = [...scores.values()].toSorted(compareScoresDescending)
  return best
    ? places.filter((one) => compareScoresDescending(scores.get(listPointerOf(one)) ?? best, best) === 0)
    : places
}

const candidateStringsIn = (value: unknown): ReadonlySet<string> =>
  new Set(findNameCandidates(value, 'cat').flatMap(nameStringsOf))

/**
 * Returns whether searches for the breeds find more than two thirds of the listed cats. The others may have been added
 * or removed since then.
 */
function areFoundBySearch(
  { namesByInput }: PlaceEvidence,
  cats: ListedCatNames,
  found: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const known = namesByInput.flatMap(([breed, names]) =>
    names.filter((name) => cats.has(name)).map((name) => [breed, name] as const),
  )
  return known.filter(([breed, name]) => found.get(breed)?.has(name)).length * 3 > known.length * 2
}

/** Returns whether more than a fifth of the names are in the lists of several breeds. */
const haveSharedNames = ({ namesByInput }: PlaceEvidence): boolean => {
  const names = namesByInput.flatMap(([, some]) => [...new Set(some)])
  return new Set(names).size * 5 < names.length * 4
}
