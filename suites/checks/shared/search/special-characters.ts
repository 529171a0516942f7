import type { OneVersion } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { allotment } from '../../../directory/inputs/input-budget.ts'
import { type Drawn, someOfMany } from '../../../directory/inputs/own-names.ts'
import type { SpecialKind } from '../../../directory/inputs/quick-inputs.ts'
import { specials, unremarkable } from '../../../directory/inputs/trouble-strings.ts'
import type { Tried } from '../../../directory/inputs.ts'
import { distinctNames, foundBy, requireList, sorted } from '../../../directory/readings/names.ts'
import { counted, quoted } from '../../../directory/shared/text.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { broken } from '../../../engine/check/violations.ts'
import { HOLDING_NOT_ASCII, holding } from '../../../engine/finding/common-traits.ts'
import { sample } from '../../../engine/property/sample.ts'
import { breedsOf, otherNamesOf } from './search-assertions.ts'

/** A query with a special character, and control queries. */
export interface SpecialQuery {
  readonly query: string
  /** The kind by which quick effort selects. */
  readonly kind: SpecialKind
  readonly special: string
  /** Queries that explain a hit if they find it too: with ordinary punctuation, and without the character. */
  readonly controls: readonly string[]
  /** Evidence that the character is an anchor: a query that finds a part, which the anchored query does not. */
  readonly anchored?: { readonly part: string; readonly query: string }
}

const ANY_LETTER = 'x'

const inPlaceOf = (query: string, special: string): string[] =>
  unremarkable.map((char) => query.replaceAll(special, char))

const ofCharacter = (kind: SpecialKind, query: string, special: string, letter?: string): SpecialQuery => ({
  query,
  kind,
  special,
  controls: [
    ...inPlaceOf(query, special),
    query.replaceAll(special, ''),
    ...(letter === undefined ? [] : [query.replaceAll(special, letter)]),
  ],
})

/**
 * Without the character, or with a space for it, the query is empty (O-SEARCH-BLANK); an error-tolerant search may find
 * any letter.
 */
const alone = (special: string): SpecialQuery => ({
  query: special,
  kind: special === '$' ? 'anchor alone' : 'alone',
  special,
  controls: [...inPlaceOf(special, special), '', ' ', ANY_LETTER],
})

const brackets = (query: string): SpecialQuery => ({
  query,
  kind: '[]',
  special: '[',
  controls: [...unremarkable.map((char) => query.replace(/[[\]]/g, char)), query.replace(/[[\]]/g, '')],
})

const anchor = (special: '^' | '$', query: string, part: string, other: string): SpecialQuery => ({
  query,
  kind: special,
  special,
  controls: inPlaceOf(query, special),
  anchored: { part, query: other },
})

/**
 * Characters that end a query or value if a URL is decoded before it is split. Percent-encoded octets are data
 * (S-HTTP).
 */
const SEPARATORS = ['&', '#'] as const
const TAIL = 'zq'

/** The controls replace the separator by a space and by a word, as some searches do. */
const cut = (name: string, special: (typeof SEPARATORS)[number]): SpecialQuery => {
  const { controls, ...query } = ofCharacter(`before ${special}`, `${name}${special}${TAIL}`, special)
  return { ...query, controls: [...controls, `${name} ${TAIL}`, `${name} and ${TAIL}`] }
}

/** The index of a letter in the middle of a name, not of a space. */
const middleOf = (name: string): number => {
  const middle = name.length >> 1
  return name.charAt(middle) === ' ' ? middle + 1 : middle
}

/** Uses each character with its meaning: as a wildcard, in a class, as an anchor. */
function withinName(name: string): SpecialQuery[] {
  const middle = middleOf(name)
  // A fuzzy search allows more errors in a longer word: if it also finds the cat with another letter there, that
  // explains the hit.
  const letter = name.charAt(middle).toLowerCase() === ANY_LETTER ? 'q' : ANY_LETTER
  const [before, after, head, tail] = [name.slice(0, middle), name.slice(middle + 1), name.slice(0, -1), name.slice(1)]
  return [
    ...(['%', '_', '.'] as const).map((special) => ofCharacter(special, before + special + after, special, letter)),
    ofCharacter('\\w', `${before}\\w${after}`, '\\'),
    ofCharacter('%hex', `${before}%${name.charCodeAt(middle).toString(16).toUpperCase()}${after}`, '%'),
    brackets(`[${name.charAt(0)}0]${tail}`),
    anchor('^', `^${name}`, tail, `^${tail}`),
    anchor('$', `${name}$`, head, `${head}$`),
  ]
}

/**
 * Each special character alone, in a few plain listed names (or names of plain words), and a quote as SQL uses it.
 * @param version the version to search; undefined for the queries that both versions are sent
 */
