import type { Read, Reader } from '../../engine/check/readers.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import { allowances } from '../matching/allowances.ts'
import {
  findEquivalentRules,
  inferMatchingRule,
  type MatchingRule,
  type RuleInference,
  type SearchableCat,
} from '../matching/rules.ts'
import type { ListReading } from '../readings/list-reading.ts'
import { readDistinctNames, readRequiredList, requireListOrEmpty } from '../readings/names.ts'
import { canBeInPath, encodeQueryValue } from '../shared/encodings.ts'
import { foldText, isAscii } from '../shared/text.ts'
import type { Directory } from './directory.ts'
import { compareMembership } from './membership.ts'
import { findUsuallyEncodedTexts } from './sent-texts.ts'

/** Returns the results of all searches of this run, except those with an unusual percent-encoding. */
async function readResultsOfSentQueries(
  directory: Directory,
  readings: SearchReader,
): Promise<{ query: string; reading: ListReading }[]> {
  const queries = findUsuallyEncodedTexts(readings, directory.raw.search, encodeQueryValue)
  return Promise.all(queries.map(async (query) => ({ query, reading: await readings.read(directory.search(query)) })))
}

/** The maximum number of cats whose texts are compared with queries. */
const MAX_CATS_WITH_TEXTS = 2000
/** Cats with longer texts are left out: every query is compared with every text, which would take too long. */
const MAX_NAME_LENGTH = 300

/**
 * Reads the cats, each with the texts that a query must match (name and breeds) and those that it may match. If the
 * list of a breed cannot be read, cats without a known breed are left out.
 */
async function readSearchableCats(directory: Directory, read: Read): Promise<SearchableCat[]> {
  const [cats, breeds] = await Promise.all([
    readRequiredList(directory.cats, read),
    readDistinctNames(directory.breeds, read),
  ])
  const readings = await Promise.all(
    directory
      .sampleBreeds(breeds.filter(canBeInPath))
      .map(async (breed) => ({ breed, reading: await read(directory.catsOf(breed)) })),
  )
  const { breedsOf } = compareMembership(
    cats,
    readings.flatMap(({ breed, reading }) => (reading.kind === 'list' ? [{ breed, list: reading }] : [])),
  )
  const isComplete =
    readings.length === breeds.length && readings.every(({ reading: { kind } }) => ['list', 'nothing'].includes(kind))
  const names = [...new Set(cats.names.slice(0, MAX_CATS_WITH_TEXTS))].filter(
    (name) => isComplete || breedsOf(name).length > 0,
  )
  const otherNamesOf = cats.otherNamesOf ?? (() => [])
  return names.map((name) => ({ name, texts: [name, ...breedsOf(name)], otherTexts: otherNamesOf(name) }))
}

type SearchReader = Pick<Reader, 'resourcesRead' | 'read'>

/**
 * Infers the matching rule from the results of all searches of this run; undefined if a result is unreadable, or
 * without a query that can be used.
 */
export const inferMatchingRuleFromReadings = (
  directory: Directory,
  readings: SearchReader,
): Promise<RuleInference | undefined> => inferRuleOnce(directory, readings, readings.resourcesRead().length)

const inferRuleOnce = memoiseByObject(async (directory: Directory, readings: SearchReader, _readingCount: number) => {
  const results = await readSearchResults(directory, readings)
  return results && inferMatchingRule(results.found, results.cats)
})

/** Finds the other matching rules that explain the search results of a version as well as the inferred rule does. */
export async function findAlternativeMatchingRules(
  inference: RuleInference,
  directory: Directory,
  readings: SearchReader,
): Promise<readonly MatchingRule[]> {
  const results = await readSearchResults(directory, readings)
  return results ? findEquivalentRules(inference, results.found, results.cats) : []
}

/** Returns the results of all searches, and the cats that they may find; undefined if a result is unreadable. */
async function readSearchResults(directory: Directory, readings: SearchReader) {
  const searches = await readResultsOfSentQueries(directory, readings)
  // No rule is inferred if a result is unreadable: the result would have to be treated as empty, which may be wrong.
  if (searches.some(({ reading }) => reading.kind === 'unreadable')) return undefined
  const found = searches.flatMap(({ query, reading }) =>
    reading.kind === 'list' || (reading.kind === 'refused' && !allowances.refusedQuery(reading, query))
      ? [{ query, found: requireListOrEmpty(reading) ?? new Set<string>() }]
      : [],
  )
  const cats = (await readSearchableCats(directory, readings.read)).filter(({ texts, otherTexts = [] }) =>
    [...texts, ...otherTexts].every((text) => text.length <= MAX_NAME_LENGTH && isAscii(foldText(text))),
  )
  return { found, cats }
}
