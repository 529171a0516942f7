import type { Directory } from '../directory/facts/directory.ts'
import type { ListReading } from '../directory/readings/list-reading.ts'
import { namesOfReading, readDistinctNames } from '../directory/readings/names.ts'
import type { Encoding } from '../directory/shared/encodings.ts'
import { changeCase, foldText, isAscii, removeAccents } from '../directory/shared/text.ts'
import type { Read, Resource } from '../engine/check/readers.ts'
import { createObserver } from './shared/observe.ts'

/** A change of the spelling of a breed's name, e.g. to another case. */
interface SpellingChange {
  readonly label: string
  /** Returns whether the change can be tested with this name, e.g. because the name has an accent. */
  readonly isApplicable: (breed: string) => boolean
  readonly apply: (breed: string) => string
  readonly encoding?: Encoding
}

const toLowerCase = (text: string): string => text.toLowerCase()
const toOtherNormalForm = (text: string): string =>
  text === text.normalize('NFD') ? text.normalize('NFC') : text.normalize('NFD')

/** Returns whether the name of a breed has a Latin, Greek or Cyrillic letter with an accent. */
const hasAccent = (breed: string): boolean =>
  !isAscii(breed) && foldText(breed) !== toLowerCase(breed) && toOtherNormalForm(breed) !== breed

const spellingChanges: readonly SpellingChange[] = [
  { label: 'another case', isApplicable: (breed) => changeCase(breed) !== breed, apply: changeCase },
  { label: 'outer blanks', isApplicable: () => true, apply: (breed) => ` ${breed} ` },
  { label: 'without accents', isApplicable: hasAccent, apply: removeAccents },
  { label: 'another normalisation form', isApplicable: hasAccent, apply: toOtherNormalForm },
  {
    label: 'as a slug',
    isApplicable: (breed) => /^[A-Za-z]+( [A-Za-z]+)+$/.test(breed),
    apply: (breed) => toLowerCase(breed).replaceAll(' ', '-'),
  },
  {
    label: 'plus as a space',
    isApplicable: (breed) => breed.trim().includes(' '),
    apply: (breed) => breed.replaceAll(' ', '+'),
    // The plus sign must not be percent-encoded: decoders of forms read only `+` as a space.
    encoding: 'minimal',
  },
]

/** The maximum number of breeds that are read to find one with cats. */
const MAX_BREEDS_READ = 12

/** Selects the first breeds with which the change can be tested: the changed name is not the name of a listed breed. */
function selectApplicableBreeds(
  { isApplicable, apply }: SpellingChange,
  breeds: ReadonlySet<string>,
): readonly string[] {
  const found: string[] = []
  for (const breed of breeds) {
    if (isApplicable(breed) && !breeds.has(apply(breed))) found.push(breed)
    if (found.length === MAX_BREEDS_READ) break
  }
  return found
}

/** Finds the first breed that has cats: an empty list does not show whether the breed was found. */
async function findBreedWithCats(
  breeds: readonly string[],
  { catsOf }: Directory,
  read: Read,
): Promise<{ readonly breed: string; readonly cats: readonly string[] } | undefined> {
  for (const breed of breeds) {
    const cats = namesOfReading(await read(catsOf(breed)))
    if (cats.length > 0) return { breed, cats }
  }
  return undefined
}

/** Tests whether a breed is found with another spelling of its name. Returns undefined if no breed can show this. */
async function testSpelling(change: SpellingChange, directory: Directory, breeds: ReadonlySet<string>, read: Read) {
  const { label, apply, encoding } = change
  const found = await findBreedWithCats(selectApplicableBreeds(change, breeds), directory, read)
  if (!found) return undefined
  const resource: Resource<ListReading> = directory.catsOf(apply(found.breed), encoding)
  const reading = await read(resource)
  const isMatch = reading.kind === 'list' && reading.names.length > 0 && found.cats.every(reading.has)
  return { resource, isMatch, text: `${label}: ${isMatch ? 'yes' : 'no'}` }
}

/** Observes with which other spellings of its name a breed is found (O-NAME-MATCH). */
export const nameMatchObserver = createObserver(
  { id: 'O-NAME-MATCH', operation: 'listCatsOfBreed', sendsOwnRequests: true },
  async ({ target: { directory }, read }) => {
    const breeds = new Set((await readDistinctNames(directory.breeds, read)).toSorted())
    const tested = await Promise.all(spellingChanges.map((one) => testSpelling(one, directory, breeds, read)))
    const observed = tested.filter((one) => one !== undefined)
    if (observed.length === 0) return undefined
    const reported = observed.some(({ isMatch }) => isMatch) ? observed.filter(({ isMatch }) => isMatch) : observed
    return { value: observed.map(({ text }) => text).join('; '), shownBy: reported.map(({ resource }) => resource) }
  },
)
