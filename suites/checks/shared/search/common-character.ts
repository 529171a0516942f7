import type { VersionTarget } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import type { Allowances } from '../../../directory/matching/allowances.ts'
import type { NameList } from '../../../directory/readings/list-reading.ts'
import { requireList, requireListOrEmpty } from '../../../directory/readings/names.ts'
import { foldText, quoted } from '../../../directory/shared/text.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { reportViolation } from '../../../engine/check/violations.ts'
import { FIX_OF_PAGING_FAULT, findPagingFault, formatFaultSuffix } from '../paging-faults.ts'
import { describeEqualResults } from './equal-results.ts'
import { assertOneCharacterDoesNotFindAll } from './finds-every-cat.ts'
import { aliasesOf, findPossibleBreedsOfCat } from './search-assertions.ts'

/** Returns whether a text contains a character of the query, or one of the same Soundex class (R8.3). */
const hasCommonCharacter = (query: string, text: string, { soundsAlike }: Allowances): boolean =>
  [...query].some((char) => text.includes(char) || soundsAlike(char, text))

/** A hit that no character of its name explains, and what may explain it instead. */
interface UnlikelyHit {
  readonly hit: string
  readonly hits: NameList
  readonly cats: NameList
  /** The breeds of the hit. */
  readonly breeds: readonly string[]
}

/** Returns whether a search may find a cat whose name shares no character with the query (R8.3 to R8.6, R8.12). */
async function isAllowedHit(
  query: string,
  { hit, hits, cats, breeds }: UnlikelyHit,
  target: VersionTarget,
  read: Read,
): Promise<boolean> {
  const { allowances } = target
  const foldedQuery = query.toLowerCase()
  const isMatch = (text: string) =>
    allowances.transliterated(text) || hasCommonCharacter(foldedQuery, foldText(text), allowances)
  if (breeds.length === 0 || [...breeds, ...aliasesOf(hit, cats)].some(isMatch)) return true
  const findsAll = hits.names.length === cats.names.length
  if (findsAll) await assertOneCharacterDoesNotFindAll(query, target, read)
  return (
    allowances.isOneError(query, [hit, ...breeds], findsAll) ||
    (await isFoundByOtherBreedName(foldedQuery, hit, breeds, target, read))
  )
}

/** Fails if a hit shares no character with the query (R8.3). */
export async function assertCommonCharacter(query: string, target: VersionTarget, read: Read): Promise<void> {
  const { directory, allowances } = target
  if (allowances.syntaxInQuery(query)) return
  const foldedQuery = query.toLowerCase()
  const resource = directory.search(query)
  const [listReading, reading] = await Promise.all([read(directory.cats), read(resource)])
  const hits = requireListOrEmpty(reading)
  if (!hits) return
  const letters = new RegExp(`[${(foldedQuery + foldedQuery.toUpperCase()).replace(/[^A-Za-z0-9]/g, '')}]`)
  for (const [index, hit] of hits.names.entries()) {
    // Fast path: most hits contain a letter of the query even before case and accents are removed.
    if (letters.test(hit) || letters.test(hits.breedOf.byIndex[index] ?? '')) continue
    if (hasCommonCharacter(foldedQuery, foldText(hit), allowances)) continue
    if (allowances.transliterated(hit) || allowances.speltOut(hit)) continue
    const cats = requireList(listReading)
    const breeds = await findPossibleBreedsOfCat(hit, [hits, cats], directory, read)
    if (await isAllowedHit(query, { hit, hits, cats, breeds }, target, read)) continue
    const fault = findPagingFault(hits, { index })
    const equalResults = await describeEqualResults(query, hits, target, read)
    const isFoundAnyway = await isFoundByUnrelatedQuery(
      foldedQuery,
      [hit, ...breeds].map(foldText),
      hit,
      directory,
      read,
    )
    reportViolation({
      expected: 'only cats whose name or breed contains at least one character of the query',
      actual: `the search for ${quoted(query)} returned ${quoted(hit)} (breed ${breeds.map(quoted).join(', ')}), but neither contains a character of the query${formatFaultSuffix(fault)}${equalResults.suffix}`,
      defectKind: `${quoted(hit)} of the breed ${breeds.map(foldText).map(quoted).join(', ')} has none${formatFaultSuffix(fault)}`,
      shownBy: [resource],
      names: { atFault: [hit], others: breeds },
      ...equalResults.additions,
      ...(isFoundAnyway && { relation: 'explains all' as const }),
      ...(fault !== undefined && { crossOperationCause: fault, fix: FIX_OF_PAGING_FAULT }),
    })
  }
}

/** The maximum number of other names of a breed that are searched. */
const MAX_OTHER_NAMES = 3

/**
 * Returns whether the cat is found because its breed has another name, e.g. in another language. If so, an element of
 * the list of breeds shows, in addition to the breed's name, a text that shares characters with the query, e.g.
 * `{"name": "Manx", "german": "Stummelschwanzkatze"}`. A search for this text finds the cat, and a search for a control
 * name does not.
 */
async function isFoundByOtherBreedName(
  query: string,
  cat: string,
  breeds: readonly string[],
  { directory: { controlName, breeds: all, search }, allowances }: Pick<VersionTarget, 'directory' | 'allowances'>,
  read: Read,
): Promise<boolean> {
  const list = await read(all)
  const shown = new Set(breeds.flatMap((breed) => (list.kind === 'list' ? (list.otherStringsOf?.(breed) ?? []) : [])))
  const others = [...shown].filter(
    (text) => !breeds.includes(text) && hasCommonCharacter(query, foldText(text), allowances),
  )
  const finds = async (text: string) => requireListOrEmpty(await read(search(text)))?.has(cat) ?? false
  if (others.length === 0 || (await finds(controlName()))) return false
  return (await Promise.all(others.slice(0, MAX_OTHER_NAMES).map(finds))).some(Boolean)
}

/** Letters and digits that occur in few names, for a query that should not find a given cat. */
const RARE_CHARACTERS = [...'bfvl07']

/**
 * Returns whether a query that shares no character with the cat finds it too. If so, the tested query is not the reason
 * for the hit.
 */
async function isFoundByUnrelatedQuery(
  query: string,
  texts: readonly string[],
  cat: string,
  { search }: Directory,
  read: Read,
): Promise<boolean> {
  const other = RARE_CHARACTERS.find((char) => !query.includes(char) && !texts.some((text) => text.includes(char)))
  return other !== undefined && (requireListOrEmpty(await read(search(other)))?.has(cat) ?? false)
}
