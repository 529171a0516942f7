import { type Fact, referenceIn } from './page-facts.ts'
import { isCalled, pageWords, parameters } from './page-keys.ts'
import { type Beside, isSameList, isTimeOfDay } from './page-words.ts'

const PAGING: ReadonlySet<string> = new Set(Object.values(parameters).flat())

/** A link to this list by another query that names a page, or begins where this one ends. */
function leadsToAPart(link: string, beside: Beside): boolean {
  if (!URL.canParse(link, beside.url) || !isSameList(link, beside)) return false
  const here = new URL(beside.url).searchParams
  const positions = [beside.shown, beside.shown + 1].map(String)
  return [...new URL(link, beside.url).searchParams].some(
    ([name, value]) => here.get(name) !== value && (PAGING.has(name) || positions.includes(value)),
  )
}

/** No word: of six characters or more, with a digit, capitals after small letters, or filled up as base64 is. */
const isOpaque = (text: string): boolean =>
  text.length >= 6 && /^[\w+/=.:~-]+$/.test(text) && /\d|=$|^[^a-z]*[a-z][^A-Z]*[A-Z]/.test(text)

/** What is opaque and leads nowhere: dates, versions, UUIDs and digests. */
const isOfItsOwn = (text: string): boolean =>
  /^(\d{4}-\d\d-\d\d|v?\d+(\.\d+)+$|[0-9a-f]{8}-[0-9a-f]{4}-|([0-9a-f]{32}){1,2}$|[0-9a-f]{40}$)/i.test(text)

/** What the last element shows of itself. */
const shownBy = (element: unknown): readonly unknown[] =>
  typeof element === 'object' && element !== null ? Object.values(element) : [element]

function isToken({ key, value }: Fact, last: unknown): boolean {
  if (value === '' || typeof value === 'boolean' || value === null || value === undefined) return false
  if (shownBy(last).includes(value)) return true
  if (typeof value !== 'string' || isCalled(pageWords.ofTheAnswer, key)) return false
  return isOpaque(value) && !isOfItsOwn(value) && !isTimeOfDay(value)
}

/**
 * Finds what may lead to the next page in any language or vocabulary (R17.9): by where a link leads, or what a token holds.
 * @param named what is known to lead on, or to lead elsewhere, by its name
 * @param last the last element of the list
 */
export const unnamedLeads = (
  facts: readonly Fact[],
  named: readonly Fact[],
  beside: Beside,
  last: unknown,
): readonly Fact[] =>
  facts.filter((fact) => {
    if (named.includes(fact)) return false
    const link = referenceIn(fact.value)
    return link === undefined ? isToken(fact, last) : leadsToAPart(link, beside)
  })
