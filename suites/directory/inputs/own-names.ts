import type { Read, Reader, Subject } from '../../engine/check/readers.ts'
import { unlessInconclusive } from '../../engine/inconclusive.ts'
import { sample } from '../../engine/property/sample.ts'
import type { Directory, List } from '../facts/directory.ts'
import { mayBeRefused } from '../matching/allowances.ts'
import type { ListReading } from '../readings/list-reading.ts'
import { distinctNames, namesIn } from '../readings/names.ts'
import { asSegment, canBeSearched, canStandInPath, type Encoding, encodings } from '../shared/encodings.ts'
import { quoted } from '../shared/text.ts'

/** What decides which names are drawn, and how many. */
interface Lots {
  readonly effort: { readonly namesPerEncoding: number }
  readonly seed: number
}

/** Some inputs, and how many they were drawn from. */
export interface Drawn<I> {
  readonly inputs: readonly I[]
  readonly from: number
  /** Those of them that are tried whatever is drawn by lot. */
  readonly always?: readonly I[]
}

/** All of them, or the first few where few strings are to be tried. */
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

/** Names in every encoding that differs from the plain one. */
export const encodedNames = (names: readonly string[], as: typeof asSegment): EncodedName[] =>
  encodings.flatMap((encoding) =>
    names.filter((name) => as(name, encoding) !== as(name)).map((name) => ({ name, encoding })),
  )

/** Of a list longer than that, what inputs are made of is looked for in so many of its names. */
const MANY = 20_000
const MOST_LOOKED_AT = 4_000

const lookedAt = new WeakMap<readonly string[], { readonly seed: number; readonly names: readonly string[] }>()

/** All names of a list; of a very long one some by lot, of every make as far as half of them go, and the ends. */
export function someOfMany(names: readonly string[], seed = 1): readonly string[] {
  if (names.length <= MANY) return names
  const known = lookedAt.get(names)
  if (known?.seed === seed) return known.names
  const some = sample(names, MOST_LOOKED_AT, seed, String)
  lookedAt.set(names, { seed, names: some })
  return some
}

/** What is special in a query string or a path where it stands for itself: what follows it may be taken for something else. */
const SPECIAL_IN_URLS = /[=;&%?]/
/** What some clients encode and others do not: a firewall may know it by its octet alone. */
const LITERAL_TO_SOME = ["'", '(', ')', '*', '!', '~']

/** Of the names that hold one of these, the first, in every octet. */
const withLiterals = (all: readonly EncodedName[]): EncodedName[] => {
  const inOctets = all.filter(({ encoding }) => encoding === 'every octet')
  return LITERAL_TO_SOME.flatMap((char) => inOctets.find(({ name }) => name.includes(char)) ?? [])
}

/**
 * Some of these. How an octet is decoded depends on what it is, not on whose name it stands in: a few of every kind
 * are enough, but what stands for itself and is special is tried in each name that holds it.
 * @param most in each encoding
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
      // One that may be refused would be the only one that is tried.
      const sure = most > 1 ? [] : ofOne.filter(({ name }) => !mayBeRefused(name))
      return sample(sure.length > 0 ? sure : ofOne, most, seed, ({ name }) => name)
    })
  const inputs = [...all.filter(isAlways), ...someIn(encodings.filter((one) => one === 'minimal' || isWanted(one)))]
  const from = looked === names ? all.length : names.length * encodings.length
  // Where no name differs in what is wanted, it does in another encoding.
  return { inputs: inputs.length > 0 ? inputs : someIn(encodings).slice(0, 1), from }
}

/** What is wrong with one encoding in one operation is wrong with it in others: one decoder serves all. */
export const misreadEverywhere = (encoding: Encoding): { readonly everywhere: string } => ({
  everywhere: `names are misread that are ${encoding} encoded`,
})

/** How an encoded name is shown. */
export const encodedNameText = ({ name, encoding }: EncodedName): string => `${quoted(name)}, ${encoding}`

const searchable = new WeakMap<
  readonly string[],
  { readonly breeds: readonly string[]; readonly names: readonly string[] }
>()

/** Everything that is listed and can be searched for, of very many cats some: cats and breeds, each once. */
export async function searchableNames({ cats, breeds }: Directory, read: Read): Promise<readonly string[]> {
  const [catNames, breedNames] = await Promise.all([distinctNames(cats, read), distinctNames(breeds, read)])
  const known = searchable.get(catNames)
  if (known?.breeds === breedNames) return known.names
  const names = thatCanBeSearched([...new Set([...someOfMany(catNames), ...breedNames])])
  searchable.set(catNames, { breeds: breedNames, names })
  return names
}

/** A list is gone through once, and one of which none is left out is not held twice. */
function keptOnce(isKept: (name: string) => boolean): (names: readonly string[]) => readonly string[] {
  const before = new WeakMap<readonly string[], readonly string[]>()
  return (names) => {
    const kept = before.get(names) ?? (names.every(isKept) ? names : names.filter(isKept))
    before.set(names, kept)
    return kept
  }
}

/** The names of a list that can be searched for. */
export const thatCanBeSearched = keptOnce(canBeSearched)

/** The names of a list that can stand in a path. */
export const thatCanStandInPath = keptOnce(canStandInPath)

/** Each once. */
export async function pathNames(list: Subject<ListReading>, read: Read): Promise<readonly string[]> {
  return thatCanStandInPath(await distinctNames(list, read))
}

/** Short enough for any search; nothing in them is syntax, dropped, trimmed or transliterated by some. */
export const isOfPlainWords = (name: string): boolean => /^[A-Za-z]{3,}( [A-Za-z]+)+$/.test(name) && name.length <= 40

const isOfWords = (name: string): boolean => / /.test(name)

/** As forms are sent: a plus sign for each blank. One that has a plus sign too, if there is one, tells them apart. */
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

/** Says which listed names no path can hold, of the lists that were read; asks nothing. */
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
