import type { Read, Reader, Subject } from '../../engine/check/readers.ts'
import { unlessInconclusive } from '../../engine/inconclusive.ts'
import { sample } from '../../engine/property/sample.ts'
import type { Directory, ListSubject } from '../facts/directory.ts'
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

/** Inputs, and the number that they were drawn from. */
export interface InputSample<I> {
  readonly inputs: readonly I[]
  readonly population: number
  /** Inputs that are tested whatever the sample draws. */
  readonly alwaysTested?: readonly I[]
}

/** All inputs, or the first few if few strings are tested. */
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

/** Names in every encoding other than the plain one. */
export const encodeNames = (names: readonly string[], encode: typeof encodeSegment): EncodedName[] =>
  encodings.flatMap((encoding) =>
    names.filter((name) => encode(name, encoding) !== encode(name)).map((name) => ({ name, encoding })),
  )

/** The size of the sample of a longer list from which inputs are made. */
const MIN_LONG_LIST = 20_000
const MAX_NAMES_CONSIDERED = 4_000

const consideredNamesByList = new WeakMap<
  readonly string[],
  { readonly seed: number; readonly names: readonly string[] }
>()

/** All names of a list; of a very long one a sample with the extremes and one of each signature. */
export function selectConsideredNames(names: readonly string[], seed = 1): readonly string[] {
  if (names.length <= MIN_LONG_LIST) return names
  const known = consideredNamesByList.get(names)
  if (known?.seed === seed) return known.names
  const some = sample(names, MAX_NAMES_CONSIDERED, seed, String)
  consideredNamesByList.set(names, { seed, names: some })
  return some
}

/** Characters with a meaning in a query string or path if unencoded: the rest may be lost. */
const SPECIAL_IN_URLS = /[=;&%?]/
/** Characters that only some clients encode: a firewall may match only the octet. */
const CHARACTERS_ENCODED_BY_SOME = ["'", '(', ')', '*', '!', '~']

/** Adds the first name with one of these characters, completely encoded. */
const addFullyEncodedNames = (all: readonly EncodedName[]): EncodedName[] => {
  const inOctets = all.filter(({ encoding }) => encoding === 'every octet')
  return CHARACTERS_ENCODED_BY_SOME.flatMap((char) => inOctets.find(({ name }) => name.includes(char)) ?? [])
}

/**
 * A sample of encoded names. Decoding depends on octets rather than names, so a few of each kind are enough; every name
 * with an unencoded special character is included.
 * @param most per encoding
 */
export function drawEncodedNames(
  names: readonly string[],
  encode: typeof encodeSegment,
  { effort: { namesPerEncoding: most }, seed }: DrawOptions,
  isWanted: (encoding: Encoding) => boolean = () => true,
): InputSample<EncodedName> {
  const looked = selectConsideredNames(names, seed)
  const all = encodeNames(looked, encode)
  const literals = new Set(isWanted('every octet') ? addFullyEncodedNames(all) : [])
  const isAlways = (one: EncodedName) =>
    literals.has(one) || (one.encoding === 'minimal' && SPECIAL_IN_URLS.test(one.name))
  const someIn = (wanted: readonly Encoding[]) =>
    wanted.flatMap((encoding) => {
      const ofOne = all.filter((one) => one.encoding === encoding && !isAlways(one))
      // Avoids a name that may be refused if it would be the only one.
      const sure = most > 1 ? [] : ofOne.filter(({ name }) => !canBeRefused(name))
      return sample(sure.length > 0 ? sure : ofOne, most, seed, ({ name }) => name)
    })
  const inputs = [...all.filter(isAlways), ...someIn(encodings.filter((one) => one === 'minimal' || isWanted(one)))]
  const from = looked === names ? all.length : names.length * encodings.length
  // If no name differs in this encoding, one in another encoding is used.
  return { inputs: inputs.length > 0 ? inputs : someIn(encodings).slice(0, 1), population: from }
}

/** A defect of one encoding in one operation occurs in others too, because they share a decoder. */
export const createEncodingCause = (encoding: Encoding): { readonly crossOperationCause: string } => ({
  crossOperationCause: `names are misread that are ${encoding} encoded`,
})

