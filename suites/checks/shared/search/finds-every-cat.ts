import type { VersionTarget } from '../../../directory/deployment.ts'
import type { NameList } from '../../../directory/readings/list-reading.ts'
import { readDistinctNames, requireListOrEmpty } from '../../../directory/readings/names.ts'
import { foldText, isAscii, quoted } from '../../../directory/shared/text.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { reportViolation } from '../../../engine/check/violations.ts'

/** Returns the names of all cats and all breeds. */
async function readNamesOfCatsAndBreeds(
  { directory: { cats, breeds } }: DirectoryTarget,
  read: Read,
): Promise<readonly string[]> {
  return (await Promise.all([cats, breeds].map((list) => readDistinctNames(list, read)))).flat()
}

type DirectoryTarget = Pick<VersionTarget, 'directory'>

/** Returns the hits of a query if every listed cat is among them; undefined otherwise, or if no cat is listed. */
async function findHitsOfEveryCat(
  query: string,
  { directory }: DirectoryTarget,
  read: Read,
): Promise<NameList | undefined> {
  const hits = requireListOrEmpty(await read(directory.search(query)))
  const cats = await readDistinctNames(directory.cats, read)
  return hits && cats.length > 0 && cats.every(hits.has) ? hits : undefined
}

/**
 * Fails if a query of one letter or digit finds every cat, and so does the character doubled (R8.13). Error tolerance
 * explains only the first result. Example of the defect: a database that compares text with numbers finds every cat
 * with both (`'Tom' = 0`).
 */
export async function assertOneCharacterDoesNotFindAll(
  query: string,
  target: DirectoryTarget,
  read: Read,
): Promise<void> {
  if (!/^[a-z0-9]$/i.test(query)) return
  const names = await readNamesOfCatsAndBreeds(target, read)
  if (names.some((name) => mayContain(query.toLowerCase(), foldText(name)))) return
  const doubled = query + query
  const both = await Promise.all([query, doubled].map((one) => findHitsOfEveryCat(one, target, read)))
  const [hits, hitsOfDoubled] = both
  if (!hits || !hitsOfDoubled) return
  reportViolation({
    expected: `${quoted(query)} and ${quoted(doubled)} do not both find every cat, because no listed name or breed contains ${quoted(query)}`,
    actual: `the searches for ${quoted(query)} and for ${quoted(doubled)} returned all ${hits.names.length} cats`,
    defectKind: 'finds every cat',
    shownBy: [target.directory.search(doubled), target.directory.search(query)],
    names: { atFault: hits.names },
    relation: 'explains all',
  })
}

/**
 * Returns whether a name contains the character, or may contain it when transliterated: a name in another script may
 * contain any letter, and a name with a digit that is not ASCII any digit.
 */
const mayContain = (character: string, name: string): boolean =>
  name.includes(character) || (/\d/.test(character) ? /(?!\p{ASCII})\p{N}/u.test(name) : !isAscii(name))

/** Returns whether a query consists of eight or more ASCII letters, and nothing else (R8.4). */
export const isEightOrMoreAsciiLetters = (query: string): boolean => /^[a-z]{8,}$/i.test(query)

/** The minimum number of cats whose names are in the same other script (R8.4). */
const MIN_NAMES_OF_SCRIPT = 3
/** Matches for each script a name with a character of this script. */
const SCRIPTS = [
  ...['Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Georgian', 'Armenian'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
  ...['Tibetan', 'Ethiopic', 'Mongolian', 'Cherokee', 'Syriac', 'Thaana'],
].map((script) => new RegExp(`\\p{Script=${script}}`, 'u'))
const EAST_ASIAN = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

/**
 * Fails if an ASCII query of eight or more letters that occurs in no listed name finds every cat whose name is in
 * another script (R8.4).
 */
export async function assertDoesNotFindWholeScript(query: string, target: VersionTarget, read: Read): Promise<void> {
  const { directory } = target
  const resource = directory.search(query)
  const hits = requireListOrEmpty(await read(resource))
  if (!hits || hits.names.length < MIN_NAMES_OF_SCRIPT) return
  const cats = await readDistinctNames(directory.cats, read)
  if ((await readNamesOfCatsAndBreeds(target, read)).some((name) => haveThreeLettersInCommon(query, name))) return
  const script = [...SCRIPTS, EAST_ASIAN].find((one) => {
    const namesInScript = cats.filter((name) => one.test(name) && !/\p{Script=Latin}/u.test(name))
    return namesInScript.length >= MIN_NAMES_OF_SCRIPT && namesInScript.every(hits.has)
  })
  if (!script) return
  reportViolation({
    expected:
      'a result without the cats whose names are in another writing system than the query: no listed name contains the query, so nothing explains why all of these cats match',
    actual: `the search for ${quoted(query)} returned ${hits.names.length} cats, among them every cat whose name is in the writing system of ${quoted(hits.names.find((name) => script.test(name)) ?? '')}`,
    defectKind: `finds ${hits.names.length} cats of another script`,
    shownBy: [directory.cats, resource],
    names: { atFault: hits.names },
    crossOperationCause: `a search finds every cat in ${script}`,
  })
}

/** Returns whether the name has three consecutive letters of the query: an error-tolerant search may find it then. */
function haveThreeLettersInCommon(query: string, name: string): boolean {
  const [foldedQuery, text] = [query.toLowerCase(), foldText(name)]
  return [...foldedQuery].some((_, at) => at + 3 <= foldedQuery.length && text.includes(foldedQuery.slice(at, at + 3)))
}

/** Fails if an injection string finds every cat while the same string with ordinary punctuation finds none (R8.11). */
export async function assertInjectionDoesNotFindAll(query: string, target: VersionTarget, read: Read): Promise<void> {
  const hits = await findHitsOfEveryCat(query, target, read)
  if (!hits) return
  const ordinary = target.directory.search(query.replace(/[^\p{L}\p{N} =,]/gu, ','))
  const reading = await read(ordinary)
  if (reading.kind !== 'list' || reading.names.length > 0) return
  reportViolation({
    expected:
      'an injection string finds no more cats than the same string with commas in place of its special characters',
    actual: `the search for ${quoted(query)} returned all ${hits.names.length} cats, but the search with commas in place of the special characters returned none`,
    defectKind: 'finds every cat',
    shownBy: [ordinary, target.directory.search(query)],
    names: { atFault: hits.names },
    relation: 'explains all',
  })
}
