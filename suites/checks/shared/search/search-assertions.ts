import type { OneVersion } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { readMembership, totalsOf } from '../../../directory/facts/membership.ts'
import { type Leniencies, mayBeRefused } from '../../../directory/matching/allowances.ts'
import { firstMissing } from '../../../directory/readings/index-of-names.ts'
import type { ListReading, Named } from '../../../directory/readings/list-reading.ts'
import { distinctNames, foundBy, requireList } from '../../../directory/readings/names.ts'
import { returned, whyNoList } from '../../../directory/readings/why-no-list.ts'
import { counted, folded, meant, quoted } from '../../../directory/shared/text.ts'
import type { Read, Subject } from '../../../engine/check/readers.ts'
import { broken } from '../../../engine/check/violations.ts'
import { Inconclusive, unlessInconclusive } from '../../../engine/inconclusive.ts'
import { forgottenBefore, said } from '../list-assertions.ts'
import { refusedAsItMay, unlessThere } from '../refused.ts'
import { cutAt, refuseWhatMayGoOn } from '../same-names.ts'
import { findsNotAllByOneCharacter } from './finds-every-cat.ts'

/** Fails if no client gets a response: a redirect without a target, a broken content coding, a failure (R1.1). */
export function answered(of: string, reading: ListReading, subject: Subject<ListReading>): void {
  if (reading.kind === 'failed')
    broken({
      expected: 'a 2xx or a 4xx',
      actual: returned(of, reading, whyNoList(reading)),
      manner: whyNoList(reading),
      shownBy: [subject],
      isWrongByItself: true,
    })
}

/** The breeds of a cat: the one that its element shows, else those whose lists contain it. */
export async function breedsOf(
  cat: string,
  shown: readonly Named[],
  directory: Directory,
  read: Read,
): Promise<string[]> {
  const own = shown.flatMap(({ breedOf }) => breedOf.get(cat) ?? [])
  const breeds = await distinctNames(directory.breeds, read)
  if (own.length > 0 && own.every((breed) => breeds.includes(breed))) return own
  const standsIn = await Promise.all(
    breeds.map(async (breed) => ((foundBy(await read(directory.catsOf(breed)))?.has(cat) ?? true) ? [breed] : [])),
  )
  return [...own, ...standsIn.flat()]
}

/** Other names of a cat by which searches find it. */
export const otherNamesOf = (cat: string, { alsoCalled }: Named): readonly string[] => alsoCalled?.(cat) ?? []

/** Fails if a hit is not in the list of all cats (R8.1). */
export async function findsOnlyListed(query: string, target: OneVersion, read: Read): Promise<void> {
  const { directory } = target
  const subject = directory.search(query)
  const [cats, reading] = await Promise.all([read(directory.cats), read(subject)])
  const listed = requireList(cats)
  const stray = firstMissing(foundBy(reading)?.names ?? [], listed.names)
  if (stray === undefined) return
  if (listed.signOfMore) {
    const totals = await readMembership(target, read).then(totalsOf, unlessInconclusive([]))
    refuseWhatMayGoOn('the list of all cats', listed, stray, totals)
  }
  refuseWhatMayGoOn('the list of all cats', listed, stray)
  const otherwise = meant(stray, listed.names)
  broken({
    expected: 'only cats that are in the list of all cats',
    actual: `the search for ${quoted(query)} returned ${quoted(stray)}, which is not in the list of all cats`,
    manner: `${quoted(stray)} is not listed`,
    shownBy: [directory.cats, subject],
    about: [stray],
    ...(otherwise !== undefined && { mentions: [otherwise] }),
  })
}

/** Returns whether a text shares no character with the query, nor one of the same Soundex class (R8.3). */
const sharesNone = (query: string, text: string, { soundsAlike }: Leniencies): boolean =>
  ![...query].some((char) => text.includes(char) || soundsAlike(char, text))

