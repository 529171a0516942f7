import type { NameCandidate, Row } from '../readings/candidates.ts'
import { type Place, pointer } from '../readings/json.ts'
import { placeText, type Shape } from './shapes.ts'
import type { Cats, Seen, Sight } from './sights.ts'

/** The evidence for an array and a place in it, over several responses. */
export class Evidence {
  readonly first: NameCandidate
  private readonly seen: Seen[] = []

  constructor(first: NameCandidate) {
    this.first = first
  }

  add(seen: Seen): void {
    this.seen.push(seen)
  }

  /**
   * Higher is likelier: the requested name occurs there; its content changes with the input; the list of all cats has
   * its names there too; it contains listed cats, and not only if any are there (as a friend's name would).
   */
  score(cats: Cats, own: Shape): number[] {
    const known = this.known(cats)
    const isAsInOwn = own && 'name' in own && pointer(own.name) === pointer(this.first.name)
    const share = known / Math.max(1, this.all.length)
    return [this.inputs, this.isAlwaysOne ? 0 : 1, isAsInOwn && share > 0.5 ? 1 : 0, share, known]
  }

  /** The number of responses in which the requested name occurs there. */
  get inputs(): number {
    return this.seen.filter(({ holdsInput }) => holdsInput).length
  }

  get size(): number {
    return this.all.length
  }

  /** The number of listed cats there, each counted once per response. */
  known(cats: Cats): number {
    const knownIn = ({ first }: Seen) => new Set(first.filter((name) => cats.has(name))).size
    return this.seen.reduce((sum, one) => sum + knownIn(one), 0)
  }

  get isListOfLists(): boolean {
    const isUneven = new Set(this.rows.map(({ most }) => most)).size > 1
    return this.seen.some(({ isListOfLists, hasOthers }) => isListOfLists || (isUneven && hasOthers))
  }

  /** Returns whether all responses are equal there. */
  get isConstant(): boolean {
    return this.seen.length > 2 && this.isAlwaysOne
  }

  get rows(): readonly Row[] {
    return this.seen.flatMap(({ row }) => row ?? [])
  }

  /** The content by input. */
  get byInput(): readonly (readonly [input: string, names: readonly string[]])[] {
    return this.seen.map(({ input, first }) => [input, first])
  }

  private get all(): readonly string[] {
    return this.seen.flatMap(({ first }) => first)
  }

  get isAlwaysOne(): boolean {
    return this.seen.length > 1 && new Set(this.seen.map(({ signature }) => signature)).size === 1
  }
}

/** A cat may have the same name as the key of the list: then the list has this key in other responses too. */
function asItStands(one: Seen, sights: readonly Sight[]): Seen {
  const { literal, candidate } = one
  const isPlaceOf = ({ arrays }: Sight) => literal !== undefined && arrays.some(({ place }) => isAt(place, literal))
  if (literal === undefined || sights.filter(isPlaceOf).length < 2) return one
  return { ...one, candidate: { ...candidate, list: { ...candidate.list, place: literal } } }
}

const isAt = (one: Place, other: Place): boolean => pointer(one) === pointer(other)

export function evidenceOf(sights: readonly Sight[]): Evidence[] {
  const found = new Map<string, Evidence>()
  for (const one of sights.flatMap(({ seen }) => seen.map((one) => asItStands(one, sights)))) {
    const evidence = found.get(placeText(one.candidate)) ?? new Evidence(one.candidate)
    evidence.add(one)
    found.set(placeText(one.candidate), evidence)
  }
  return [...found.values()]
}

/** Orders scores, the highest first. */
export const higher = (some: readonly number[], others: readonly number[]): number =>
  some.reduce((order, score, index) => order || (others[index] ?? 0) - score, 0)
