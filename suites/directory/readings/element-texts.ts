import { createValueReader, isContainer, type JsonPlace, walkJson } from './json.ts'
import { normaliseKey } from './list-keys.ts'
import { areEqualLists } from './name-index.ts'

/** The values of an element of a list, except its name. */
interface ElementTexts {
  /** Numbers and strings of the element and of objects in it, but not in its arrays. */
  readonly scalars: readonly (string | number)[]
  /** All other strings, at any depth. */
  readonly nestedStrings: readonly string[]
  /** Numbers and strings in arrays, except in objects with a name of their own, e.g. cats of a breed. */
  readonly arrayScalars: readonly (string | number)[]
}

const NO_TEXTS: ElementTexts = { scalars: [], nestedStrings: [], arrayScalars: [] }
const MAX_ID_DEPTH = 3
const MAX_STRING_DEPTH = 6

function readElementTexts(element: unknown, ownName: unknown): ElementTexts {
  const scalars: (string | number)[] = []
  const addScalars = (value: unknown) => {
    if ((typeof value === 'string' || typeof value === 'number') && value !== ownName) scalars.push(value)
  }
  // Most elements contain no objects, so this fast path suffices.
  const values = isContainer(element) && !Array.isArray(element) ? Object.values(element) : [element]
  if (!values.some(isContainer)) {
    for (const value of values) addScalars(value)
    return { scalars, nestedStrings: [], arrayScalars: [] }
  }
  walkJson(element, MAX_ID_DEPTH, (container) => !Array.isArray(container), addScalars)
  const nestedStrings: string[] = []
  const addNestedStrings = (value: unknown) => {
    if (typeof value === 'string' && value !== ownName && !scalars.includes(value)) nestedStrings.push(value)
  }
  walkJson(element, MAX_STRING_DEPTH, () => true, addNestedStrings)
  return { scalars, nestedStrings, arrayScalars: readArrayScalars(element, ownName) }
}

/** Returns whether an object is in an array and has a name of its own. */
const isNamedObject = (value: object, place: JsonPlace): boolean =>
  place.some((token) => /^\d+$/.test(token)) && Object.keys(value).some((key) => normaliseKey(key).endsWith('name'))

function readArrayScalars(element: unknown, ownName: unknown): (string | number)[] {
  const found: (string | number)[] = []
  walkJson(
    element,
    MAX_ID_DEPTH + 1,
    (container, place) => !isNamedObject(container, place),
    (value, place) => {
      const isScalar = typeof value === 'string' || typeof value === 'number'
      if (isScalar && value !== ownName && place.some((token) => /^\d+$/.test(token))) found.push(value)
    },
  )
  return found
}

const areSameTexts = (some: ElementTexts, others: ElementTexts): boolean =>
  [...some.nestedStrings, ...others.nestedStrings, ...some.arrayScalars, ...others.arrayScalars].length === 0 &&
  areEqualLists(some.scalars, others.scalars)

/** Returns whether a link contains a text as a part of its path or query, e.g. `/breeds/17` contains `17`. */
const isInLink = (link: string | number, text: string): boolean =>
  typeof link === 'string' && link.includes('/') && link.split(/[/?#&=]/).includes(text)

const hasText = ({ scalars, nestedStrings }: ElementTexts, text: string): boolean =>
  scalars.some((value) => String(value) === text) ||
  [...scalars, ...nestedStrings].some((value) => isInLink(value, text))

/**
 * Returns whether exactly one element contains a text in its arrays. An id that several breeds have does not identify a
 * breed.
 */
const hasTextInOneElement = (some: readonly ElementTexts[], text: string): boolean =>
  some.filter(({ arrayScalars }) => arrayScalars.some((value) => String(value) === text)).length === 1

/**
 * Creates a lookup of the values beside the names in a list of breeds. The values are copied, so that the memory of the
 * response can be released.
 */
export function createElementTextLookup(elements: readonly unknown[], place: JsonPlace) {
  const nameOf = createValueReader(place)
  let last = NO_TEXTS
  const textsByElement = elements.map((element): ElementTexts => {
    const texts = readElementTexts(element, nameOf(element))
    return areSameTexts(last, texts) ? last : (last = texts)
  })
  /** If all elements have the same values, those of the last element are enough, and nothing else is stored. */
  const otherTexts = textsByElement.every((one) => one === last) ? [] : textsByElement
  const names = elements.map(nameOf)
  const stringsAt = (nth: number) => {
    const { scalars, nestedStrings } = otherTexts[nth] ?? last
    return [...scalars, ...nestedStrings].filter((one) => typeof one === 'string')
  }
  return {
    hasTextBesideName: (text: string) =>
      names.includes(text) ||
      [last, ...otherTexts].some((one) => hasText(one, text)) ||
      hasTextInOneElement(otherTexts.length > 0 ? otherTexts : [last], text),
    textsBesideName: (name: string) => names.flatMap((one, nth) => (one === name ? stringsAt(nth) : [])),
  }
}
