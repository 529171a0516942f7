import type { Read, Reader, Resource } from '../../engine/check/readers.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import { drawSample } from '../../engine/property/sample.ts'
import type { Directory, ListResource } from '../facts/directory.ts'
import { canBeRefused } from '../matching/allowances.ts'
import type { ListReading } from '../readings/list-reading.ts'
import { namesOfReading, readDistinctNames, readNamesIfReadable } from '../readings/names.ts'
import { canBeInPath, canBeSearched, type Encoding, encodeSegment, encodings } from '../shared/encodings.ts'
import { quoted } from '../shared/text.ts'

/** A sample of inputs, and the number of inputs from which the sample was drawn. */
export interface InputSample<I> {
  readonly inputs: readonly I[]
  readonly population: number
  /** Inputs that are tested in addition to the sample. */
  readonly alwaysTested?: readonly I[]
}

/** Returns the first `quickCount` inputs with `--effort quick`, otherwise all inputs. */
export const limitInputsForQuickEffort = (
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

/** Pairs each name with every percent-encoding that gives another result than the usual encoding. */
export const pairNamesWithEncodings = (names: readonly string[], encode: typeof encodeSegment): EncodedName[] =>
  encodings.flatMap((encoding) =>
    names.filter((name) => encode(name, encoding) !== encode(name)).map((name) => ({ name, encoding })),
  )

/** If a list has more names than this, test strings are made from a sample of `MAX_NAMES_CONSIDERED` names. */
const MIN_LONG_LIST = 20_000
const MAX_NAMES_CONSIDERED = 4_000

/**
 * Returns all names; of a very long list a sample, with its shortest name, its longest name and a name of each kind.
 */
export function selectNamesForInputs(names: readonly string[], seed = 1): readonly string[] {
  return names.length <= MIN_LONG_LIST ? names : drawConsideredNames(names, seed)
}

const drawConsideredNames = memoiseByObject((names: readonly string[], seed: number) =>
  drawSample(names, MAX_NAMES_CONSIDERED, seed, String),
)

/** Characters with a meaning in URLs. If a client sends them unencoded, the rest of the name may be lost. */
const SPECIAL_IN_URLS = /[=;&%?]/
/** Characters that only some clients encode. A firewall may therefore treat their encoded forms in another way. */
const CHARACTERS_ENCODED_BY_SOME = ["'", '(', ')', '*', '!', '~']

/** Selects the first name with each character of `CHARACTERS_ENCODED_BY_SOME`, with every octet encoded. */
const selectFullyEncodedNames = (all: readonly EncodedName[]): EncodedName[] => {
  const inOctets = all.filter(({ encoding }) => encoding === 'every octet')
  return CHARACTERS_ENCODED_BY_SOME.flatMap((char) => inOctets.find(({ name }) => name.includes(char)) ?? [])
}

/** Draws some names for each encoding, because decoding does not depend on the whole name. */
export function drawEncodedNames(
  names: readonly string[],
  encode: typeof encodeSegment,
  {
    effort: { namesPerEncoding: most },
    seed,
  }: { readonly effort: { readonly namesPerEncoding: number }; readonly seed: number },
  isWanted: (encoding: Encoding) => boolean = () => true,
): InputSample<EncodedName> {
  const considered = selectNamesForInputs(names, seed)
  const all = pairNamesWithEncodings(considered, encode)
  const literals = new Set(isWanted('every octet') ? selectFullyEncodedNames(all) : [])
  const isAlwaysTested = (one: EncodedName) =>
    literals.has(one) || (one.encoding === 'minimal' && SPECIAL_IN_URLS.test(one.name))
  const drawIn = (wanted: readonly Encoding[]) =>
    wanted.flatMap((encoding) => {
      const withEncoding = all.filter((one) => one.encoding === encoding && !isAlwaysTested(one))
      // If only one name is drawn, avoids names that a service may refuse, e.g. for their length.
      const unrefusable = most > 1 ? [] : withEncoding.filter(({ name }) => !canBeRefused(name))
      return drawSample(unrefusable.length > 0 ? unrefusable : withEncoding, most, seed, ({ name }) => name)
    })
  const inputs = [
    ...all.filter(isAlwaysTested),
    ...drawIn(encodings.filter((one) => one === 'minimal' || isWanted(one))),
  ]
  const population = considered === names ? all.length : names.length * encodings.length
  // If no name changes in any of the wanted encodings, uses one of the other encodings.
  return { inputs: inputs.length > 0 ? inputs : drawIn(encodings).slice(0, 1), population }
}

/**
 * Returns the cause for findings about an encoding. Findings of all operations with this cause are joined, because the
 * operations usually share a decoder.
 */
export const createCauseOfEncodingDefect = (encoding: Encoding): { readonly crossOperationCause: string } => ({
  crossOperationCause: `names are misread if they are ${encoding} encoded`,
})

export const describeEncodedName = ({ name, encoding }: EncodedName): string => `${quoted(name)}, ${encoding}`

/** Reads the names of cats and breeds that can be searched for; of very many cats a sample. */
export async function readSearchableNames({ cats, breeds }: Directory, read: Read): Promise<readonly string[]> {
  const [catNames, breedNames] = await Promise.all([readDistinctNames(cats, read), readNamesIfReadable(breeds, read)])
  return joinSearchableNames(catNames, breedNames)
}

const joinSearchableNames = memoiseByObject((cats: readonly string[], breeds: readonly string[]) =>
  selectSearchableNames([...new Set([...selectNamesForInputs(cats), ...breeds])]),
)

/** Filters names; memoised. Returns the same array if no name is removed. */
const memoiseFilter = (isWanted: (name: string) => boolean) =>
  memoiseByObject((names: readonly string[]) => (names.every(isWanted) ? names : names.filter(isWanted)))

export const selectSearchableNames = memoiseFilter(canBeSearched)

export const selectNamesForPaths = memoiseFilter(canBeInPath)

export async function readNamesForPaths(list: Resource<ListReading>, read: Read): Promise<readonly string[]> {
  return selectNamesForPaths(await readDistinctNames(list, read))
}

/** Reads the breeds that can be sent in a path segment; none if the list of breeds cannot be read. */
export const readBreedsIfReadable = async ({ breeds }: Directory, read: Read): Promise<readonly string[]> =>
  selectNamesForPaths(await readNamesIfReadable(breeds, read))

/** Returns whether a name consists of plain words, so that no search refuses it or treats a part as syntax. */
export const hasSeveralPlainWords = (name: string): boolean =>
  /^[A-Za-z]{3,}( [A-Za-z]+)+$/.test(name) && name.length <= 40

export const hasSpace = (name: string): boolean => / /.test(name)

/** Writes the spaces of one name as plus signs. Prefers a name with a plus sign, which must stay distinct. */
export const encodeSpacesAsPlus = (names: readonly string[]): string[] =>
  names
    .filter(hasSpace)
    .sort((a, b) => Number(b.includes('+')) - Number(a.includes('+')))
    .slice(0, 1)
    .map((name) => encodeSegment(name).replaceAll('%20', '+'))

/** Creates query strings, e.g. `q=Maine+Coon`, from a listed name with a space. */
export const createPlusEncodedQueries = async (directory: Directory, read: Read): Promise<string[]> =>
  encodeSpacesAsPlus(await readSearchableNames(directory, read)).map((value) => `q=${value}`)

const MAX_SHOWN_NAMES = 3

/** Describes the listed names that no URL path can contain, e.g. `..`. Sends no request. */
export async function describeUnrequestableNames(
  directories: readonly Directory[],
  readings: Reader,
): Promise<readonly string[]> {
  const known = new Set(readings.resourcesRead().map(({ key }) => key))
  const lists = directories.flatMap(({ cats, breeds }) => [cats, breeds]).filter(({ key }) => known.has(key))
  const namesOf = (list: ListResource) =>
    readings.read(list).then(namesOfReading).catch(resolveInconclusiveTo<readonly string[]>([]))
  const all = await Promise.all(lists.map(namesOf))
  const left = all.filter((list) => selectNamesForPaths(list) !== list).flat()
  const names = [...new Set(left.filter((name) => !canBeInPath(name)))]
  if (names.length === 0) return []
  const shown = names.slice(0, MAX_SHOWN_NAMES).map(quoted)
  const more = names.length > MAX_SHOWN_NAMES ? ` and ${names.length - MAX_SHOWN_NAMES} more` : ''
  const cut = names.every((name) => name.isWellFormed())
    ? ''
    : '. A name that contains half of a surrogate pair (\\uD800 to \\uDFFF) was probably cut in the middle of a character: no client can request it'
  return [`some listed names cannot be sent in a path and were not tested there: ${shown.join(', ')}${more}${cut}`]
}
