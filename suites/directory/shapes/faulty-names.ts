import { toJsonPointer } from '../readings/json.ts'
import {
  type ElementKind,
  findNameCandidates,
  hasNameKey,
  type NameCandidate,
  nameStringsOf,
  sampleThreeValues,
} from '../readings/name-candidates.ts'
import type { SearchFetcher } from './competing-candidates.ts'
import type { NameTest } from './name-tests.ts'
import { findWorkingCandidates, MAX_CANDIDATES_TRIED } from './working-candidates.ts'

interface FaultyListClues {
  readonly nameTests: readonly NameTest[]
  readonly fetchSearch?: SearchFetcher
  /** Fetches responses that contain some of the elements, e.g. the cats of some breeds. */
  readonly fetchParts?: () => Promise<readonly unknown[]>
}

/**
 * Finds the place of the names in a list whose names are wrong: the place where other lists have the names of the same
 * elements.
 */
export async function findNamePlaceByOtherLists(
  candidates: readonly NameCandidate[],
  kind: ElementKind,
  { nameTests, fetchParts = async () => [] }: FaultyListClues,
): Promise<NameCandidate | undefined> {
  const partCandidates = (await fetchParts()).flatMap((answer) => findNameCandidates(answer, kind))
  const { candidates: found } = await findWorkingCandidates(partCandidates.slice(0, MAX_CANDIDATES_TRIED), nameTests)
  const places = new Set(found.map(({ name }) => toJsonPointer(name)))
  const [one, another] = candidates.filter(({ name }) => places.has(toJsonPointer(name)))
  return another ? undefined : one
}

/**
 * Returns the place of the key `name` in a list with wrong strings at this key. Results of searches prove that it is
 * the place of the name: they have the right names at the same key.
 */
export async function findFaultyNamePlace(
  candidates: readonly NameCandidate[],
  found: readonly NameCandidate[],
  kind: ElementKind,
  { nameTests, fetchSearch }: FaultyListClues,
): Promise<NameCandidate | undefined> {
  const [one] = found
  const withNameKey = candidates.find((other) => hasNameKey(other, kind) && other.list === one?.list)
  if (!fetchSearch || !one || !withNameKey || found.some((other) => hasNameKey(other, kind))) return undefined
  const answers = await Promise.all(sampleThreeValues(nameStringsOf(one)).map(fetchSearch))
  const foundStrings = answers
    .flatMap((answer) => findNameCandidates(answer, kind))
    .filter(({ name }) => toJsonPointer(name) === toJsonPointer(withNameKey.name))
  return (await findWorkingCandidates(foundStrings, nameTests)).candidates.length > 0 ? withNameKey : undefined
}
