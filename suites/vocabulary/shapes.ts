import type { Exchange } from '../engine/session.ts'
import {
  commonPlaces,
  isKnown,
  type Kind,
  type ListCandidate,
  listCandidates,
  misnamed,
  type NameCandidate,
  nameCandidates,
} from './candidates.ts'
import { at, brief, holds, type Place, pointer } from './json.ts'
import { breedPlace, type ListShape, openAnswer } from './list.ts'
import { essential } from './text.ts'

/** A shape, or why none could be told. No shape at all: nothing was there to tell it from. */
export type Shape = ListShape | { readonly unreadable: string } | undefined

/** Does this string work as an identifier in the paths? */
export type Works = (name: string) => Promise<boolean>

const valueOf = (exchange: Exchange): unknown => {
  const opened = openAnswer(exchange)
  return opened.kind === 'json' ? opened.value : undefined
}

/** Ruling 4: `name`, else a `*name` field, else the only string that works as an identifier in the paths. */
async function chooseName(
  elements: readonly unknown[],
  kind: Kind,
  works: Works,
): Promise<Place | { readonly unreadable: string }> {
  const candidates = nameCandidates(elements, kind)
  const [first] = candidates
  if (!first)
    return (
      misnamed(elements, kind) ?? {
        unreadable: `no element shows a string that could be its name, such as ${brief(elements[0])}`,
      }
    )
  const rivals = candidates.filter(({ rank }) => rank === first.rank)
  if (first.rank < 3 || candidates.length === 1) return first.place
  const proven = await Promise.all(
    candidates.map(async (candidate) => ({ candidate, proof: await proofOf(candidate, elements, works) })),
  )
  const best = proven.reduce((a, b) => (b.proof > a.proof ? b : a))
  if (best.proof > 0) return best.candidate.place
  if (first.rank === 3 && rivals.length === 1) return first.place
  const places = candidates.map(({ place }) => pointer(place) || 'the element itself').join(', ')
  return {
    unreadable: `none of the strings of an element (${places}) works as an identifier in the paths: which is the name cannot be told`,
  }
}

async function proofOf({ place }: NameCandidate, elements: readonly unknown[], works: Works): Promise<number> {
  const values = elements
    .slice(0, 2)
    .map((element) => at(element, place))
    .filter((value) => typeof value === 'string')
  const worked = await Promise.all(values.map(works))
  return worked.filter(Boolean).length
}

export interface OwnListClues {
  readonly works: Works
  /** The names of all breeds, to find where a cat shows its own. */
  readonly breeds: readonly string[]
}

/** The shape of the list of all cats or all breeds, told from its own answer and from what works in the paths. */
export async function ownShape(exchange: Exchange, kind: Kind, clues: OwnListClues): Promise<Shape> {
  const best = listCandidates(valueOf(exchange), kind)[0]
  if (!best || best.elements.length === 0) return undefined
  const name = await chooseName(best.elements, kind, clues.works)
  return 'unreadable' in name ? name : { list: best.place, name, breed: shownBreed(best.elements, name, clues.breeds) }
}

function shownBreed(elements: readonly unknown[], name: Place, breeds: readonly string[]): Place | undefined {
  const essentials = new Set(breeds.map(essential))
  const places = commonPlaces(elements, (value) => typeof value === 'string').filter(
    (place) => pointer(place) !== pointer(name),
  )
  return breedPlace(places, elements, (text) => essentials.has(essential(text)))
}

/** The shape of lists of cats that an input selects, told from a few answers and from the names of all cats. */
export function selectedShape(
  exchanges: readonly Exchange[],
  cats: { has(name: string): boolean },
  breeds: readonly string[],
  own: Shape,
): Shape {
  const candidates = exchanges.map((exchange) => listCandidates(valueOf(exchange), 'cat', cats)[0])
  const best = candidates
    .filter((one): one is ListCandidate => one !== undefined && one.elements.length > 0)
    .sort((a, b) => b.score - a.score)[0]
  if (!best) return undefined
  const share = ({ place }: NameCandidate) =>
    best.elements.filter((element) => isKnown(at(element, place), cats)).length
  const names = nameCandidates(best.elements, 'cat').sort((a, b) => share(b) - share(a) || a.rank - b.rank)
  const name = names[0]?.place ?? misnamed(best.elements, 'cat')
  if (!name)
    return own && 'unreadable' in own
      ? own
      : { unreadable: `no element shows a string that could be its name, such as ${brief(best.elements[0])}` }
  return { list: best.place, name, breed: shownBreed(best.elements, name, breeds) }
}

/** Asks whether an answer holds a list in which one of the strings is this one. */
export const mentions = (exchange: Exchange, name: string): boolean =>
  listCandidates(valueOf(exchange), 'cat')[0]?.elements.some((element) => holds(element, name)) ?? false

export const isFilled = (exchange: Exchange): boolean =>
  (listCandidates(valueOf(exchange), 'cat')[0]?.elements.length ?? 0) > 0