/** Fails if a hit shares no character with the query (R8.3). */
export async function sharesACharacter(query: string, target: OneVersion, read: Read): Promise<void> {
  const { directory, excuses } = target
  if (excuses.syntaxInQuery(query)) return
  const sought = query.toLowerCase()
  const subject = directory.search(query)
  const [cats, reading] = await Promise.all([read(directory.cats), read(subject)])
  const hits = foundBy(reading)
  const letters = new RegExp(`[${(sought + sought.toUpperCase()).replace(/[^A-Za-z0-9]/g, '')}]`)
  for (const [nth, hit] of (hits?.names ?? []).entries()) {
    // Fast path: most hits contain a letter of the query unfolded.
    if (!hits || letters.test(hit) || letters.test(hits.breedOf.inOrder[nth] ?? '')) continue
    if (!sharesNone(sought, folded(hit), excuses) || excuses.transliterated(hit) || excuses.speltOut(hit)) continue
    const breeds = await breedsOf(hit, [hits, requireList(cats)], directory, read)
    const isOfAny = (text: string) => excuses.transliterated(text) || !sharesNone(sought, folded(text), excuses)
    if (breeds.length === 0 || [...breeds, ...otherNamesOf(hit, requireList(cats))].some(isOfAny)) continue
    const findsAll = hits.names.length === requireList(cats).names.length
    if (findsAll) await findsNotAllByOneCharacter(query, target, read)
    if (excuses.isOneError(query, [hit, ...breeds], findsAll)) continue
    if (await goesByOtherNames(sought, hit, breeds, { directory, excuses }, read)) continue
    const forgotten = forgottenBefore(hits, nth)
    broken({
      expected: 'only cats whose name or breed contains at least one character of the query',
      actual: `the search for ${quoted(query)} returned ${quoted(hit)} (breed ${breeds.map(quoted).join(', ')}), but neither contains a character of the query${said(forgotten)}`,
      manner: `${quoted(hit)} of the breed ${breeds.map(folded).map(quoted).join(', ')} has none${said(forgotten)}`,
      shownBy: [subject],
      about: [hit],
      isOfAnything: await isFoundByOther(sought, [hit, ...breeds].map(folded), hit, directory, read),
      mentions: breeds,
      ...(forgotten !== undefined && { everywhere: forgotten }),
    })
  }
}

const MOST_OTHER_NAMES = 3

/**
 * Returns whether a breed is shown with another string that shares characters with the query, and that finds the cat
 * although the control name does not: the name of the breed in another language.
 */
async function goesByOtherNames(
  query: string,
  cat: string,
  breeds: readonly string[],
  { directory: { controlName, breeds: all, search }, excuses }: Pick<OneVersion, 'directory' | 'excuses'>,
  read: Read,
): Promise<boolean> {
  const list = await read(all)
  const shown = new Set(breeds.flatMap((breed) => (list.kind === 'list' ? (list.shownWith?.(breed) ?? []) : [])))
  const others = [...shown].filter((text) => !breeds.includes(text) && !sharesNone(query, folded(text), excuses))
  const finds = async (text: string) => foundBy(await read(search(text)))?.has(cat) ?? false
  if (others.length === 0 || (await finds(controlName()))) return false
  return (await Promise.all(others.slice(0, MOST_OTHER_NAMES).map(finds))).some(Boolean)
}

/** Letters and digits that occur in few names. */
const RARE = [...'bfvl07']

/** Returns whether a query that shares nothing with the cat finds it too: then the hit is not due to this query. */
async function isFoundByOther(
  query: string,
  texts: readonly string[],
  cat: string,
  { search }: Directory,
  read: Read,
): Promise<boolean> {
  const other = RARE.find((char) => !query.includes(char) && !texts.some((text) => text.includes(char)))
  return other !== undefined && (foundBy(await read(search(other)))?.has(cat) ?? false)
}