/** An encoded name for display. */
export const describeEncodedName = ({ name, encoding }: EncodedName): string => `${quoted(name)}, ${encoding}`

const searchableNamesByCats = new WeakMap<
  readonly string[],
  { readonly breeds: readonly string[]; readonly names: readonly string[] }
>()

/** All listed names that can be searched for, cats and breeds, each once; of very many cats a sample. */
export async function readSearchableNames({ cats, breeds }: Directory, read: Read): Promise<readonly string[]> {
  const [catNames, breedNames] = await Promise.all([readDistinctNames(cats, read), readDistinctNames(breeds, read)])
  const known = searchableNamesByCats.get(catNames)
  if (known?.breeds === breedNames) return known.names
  const names = selectSearchableNames([...new Set([...selectConsideredNames(catNames), ...breedNames])])
  searchableNamesByCats.set(catNames, { breeds: breedNames, names })
  return names
}

/** Filters a list once, and returns the same list if nothing is left out. */
function memoiseFilter(isWanted: (name: string) => boolean): (names: readonly string[]) => readonly string[] {
  const before = new WeakMap<readonly string[], readonly string[]>()
  return (names) => {
    const kept = before.get(names) ?? (names.every(isWanted) ? names : names.filter(isWanted))
    before.set(names, kept)
    return kept
  }
}

/** The names that can be searched for. */
export const selectSearchableNames = memoiseFilter(canBeSearched)

/** The names that can be sent in a path. */
export const selectPathNames = memoiseFilter(canBeInPath)

/** The names of a list that can be sent in a path, each once. */
export async function readPathNames(list: Subject<ListReading>, read: Read): Promise<readonly string[]> {
  return selectPathNames(await readDistinctNames(list, read))
}

/**
 * Returns whether a name is long enough for any search and contains nothing that some search treats as syntax, drops,
 * trims or transliterates.
 */
export const hasOnlyPlainWords = (name: string): boolean =>
  /^[A-Za-z]{3,}( [A-Za-z]+)+$/.test(name) && name.length <= 40

const hasSpace = (name: string): boolean => / /.test(name)

/**
 * Names with a plus sign for each space, as forms send them; one that also contains a plus sign, if there is one,
 * distinguishes the two.
 */
export const encodeSpacesAsPlus = (names: readonly string[]): string[] =>
  names
    .filter(hasSpace)
    .sort((a, b) => Number(b.includes('+')) - Number(a.includes('+')))
    .slice(0, 1)
    .map((name) => encodeSegment(name).replaceAll('%20', '+'))

/** The same as query strings. */
export const createPlusEncodedQueries = async (directory: Directory, read: Read): Promise<string[]> =>
  encodeSpacesAsPlus(await readSearchableNames(directory, read)).map((value) => `q=${value}`)

const MAX_SHOWN_NAMES = 3

/** Sentences about listed names that no path can contain, of the lists read so far; sends no request. */
export async function describeUnrequestableNames(
  directories: readonly Directory[],
  readings: Reader,
): Promise<readonly string[]> {
  const known = new Set(readings.subjectsRead().map(({ key }) => key))
  const lists = directories.flatMap(({ cats, breeds }) => [cats, breeds]).filter(({ key }) => known.has(key))
  const namesOf = (list: ListSubject) =>
    readings.read(list).then(namesOfReading).catch(unlessInconclusive<readonly string[]>([]))
  const all = await Promise.all(lists.map(namesOf))
  const left = all.filter((list) => selectPathNames(list) !== list).flat()
  const names = [...new Set(left.filter((name) => !canBeInPath(name)))]
  if (names.length === 0) return []
  const shown = names.slice(0, MAX_SHOWN_NAMES).map(quoted)
  const more = names.length > MAX_SHOWN_NAMES ? ` and ${names.length - MAX_SHOWN_NAMES} more` : ''
  return [`listed names that no path can hold were put into none: ${shown.join(', ')}${more}`]
}
