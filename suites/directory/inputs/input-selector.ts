import type { Read, Resource } from '../../engine/check/readers.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import { drawSample, featuresOf } from '../../engine/property/sample.ts'
import type { Directory } from '../facts/directory.ts'
import { PAGES_COUNTED_BY_LIMIT } from '../pages/pager.ts'
import { readDistinctNames, readNamesIfReadable } from '../readings/names.ts'
import type { Effort } from '../shared/effort.ts'
import { canBeInPath, canBeSearched, encodeQueryValue, encodeSegment } from '../shared/encodings.ts'
import type { Alterations } from './alterations.ts'
import { drawEncodedNames, hasSpace, selectNamesForInputs } from './listed-names.ts'
import {
  ALWAYS_SENT_INPUTS,
  type InputKind,
  type InputsByKind,
  MINIMUM_INPUTS,
  PLAIN_QUERY,
  QUICK_INPUTS,
  type QuickInput,
  type VersionsForInput,
} from './quick-inputs.ts'

/** Selects the inputs that are tested: all of them, or as many as a limited number of requests allows. */
export interface InputSelector {
  /** Returns whether a string is sent to a version; without a version, whether it is sent to all tested versions. */
  includes<K extends InputKind>(kind: K, what: InputsByKind[K], version?: string): boolean
  /** Returns the names of cats or breeds that are tested, the same for all checks. */
  drawNames(list: 'cats' | 'breeds', names: readonly string[]): readonly string[]
  /** Returns the cats whose lives are requested: the cats that other checks test, too, and some more. */
  drawCatsForLives(names: readonly string[]): readonly string[]
}

interface InputSelectorOptions {
  readonly effort: Pick<Effort, 'strings' | 'inputs' | 'requests' | 'breedLists'>
  readonly alterations: Alterations
  readonly judgedDirectories: readonly unknown[]
  readonly seed: number
  countRequests(resource: Resource<unknown>): Promise<number>
}

interface ListedCatsAndBreeds {
  readonly cats: readonly string[]
  readonly breeds: readonly string[]
}

/** The latest selector for each list of all cats, with the list of breeds for which it was created. */
const selectorByCats = new WeakMap<
  readonly string[],
  { readonly breeds: readonly string[]; readonly selector: InputSelector }
>()

/**
 * Creates the selector of a version. With a limited number of requests, reserves those for the lists, and divides the
 * others between listed names and made-up strings.
 */
export async function createInputSelector(
  options: InputSelectorOptions,
  directory: Directory,
  read: Read,
): Promise<InputSelector> {
  const { effort, seed } = options
  if (effort.strings === 'all')
    return {
      includes: () => true,
      drawNames: (_, names) => drawSampleOnce(names, effort.inputs, seed),
      drawCatsForLives: (names) => names,
    }
  const [cats, breeds] = await Promise.all([
    readDistinctNames(directory.cats, read),
    readNamesIfReadable(directory.breeds, read),
  ])
  const known = selectorByCats.get(cats)
  if (known?.breeds === breeds) return known.selector
  const affordable = await countAffordableReadings(options, directory, breeds)
  const selector = divideBudget({ ...options, effort: { ...effort, requests: affordable } }, { cats, breeds })
  selectorByCats.set(cats, { breeds, selector })
  return selector
}

/** The number of times that the lists of all cats and of all breeds are read in a run. */
const READINGS_OF_WHOLE_LISTS = 3

/** Converts the budget from requests to readings: a list with several pages or a redirect takes several requests. */
async function countAffordableReadings(
  { effort, judgedDirectories, countRequests }: InputSelectorOptions,
  { cats, breeds: listOfBreeds, catsOf, search }: Directory,
  breeds: readonly string[],
): Promise<number> {
  const pagesOfWholeLists = await Promise.all([cats, listOfBreeds].map((list) => countRequests(list)))
  const furtherPages = pagesOfWholeLists.reduce((sum, pages) => sum + Math.min(pages, PAGES_COUNTED_BY_LIMIT) - 1, 0)
  const typicalLists = [
    search(PLAIN_QUERY),
    ...breeds
      .filter(canBeInPath)
      .slice(0, 1)
      .map((breed) => catsOf(breed)),
  ]
  const counts = await Promise.all(typicalLists.map((list) => countRequests(list)))
  const requestsPerReading = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return (effort.requests - furtherPages * READINGS_OF_WHOLE_LISTS * judgedDirectories.length) / requestsPerReading
}

/** Memoises the sample of a list, so that all checks test the same names. */
const drawSampleOnce = memoiseByObject((names: readonly string[], most: number, seed: number) =>
  drawSample(names, most, seed, String),
)

/** The number of requests that are sent once in a run, whatever names are listed and strings tested. */
const SHARED_REQUESTS = 11
/** The number of requests that are sent once per version, whatever names are listed and strings tested. */
const SHARED_REQUESTS_PER_VERSION = 15
/** The share of the remaining requests for listed names. The rest is for made-up strings. */
const NAMES_SHARE = 0.45
/** The share of the requests for listed names that is spent on cats; the rest is spent on breeds. */
const CATS_SHARE = 0.7
/** The minimum number of requests for listed names, even if the budget is used up. */
const MIN_REQUESTS_FOR_NAMES = 12

