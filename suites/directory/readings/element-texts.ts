import { createValueReader, isContainer, type JsonPlace, walkJson } from './json.ts'
import { normaliseKey } from './list-keys.ts'
import { areEqualLists } from './name-index.ts'

/** The values that an element shows beside its name. */
interface ElementTexts {
  /** Scalars of the element and of its objects, without those of its lists. */
  readonly scalars: readonly (string | number)[]
  /** Other strings at any depth. */
  readonly nestedStrings: readonly string[]
  /** Scalars in arrays, except those of objects with a name, which describe something else. */
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
  // Fast path: most elements contain no objects.
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

/** Returns whether an object in an array has a name of its own. */
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

/** Returns whether a link contains the id in its path or query. */
const isInLink = (link: string | number, text: string): boolean =>
  typeof link === 'string' && link.includes('/') && link.split(/[/?#&=]/).includes(text)

const hasText = ({ scalars, nestedStrings }: ElementTexts, text: string): boolean =>
  scalars.some((value) => String(value) === text) ||
  [...scalars, ...nestedStrings].some((value) => isInLink(value, text))

/** Returns whether exactly one breed shows a text. An id that several breeds show belongs to none of them. */
const hasTextInOneElement = (some: readonly ElementTexts[], text: string): boolean =>
  some.filter(({ arrayScalars }) => arrayScalars.some((value) => String(value) === text)).length === 1

/**
 * Indexes the values that elements of a list of breeds show beside their names. The values are copied, so that the
 * memory of the response can be released.
 */
export function createElementTextLookup(elements: readonly unknown[], place: JsonPlace) {
  const nameOf = createValueReader(place)
  let last = NO_TEXTS
  const textsByElement = elements.map((element): ElementTexts => {
    const texts = readElementTexts(element, nameOf(element))
    return areSameTexts(last, texts) ? last : (last = texts)
  })
  /** Keeps a single copy if all elements show the same values. */
  const beside = textsByElement.every((one) => one === last) ? [] : textsByElement
  const names = elements.map(nameOf)
  const stringsAt = (nth: number) => {
    const { scalars, nestedStrings } = beside[nth] ?? last
    return [...scalars, ...nestedStrings].filter((one) => typeof one === 'string')
  }
  return {
    hasTextBesideName: (text: string) =>
      names.includes(text) ||
      [last, ...beside].some((one) => hasText(one, text)) ||
      hasTextInOneElement(beside.length > 0 ? beside : [last], text),
    /** Returns all strings beside a name. */
    textsBesideName: (name: string) => names.flatMap((one, nth) => (one === name ? stringsAt(nth) : [])),
  }
}
