import type { Exchange } from '../../engine/http/client/exchange.ts'
import { arrayAt, INPUT_TOKEN, type JsonPlace } from '../readings/json.ts'
import {
  type ArrayCandidate,
  type ElementKind,
  findArrays,
  findNameCandidates,
  findOtherRowItems,
  findUnevenRowItems,
  firstNameStringsOf,
  keepFirstElements,
  measureRowWidth,
  type NameCandidate,
  nameStringsOf,
  type RowWidth,
} from '../readings/name-candidates.ts'
import { jsonValueOf } from './name-tests.ts'
import type { InferredShape } from './own-shape.ts'

/** A list selected by an input: the request and its response. */
export interface SelectedList {
  /** The name of a breed, or of a cat, which then occurs in the list. */
  readonly input: string
  readonly inputKind: ElementKind
  readonly exchange: Exchange
}

/**
 * The possible names in one response, with statistics over all of them; of a long list only the first ones are kept.
 */
export interface PlaceObservation {
  readonly input: string
  readonly candidate: NameCandidate
  /** The place of the list, if the requested name is a key in it. */
  readonly literalPlace: JsonPlace | undefined
  readonly holdsInput: boolean
  /** Equal for equal sets of strings; for long lists only in equal order. */
  readonly signature: string
  readonly firstNames: readonly string[]
  readonly row: RowWidth | undefined
  /** True if the arrays with names contain other listed cats too, and differ in length. */
  readonly hasOtherCats: boolean
  readonly isListOfLists: boolean
}

/** The evidence of one response, which is not kept itself because it may be as large as the list of all cats. */
export interface ResponseObservation {
  readonly places: readonly PlaceObservation[]
  readonly arrays: readonly ArrayCandidate[]
  readonly hasPlaceOfAllCats: boolean
}

export interface CatNames {
  has(name: string): boolean
}

/** Extracts the evidence of one response. */
export function observeResponse(
  { input, inputKind, exchange }: SelectedList,
  cats: CatNames,
  own: InferredShape,
): ResponseObservation {
  const value = jsonValueOf(exchange)
  const seen = findNameCandidates(value, 'cat').map((candidate): PlaceObservation => {
    const names = nameStringsOf(candidate)
    const place = candidate.list.place.map((token) => (token === input ? INPUT_TOKEN : token))
    return {
      input,
      candidate: { ...candidate, list: keepFirstElements({ ...candidate.list, place }) },
      literalPlace: place.includes(INPUT_TOKEN) ? candidate.list.place : undefined,
      holdsInput: inputKind === 'cat' && names.includes(input),
      signature: signatureOf(names),
      firstNames: firstNameStringsOf(candidate),
      row: measureRowWidth(candidate),
      hasOtherCats: findOtherRowItems(candidate).some((name) => cats.has(name)),
      isListOfLists: findUnevenRowItems(candidate).some((name) => cats.has(name)),
    }
  })
  const isAsInOwn = own !== undefined && 'list' in own && arrayAt(value, own.list) !== undefined
  return { places: seen, arrays: findArrays(value).map(keepFirstElements), hasPlaceOfAllCats: isAsInOwn }
}

/** Returns whether a listed cat occurs anywhere, which is not so in a refusal or for a breed without cats. */
export const haveListedCats = (observations: readonly ResponseObservation[], cats: CatNames): boolean =>
  observations.some(({ places }) => places.some(({ firstNames }) => firstNames.some((name) => cats.has(name))))

/** A search may refuse all short names, and few of many breeds may have cats. */
const MAX_INPUTS_OBSERVED = 60

/** Requests the lists of the first inputs and, if these show nothing, more inputs from the whole list. */
export async function observeInputs(
  inputs: readonly string[],
  batchSize: number,
  observe: (input: string) => Promise<ResponseObservation>,
  hasEvidence: (sights: readonly ResponseObservation[]) => boolean,
): Promise<readonly ResponseObservation[]> {
  const others = inputs.slice(batchSize)
  const step = Math.max(1, Math.ceil(others.length / MAX_INPUTS_OBSERVED))
  const chosen = [...inputs.slice(0, batchSize), ...others.filter((_, nth) => nth % step === 0)]
  const sights: ResponseObservation[] = []
  while (sights.length < chosen.length && !hasEvidence(sights)) {
    const some = chosen.slice(sights.length, sights.length + batchSize)
    sights.push(...(await Promise.all(some.map(observe))))
  }
  return sights
}

const MAX_NAMES_SIGNED_IN_FULL = 1_000

/** For long lists two hashes of all strings (FNV-1a and a variant), which keep no list in memory. */
function signatureOf(names: readonly string[]): string {
  if (names.length <= MAX_NAMES_SIGNED_IN_FULL) return JSON.stringify(names.toSorted())
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
