import type { AdvisedText } from '../../engine/inconclusive.ts'
import {
  EVERY_MEMBER_PLACEHOLDER,
  formatExcerpt,
  formatWithSpaces,
  pointerOfNames,
  toJsonPointer,
} from '../readings/json.ts'
import { findNameCandidates, type ListShapeCandidate } from '../readings/name-candidates.ts'
import type { PinnablePlaces, WaysToRead } from '../readings/other-arrays.ts'

/** A list whose place in the response is unknown, or in whose elements the place of the names is unknown. */
export interface UnreadableShape extends WaysToRead {
  readonly unreadable: string
}

const MAX_PLACES_SHOWN = 4

export const formatListPin = (operation: string, { list, name }: PinnablePlaces): string =>
  formatWithSpaces({ point: 'O-LIST-SHAPE', operation, list: toJsonPointer(list), name: toJsonPointer(name) })

/** Describes why a list cannot be read, and what to change or to pin so that it can. */
export function describeUnreadableShape(
  operation: string,
  { unreadable, remedy, places = [] }: UnreadableShape,
): AdvisedText {
  const entries = places.slice(0, MAX_PLACES_SHOWN).map((one) => formatListPin(operation, one))
  const hasAll = places.some(({ list }) => list.includes(EVERY_MEMBER_PLACEHOLDER))
  const [place = { list: [], name: [] }] = places
  const one = hasAll
    ? 'if the arrays at all of these places together are the list, pin them'
    : `if the strings at ${pointerOfNames(place.list, place.name)} are the names nevertheless, pin this place`
  const condition = entries.length === 1 ? one : 'pin the place of the names'
  const note = hasAll ? ' (* stands for every member)' : ''
  const pin = entries.length === 0 ? [] : [`${condition} in a profile: ${entries.join(' or ')}${note}`]
  const advice = [...(remedy === undefined ? [] : [remedy]), ...pin].join(', or ')
  if (advice === '') return { text: unreadable }
  const text = `${advice.charAt(0).toUpperCase()}${advice.slice(1)}`
  return { text: unreadable, advice: entries.length === 0 ? { text } : { text, pins: entries } }
}

const pinnablePlacesOf = ({ list, name }: ListShapeCandidate): PinnablePlaces => ({ list: list.place, name })

export const describeCandidatePlace = ({ list, name }: ListShapeCandidate): string => pointerOfNames(list.place, name)

export function createListOfListsProblem(candidate: ListShapeCandidate): UnreadableShape {
  const [inner] = candidate.list.elements.flatMap((element) => findNameCandidates(element, 'cat').slice(0, 1))
  return {
    unreadable:
      'the response contains names in several arrays, and it is unknown which of these arrays belong to the list',
    remedy: 'serve all names in one array',
    places: inner
      ? [{ list: [...candidate.list.place, EVERY_MEMBER_PLACEHOLDER, ...inner.list.place], name: inner.name }]
      : [],
  }
}

export function createUndecidedProblem(candidates: readonly ListShapeCandidate[]): UnreadableShape {
  const shown = candidates.slice(0, MAX_PLACES_SHOWN).map(describeCandidatePlace)
  const common = findPlaceOfSiblings(candidates)
  return {
    unreadable: `it is not clear which of its strings are the names: those at ${shown.join(' or at ')}${common.length > 0 ? ', or those at all of these places' : ''}`,
    places: common.length > 0 ? common : candidates.map(pinnablePlacesOf),
  }
}

/**
 * Finds a place that a profile can pin to include the arrays of all candidates, e.g. all arrays of `{"odd": […],
 * "even": […]}`.
 */
function findPlaceOfSiblings(candidates: readonly ListShapeCandidate[]): readonly PinnablePlaces[] {
  const places = candidates.map(({ list, name }) => ({
    list: [...list.place.slice(0, -1), EVERY_MEMBER_PLACEHOLDER],
    name,
  }))
  const [first] = places
  const isOne = new Set(places.map((one) => formatListPin('', one))).size === 1
  const areSeveral = new Set(candidates.map(({ list }) => toJsonPointer(list.place))).size > 1
  return first && isOne && areSeveral ? [first] : []
}

/** Describes a response in which no string is known to be a name. `is` and `isNot` are clauses about a string. */
export const createNamelessProblem = (
  candidates: readonly ListShapeCandidate[],
  element: unknown,
  { is, isNot }: { readonly is: string; readonly isNot: string },
): UnreadableShape => ({
  unreadable:
    typeof element === 'string'
      ? `the string ${formatExcerpt(element)} in the list ${isNot}`
      : `the element ${formatExcerpt(element)} of the list contains no string that ${is}`,
  remedy:
    typeof element === 'string'
      ? 'serve each element of the list as the name itself, or as an object that contains the name'
      : 'add the name to each element of the list',
  places: candidates.slice(0, MAX_PLACES_SHOWN).map(pinnablePlacesOf),
})
