import type { Directory } from '../directory/facts/directory.ts'
import type { ListReading } from '../directory/readings/list-reading.ts'
import { distinctNames, namesIn } from '../directory/readings/names.ts'
import { folded, isAscii } from '../directory/shared/text.ts'
import type { Read, Subject } from '../engine/check/readers.ts'
import { observe } from './shared/observe.ts'

interface Alteration {
  readonly named: string
  /** The breeds that it changes. */
  readonly suits: (breed: string) => boolean
  readonly of: (breed: string) => string
}

const lower = (text: string): string => text.toLowerCase()
const swapped = (text: string): string => (text === lower(text) ? text.toUpperCase() : lower(text))
const unaccented = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')
const otherForm = (text: string): string =>
  text === text.normalize('NFD') ? text.normalize('NFC') : text.normalize('NFD')

/** Returns whether a breed has a Latin, Greek or Cyrillic letter with an accent. */
const hasAccent = (breed: string): boolean =>
  !isAscii(breed) && folded(breed) !== lower(breed) && otherForm(breed) !== breed

/** Other spellings of a listed name. */
const alterations: readonly Alteration[] = [
  { named: 'another case', suits: (breed) => swapped(breed) !== breed, of: swapped },
  { named: 'outer blanks', suits: () => true, of: (breed) => ` ${breed} ` },
  { named: 'without accents', suits: hasAccent, of: unaccented },
  { named: 'another normalisation form', suits: hasAccent, of: otherForm },
  {
    named: 'as a slug',
    suits: (breed) => /^[A-Za-z]+( [A-Za-z]+)+$/.test(breed),
    of: (breed) => lower(breed).replaceAll(' ', '-'),
  },
]

const MOST_LOOKED_AT = 12

/** Breeds that an alteration changes into no other listed breed; of many, the first ones. */
function suited({ suits, of }: Alteration, breeds: ReadonlySet<string>): readonly string[] {
  const found: string[] = []
  for (const breed of breeds) {
    if (suits(breed) && !breeds.has(of(breed))) found.push(breed)
    if (found.length === MOST_LOOKED_AT) break
  }
  return found
}

/** The first breed with cats: only these show that the breed was found. */
async function inhabited(
  breeds: readonly string[],
  { catsOf }: Directory,
  read: Read,
): Promise<{ readonly breed: string; readonly cats: readonly string[] } | undefined> {
  for (const breed of breeds) {
    const cats = namesIn(await read(catsOf(breed)))
    if (cats.length > 0) return { breed, cats }
  }
  return undefined
}

async function match(alteration: Alteration, directory: Directory, breeds: ReadonlySet<string>, read: Read) {
  const { named, of } = alteration
  const found = await inhabited(suited(alteration, breeds), directory, read)
  if (!found) return undefined
  const subject: Subject<ListReading> = directory.catsOf(of(found.breed))
  const reading = await read(subject)
  const isMatch = reading.kind === 'list' && reading.names.length > 0 && found.cats.every(reading.has)
  return { subject, isMatch, text: `${named}: ${isMatch ? 'yes' : 'no'}` }
}

/** O-NAME-MATCH. */
export const nameMatch = observe('O-NAME-MATCH', 'listCatsOfBreed', async ({ target: { directory }, read }) => {
  const breeds = new Set((await distinctNames(directory.breeds, read)).toSorted())
  const tried = await Promise.all(alterations.map((one) => match(one, directory, breeds, read)))
  const seen = tried.filter((one) => one !== undefined)
  if (seen.length === 0) return undefined
  const telling = seen.some(({ isMatch }) => isMatch) ? seen.filter(({ isMatch }) => isMatch) : seen
  return { value: seen.map(({ text }) => text).join('; '), shownBy: telling.map(({ subject }) => subject) }
})