/** Creates a selector that divides the requests of the budget between cats, breeds and made-up strings. */
function divideBudget(
  { effort, judgedDirectories, alterations, seed }: InputSelectorOptions,
  all: ListedCatsAndBreeds,
): InputSelector {
  const versions = judgedDirectories.length
  const left =
    effort.requests -
    SHARED_REQUESTS -
    versions * (SHARED_REQUESTS_PER_VERSION + Math.min(effort.breedLists, all.breeds.length))
  const listed = { cats: selectNamesForInputs(all.cats, seed), breeds: selectNamesForInputs(all.breeds, seed) }
  const forNames = Math.max(MIN_REQUESTS_FOR_NAMES, left * NAMES_SHARE)
  // Each cat takes one search in each version, and one request for its lives.
  const mostCats = Math.floor((forNames * CATS_SHARE) / (versions + 1))
  const cats = drawUnusualNames(listed.cats.filter(canBeSearched), mostCats, seed)
  const mostBreeds = Math.floor((forNames - cats.length * (versions + 1)) / versions)
  const catsForLives = addFurtherCats(cats, listed.cats.filter(canBeInPath), seed)
  const breeds = drawUnusualNames(listed.breeds.filter(canBeSearched), mostBreeds, seed)
  const others =
    countAlwaysTested([...cats, ...breeds], encodeQueryValue) +
    countAlwaysTested(listed.breeds.filter(canBeInPath), encodeSegment)
  const livesEncodings = drawOneForEachEncoding(cats.filter(canBeInPath), encodeSegment).length
  const affordable = selectAffordableInputs(
    left - (cats.length + breeds.length + others) * versions - catsForLives.length - livesEncodings,
    createCostFunction(listed, alterations, versions),
  )
  const most = { cats: mostCats, breeds: mostBreeds }
  return {
    drawNames: (list, names) => drawUnusualOnce(names, most[list], seed),
    drawCatsForLives: (names) => addFurtherCats(drawUnusualOnce(names, most.cats, seed), names, seed),
    includes(kind, what, version) {
      const versionsSent = affordable.get(`${kind} ${what}`)
      return versionsSent !== undefined && (versions === 1 || versionsSent === 'both' || versionsSent === version)
    },
  }
}

const drawUnusualOnce = memoiseByObject((names: readonly string[], most: number, seed: number) =>
  drawUnusualNames(selectNamesForInputs(names, seed), most, seed),
)

/** The maximum number of plain names, i.e. names without unusual characters. Services treat all of them alike. */
const MAX_PLAIN_NAMES = 3

/** Draws a few plain names, and as many names with unusual features as the limit allows. */
function drawUnusualNames(names: readonly string[], most: number, seed: number): readonly string[] {
  const isUnusual = (name: string): boolean => featuresOf(name) !== 'plain'
  const plain = drawSample(
    names.filter((name) => !isUnusual(name)),
    Math.min(MAX_PLAIN_NAMES, most),
    seed,
    String,
  )
  return [...plain, ...drawSample(names.filter(isUnusual), most - plain.length, seed, String)]
}

/** Adds half as many cats: only a request for the lives of a cat exposes a defect in its lives. */
function addFurtherCats(drawn: readonly string[], names: readonly string[], seed: number): readonly string[] {
  const isDrawn = new Set(drawn)
  const others = selectNamesForInputs(names, seed).filter((name) => !isDrawn.has(name))
  return [...drawn, ...drawSample(others, drawn.length >> 1, seed, String)]
}

/** Draws one name for each percent-encoding, and in minimal encoding also the names that are always tested. */
const drawOneForEachEncoding = (names: readonly string[], encode: typeof encodeSegment) =>
  drawEncodedNames(names, encode, { effort: { namesPerEncoding: 1 }, seed: 1 }).inputs

const countAlwaysTested = (names: readonly string[], encode: typeof encodeSegment): number =>
  drawOneForEachEncoding(names, encode).filter(({ encoding }) => encoding === 'minimal').length

/** Selects inputs in order until the budget of requests is used up. Those in `MINIMUM_INPUTS` are always selected. */
function selectAffordableInputs(
  requests: number,
  costOf: (input: QuickInput) => number,
): ReadonlyMap<string, VersionsForInput> {
  const affordable = new Map<string, VersionsForInput>()
  let left = requests
  for (const input of [...MINIMUM_INPUTS, ...QUICK_INPUTS.filter((one) => !MINIMUM_INPUTS.includes(one))]) {
    left -= costOf(input)
    if (left < 0 && !MINIMUM_INPUTS.includes(input)) break
    const [kind, versionsSent, what] = input
    affordable.set(`${kind} ${what}`, versionsSent)
  }
  return affordable
}

/** Creates a function that returns how many requests an input takes in all versions together. */
const createCostFunction =
  ({ cats, breeds }: ListedCatsAndBreeds, alterations: Alterations, versions: number) =>
  (input: QuickInput): number => {
    if (ALWAYS_SENT_INPUTS.includes(input)) return 0
    const [kind, versionsSent, what] = input
    return (versionsSent === 'both' ? versions : 1) * countStrings()

    /** Counts the strings of this input: usually one; none if an alteration is not applicable, e.g. without accents. */
    function countStrings(): number {
      if (kind === 'alteredBreed')
        return alterations.breeds[what]?.({ fewNames: breeds.slice(0, 1), listedNames: breeds }).length ?? 0
      if (kind === 'alteredQuery')
        return alterations.queries[what]?.({ fewNames: cats.slice(0, 1), listedNames: cats }).length ?? 0
      if (kind === 'plusForSpace') return [...breeds, ...(what === 'query' ? cats : [])].some(hasSpace) ? 1 : 0
      return 1
    }
  }
