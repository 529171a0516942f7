import type { Read, Reader, Resource } from '../../engine/check/readers.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import { drawSample } from '../../engine/property/sample.ts'
import type { Directory, ListResource } from '../facts/directory.ts'
import { canBeRefused } from '../matching/allowances.ts'
import type { ListReading } from '../readings/list-reading.ts'
import { namesOfReading, readDistinctNames } from '../readings/names.ts'
import { canBeInPath, canBeSearched, type Encoding, encodeSegment, encodings } from '../shared/encodings.ts'
import { quoted } from '../shared/text.ts'

/** The options that determine which names are drawn. */
interface DrawOptions {
  readonly effort: { readonly namesPerEncoding: number }
  readonly seed: number
}

/** A sample of inputs, and the number of inputs that it was drawn from. */
export interface InputSample<I> {
  readonly inputs: readonly I[]
  readonly population: number
  /** Inputs that are tested in addition to the sample. */
  readonly alwaysTested?: readonly I[]
}

/** Returns all inputs; with quick effort only the first few. */
export const takeQuickInputs = (
  all: readonly string[],
  { strings }: { readonly strings: 'all' | 'few' },
  quickCount: number,
): InputSample<string> => ({
  inputs: strings === 'all' ? all : all.slice(0, quickCount),
  population: all.length,
})

export interface EncodedName {
  readonly name: string
  readonly encoding: Encoding
}

/** Encodes each name in every encoding except the plain one. */
export const encodeNames = (names: readonly string[], encode: typeof encodeSegment): EncodedName[] =>
  encodings.flatMap((encoding) =>
    names.filter((name) => encode(name, encoding) !== encode(name)).map((name) => ({ name, encoding })),
  )

/** The length above which test strings are made from a sample of the names of a list. */
const MIN_LONG_LIST = 20_000
const MAX_NAMES_CONSIDERED = 4_000

/**
 * Returns all names of a list. Of a very long list, it returns a sample with the shortest, the longest and one of each
 * kind of name.
 */
export function selectNamesForInputs(names: readonly string[], seed = 1): readonly string[] {
  return names.length <= MIN_LONG_LIST ? names : drawConsideredNames(names, seed)
}

const drawConsideredNames = memoiseByObject((names: readonly string[], seed: number) =>
  drawSample(names, MAX_NAMES_CONSIDERED, seed, String),
)

/** Characters with a meaning in a query string or path. If they are not encoded, the rest of the name may be lost. */
const SPECIAL_IN_URLS = /[=;&%?]/
/** Characters that some clients encode and others do not. A firewall may match only the unencoded form. */
const CHARACTERS_ENCODED_BY_SOME = ["'", '(', ')', '*', '!', '~']

/** Selects, for each of these characters, the first name that contains it, fully encoded. */
const addFullyEncodedNames = (all: readonly EncodedName[]): EncodedName[] => {
  const inOctets = all.filter(({ encoding }) => encoding === 'every octet')
  return CHARACTERS_ENCODED_BY_SOME.flatMap((char) => inOctets.find(({ name }) => name.includes(char)) ?? [])
}

/**
 * Draws encoded names. Decoding depends on octets rather than names, so a few names of each kind suffice. All names
 * with a special character that is sent unencoded are included.
 * @param most the limit per encoding
 */
export function drawEncodedNames(
  names: readonly string[],
  encode: typeof encodeSegment,
  { effort: { namesPerEncoding: most }, seed }: DrawOptions,
  isWanted: (encoding: Encoding) => boolean = () => true,
): InputSample<EncodedName> {
  const considered = selectNamesForInputs(names, seed)
  const all = encodeNames(considered, encode)
  const literals = new Set(isWanted('every octet') ? addFullyEncodedNames(all) : [])
  const isAlwaysTested = (one: EncodedName) =>
    literals.has(one) || (one.encoding === 'minimal' && SPECIAL_IN_URLS.test(one.name))
  const someIn = (wanted: readonly Encoding[]) =>
    wanted.flatMap((encoding) => {
      const withEncoding = all.filter((one) => one.encoding === encoding && !isAlwaysTested(one))
      // Avoids a name that may be refused, if only one name is tested.
      const unrefusable = most > 1 ? [] : withEncoding.filter(({ name }) => !canBeRefused(name))
      return drawSample(unrefusable.length > 0 ? unrefusable : withEncoding, most, seed, ({ name }) => name)
    })
  const inputs = [
    ...all.filter(isAlwaysTested),
    ...someIn(encodings.filter((one) => one === 'minimal' || isWanted(one))),
  ]
  const from = considered === names ? all.length : names.length * encodings.length
  // Uses another encoding if all names look the same in this one.
  return { inputs: inputs.length > 0 ? inputs : someIn(encodings).slice(0, 1), population: from }
}

