import { type JsonPlace, toJsonPointer } from '../readings/json.ts'
import type { NameCandidate, RowWidth } from '../readings/name-candidates.ts'
import { describePlace, type InferredShape } from './own-shape.ts'
import type { CatNames, PlaceObservation, ResponseObservation } from './response-observations.ts'

/** The evidence for an array and a place in it, over several responses. */
export class PlaceEvidence {
  readonly candidate: NameCandidate
  private readonly observations: PlaceObservation[] = []

  constructor(first: NameCandidate) {
    this.candidate = first
  }

  addObservation(seen: PlaceObservation): void {
    this.observations.push(seen)
  }

  /**
   * Higher is likelier: the requested name occurs there; its content changes with the input; the list of all cats has
   * its names there too; it contains listed cats, and not only if any are there (as a friend's name would).
   */
  score(cats: CatNames, own: InferredShape): number[] {
    const known = this.countListedCats(cats)
    const isAsInOwn = own && 'name' in own && toJsonPointer(own.name) === toJsonPointer(this.candidate.name)
    const share = known / Math.max(1, this.allNames.length)
    return [this.inputMatchCount, this.hasEqualContent ? 0 : 1, isAsInOwn && share > 0.5 ? 1 : 0, share, known]
  }

  /** The number of responses in which the requested name occurs there. */
  get inputMatchCount(): number {
    return this.observations.filter(({ holdsInput }) => holdsInput).length
  }

  get nameCount(): number {
    return this.allNames.length
  }

  /** The number of listed cats there, each counted once per response. */
  countListedCats(cats: CatNames): number {
    const knownIn = ({ firstNames }: PlaceObservation) => new Set(firstNames.filter((name) => cats.has(name))).size
    return this.observations.reduce((sum, one) => sum + knownIn(one), 0)
  }

  get isListOfLists(): boolean {
    const isUneven = new Set(this.rowWidths.map(({ maxLength }) => maxLength)).size > 1
    return this.observations.some(({ isListOfLists, hasOtherCats }) => isListOfLists || (isUneven && hasOtherCats))
  }

  /** Returns whether all responses are equal there. */
  get isConstant(): boolean {
    return this.observations.length > 2 && this.hasEqualContent
  }

  get rowWidths(): readonly RowWidth[] {
    return this.observations.flatMap(({ row }) => row ?? [])
  }

  /** The content by input. */
  get namesByInput(): readonly (readonly [input: string, names: readonly string[]])[] {
    return this.observations.map(({ input, firstNames }) => [input, firstNames])
  }

  private get allNames(): readonly string[] {
    return this.observations.flatMap(({ firstNames }) => firstNames)
  }

  get hasEqualContent(): boolean {
    return this.observations.length > 1 && new Set(this.observations.map(({ signature }) => signature)).size === 1
  }
}

/** A cat may have the same name as the key of the list: then the list has this key in other responses too. */
function withLiteralPlace(one: PlaceObservation, sights: readonly ResponseObservation[]): PlaceObservation {
  const { literalPlace, candidate } = one
  const isPlaceOf = ({ arrays }: ResponseObservation) =>
    literalPlace !== undefined && arrays.some(({ place }) => areEqualPlaces(place, literalPlace))
  if (literalPlace === undefined || sights.filter(isPlaceOf).length < 2) return one
  return { ...one, candidate: { ...candidate, list: { ...candidate.list, place: literalPlace } } }
}

const areEqualPlaces = (one: JsonPlace, other: JsonPlace): boolean => toJsonPointer(one) === toJsonPointer(other)

export function collectPlaceEvidence(sights: readonly ResponseObservation[]): PlaceEvidence[] {
  const found = new Map<string, PlaceEvidence>()
  for (const one of sights.flatMap(({ places }) => places.map((one) => withLiteralPlace(one, sights)))) {
    const evidence = found.get(describePlace(one.candidate)) ?? new PlaceEvidence(one.candidate)
    evidence.addObservation(one)
    found.set(describePlace(one.candidate), evidence)
  }
  return [...found.values()]
}

/** Orders scores, the highest first. */
export const compareScores = (some: readonly number[], others: readonly number[]): number =>
  some.reduce((order, score, index) => order || (others[index] ?? 0) - score, 0)
