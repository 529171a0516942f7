import type { Directory } from '../directory/facts/directory.ts'
import { hasSeveralPlainWords } from '../directory/inputs/listed-names.ts'
import { addOperatorsToName, type OperatorQuery, readPlainCatNames } from '../directory/inputs/operator-queries.ts'
import type { ListReading } from '../directory/readings/list-reading.ts'
import { haveSameNames } from '../directory/readings/name-index.ts'
import { namesOfReading, readDistinctNames } from '../directory/readings/names.ts'
import { encodeQueryValue } from '../directory/shared/encodings.ts'
import type { Read, Reader } from '../engine/check/readers.ts'
import type { ObservedChoice } from '../engine/run/plan.ts'
import { createNoMatchObserver, describeListResponse } from './shared/lists.ts'
import { createObserver } from './shared/observe.ts'

/**
 * Returns whether a query is interpreted as query syntax: it finds a cat that the same query with literal characters in
 * place of the operators does not find.
 */
async function hasOperatorMeaning(
  { query, control }: OperatorQuery,
  { search }: Directory,
  read: Read,
): Promise<boolean> {
  const found = namesOfReading(await read(search(query)))
  if (found.length === 0) return false
  const controlReading = await read(search(control))
  return controlReading.kind !== 'list' || found.some((name) => !controlReading.has(name))
}

/** Returns whether two responses have the same names, or are refusals with the same status. */
const areSimilarReadings = (one: ListReading, other: ListReading): boolean =>
  one.kind === 'list' && other.kind === 'list'
    ? haveSameNames(one, other)
    : one.kind === other.kind && ('status' in one ? one.status : 0) === ('status' in other ? other.status : 0)

/**
 * Queries of white space and of punctuation that is no query syntax. They are longer than any minimum length of
 * queries, and no name contains them.
 */
const BLANK_QUERY = '    '
const PUNCTUATION_QUERY = ';;;;'

/** Returns `yes` if a query is treated as empty, `no` if not, and a third value if the responses do not show it. */
async function describeQueryWithoutContent(
  text: string,
  { search, controlName }: Directory,
  read: Read,
): Promise<string> {
  const resources = [search(text), search(''), search(controlName())]
  const [result, empty, nothing] = await Promise.all(resources.map(read))
  if (!result || !empty || !nothing || areSimilarReadings(empty, nothing)) return 'cannot be told'
  return areSimilarReadings(result, empty) ? 'yes' : 'no'
}

/** Observes whether a plus sign in a query stands for a space, as in HTML forms. Returns undefined if this is unknown. */
async function observePlusSign(directory: Directory, { read }: Reader): Promise<ObservedChoice | undefined> {
  // Prefers breeds. A cat may be removed meanwhile, and then neither spelling of its name finds it.
  const names = [...(await readDistinctNames(directory.breeds, read)), ...(await readPlainCatNames(directory, read))]
  const name = names.find(hasSeveralPlainWords)
  if (name === undefined) return undefined
  const sent = name.replaceAll(' ', '+')
  const resource = directory.raw.search(sent)
  const [withSpace, plus] = await Promise.all([directory.search(name), resource].map(read))
  if (!withSpace || !plus || namesOfReading(withSpace).length === 0) return undefined
  if (!areSimilarReadings(withSpace, plus)) return { value: '+ is a plus', shownBy: [resource] }
  // If a search that ignores punctuation finds the name for a literal plus sign too, nothing can be observed.
  const isDistinguishable = !areSimilarReadings(withSpace, await read(directory.search(sent)))
  return isDistinguishable ? { value: '+ is a space', shownBy: [resource] } : undefined
}

/** Finds two names for which searches find different cats. Returns undefined if there are none. */
async function findNamesWithDifferentHits(directory: Directory, read: Read) {
  const plain = (await readPlainCatNames(directory, read)).slice(0, 6)
  const found = await Promise.all(plain.map(async (name) => ({ name, reading: await read(directory.search(name)) })))
  const [one, ...others] = found.filter(({ reading }) => namesOfReading(reading).length > 0)
  const other = others.find(({ reading }) => one && !areSimilarReadings(one.reading, reading))
  return one && other && { one, other }
}

