import { deriveToken } from '../../engine/derived-token.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { arrayAt, INPUT_PLACEHOLDER, type JsonPlace } from '../readings/json.ts'
import {
  type ArrayCandidate,
  type ElementKind,
  findArrays,
  findNameCandidates,
  findOtherItemsOfUnequalRows,
  findOtherRowItems,
  firstNameStringsOf,
  type ListShapeCandidate,
  limitToFirstElements,
  measureRowWidth,
  nameStringsOf,
  type RowWidth,
} from '../readings/name-candidates.ts'
import { jsonValueOf } from './name-tests.ts'
import { type InferredShape, readableShapeOf } from './whole-list-shape.ts'

interface ResponseToInput {
  /** The name that was requested: a breed, or a cat, which the list must contain. */
  readonly input: string
  readonly inputKind: ElementKind
  readonly exchange: Exchange
}

/** The strings at one place of a response. They may be the names. Of a long list, only the first strings are kept. */
export interface PlaceObservation {
  readonly input: string
  readonly candidate: ListShapeCandidate
  /** The place with the requested name as a key, e.g. `/Manx` for `{"Manx": […]}`; else undefined. */
  readonly literalPlace: JsonPlace | undefined
  /** True if a cat was requested, and its name is one of the strings. */
  readonly hasRequestedCat: boolean
  /** A text that is equal for responses with the same strings; for long lists, in the same order. */
  readonly signature: string
  /** The first strings of the response at this place. */
  readonly firstNames: readonly string[]
  readonly row: RowWidth | undefined
  /** True if the rows (arrays that contain a name) contain further listed cats. */
  readonly hasOtherCats: boolean
  /** True if rows of different lengths contain further listed cats. */
  readonly isListOfLists: boolean
}

/** The evidence from one response. The response itself may be large, and is not kept. */
export interface ResponseObservation {
  readonly places: readonly PlaceObservation[]
  readonly arrays: readonly ArrayCandidate[]
  /** True if the response has an array at the place of the list of all cats. */
  readonly hasPlaceOfAllCats: boolean
}

export interface ListedCatNames {
  has(name: string): boolean
}

export function observeResponse(
  { input, inputKind, exchange }: ResponseToInput,
  cats: ListedCatNames,
  catsShape: InferredShape,
): ResponseObservation {
  const value = jsonValueOf(exchange)
  const places = findNameCandidates(value, 'cat').map((candidate): PlaceObservation => {
    const names = nameStringsOf(candidate)
    const place = candidate.list.place.map((token) => (token === input ? INPUT_PLACEHOLDER : token))
    return {
      input,
      candidate: { ...candidate, list: limitToFirstElements({ ...candidate.list, place }) },
      literalPlace: place.includes(INPUT_PLACEHOLDER) ? candidate.list.place : undefined,
      hasRequestedCat: inputKind === 'cat' && names.includes(input),
      signature: signatureOf(names),
      firstNames: firstNameStringsOf(candidate),
      row: measureRowWidth(candidate),
      hasOtherCats: findOtherRowItems(candidate).some((name) => cats.has(name)),
      isListOfLists: findOtherItemsOfUnequalRows(candidate).some((name) => cats.has(name)),
    }
  })
  const shapeOfAllCats = readableShapeOf(catsShape)
  const hasPlaceOfAllCats = shapeOfAllCats !== undefined && arrayAt(value, shapeOfAllCats.list) !== undefined
  return { places, arrays: findArrays(value).map(limitToFirstElements), hasPlaceOfAllCats }
}

export const haveListedCats = (observations: readonly ResponseObservation[], cats: ListedCatNames): boolean =>
  observations.some(({ places }) => places.some(({ firstNames }) => firstNames.some((name) => cats.has(name))))

/** The maximum number of names requested: enough if searches refuse short names, or few breeds have cats. */
const MAX_INPUTS_OBSERVED = 60

/**
 * Requests the first names, and then further ones, `batchSize` at a time, as long as the responses contain no evidence.
 */
export async function observeResponsesToInputs(
  inputs: readonly string[],
  batchSize: number,
  observe: (input: string) => Promise<ResponseObservation>,
  hasEvidence: (observations: readonly ResponseObservation[]) => boolean,
): Promise<readonly ResponseObservation[]> {
  const others = inputs.slice(batchSize)
  const step = Math.max(1, Math.ceil(others.length / MAX_INPUTS_OBSERVED))
  const chosen = [...inputs.slice(0, batchSize), ...others.filter((_, nth) => nth % step === 0)]
  const observations: ResponseObservation[] = []
  while (observations.length < chosen.length && !hasEvidence(observations)) {
    const some = chosen.slice(observations.length, observations.length + batchSize)
    observations.push(...(await Promise.all(some.map(observe))))
  }
  return observations
}

const MAX_NAMES_SIGNED_IN_FULL = 1_000

/**
 * Returns a text that is equal for lists with the same names; for long lists a hash, which depends on the order, too.
 */
function signatureOf(names: readonly string[]): string {
  if (names.length <= MAX_NAMES_SIGNED_IN_FULL) return JSON.stringify(names.toSorted())
  return deriveToken(names.join('\n'))
}
