import type { VersionTarget } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { countCatsOfAllLists, readMembership } from '../../../directory/facts/membership.ts'
import { canBeRefused } from '../../../directory/matching/allowances.ts'
import { describeNonList, describeUnexpectedResponse } from '../../../directory/readings/describe-non-list.ts'
import type { ListReading, NameList } from '../../../directory/readings/list-reading.ts'
import { findFirstMissingName } from '../../../directory/readings/name-index.ts'
import { readDistinctNames, requireList, requireListOrEmpty } from '../../../directory/readings/names.ts'
import { findOriginalName, foldText, formatCount, quoted } from '../../../directory/shared/text.ts'
import type { Read, Resource } from '../../../engine/check/readers.ts'
import { reportViolation } from '../../../engine/check/violations.ts'
import { Inconclusive, resolveInconclusiveTo } from '../../../engine/inconclusive.ts'
import { adviseOnPages, findPagingFault, formatFaultSuffix } from '../paging-faults.ts'
import { createTruncationCauses, FIX_OF_ALTERED_NAMES, requireCompleteList } from '../same-names.ts'
import { skipRefusedName, skipUnservedBreed } from '../skip-refused.ts'
import { describeEqualResults } from './equal-results.ts'

/**
 * Fails if a client gets no usable response (R1.1), e.g. a redirect without a target, or an invalid content coding.
 * @param request describes the request, e.g. `the search for "Tom"`
 */
export function assertUsableResponse(request: string, reading: ListReading, resource: Resource<ListReading>): void {
  if (reading.kind === 'failed')
    reportViolation({
      expected: 'a 2xx or a 4xx',
      actual: describeUnexpectedResponse(request, reading, describeNonList(reading)),
      defectKind: describeNonList(reading),
      shownBy: [resource],
      isWrongByItself: true,
    })
}

/**
 * Returns the breeds of a cat: those that its elements show, if all of them are listed. Otherwise, adds the breeds whose
 * lists contain the cat, or may contain it because this effort does not read them.
 * @param listsWithBreeds lists whose elements may show the breed of the cat
 */
export async function findPossibleBreedsOfCat(
  cat: string,
  listsWithBreeds: readonly NameList[],
  directory: Directory,
  read: Read,
): Promise<string[]> {
  const shownBreeds = [...new Set(listsWithBreeds.flatMap(({ breedOf }) => breedOf.get(cat) ?? []))]
  const breeds = await readDistinctNames(directory.breeds, read)
  if (shownBreeds.length > 0 && shownBreeds.every((breed) => breeds.includes(breed))) return shownBreeds
  const sample = new Set(directory.sampleBreeds(breeds))
  const mayContain = async (breed: string) =>
    !sample.has(breed) || (requireListOrEmpty(await read(directory.catsOf(breed)))?.has(cat) ?? true)
  const breedsWithCat = await Promise.all(breeds.map(async (breed) => ((await mayContain(breed)) ? [breed] : [])))
  return [...shownBreeds, ...breedsWithCat.flat()]
}

/** Returns further names by which searches find a cat, e.g. its name in another language. */
export const aliasesOf = (cat: string, { otherNamesOf }: NameList): readonly string[] => otherNamesOf?.(cat) ?? []

/** Fails if a hit is not in the list of all cats (R8.1). */
export async function assertOnlyListedHits(query: string, target: VersionTarget, read: Read): Promise<void> {
  const { directory } = target
  const resource = directory.search(query)
  const [cats, reading] = await Promise.all([read(directory.cats), read(resource)])
  const listed = requireList(cats)
  const stray = findFirstMissingName(requireListOrEmpty(reading)?.names ?? [], listed.names)
  if (stray === undefined) return
  if (listed.findIncompleteSign) {
    const totals = await readMembership(target, read).then(countCatsOfAllLists, resolveInconclusiveTo([]))
    requireCompleteList('the list of all cats', directory.cats, listed, stray, totals)
  }
  requireCompleteList('the list of all cats', directory.cats, listed, stray)
  const similarName = findOriginalName(stray, listed.names)
  reportViolation({
    expected: 'only cats that are in the list of all cats',
    actual: `the search for ${quoted(query)} returned ${quoted(stray)}, which is not in the list of all cats`,
    defectKind: `${quoted(stray)} is not listed`,
    shownBy: [directory.cats, resource],
    names: { atFault: [stray], missing: [stray], ...(similarName !== undefined && { others: [similarName] }) },
  })
}

/**
 * Fails if none of the searches for some listed names is served. Begins with names that must not be refused for their
 * form.
 */
export async function assertSearchServed(
  listed: readonly string[],
  { directory: { search }, allowances, effort }: Pick<VersionTarget, 'directory' | 'allowances' | 'effort'>,
  read: Read,
): Promise<void> {
  const neverRefusedFirst = listed.toSorted((one, other) => Number(canBeRefused(one)) - Number(canBeRefused(other)))
  const names = neverRefusedFirst.slice(0, effort.namesThatShowSearch)
  const readings = await Promise.all(
    names.map(async (name) => ({ name, resource: search(name), reading: await read(search(name)) })),
  )
  if (readings.length === 0 || readings.some(({ reading: { kind } }) => kind !== 'refused' && kind !== 'failed')) return
  const refusedForNothing = readings.filter(({ name, reading }) => !allowances.refusedQuery(reading, name))
  const [first] = refusedForNothing
  if (!first)
    throw new Inconclusive(
      'nothing to ask',
      `all searches for listed names (${names.length}) were refused, perhaps for the length or the characters of the names`,
      { ...readings[0], remedy: 'load other names' },
    )
  reportViolation({
    expected: 'a 2xx response to a search for a listed name',
    actual: `no search works: ${describeUnexpectedResponse(`the search for ${quoted(first.name)}`, first.reading, describeNonList(first.reading))}`,
    defectKind: `no search is served (${names.length} tried); for ${quoted(first.name)}: ${describeNonList(first.reading)}`,
    shownBy: refusedForNothing.slice(0, 2).map(({ resource }) => resource),
  })
}

