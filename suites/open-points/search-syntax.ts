import type { Directory } from '../directory/facts/directory.ts'
import { isOfPlainWords } from '../directory/inputs/own-names.ts'
import { plainCats, type Sign, signsOn } from '../directory/inputs/search-signs.ts'
import type { ListReading } from '../directory/readings/list-reading.ts'
import { distinctNames, namesIn } from '../directory/readings/names.ts'
import { asQueryValue } from '../directory/shared/encodings.ts'
import type { Read, Reader } from '../engine/check/readers.ts'
import type { Seen } from '../engine/run/plan.ts'
import { listText, ofNothing } from './shared/lists.ts'
import { observe } from './shared/observe.ts'

/** Returns whether a query finds a cat only because its signs have a meaning. */
async function means({ query, control }: Sign, { search }: Directory, read: Read): Promise<boolean> {
  const found = namesIn(await read(search(query)))
  if (found.length === 0) return false
  const without = await read(search(control))
  return without.kind !== 'list' || found.some((name) => !without.has(name))
}

/** Returns whether two responses have the same names, or the same kind of refusal. */
const isLike = (one: ListReading, other: ListReading): boolean =>
  one.kind === 'list' && other.kind === 'list'
    ? one.names.length === other.names.length && one.names.every(other.has)
    : one.kind === other.kind && ('status' in one ? one.status : 0) === ('status' in other ? other.status : 0)

/** White space and punctuation without meaning, each long enough for any search, and in no name. */
const BLANKS = '    '
const PUNCTUATION = ';;;;'

async function readAsEmpty(text: string, { search, controlName }: Directory, read: Read): Promise<string> {
  const asked = [search(text), search(''), search(controlName())]
  const [answer, empty, nothing] = await Promise.all(asked.map(read))
  if (!answer || !empty || !nothing || isLike(empty, nothing)) return 'cannot be told'
  return isLike(answer, empty) ? 'yes' : 'no'
}

/** A plus sign in a query, as forms send a space. */
async function plusSign(directory: Directory, { read }: Reader): Promise<Seen | undefined> {
  // Breeds first: cats come and go, and a removed cat is found by neither query.
  const names = [...(await distinctNames(directory.breeds, read)), ...(await plainCats(directory, read))]
  const name = names.find(isOfPlainWords)
  if (name === undefined) return undefined
  const sent = name.replaceAll(' ', '+')
  const subject = directory.raw.search(sent)
  const [spaced, plus] = await Promise.all([directory.search(name), subject].map(read))
  if (!spaced || !plus || namesIn(spaced).length === 0) return undefined
  if (!isLike(spaced, plus)) return { value: '+ is a plus', shownBy: [subject] }
  // A search that drops punctuation finds the same for a literal plus.
  const isTold = !isLike(spaced, await read(directory.search(sent)))
  return isTold ? { value: '+ is a space', shownBy: [subject] } : undefined
}

/** Two listed names whose searches find different cats. */
async function unlikeNames(directory: Directory, read: Read) {
  const plain = (await plainCats(directory, read)).slice(0, 6)
  const found = await Promise.all(plain.map(async (name) => ({ name, reading: await read(directory.search(name)) })))
  const [one, ...others] = found.filter(({ reading }) => namesIn(reading).length > 0)
  const other = others.find(({ reading }) => one && !isLike(one.reading, reading))
  return one && other && { one, other }
}

async function twoQueries(directory: Directory, { read, evidence }: Reader): Promise<Seen | undefined> {
  const names = await unlikeNames(directory, read)
  if (!names) return undefined
  const { one, other } = names
  const subject = directory.raw.query(`q=${asQueryValue(one.name)}&q=${asQueryValue(other.name)}`)
  const reading = await read(subject)
  const seen = (value: string): Seen => ({ value, shownBy: [subject] })
  if (isLike(reading, one.reading)) return seen('first q')
  if (isLike(reading, other.reading)) return seen('last q')
  const all = [...namesIn(one.reading), ...namesIn(other.reading)]
  const isBoth = reading.kind === 'list' && all.every(reading.has)
  return seen(isBoth ? 'both q' : `two q: ${listText(reading, evidence(subject)[0])}`)
}

async function unknownParameter(directory: Directory, { read, evidence }: Reader): Promise<Seen | undefined> {
  const [name] = await plainCats(directory, read)
  if (name === undefined) return undefined
  const subject = directory.raw.query(`q=${asQueryValue(name)}&${directory.controlName()}=1`)
  const [plain, reading] = await Promise.all([directory.search(name), subject].map(read))
  if (!plain || !reading || namesIn(plain).length === 0) return undefined
  const became = isLike(plain, reading) ? ' ignored' : `: ${listText(reading, evidence(subject)[0])}`
  return { value: `unknown parameter${became}`, shownBy: [subject] }
}

export const ofSearchSyntax = [
  observe('O-SEARCH-WILDCARDS', 'searchCats', async ({ target: { directory }, read }) => {
    const [one, other] = await plainCats(directory, read)
    if (one === undefined) return undefined
    const signs = signsOn(one, other)
    const telling = await Promise.all(signs.map((sign) => means(sign, directory, read)))
    const meant = signs.filter((_, index) => telling[index])
    return {
      value: meant.length === 0 ? 'no' : `yes: ${meant.map((sign) => sign.signs).join(' ')}`,
      shownBy: (meant.length > 0 ? meant : signs).map(({ query }) => directory.search(query)),
    }
  }),

  observe('O-SEARCH-BLANK', 'searchCats', async ({ target: { directory }, read }) => {
    if (namesIn(await read(directory.cats)).length === 0) return undefined
    const [blanks, punctuation] = await Promise.all(
      [BLANKS, PUNCTUATION].map((text) => readAsEmpty(text, directory, read)),
    )
    const shownBy = [BLANKS, PUNCTUATION, ''].map((text) => directory.search(text))
    return { value: `blanks: ${blanks}; punctuation: ${punctuation}`, shownBy }
  }),

  ofNothing('O-SEARCH-NO-Q', 'searchCats', ({ raw }) => raw.query('')),

  observe('O-SEARCH-QUERY-SYNTAX', 'searchCats', async ({ target: { directory }, readings }) => {
    const looks = [plusSign, twoQueries, unknownParameter]
    const seen = (await Promise.all(looks.map((look) => look(directory, readings)))).filter((one) => one !== undefined)
    if (seen.length === 0) return undefined
    return { value: seen.map(({ value }) => value).join('; '), shownBy: seen.flatMap(({ shownBy }) => shownBy) }
  }),
]