/** Observes which of two parameters `q` a search uses. Returns undefined if this cannot be tested. */
async function observeRepeatedParameter(
  directory: Directory,
  { read, exchangesFor }: Reader,
): Promise<ObservedChoice | undefined> {
  const names = await findNamesWithDifferentHits(directory, read)
  if (!names) return undefined
  const { one, other } = names
  const resource = directory.raw.query(`q=${encodeQueryValue(one.name)}&q=${encodeQueryValue(other.name)}`)
  const reading = await read(resource)
  const createChoice = (value: string): ObservedChoice => ({ value, shownBy: [resource] })
  if (areSimilarReadings(reading, one.reading)) return createChoice('first q')
  if (areSimilarReadings(reading, other.reading)) return createChoice('last q')
  const all = [...namesOfReading(one.reading), ...namesOfReading(other.reading)]
  const isBoth = reading.kind === 'list' && all.every(reading.has)
  return createChoice(isBoth ? 'both q' : `two q: ${describeListResponse(reading, exchangesFor(resource)[0])}`)
}

/** Observes the response to a search with an unknown parameter. Returns undefined if this cannot be tested. */
async function observeUnknownParameter(
  directory: Directory,
  { read, exchangesFor }: Reader,
): Promise<ObservedChoice | undefined> {
  const [name] = await readPlainCatNames(directory, read)
  if (name === undefined) return undefined
  const resource = directory.raw.query(`q=${encodeQueryValue(name)}&${directory.controlName()}=1`)
  const [plain, reading] = await Promise.all([directory.search(name), resource].map(read))
  if (!plain || !reading || namesOfReading(plain).length === 0) return undefined
  const consequence = areSimilarReadings(plain, reading)
    ? ' ignored'
    : `: ${describeListResponse(reading, exchangesFor(resource)[0])}`
  return { value: `unknown parameter${consequence}`, shownBy: [resource] }
}

export const searchSyntaxObservers = [
  createObserver(
    { id: 'O-SEARCH-WILDCARDS', operation: 'searchCats', sendsOwnRequests: true },
    async ({ target: { directory }, read }) => {
      const [one, other] = await readPlainCatNames(directory, read)
      if (one === undefined) return undefined
      const queries = addOperatorsToName(one, other)
      const haveMeaning = await Promise.all(queries.map((query) => hasOperatorMeaning(query, directory, read)))
      const meaningful = queries.filter((_, index) => haveMeaning[index])
      return {
        value: meaningful.length === 0 ? 'no' : `yes: ${meaningful.map((query) => query.operators).join(' ')}`,
        shownBy: (meaningful.length > 0 ? meaningful : queries).map(({ query }) => directory.search(query)),
      }
    },
  ),

  createObserver(
    { id: 'O-SEARCH-BLANK', operation: 'searchCats', sendsOwnRequests: true },
    async ({ target: { directory }, read }) => {
      if (namesOfReading(await read(directory.cats)).length === 0) return undefined
      const [blanks, punctuation] = await Promise.all(
        [BLANK_QUERY, PUNCTUATION_QUERY].map((text) => describeQueryWithoutContent(text, directory, read)),
      )
      const shownBy = [BLANK_QUERY, PUNCTUATION_QUERY, ''].map((text) => directory.search(text))
      return { value: `blanks: ${blanks}; punctuation: ${punctuation}`, shownBy }
    },
  ),

  createNoMatchObserver({ id: 'O-SEARCH-NO-Q', operation: 'searchCats', sendsOwnRequests: true }, ({ raw }) =>
    raw.query(''),
  ),

  createObserver(
    { id: 'O-SEARCH-QUERY-SYNTAX', operation: 'searchCats', sendsOwnRequests: true },
    async ({ target: { directory }, readings }) => {
      const observers = [observePlusSign, observeRepeatedParameter, observeUnknownParameter]
      const observed = (await Promise.all(observers.map((observe) => observe(directory, readings)))).filter(
        (one) => one !== undefined,
      )
      if (observed.length === 0) return undefined
      return {
        value: observed.map(({ value }) => value).join('; '),
        shownBy: observed.flatMap(({ shownBy }) => shownBy),
      }
    },
  ),
]
