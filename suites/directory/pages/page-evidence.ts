import type { Exchange } from '../../engine/http/client/exchange.ts'
import { brief, type Place, pointer } from '../readings/json.ts'
import { factsBeside } from './beside-list.ts'
import { type Fact, isReference, numberIn } from './page-facts.ts'

/** Statements beside the elements of a list's last response. */
export interface ListRemarks {
  readonly url: string
  /** The operation, to compare a list with others of its kind. */
  readonly operation: string
  /** The numbers of elements read in total and in the last response. */
  readonly size: number
  readonly here: number
  readonly facts: ReadonlyMap<string, Fact>
}

/** A statement beside a list that makes it a page, under any key (R17.9). */
export interface PageSign {
  /** The sign, as a sentence: `/anzahl is 48, as many as other lists hold`. */
  readonly says: string
  /** Its JSON Pointer, or its header field. */
  readonly place: string
  /** The way in which it can be followed. */
  readonly leads: 'as a link' | 'as a token' | 'no'
}

export function remarksOn(
  exchange: Exchange,
  list: Place | undefined,
  counts: Pick<ListRemarks, 'size' | 'here'>,
  operation: string,
): ListRemarks {
  const facts = new Map(
    factsBeside(exchange, list).map((fact) => [fact.isField ? fact.place.join(' ') : pointer(fact.place), fact]),
  )
  return { ...counts, url: exchange.url, operation, facts }
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || ['', '0', 'false', '-1'].includes(String(value))

/**
 * Returns whether a link has the path of the list and another query; documentation and other lists have other paths.
 */
export function isOtherPage(value: unknown, url: string): value is string {
  if (!isReference(value) || !URL.canParse(value, url)) return false
  const [link, here] = [new URL(value, url), new URL(url)]
  return link.pathname === here.pathname && link.search !== here.search
}

/**
 * The parameters that a link adds to those of its list: a link of every response, e.g. to a sorted list, adds the same
 * ones.
 */
const addedBy = (value: unknown, { url }: ListRemarks): string | undefined => {
  if (!isOtherPage(value, url)) return undefined
  const own = new URL(url).searchParams
  return JSON.stringify([...new URL(value, url).searchParams].filter(([name, text]) => own.get(name) !== text))
}

/** The numbers in a text, except in dates, versions and identifiers. */
const numbersIn = (text: string): readonly number[] =>
  [...text.slice(0, MOST_OF_A_TEXT).matchAll(/(?<![\w.:-])\d{1,9}(?![\w:-]|\.\d)/g)].map(([digits]) => Number(digits))

const MOST_OF_A_TEXT = 200

/** A text without its numbers: `1 of 5`. */
const wordsIn = (value: unknown): string => String(value).replace(/\d+/g, '0')

/** A smaller number of sizes or values may agree by chance. */
const FEWEST_ALIKE = 2
/** A small number of zeros says little: on a fast machine most requests take 0 ms. */
const FEWEST_WITHOUT = 5

const MOST_SHOWN = 60

const leadOf = (value: unknown): PageSign['leads'] =>
  isReference(value) ? 'as a link' : ['true', '1'].includes(String(value)) ? 'no' : 'as a token'

/** Compares the facts beside one list with those beside shorter, complete lists. */
class Comparison {
  private readonly own: ListRemarks
  private readonly shorter: readonly ListRemarks[]
  private readonly totals: readonly number[]

  constructor(own: ListRemarks, all: Iterable<ListRemarks>, totals: readonly number[]) {
    this.own = own
    this.totals = totals.filter((total) => total > own.size)
    const shorter = [...all].filter((one) => one.url !== own.url && (one.size < own.size || one.size === 0))
    const alike = shorter.filter(({ operation }) => operation === own.operation)
    this.shorter = alike.length >= FEWEST_ALIKE ? alike : shorter
  }

  /** Returns the sign that is most likely to lead on. */
  sign(): PageSign | undefined {
    const signs = [...this.own.facts].flatMap(([place, { value }]) => this.signAt(place, value) ?? [])
    const first = (leads: PageSign['leads']) => signs.find((sign) => sign.leads === leads)
    return first('as a link') ?? first('as a token') ?? signs[0]
  }

  private signAt(place: string, value: unknown): PageSign | undefined {
    const sign = (says: string, leads: PageSign['leads'] = 'no') => ({ place, says: `${place} ${says}`, leads })
    const shown = brief(value, MOST_SHOWN)
    const number = numberIn({ value })
    // {"total": 2} beside two names is their number, even if two are missing.
    if (number === this.own.size) return undefined
    if (number !== undefined && this.isTotal(place, number)) return sign(`is ${shown}, as other lists add up to`)
    if (this.isSizeOfOthers(place, value)) return sign(`is ${shown}; beside shorter lists it is their size`)
    if (typeof value === 'string' && this.holdsTotal(place, value)) return sign(`is ${shown}`)
    const added = addedBy(value, this.own)
    if (added !== undefined)
      return this.isAdded(place, added) ? undefined : sign(`is a link to the same path with another query`, 'as a link')
    if (this.isLackedByOthers(place, value)) return sign(`is ${shown}, which shorter lists lack`, leadOf(value))
    return this.isOtherwiseInOthers(place, value) ? sign(`is ${shown}, and otherwise beside shorter lists`) : undefined
  }

  /** Returns whether it is the number of all elements, of those left, or of pages. */
  private isTotal(place: string, number: number): boolean {
    const { size, here } = this.own
    return this.totals.some(
      (total) =>
        number === total ||
        (this.isAlways(place, isNothing) && number === total - size) ||
        (number > 1 &&
          number === Math.ceil(total / Math.max(1, here)) &&
          this.isAlways(place, (one) => ['0', '1'].includes(String(one)))),
    )
  }

  private isAlways(place: string, test: (value: unknown) => boolean): boolean {
    return this.shorter.length > 0 && this.shorter.every(({ facts }) => test(facts.get(place)?.value ?? 0))
  }

  /**
   * Returns whether it is the size of other lists: `{"n": 3}` beside three names and `{"n": 7}` beside seven make
   * `{"n": 48}` beside ten a total. So does `1-10 of 48`.
   */
  private isSizeOfOthers(place: string, value: unknown): boolean {
    const others = this.shorter.filter(({ size, facts }) => size > 0 && facts.has(place))
    if (new Set(others.map(({ size }) => size)).size < FEWEST_ALIKE) return false
    const isSize = (nth: number) =>
      others.every(({ size, facts }) => numbersIn(String(facts.get(place)?.value))[nth] === size)
    return numbersIn(String(value)).some((number, nth) => number > this.own.size && isSize(nth))
  }

  private holdsTotal(place: string, text: string): boolean {
    return (
      numbersIn(text).some((one) => this.totals.includes(one)) &&
      this.shorter.every(({ facts }) => facts.get(place)?.value !== text)
    )
  }

  private isAdded(place: string, added: string): boolean {
    return this.shorter.some((one) => addedBy(one.facts.get(place)?.value, one) === added)
  }

  /**
   * Returns whether it is a true, a link or a token that complete lists lack. A number where complete lists have 0 may
   * be a duration, so it must equal the number of missing names.
   */
  private isLackedByOthers(place: string, value: unknown): boolean {
    if (isNothing(value) || /\s/.test(String(value))) return false
    const others = this.shorter.map(({ facts }) => facts.get(place)?.value)
    if (!others.every(isNothing)) return false
    if (numberIn({ value }) === undefined || !others.some((one) => one === 0)) return true
    return (
      others.length >= FEWEST_WITHOUT && Number(value) + this.own.size >= Math.max(...this.totals, this.own.size + 1)
    )
  }

  /**
   * Returns whether complete lists of several operations have another text: `{"status": "partial"}` rather than
   * `"complete"`.
   */
  private isOtherwiseInOthers(place: string, value: unknown): boolean {
    if (numberIn({ value }) !== undefined) return false
    const shorter = this.shorter.filter(({ size }) => size > 0)
    const [first, ...others] = shorter.map(({ facts }) => facts.get(place)?.value)
    if (first === undefined || first === value || others.some((one) => one !== first)) return false
    const operations = new Set([...shorter.map(({ operation }) => operation), this.own.operation]).size
    return shorter.length >= FEWEST_ALIKE && (wordsIn(first) === wordsIn(value) || operations >= this.operationsNeeded)
  }

  /** A difference by operation alone says nothing: `{"type": "cats"}`. */
  private get operationsNeeded(): number {
    return this.shorter.every(({ operation }) => operation === this.own.operation) ? 1 : 3
  }
}

/**
 * Examines everything (R17.8) beside a list that lacks names which other lists hold.
 * @param others statements of the deployment's other lists beside their elements
 * @param totals the numbers of names that the other lists add up to
 */
export const signOfPage = (
  own: ListRemarks,
  others: Iterable<ListRemarks>,
  totals: readonly number[],
): PageSign | undefined => new Comparison(own, others, totals).sign()