/** Marks a defect of one encoding as a cause in all operations, because they share a decoder. */
export const createEncodingCause = (encoding: Encoding): { readonly crossOperationCause: string } => ({
  crossOperationCause: `names are misread that are ${encoding} encoded`,
})

export const describeEncodedName = ({ name, encoding }: EncodedName): string => `${quoted(name)}, ${encoding}`

/**
 * Reads all listed names that can be searched for, cats and breeds, each once. Of very many cats, it takes a sample.
 */
export async function readSearchableNames({ cats, breeds }: Directory, read: Read): Promise<readonly string[]> {
  const [catNames, breedNames] = await Promise.all([readDistinctNames(cats, read), readDistinctNames(breeds, read)])
  return joinSearchableNames(catNames, breedNames)
}

const joinSearchableNames = memoiseByObject((cats: readonly string[], breeds: readonly string[]) =>
  selectSearchableNames([...new Set([...selectNamesForInputs(cats), ...breeds])]),
)

/** Filters a list once, and returns the same list if nothing is left out. */
const memoiseFilter = (isWanted: (name: string) => boolean) =>
  memoiseByObject((names: readonly string[]) => (names.every(isWanted) ? names : names.filter(isWanted)))

export const selectSearchableNames = memoiseFilter(canBeSearched)

export const selectPathNames = memoiseFilter(canBeInPath)

/** Reads the names of a list that can be sent in a path, each once. */
export async function readPathNames(list: Resource<ListReading>, read: Read): Promise<readonly string[]> {
  return selectPathNames(await readDistinctNames(list, read))
}

/**
 * Returns whether a name has only plain words: long enough for any search, and without anything that a search may treat
 * as syntax, drop, trim or transliterate.
 */
export const hasOnlyPlainWords = (name: string): boolean =>
  /^[A-Za-z]{3,}( [A-Za-z]+)+$/.test(name) && name.length <= 40

const hasSpace = (name: string): boolean => / /.test(name)

/**
 * Writes each space as a plus sign, as forms do. If some names also contain a plus sign, one of them is included,
 * because it distinguishes spaces from plus signs.
 */
export const encodeSpacesAsPlus = (names: readonly string[]): string[] =>
  names
    .filter(hasSpace)
    .sort((a, b) => Number(b.includes('+')) - Number(a.includes('+')))
    .slice(0, 1)
    .map((name) => encodeSegment(name).replaceAll('%20', '+'))

/** Creates query strings with plus signs for spaces, from the listed names. */
export const createPlusEncodedQueries = async (directory: Directory, read: Read): Promise<string[]> =>
  encodeSpacesAsPlus(await readSearchableNames(directory, read)).map((value) => `q=${value}`)

const MAX_SHOWN_NAMES = 3

/** Describes the listed names that no path can contain, in the lists read so far. Sends no request. */
export async function describeUnrequestableNames(
  directories: readonly Directory[],
  readings: Reader,
): Promise<readonly string[]> {
  const known = new Set(readings.resourcesRead().map(({ key }) => key))
  const lists = directories.flatMap(({ cats, breeds }) => [cats, breeds]).filter(({ key }) => known.has(key))
  const namesOf = (list: ListResource) =>
    readings.read(list).then(namesOfReading).catch(resolveInconclusiveTo<readonly string[]>([]))
  const all = await Promise.all(lists.map(namesOf))
  const left = all.filter((list) => selectPathNames(list) !== list).flat()
  const names = [...new Set(left.filter((name) => !canBeInPath(name)))]
  if (names.length === 0) return []
  const shown = names.slice(0, MAX_SHOWN_NAMES).map(quoted)
  const more = names.length > MAX_SHOWN_NAMES ? ` and ${names.length - MAX_SHOWN_NAMES} more` : ''
  return [`listed names that no path can contain were not put into one: ${shown.join(', ')}${more}`]
}
