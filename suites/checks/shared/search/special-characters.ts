import type { VersionTarget } from '../../../directory/deployment.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { createInputSelector } from '../../../directory/inputs/input-selector.ts'
import {
  type InputSample,
  selectNamesForInputs,
  selectSearchableNames,
} from '../../../directory/inputs/listed-names.ts'
import type { SpecialCharacterUse } from '../../../directory/inputs/quick-inputs.ts'
import { ordinaryPunctuation, specialCharacters } from '../../../directory/inputs/trouble-strings.ts'
import { findBreedsWithCats, type InputOptions } from '../../../directory/inputs.ts'
import type { NameList } from '../../../directory/readings/list-reading.ts'
import {
  readDistinctNames,
  readRequiredList,
  requireListOrEmpty,
  sortNames,
} from '../../../directory/readings/names.ts'
import { encodeEveryOctet } from '../../../directory/shared/encodings.ts'
import { formatCount, quoted } from '../../../directory/shared/text.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { reportViolation } from '../../../engine/check/violations.ts'
import { describeContainedCharacter, NON_ASCII_PHRASE } from '../../../engine/finding/common-traits.ts'
import { drawSample } from '../../../engine/property/sample.ts'
import { aliasesOf, findPossibleBreedsOfCat } from './search-assertions.ts'

/** A query with a special character, e.g. `T_m`, and control queries without it, e.g. `T,m`. */
export interface SpecialQuery {
  readonly query: string
  /**
   * The position of the character in the query, e.g. within a name. With `--effort quick`, this decides which queries
   * are sent.
   */
  readonly kind: SpecialCharacterUse
  readonly special: string
  /**
   * Queries with ordinary punctuation instead, or without the character. If one of them finds the same cat, the special
   * character is not the reason for the hit.
   */
  readonly controls: readonly string[]
  /**
   * Two queries that show whether the character acts as an anchor, e.g. `To` (`part`) and `To$` (`query`) for "Tom". It
   * is an anchor if only `To` finds "Tom".
   */
  readonly anchorEvidence?: { readonly part: string; readonly query: string }
}

/** A letter in place of the special character, in a control query. */
const ANY_LETTER = 'x'
/** Characters that often match any text, e.g. in `LIKE` or a regular expression. */
const WILDCARDS = ['%', '_', '.'] as const

const replaceWithPunctuation = (query: string, special: string): string[] =>
  ordinaryPunctuation.map((char) => query.replaceAll(special, char))

const createSpecialQuery = (
  kind: SpecialCharacterUse,
  query: string,
  special: string,
  furtherControls: readonly string[] = [],
): SpecialQuery => ({
  query,
  kind,
  special,
  controls: [...replaceWithPunctuation(query, special), query.replaceAll(special, ''), ...furtherControls],
})

/**
 * Queries to compare with a lone special character: a search may ignore it (O-SEARCH-BLANK), and an error-tolerant
 * search may take it for any letter.
 */
const CONTROLS_OF_LONE_CHARACTERS = [' ', ANY_LETTER]

const createBracketQuery = (query: string): SpecialQuery => ({
  query,
  kind: '[]',
  special: '[',
  controls: [...ordinaryPunctuation.map((char) => query.replace(/[[\]]/g, char)), query.replace(/[[\]]/g, '')],
})

const createAnchorQuery = (special: '^' | '$', query: string, part: string, other: string): SpecialQuery => ({
  query,
  kind: special,
  special,
  controls: replaceWithPunctuation(query, special),
  anchorEvidence: { part, query: other },
})

/**
 * Characters that end a query or a value if a URL is decoded before it is split. Percent-encoded, they are data
 * (S-HTTP).
 */
const SEPARATORS = ['&', '#'] as const
/** The text after a separator. */
const TAIL = 'zq'

/** Creates a query with a separator after a name. Some searches replace the separator by a space or the word "and". */
const createSeparatorQuery = (name: string, special: (typeof SEPARATORS)[number]): SpecialQuery =>
  createSpecialQuery(`before ${special}`, `${name}${special}${TAIL}`, special, [
    `${name} ${TAIL}`,
    `${name} and ${TAIL}`,
  ])

/** Returns the index of the letter or digit that is nearest to the middle of a name. */
function middleLetterIndexOf(chars: readonly string[]): number {
  const middle = chars.length >> 1
  const indexes = [...chars.keys()].filter((index) => /[\p{L}\p{N}]/u.test(chars[index] ?? ''))
  return indexes.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? middle
}