/** Returns whether a search for one of some names gets a response; names that must not be refused come first. */
export async function searchIsThere(
  listed: readonly string[],
  { directory: { search }, excuses, effort }: Pick<OneVersion, 'directory' | 'excuses' | 'effort'>,
  read: Read,
): Promise<void> {
  const surest = listed.toSorted((one, other) => Number(mayBeRefused(one)) - Number(mayBeRefused(other)))
  const names = surest.slice(0, effort.namesThatShowSearch)
  const tried = await Promise.all(
    names.map(async (name) => ({ name, subject: search(name), reading: await read(search(name)) })),
  )
  if (tried.length === 0 || tried.some(({ reading: { kind } }) => kind !== 'refused' && kind !== 'failed')) return
  const refusedForNothing = tried.filter(({ name, reading }) => !excuses.refusedQuery(reading, name))
  const [first] = refusedForNothing
  if (!first)
    throw new Inconclusive(
      'nothing to ask',
      `each of the ${names.length} listed names that were searched for was refused for its length or characters`,
    )
  broken({
    expected: 'a 2xx response to a search for a listed name',
    actual: `no search works: the search for ${quoted(first.name)} returned ${whyNoList(first.reading)}`,
    manner: `none of ${names.length} is; for ${quoted(first.name)}: ${whyNoList(first.reading)}`,
    shownBy: refusedForNothing.slice(0, 2).map(({ subject }) => subject),
  })
}

/** Fails if a search for the name of a listed cat does not find it (R7.1). */
export async function findsTheCat(name: string, { directory, excuses }: OneVersion, read: Read): Promise<void> {
  const hits = directory.search(name)
  const [cats, reading] = await Promise.all([read(directory.cats), read(hits)])
  if (!requireList(cats).has(name)) return
  if (excuses.refusedQuery(reading, name)) refusedAsItMay(name, reading)
  answered(`the search for ${quoted(name)}, a listed cat,`, reading, hits)
  const found = foundBy(reading)
  if (!found || found.has(name)) return
  refuseWhatMayGoOn(`the result of a search for ${quoted(name)}`, found, name)
  broken({
    expected: `a result that contains ${quoted(name)}`,
    actual:
      reading.kind === 'list'
        ? `the search for ${quoted(name)} returned ${counted(found.names.length, 'cat')}; ${quoted(name)} is missing`
        : returned(`the search for ${quoted(name)}`, reading, whyNoList(reading)),
    manner: reading.kind === 'list' ? `${found.names.length} found, not that one` : whyNoList(reading),
    shownBy: [directory.cats, hits],
    about: [name],
  })
}

/** Fails if a search for the name of a listed breed misses one of its cats (R7.2). */
export async function findsAllOfTheBreed(breed: string, { directory, excuses }: OneVersion, read: Read): Promise<void> {
  const members = directory.catsOf(breed)
  const hits = directory.search(breed)
  const [cats, reading] = await Promise.all([read(members), read(hits)])
  if (excuses.refusedQuery(reading, breed)) refusedAsItMay(breed, reading)
  answered(`the search for ${quoted(breed)}, a listed breed,`, reading, hits)
  unlessThere(breed, cats, excuses)
  const { names } = requireList(cats)
  const found = foundBy(reading)
  const missing = found && firstMissing(names, found.names)
  if (!found || missing === undefined) return
  refuseWhatMayGoOn(`a search for ${quoted(breed)}`, found, missing, [
    names.length,
    new Set([...names, ...found.names]).size,
  ])
  const forgotten = forgottenBefore(found, -1)
  broken({
    expected: `all ${names.length} cats of that breed`,
    actual:
      reading.kind === 'list'
        ? `the search for the breed ${quoted(breed)} returned ${counted(found.names.length, 'cat')}; ${quoted(missing)} is missing${said(forgotten)}`
        : returned(`the search for the breed ${quoted(breed)}`, reading, whyNoList(reading)),
    manner:
      reading.kind === 'list'
        ? `${quoted(missing)} is not among the ${found.names.length} found${said(forgotten)}`
        : whyNoList(reading),
    shownBy: [members, hits],
    lacks: names.filter((name) => !found.has(name)),
    ...(reading.kind === 'list' && { causes: cutAt(reading.names.length, directory) }),
    ...(forgotten !== undefined && { everywhere: forgotten }),
  })
}