/** Returns whether a hit that is not listed is probably a listed cat under another name, e.g. an earlier one. */
const isAlteredName = (hit: string, name: string, listed: readonly string[]): boolean =>
  findOriginalName(hit, listed) === name || foldText(hit).includes(foldText(name))

/** Describes the result of a search: a single cat by its name, e.g. to show that it belongs to another search. */
const describeNames = (names: readonly string[]): string =>
  names.length === 1 && names[0] !== undefined ? `only ${quoted(names[0])}` : formatCount(names.length, 'cat')

/**
 * Returns the texts of a finding about a search that does not find a cat: the given texts if the response is a list,
 * otherwise texts that describe the response, e.g. a refusal.
 * @param search the search as a noun phrase; `actual` says what it returned
 */
const describeMissingHit = (
  search: string,
  reading: ListReading,
  { actual, defectKind }: { readonly actual: string; readonly defectKind: string },
): { readonly actual: string; readonly defectKind: string } =>
  reading.kind === 'list'
    ? { actual: `${search} returned ${actual}`, defectKind }
    : {
        actual: describeUnexpectedResponse(search, reading, describeNonList(reading)),
        defectKind: describeNonList(reading),
      }

/** Fails if a search for the name of a listed cat does not find the cat (R7.1). */
export async function assertFindsCat(name: string, target: VersionTarget, read: Read): Promise<void> {
  const { directory, allowances } = target
  const hits = directory.search(name)
  const [cats, reading] = await Promise.all([read(directory.cats), read(hits)])
  const listed = requireList(cats)
  if (!listed.has(name)) return
  if (allowances.refusedQuery(reading, name)) skipRefusedName(name, reading)
  assertUsableResponse(`the search for ${quoted(name)}, a listed cat,`, reading, hits)
  const found = requireListOrEmpty(reading)
  if (!found || found.has(name)) return
  requireCompleteList(`the result of a search for ${quoted(name)}`, hits, found, name)
  const equalResults = await describeEqualResults(name, found, target, read)
  if (equalResults.otherSearch) await read(equalResults.otherSearch)
  const altered = found.names.find((hit) => !listed.has(hit) && isAlteredName(hit, name, listed.names))
  const returned =
    altered === undefined
      ? `${describeNames(found.names)}; ${quoted(name)} is missing`
      : `${quoted(altered)} instead of ${quoted(name)}`
  reportViolation({
    expected: `a result that contains ${quoted(name)}`,
    ...describeMissingHit(`the search for ${quoted(name)}`, reading, {
      actual: `${returned}${equalResults.suffix}`,
      defectKind: `${formatCount(found.names.length, 'cat')} found, but not the cat with this name`,
    }),
    shownBy: [equalResults.otherSearch ?? directory.cats, hits],
    names: { atFault: altered === undefined ? [name] : [name, altered] },
    ...(altered !== undefined && { fix: FIX_OF_ALTERED_NAMES }),
    ...equalResults.additions,
  })
}

/** Fails if a search for the name of a listed breed misses one of its cats (R7.2). */
export async function assertFindsCatsOfBreed(breed: string, target: VersionTarget, read: Read): Promise<void> {
  const { directory, allowances } = target
  const members = directory.catsOf(breed)
  const hits = directory.search(breed)
  const [cats, reading] = await Promise.all([read(members), read(hits)])
  if (allowances.refusedQuery(reading, breed)) skipRefusedName(breed, reading)
  assertUsableResponse(`the search for ${quoted(breed)}, a listed breed,`, reading, hits)
  skipUnservedBreed(breed, cats, allowances)
  const { names } = requireList(cats)
  const found = requireListOrEmpty(reading)
  const missing = found && findFirstMissingName(names, found.names)
  if (!found || missing === undefined) return
  requireCompleteList(`a search for ${quoted(breed)}`, hits, found, missing, [
    names.length,
    new Set([...names, ...found.names]).size,
  ])
  const fault = findPagingFault(found, 'missing name')
  const equalResults = await describeEqualResults(breed, found, target, read)
  reportViolation({
    expected: `a result that contains every cat of the breed ${quoted(breed)} (${formatCount(names.length, 'cat')})`,
    ...describeMissingHit(`the search for the breed ${quoted(breed)}`, reading, {
      actual: `${formatCount(found.names.length, 'cat')}; ${quoted(missing)} is missing${formatFaultSuffix(fault)}${equalResults.suffix}`,
      defectKind: `${quoted(missing)} is not among the ${found.names.length} found${formatFaultSuffix(fault)}`,
    }),
    shownBy: [members, hits],
    names: { missing: names.filter((name) => !found.has(name)) },
    ...(reading.kind === 'list' && { causes: createTruncationCauses(reading.names.length, directory) }),
    ...(fault !== undefined && { crossOperationCause: fault }),
    ...adviseOnPages(fault, found),
    ...equalResults.additions,
  })
}
