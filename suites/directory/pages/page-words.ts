import type { Kind } from '../readings/candidates.ts'
import { INPUT, type Place, pointer } from '../readings/json.ts'
import { plainKey } from '../readings/list-keys.ts'
import { type Fact, numberIn, referenceIn } from './page-facts.ts'
import { isCalled, pageWords } from './page-keys.ts'

/** The list that facts stand beside. */
export interface Beside {
  readonly kind: Kind
  readonly list: Place | undefined
  readonly url: string
  /** How many elements came so far. */
  readonly shown: number
}

const MOST_LETTERS = 60

/** Whether a key is made of nothing but such words. */
const consistsOf = (words: readonly RegExp[], key: string): boolean =>
  key === '' ||
  words.some((word) => {
    const [found = ''] = word.exec(key) ?? []
    return found !== '' && consistsOf(words, key.slice(found.length))
  })

/** Whether a key says nothing but what may be said of any list, or names this one. */
function isMadeOf(words: readonly RegExp[], key: string, { kind, list }: Beside): boolean {
  const own = plainKey(list?.findLast((token) => token !== INPUT && !/^\d+$/.test(token)) ?? '')
  const bare = [own, `${kind}s`].reduce((rest, name) => (name.length < 3 ? rest : rest.replace(name, '')), key)
  return key.length <= MOST_LETTERS && consistsOf([...pageWords.elements, ...words], bare)
}

/** `next_breed`, beside cats: another list. No cat is in a category, a catalogue or a location. */
export const isOfOther = (key: string, { kind }: Pick<Beside, 'kind'>): boolean =>
  kind === 'cat' ? key.includes('breed') && !key.includes('cat') : /cat(?![aei])/.test(key) && !key.includes('breed')

/** Whether what is said to be next, or to be more, can be of this list alone: `next_page`, and not `next_feeding`. */
export function isNextOfList({ key, value }: Fact, beside: Beside): boolean {
  const link = referenceIn(value)
  if (link !== undefined && isSameList(link, beside)) return true
  if (link !== undefined && isCalled(pageWords.anyMore, key)) return false
  return isCalled(pageWords.tokens, key) || (!isTimeOfDay(value) && isMadeOf(pageWords.leading, key, beside))
}

/** Whether a total can be of elements alone: `total_results`, and not `total_weight`. */
export const isCountOfList = (fact: Fact, facts: readonly Fact[], beside: Beside): boolean =>
  !isOfQuota(fact, facts, beside) &&
  (fact.key.includes(`${beside.kind}s`) || isMadeOf(pageWords.counting, fact.key, beside))

/** Whether what is left can be of elements alone: `items_remaining` beside them, and not `requests_remaining`. */
export const isLeftOfList = ({ key, place }: Fact, beside: Beside): boolean =>
  isAbove(place.slice(0, -1), beside.list) && !key.includes('request') && isMadeOf(pageWords.leading, key, beside)

/** A page by another query stands where this one does; a documentation does not. */
export function isSameList(link: string, { url }: Pick<Beside, 'url'>): boolean {
  const endOf = (address: string) => new URL(address, url).pathname.split('/').findLast((segment) => segment !== '')
  return URL.canParse(link, url) && endOf(link) === endOf(url)
}

/** Beside the list itself, and in what holds it, stands what is of the list. */
const isAbove = (place: Place, list: Place | undefined): boolean =>
  place.every((token, depth) => token === list?.[depth])

/** What is left of a quota is said beside it; what is left of a list is all that it does not show. */
function isOfQuota(fact: Fact, facts: readonly Fact[], { list, shown }: Beside): boolean {
  const holder = fact.place.slice(0, -1)
  if (isAbove(holder, list)) return false
  const left = (numberIn(fact) ?? 0) - shown
  return facts.some(
    (other) =>
      pointer(other.place.slice(0, -1)) === pointer(holder) &&
      isCalled(pageWords.quotas, other.key) &&
      numberIn(other) !== left,
  )
}

export const isTimeOfDay = (value: unknown): boolean =>
  typeof value === 'string' && /^[+-]?\d\d?:\d\d(:\d\d)?$/.test(value)