/** Creates queries with each special character within the name, e.g. `T_m`, `T.m`, `[T0]om` and `^Tom` for "Tom". */
function createQueriesWithinName(name: string): SpecialQuery[] {
  const chars = [...name]
  const middle = middleLetterIndexOf(chars)
  // A fuzzy search may find the cat with any character in this place. The control query has another letter there, to
  // find that out.
  const letter = chars[middle]?.toLowerCase() === ANY_LETTER ? 'q' : ANY_LETTER
  const [head, tail] = [chars.slice(0, -1).join(''), chars.slice(1).join('')]
  const insertInMiddle = (text: string): string => chars.with(middle, text).join('')
  return [
    ...WILDCARDS.map((special) =>
      createSpecialQuery(special, insertInMiddle(special), special, [insertInMiddle(letter)]),
    ),
    createSpecialQuery('\\w', insertInMiddle('\\w'), '\\'),
    createSpecialQuery('%hex', insertInMiddle(encodeEveryOctet(chars[middle] ?? '')), '%'),
    createBracketQuery(`[${chars[0] ?? ''}0]${tail}`),
    createAnchorQuery('^', `^${name}`, tail, `^${tail}`),
    createAnchorQuery('$', `${name}$`, head, `${head}$`),
  ]
}

/**
 * Selects the names within which special characters are sent: words of ASCII letters, else several such words, else
 * other names. Plain names show a defect most clearly.
 */
function selectNamesForSpecials(names: readonly string[]): readonly string[] {
  const kinds = [/^[A-Za-z]{3,14}$/, /^[A-Za-z]+( [A-Za-z]+)+$/, /^(?=.*[\p{L}\p{N}]).{2,40}$/u]
  const found = kinds.map((pattern) => names.filter((name) => pattern.test(name)))
  return selectSearchableNames(found.find(({ length }) => length > 0) ?? [])
}

/**
 * Creates queries with each special character alone, with each within the name of a cat, with wildcards within the name
 * of a breed, and with quotes as in SQL.
 * @param version the version to search; undefined for the queries that both versions are sent
 */
export async function createSpecialQueries(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version?: string,
): Promise<InputSample<SpecialQuery>> {
  const { effort, seed } = options
  const names = sortNames(selectNamesForInputs(await readDistinctNames(directory.cats, read)))
  const breeds = effort.namesForSpecials > 1 ? await findBreedsWithCats(directory, options, read) : []
  const usedNames = [
    ...drawSample(selectNamesForSpecials(names), 1, seed, String),
    ...selectNamesForSpecials(breeds).slice(0, effort.namesForSpecials - 1),
  ]
  // Only wildcards are sent within the name of a breed: one of them reveals a search for breeds by patterns.
  const isSent = ({ kind }: SpecialQuery, nth: number): boolean => nth === 0 || WILDCARDS.some((one) => one === kind)
  const all = [
    ...usedNames.flatMap((name, nth) => createQueriesWithinName(name).filter((query) => isSent(query, nth))),
    ...usedNames.slice(0, 1).flatMap((name) => SEPARATORS.map((special) => createSeparatorQuery(name, special))),
    createSpecialQuery('SQL', "' OR '1'='1", "'"),
    createSpecialQuery('SQL comment', "' OR 1=1 -- ", "'"),
    ...specialCharacters.map((one) =>
      createSpecialQuery(one === '$' ? 'anchor alone' : 'alone', one, one, CONTROLS_OF_LONE_CHARACTERS),
    ),
  ]
  const { includes } = await createInputSelector(options, directory, read)
  return { inputs: all.filter(({ kind }) => includes('special', kind, version)), population: all.length }
}

/** Characters that some search tools offer as anchors. All other special characters are always data. */
const ANCHORS = ['^', '$']

async function selectQueries(
  target: VersionTarget,
  read: Read,
  isWanted: (query: SpecialQuery) => boolean,
): Promise<InputSample<SpecialQuery>> {
  const { inputs, population } = await createSpecialQueries(target.directory, target, read, target.directory.version)
  const wanted = inputs.filter(isWanted)
  return { inputs: wanted, population: population - (inputs.length - wanted.length) }
}

const hasAnchor = ({ special }: SpecialQuery): boolean => ANCHORS.includes(special)

/** Selects the queries with `^` or `$`. */
export const selectQueriesWithAnchors = (target: VersionTarget, read: Read): Promise<InputSample<SpecialQuery>> =>
  selectQueries(target, read, hasAnchor)

