import type { Read, Reader, Subject } from '../../engine/check/readers.ts'
import { unlessInconclusive } from '../../engine/inconclusive.ts'
import { sample } from '../../engine/property/sample.ts'
import type { Directory, List } from '../facts/directory.ts'
import { mayBeRefused } from '../matching/allowances.ts'
import type { ListReading } from '../readings/list-reading.ts'
import { distinctNames, namesIn } from '../readings/names.ts'
import { asSegment, canBeSearched, canStandInPath, type Encoding, encodings } from '../shared/encodings.ts'
import { quoted } from '../shared/text.ts'

/** The options that determine which names are drawn. */
interface Lots {
  readonly effort: { readonly namesPerEncoding: number }
  readonly seed: number
}

/** Inputs, and the number that they were drawn from. */
export interface Drawn<I> {
  readonly inputs: readonly I[]
  readonly from: number
  /** Inputs that are tested whatever the sample draws. */
  readonly always?: readonly I[]
}

/** All inputs, or the first few if few strings are tested. */
export const someOf = (
  all: readonly string[],
  { strings }: { readonly strings: 'all' | 'few' },
  few: number,
): Drawn<string> => ({
  inputs: strings === 'all' ? all : all.slice(0, few),
  from: all.length,
})

export interface EncodedName {
  readonly name: string
  readonly encoding: Encoding
}

/** Names in every encoding other than the plain one. */
export const encodedNames = (names: readonly string[], as: typeof asSegment): EncodedName[] =>
  encodings.flatMap((encoding) =>
    names.filter((name) => as(name, encoding) !== as(name)).map((name) => ({ name, encoding })),
  )

/** The size of the sample of a longer list from which inputs are made. */
const MANY = 20_000
const MOST_LOOKED_AT = 4_000

const lookedAt = new WeakMap<readonly string[], { readonly seed: number; readonly names: readonly string[] }>()

/** All names of a list; of a very long one a sample with the extremes and one of each signature. */
export function someOfMany(names: readonly string[], seed = 1): readonly string[] {
  if (names.length <= MANY) return names
  const known = lookedAt.get(names)
  if (known?.seed === seed) return known.names
  const some = sample(names, MOST_LOOKED_AT, seed, String)
  lookedAt.set(names, { seed, names: some })
  return some
}

/** Characters with a meaning in a query string or path if unencoded: the rest may be lost. */
const SPECIAL_IN_URLS = /[=;&%?]/
/** Characters that only some clients encode: a firewall may match only the octet. */
const LITERAL_TO_SOME = ["'", '(', ')', '*', '!', '~']

/** Adds the first name with one of these characters, completely encoded. */
const withLiterals = (all: readonly EncodedName[]): EncodedName[] => {
  const inOctets = all.filter(({ encoding }) => encoding === 'every octet')
  return LITERAL_TO_SOME.flatMap((char) => inOctets.find(({ name }) => name.includes(char)) ?? [])
}

/**
 * A sample of encoded names. Decoding depends on octets rather than names, so a few of each kind are enough; every name
 * with an unencoded special character is included.
 * @param most per encoding
 */
export function someEncodedNames(
  names: readonly string[],
  as: typeof asSegment,
  { effort: { namesPerEncoding: most }, seed }: Lots,
  isWanted: (encoding: Encoding) => boolean = () => true,
): Drawn<EncodedName> {
  const looked = someOfMany(names, seed)
  const all = encodedNames(looked, as)
  const literals = new Set(isWanted('every octet') ? withLiterals(all) : [])
  const isAlways = (one: EncodedName) =>
    literals.has(one) || (one.encoding === 'minimal' && SPECIAL_IN_URLS.test(one.name))
  const someIn = (wanted: readonly Encoding[]) =>
    wanted.flatMap((encoding) => {
      const ofOne = all.filter((one) => one.encoding === encoding && !isAlways(one))
      // Avoids a name that may be refused if it would be the only one.
      const sure = most > 1 ? [] : ofOne.filter(({ name }) => !mayBeRefused(name))
      return sample(sure.length > 0 ? sure : ofOne, most, seed, ({ name }) => name)
    })
  const inputs = [...all.filter(isAlways), ...someIn(encodings.filter((one) => one === 'minimal' || isWanted(one)))]
  const from = looked === names ? all.length : names.length * encodings.length
  // If no name differs in this encoding, one in another encoding is used.
  return { inputs: inputs.length > 0 ? inputs : someIn(encodings).slice(0, 1), from }
}