export async function specialQueriesIn(
  directory: Directory,
  tried: Tried,
  read: Read,
  version?: string,
): Promise<Drawn<SpecialQuery>> {
  const { effort, seed } = tried
  const names = sorted(someOfMany(await distinctNames(directory.cats, read)))
  const plain = [/^[A-Za-z]{3,14}$/, /^[A-Za-z]+( [A-Za-z]+)+$/]
    .map((words) => names.filter((name) => words.test(name)))
    .find((found) => found.length > 0)
  const some = sample(plain ?? [], effort.namesForSpecials, seed, String)
  const all = [
    ...some.flatMap(withinName),
    ...some.slice(0, 1).flatMap((name) => SEPARATORS.map((special) => cut(name, special))),
    ofCharacter('SQL', "' OR '1'='1", "'"),
    ofCharacter('SQL comment', "' OR 1=1 -- ", "'"),
    ...specials.map(alone),
  ]
  const { takes } = await allotment(tried, directory, read)
  return { inputs: all.filter(({ kind }) => takes('special', kind, version)), from: all.length }
}

/** Returns the queries of one version whose special characters are data. */
export const specialQueries = (target: OneVersion, read: Read): Promise<Drawn<SpecialQuery>> =>
  queriesWith((special) => !ANCHORS.includes(special), target, read)

/** Returns the queries of one version with `^` or `$`, which some search tools offer as anchors. */
export const anchorQueries = (target: OneVersion, read: Read): Promise<Drawn<SpecialQuery>> =>
  queriesWith((special) => ANCHORS.includes(special), target, read)

const ANCHORS = ['^', '$']

async function queriesWith(
  isWanted: (special: string) => boolean,
  target: OneVersion,
  read: Read,
): Promise<Drawn<SpecialQuery>> {
  const { directory } = target
  const { inputs, from } = await specialQueriesIn(directory, target, read, directory.version)
  const wanted = inputs.filter(({ special }) => isWanted(special))
  return { inputs: wanted, from: from - (inputs.length - wanted.length) }
}

async function anchors(hit: string, { anchored }: SpecialQuery, target: OneVersion, read: Read): Promise<boolean> {
  if (!anchored) return true
  const { search } = target.directory
  const [part, other] = (await Promise.all([search(anchored.part), search(anchored.query)].map(read))).map(foundBy)
  return part !== undefined && other !== undefined && part.has(hit) && !other.has(hit)
}

/** Other characters that are special to regular expressions; they may be query syntax and are not judged. */
const ALSO_SPECIAL = [...'^$*+?()|{}'].map(holding)

/**
 * The traits at fault: double decoding concerns all non-ASCII characters, an unescaped regular expression all its
 * special characters.
 */
function misreadsOf({ kind, special }: SpecialQuery): readonly string[] {
  const own = [holding(special)]
  if (kind === '%hex') return [...own, HOLDING_NOT_ASCII]
  return '.^$[\\'.includes(special) ? [...own, ...ALSO_SPECIAL] : own
}

/** Fails if a special character finds a cat that neither ordinary punctuation in its place nor the query without it finds (R8.9). */
export async function isLiteral(special: SpecialQuery, target: OneVersion, read: Read): Promise<void> {
  const { directory, excuses } = target
  const subject = directory.search(special.query)
  const [hits, cats] = [foundBy(await read(subject)), requireList(await read(directory.cats))]
  if (!hits || hits.names.length === 0) return
  const controls = special.controls.map((query) => directory.search(query))
  const found = (await Promise.all(controls.map(read))).map(foundBy)
  if (found.some((control) => control === undefined)) return
  for (const hit of hits.names) {
    if (excuses.alsoFoundWithout(hit, found)) continue
    const breeds = await breedsOf(hit, [hits, cats], directory, read)
    const texts = [hit, ...breeds, ...otherNamesOf(hit, cats)].map((text) => text.normalize('NFKD'))
    if (breeds.length === 0 || texts.some((text) => text.includes(special.special))) continue
    if (texts.some((text) => excuses.readAsSpecial(special.special, text))) continue
    if (!(await anchors(hit, special, target, read))) continue
    broken({
      expected: `only cats with ${quoted(special.special)} in their name or breed, or cats that are also found with ${unremarkable.join(' or ')} in its place`,
      actual: `${quoted(special.special)} is not literal: the search for ${quoted(special.query)} returned ${quoted(hit)}${hits.names.length > 1 ? ` and ${counted(hits.names.length - 1, 'other cat')}` : ''}; the search for ${quoted(special.controls[0] ?? '')} does not`,
      manner: `it finds ${quoted(hit)}${hits.names.length > 1 ? ` and ${hits.names.length - 1} more` : ''}`,
      shownBy: [...controls.slice(0, 1), subject],
      mentions: [hit],
      misreads: misreadsOf(special),
    })
  }
}
