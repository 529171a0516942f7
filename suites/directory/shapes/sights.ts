import type { Exchange } from '../../engine/http/client/exchange.ts'
import {
  type ArrayCandidate,
  arraysIn,
  beginningOf,
  besides,
  candidatesOf,
  firstStringsOf,
  inRows,
  type Kind,
  type NameCandidate,
  type Row,
  stringsOf,
  widthOf,
} from '../readings/candidates.ts'
import { arrayAt, INPUT, type Place } from '../readings/json.ts'
import { valueOf } from './proof.ts'
import type { Shape } from './shapes.ts'

/** A list selected by an input: the request and its response. */
export interface Selected {
  /** The name of a breed, or of a cat, which then occurs in the list. */
  readonly input: string
  readonly of: Kind
  readonly exchange: Exchange
}

/**
 * The possible names in one response, with statistics over all of them; of a long list only the first ones are kept.
 */
export interface Seen {
  readonly input: string
  readonly candidate: NameCandidate
  /** The place of the list, if the requested name is a key in it. */
  readonly literal: Place | undefined
  readonly holdsInput: boolean
  /** Equal for equal sets of strings; for long lists only in equal order. */
  readonly signature: string
  readonly first: readonly string[]
  readonly row: Row | undefined
  /** True if the arrays with names contain other listed cats too, and differ in length. */
  readonly hasOthers: boolean
  readonly isListOfLists: boolean
}

/** The evidence of one response, which is not kept itself because it may be as large as the list of all cats. */
export interface Sight {
  readonly seen: readonly Seen[]
  readonly arrays: readonly ArrayCandidate[]
  readonly isAsInOwn: boolean
}

export interface Cats {
  has(name: string): boolean
}

/** Extracts the evidence of one response. */
export function see({ input, of, exchange }: Selected, cats: Cats, own: Shape): Sight {
  const value = valueOf(exchange)
  const seen = candidatesOf(value, 'cat').map((candidate): Seen => {
    const names = stringsOf(candidate)
    const place = candidate.list.place.map((token) => (token === input ? INPUT : token))
    return {
      input,
      candidate: { ...candidate, list: beginningOf({ ...candidate.list, place }) },
      literal: place.includes(INPUT) ? candidate.list.place : undefined,
      holdsInput: of === 'cat' && names.includes(input),
      signature: signatureOf(names),
      first: firstStringsOf(candidate),
      row: widthOf(candidate),
      hasOthers: inRows(candidate).some((name) => cats.has(name)),
      isListOfLists: besides(candidate).some((name) => cats.has(name)),
    }
  })
  const isAsInOwn = own !== undefined && 'list' in own && arrayAt(value, own.list) !== undefined
  return { seen, arrays: arraysIn(value).map(beginningOf), isAsInOwn }
}

/** Returns whether a listed cat occurs anywhere, which is not so in a refusal or for a breed without cats. */
export const showAny = (sights: readonly Sight[], cats: Cats): boolean =>
  sights.some(({ seen }) => seen.some(({ first }) => first.some((name) => cats.has(name))))

/** A search may refuse all short names, and few of many breeds may have cats. */
const MOST_LOOKED_AT = 60

/** Requests the lists of the first inputs and, if these show nothing, more inputs from the whole list. */
export async function lookedAt(
  inputs: readonly string[],
  atOnce: number,
  look: (input: string) => Promise<Sight>,
  tell: (sights: readonly Sight[]) => boolean,
): Promise<readonly Sight[]> {
  const others = inputs.slice(atOnce)
  const step = Math.max(1, Math.ceil(others.length / MOST_LOOKED_AT))
  const chosen = [...inputs.slice(0, atOnce), ...others.filter((_, nth) => nth % step === 0)]
  const sights: Sight[] = []
  while (sights.length < chosen.length && !tell(sights)) {
    const some = chosen.slice(sights.length, sights.length + atOnce)
    sights.push(...(await Promise.all(some.map(look))))
  }
  return sights
}

const MOST_SIGNED_IN_FULL = 1_000

/** For long lists two hashes of all strings (FNV-1a and a variant), which keep no list in memory. */
function signatureOf(names: readonly string[]): string {
  if (names.length <= MOST_SIGNED_IN_FULL) return JSON.stringify(names.toSorted())
  let [one, other] = [0x811c9dc5, 5381]
  const add = (code: number) => {
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other, 33) ^ code
  }
  for (const name of names) {
    for (let at = 0; at < name.length; at++) add(name.charCodeAt(at))
    add(-1)
  }
  return `${names.length} ${one} ${other}`
}