/** Selects the queries with other special characters. */
export const selectQueriesWithoutAnchors = (target: VersionTarget, read: Read): Promise<InputSample<SpecialQuery>> =>
  selectQueries(target, read, (query) => !hasAnchor(query))

/** Returns whether the special character acts as an anchor: the hit is found without the character, but not with it. */
async function isAnchor(
  hit: string,
  evidence: NonNullable<SpecialQuery['anchorEvidence']>,
  { directory: { search } }: VersionTarget,
  read: Read,
): Promise<boolean> {
  const readings = await Promise.all([search(evidence.part), search(evidence.query)].map(read))
  const [part, other] = readings.map(requireListOrEmpty)
  return part !== undefined && other !== undefined && part.has(hit) && !other.has(hit)
}

/** Special characters of regular expressions that are not judged, because they may be query syntax, e.g. `*`. */
const OTHER_SPECIAL_TRAITS = [...'^$*+?()|{}'].map(describeContainedCharacter)

/**
 * Returns the traits of names that the service probably misreads for the same cause, e.g. that a name contains the
 * character. Double decoding affects all non-ASCII characters, an unescaped regular expression all of its special
 * characters.
 */
function misreadTraitsOf({ kind, special }: SpecialQuery): readonly string[] {
  const ownTraits = [describeContainedCharacter(special)]
  if (kind === '%hex') return [...ownTraits, NON_ASCII_PHRASE]
  return '.^$[\\'.includes(special) ? [...ownTraits, ...OTHER_SPECIAL_TRAITS] : ownTraits
}

const FIX_OF_DOUBLE_DECODING =
  'The query is probably decoded twice: the server or the framework already decodes it once. Remove the second decoding, e.g. `decodeURIComponent(req.query.q)` in Express, `unquote(request.args["q"])` in Flask, `urldecode($_GET["q"])` in PHP.'

/**
 * Searches for the control queries one after the other, until they have found each of the hits.
 * @returns the results; undefined if a control query is refused
 */
async function readControls(
  hits: NameList,
  controls: readonly ListResource[],
  { allowances }: VersionTarget,
  read: Read,
) {
  const found: NameList[] = []
  for (const control of controls) {
    const list = requireListOrEmpty(await read(control))
    if (!list) return undefined
    found.push(list)
    if (hits.names.every((hit) => allowances.alsoFoundWithout(hit, found))) break
  }
  return found
}

/**
 * Fails if a special character finds a cat that neither the query with ordinary punctuation nor the query without the
 * character finds (R8.9).
 */
export async function assertMatchedLiterally(special: SpecialQuery, target: VersionTarget, read: Read): Promise<void> {
  const { directory, allowances } = target
  const resource = directory.search(special.query)
  const [hits, cats] = [requireListOrEmpty(await read(resource)), await readRequiredList(directory.cats, read)]
  if (!hits || hits.names.length === 0) return
  const controls = special.controls.map((query) => directory.search(query))
  const found = await readControls(hits, controls, target, read)
  if (!found) return
  for (const hit of hits.names) {
    if (allowances.alsoFoundWithout(hit, found)) continue
    const breeds = await findPossibleBreedsOfCat(hit, [hits, cats], directory, read)
    const texts = [hit, ...breeds, ...aliasesOf(hit, cats)].map((text) => text.normalize('NFKD'))
    if (breeds.length === 0 || texts.some((text) => text.includes(special.special))) continue
    if (texts.some((text) => allowances.readAsSpecial(special.special, text))) continue
    if (special.anchorEvidence && !(await isAnchor(hit, special.anchorEvidence, target, read))) continue
    reportViolation({
      expected: `only cats with ${quoted(special.special)} in their name or breed. Another cat may be returned only if the same search with other punctuation (${ordinaryPunctuation.join(' ')}) in place of ${quoted(special.special)} returns it too`,
      actual: `${quoted(special.special)} is not treated as a literal character: the search for ${quoted(special.query)} returned ${quoted(hit)}${hits.names.length > 1 ? ` and ${formatCount(hits.names.length - 1, 'other cat')}` : ''}. The same search with ordinary punctuation instead, ${quoted(special.controls[0] ?? '')}, did not return this cat`,
      defectKind: `it finds ${quoted(hit)}${hits.names.length > 1 ? ` and ${hits.names.length - 1} more` : ''}`,
      shownBy: [...controls.slice(0, 1), resource],
      names: { others: [hit] },
      misreadTraits: misreadTraitsOf(special),
      ...(special.kind === '%hex' && { inputFixes: [FIX_OF_DOUBLE_DECODING] }),
    })
  }
}