/** A defect of one encoding in one operation occurs in others too, because they share a decoder. */
export const misreadEverywhere = (encoding: Encoding): { readonly everywhere: string } => ({
  everywhere: `names are misread that are ${encoding} encoded`,
})

/** An encoded name for display. */
export const encodedNameText = ({ name, encoding }: EncodedName): string => `${quoted(name)}, ${encoding}`

const searchable = new WeakMap<
  readonly string[],
  { readonly breeds: readonly string[]; readonly names: readonly string[] }
>()

/** All listed names that can be searched for, cats and breeds, each once; of very many cats a sample. */
export async function searchableNames({ cats, breeds }: Directory, read: Read): Promise<readonly string[]> {
  const [catNames, breedNames] = await Promise.all([distinctNames(cats, read), distinctNames(breeds, read)])
  const known = searchable.get(catNames)
  if (known?.breeds === breedNames) return known.names
  const names = thatCanBeSearched([...new Set([...someOfMany(catNames), ...breedNames])])
  searchable.set(catNames, { breeds: breedNames, names })
  return names
}

/** Filters a list once, and returns the same list if nothing is left out. */
function keptOnce(isKept: (name: string) => boolean): (names: readonly string[]) => readonly string[] {
  const before = new WeakMap<readonly string[], readonly string[]>()
  return (names) => {
    const kept = before.get(names) ?? (names.every(isKept) ? names : names.filter(isKept))
    before.set(names, kept)
    return kept
  }
}

/** The names that can be searched for. */
export const thatCanBeSearched = keptOnce(canBeSearched)

/** The names that can be sent in a path. */
export const thatCanStandInPath = keptOnce(canStandInPath)

/** The names of a list that can be sent in a path, each once. */
export async function pathNames(list: Subject<ListReading>, read: Read): Promise<readonly string[]> {
  return thatCanStandInPath(await distinctNames(list, read))
}

/**
 * Returns whether a name is long enough for any search and contains nothing that some search treats as syntax, drops,
 * trims or transliterates.
 */
export const isOfPlainWords = (name: string): boolean => /^[A-Za-z]{3,}( [A-Za-z]+)+$/.test(name) && name.length <= 40

const isOfWords = (name: string): boolean => / /.test(name)

/**
 * Names with a plus sign for each space, as forms send them; one that also contains a plus sign, if there is one,
 * distinguishes the two.
 */
export const plussed = (names: readonly string[]): string[] =>
  names
    .filter(isOfWords)
    .sort((a, b) => Number(b.includes('+')) - Number(a.includes('+')))
    .slice(0, 1)
    .map((name) => asSegment(name).replaceAll('%20', '+'))

/** The same as query strings. */
export const plussedQueries = async (directory: Directory, read: Read): Promise<string[]> =>
  plussed(await searchableNames(directory, read)).map((value) => `q=${value}`)

const MOST_SHOWN = 3

/** Sentences about listed names that no path can contain, of the lists read so far; sends no request. */
export async function namesNotAsked(directories: readonly Directory[], readings: Reader): Promise<readonly string[]> {
  const known = new Set(readings.known().map(({ key }) => key))
  const lists = directories.flatMap(({ cats, breeds }) => [cats, breeds]).filter(({ key }) => known.has(key))
  const namesOf = (list: List) => readings.read(list).then(namesIn).catch(unlessInconclusive<readonly string[]>([]))
  const all = await Promise.all(lists.map(namesOf))
  const left = all.filter((list) => thatCanStandInPath(list) !== list).flat()
  const names = [...new Set(left.filter((name) => !canStandInPath(name)))]
  if (names.length === 0) return []
  const shown = names.slice(0, MOST_SHOWN).map(quoted)
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : ''
  return [`listed names that no path can hold were put into none: ${shown.join(', ')}${more}`]
}
