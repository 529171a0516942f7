import { areEqualPlaces } from '../readings/json.ts'
import { compareRanks, type ListShapeCandidate, type RowWidth } from '../readings/name-candidates.ts'
import type { ListedCatNames, PlaceObservation, ResponseObservation } from './response-observations.ts'
import { describeCandidatePlace } from './unreadable-shape.ts'
import { type InferredShape, readableShapeOf } from './whole-list-shape.ts'

/** The evidence of several responses that an array is the list, and that a place in its elements contains the names. */
export class PlaceEvidence {
  readonly candidate: ListShapeCandidate
  private readonly observations: PlaceObservation[] = []

  constructor(first: ListShapeCandidate) {
    this.candidate = first
  }

  addObservation(observation: PlaceObservation): void {
    this.observations.push(observation)
  }

  /**
   * Scores the place by these numbers, the most important first: the number of responses that contain the requested
   * name here; whether the content depends on the input (1 or 0); whether the list of all cats has its names here, too
   * (1 or 0); the share and the number of strings that are listed cats.
   */
  score(cats: ListedCatNames, catsShape: InferredShape): number[] {
    const known = this.countListedCats(cats)
    const shapeOfAllCats = readableShapeOf(catsShape)
    const isAsInAllCats = shapeOfAllCats !== undefined && areEqualPlaces(shapeOfAllCats.name, this.candidate.name)
    const share = known / Math.max(1, this.allNames.length)
    return [this.inputMatchCount, this.hasEqualContent ? 0 : 1, isAsInAllCats && share > 0.5 ? 1 : 0, share, known]
  }

  /** The number of responses that contain the requested name here. */
  get inputMatchCount(): number {
    return this.observations.filter(({ hasRequestedCat }) => hasRequestedCat).length
  }

  get nameCount(): number {
    return this.allNames.length
  }

  countListedCats(cats: ListedCatNames): number {
    const countListedNames = ({ firstNames }: PlaceObservation) =>
      new Set(firstNames.filter((name) => cats.has(name))).size
    return this.observations.reduce((sum, one) => sum + countListedNames(one), 0)
  }

  /** True if the names of cats are in several arrays, e.g. in rows of different lengths. */
  get isListOfLists(): boolean {
    const isUneven = new Set(this.rowWidths.map(({ maxLength }) => maxLength)).size > 1
    return this.observations.some(({ isListOfLists, hasOtherCats }) => isListOfLists || (isUneven && hasOtherCats))
  }

  /** True if there are more than two responses, and all have the same content at this place. */
  get isConstant(): boolean {
    return this.observations.length > 2 && this.hasEqualContent
  }

  get rowWidths(): readonly RowWidth[] {
    return this.observations.flatMap(({ row }) => row ?? [])
  }

  get namesByInput(): readonly (readonly [input: string, names: readonly string[]])[] {
    return this.observations.map(({ input, firstNames }) => [input, firstNames])
  }

  private get allNames(): readonly string[] {
    return this.observations.flatMap(({ firstNames }) => firstNames)
  }

  /** True if there are several responses, and all have the same content at this place. */
  get hasEqualContent(): boolean {
    return this.observations.length > 1 && new Set(this.observations.map(({ signature }) => signature)).size === 1
  }
}

/**
 * Keeps the requested name, e.g. the key `Manx` in `{"Manx": […]}`, as a part of the place if responses to other names
 * have this key, too. Otherwise the place has a placeholder for the requested name.
 */
function withLiteralPlace(one: PlaceObservation, observations: readonly ResponseObservation[]): PlaceObservation {
  const { literalPlace, candidate } = one
  const isPlaceOf = ({ arrays }: ResponseObservation) =>
    literalPlace !== undefined && arrays.some(({ place }) => areEqualPlaces(place, literalPlace))
  if (literalPlace === undefined || observations.filter(isPlaceOf).length < 2) return one
  return { ...one, candidate: { ...candidate, list: { ...candidate.list, place: literalPlace } } }
}

/** Groups the observations of all responses by their places. */
export function collectPlaceEvidence(responses: readonly ResponseObservation[]): PlaceEvidence[] {
  const found = new Map<string, PlaceEvidence>()
  for (const one of responses.flatMap(({ places }) => places.map((one) => withLiteralPlace(one, responses)))) {
    const evidence = found.get(describeCandidatePlace(one.candidate)) ?? new PlaceEvidence(one.candidate)
    evidence.addObservation(one)
    found.set(describeCandidatePlace(one.candidate), evidence)
  }
  return [...found.values()]
}

export const compareScoresDescending = (some: readonly number[], others: readonly number[]): number =>
  compareRanks(others, some)
