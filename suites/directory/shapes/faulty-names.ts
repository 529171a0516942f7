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
import { findWorkingCandidates } from './working-candidates.ts'

/** Returns the place of the key `name` with wrong strings: results of searches have the right names at this key. */
export async function findFaultyNamePlace(
  candidates: readonly NameCandidate[],
  found: readonly NameCandidate[],
  kind: ElementKind,
  { nameTests, fetchSearch }: { readonly nameTests: readonly NameTest[]; readonly fetchSearch?: SearchFetcher },
): Promise<NameCandidate | undefined> {
  const [one] = found
  const withNameKey = candidates.find((other) => hasNameKey(other, kind) && other.list === one?.list)
  if (!fetchSearch || !one || !withNameKey || found.some((other) => hasNameKey(other, kind))) return undefined
  const results = await Promise.all(sampleThreeValues(nameStringsOf(one)).map(fetchSearch))
  const foundStrings = results
    .flatMap((result) => findNameCandidates(result, kind))
    .filter(({ name }) => toJsonPointer(name) === toJsonPointer(withNameKey.name))
  return (await findWorkingCandidates(foundStrings, nameTests)).candidates.length > 0 ? withNameKey : undefined
}
