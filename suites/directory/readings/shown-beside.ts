import { isSameList } from './index-of-names.ts'
import { isContainer, type Place, reader, walk } from './json.ts'
import { plainKey } from './list-keys.ts'

/** The values that an element shows beside its name. */
interface Beside {
  /** Scalars of the element and of its objects, without those of its lists. */
  readonly shown: readonly (string | number)[]
  /** Other strings at any depth. */
  readonly within: readonly string[]
  /** Scalars in arrays, without those in named objects, which are other things. */
  readonly inArrays: readonly (string | number)[]
}

const NOTHING: Beside = { shown: [], within: [], inArrays: [] }
const DEEPEST_ID = 3
const DEEPEST_STRING = 6

function besideOf(element: unknown, own: unknown): Beside {
  const shown: (string | number)[] = []
  const show = (value: unknown) => {
    if ((typeof value === 'string' || typeof value === 'number') && value !== own) shown.push(value)
  }
  // Most elements are flat.
  const values = isContainer(element) && !Array.isArray(element) ? Object.values(element) : [element]
  if (!values.some(isContainer)) {
    for (const value of values) show(value)
    return { shown, within: [], inArrays: [] }
  }
  walk(element, DEEPEST_ID, (container) => !Array.isArray(container), show)
  const within: string[] = []
  const take = (value: unknown) => {
    if (typeof value === 'string' && value !== own && !shown.includes(value)) within.push(value)
  }
  walk(element, DEEPEST_STRING, () => true, take)
  return { shown, within, inArrays: inArraysOf(element, own) }
}

/** Returns whether it is an object in an array that has a name of its own. */
const isNamedThing = (value: object, place: Place): boolean =>
  place.some((token) => /^\d+$/.test(token)) && Object.keys(value).some((key) => plainKey(key).endsWith('name'))

function inArraysOf(element: unknown, own: unknown): (string | number)[] {
  const found: (string | number)[] = []
  walk(
    element,
    DEEPEST_ID + 1,
    (container, place) => !isNamedThing(container, place),
    (value, place) => {
      const isScalar = typeof value === 'string' || typeof value === 'number'
      if (isScalar && value !== own && place.some((token) => /^\d+$/.test(token))) found.push(value)
    },
  )
  return found
}

const isSame = (some: Beside, others: Beside): boolean =>
  [...some.within, ...others.within, ...some.inArrays, ...others.inArrays].length === 0 &&
  isSameList(some.shown, others.shown)

/** Returns whether a link contains the id in its path or query. */
const isInLink = (link: string | number, text: string): boolean =>
  typeof link === 'string' && link.includes('/') && link.split(/[/?#&=]/).includes(text)

const isShown = ({ shown, within }: Beside, text: string): boolean =>
  shown.some((value) => String(value) === text) || [...shown, ...within].some((value) => isInLink(value, text))

/** An id in an array belongs to the only breed that shows it; a value that several breeds show belongs to none. */
const isShownByOne = (some: readonly Beside[], text: string): boolean =>
  some.filter(({ inArrays }) => inArrays.some((value) => String(value) === text)).length === 1

/**
 * The values that the elements of a list of breeds show beside their names. Copies them, so that the elements, most of
 * a response, can be released.
 */
export function shownBeside(elements: readonly unknown[], place: Place) {
  const nameOf = reader(place)
  let last = NOTHING
  const ofEach = elements.map((element): Beside => {
    const here = besideOf(element, nameOf(element))
    return isSame(last, here) ? last : (last = here)
  })
  /** Equal values are kept once. */
  const beside = ofEach.every((one) => one === last) ? [] : ofEach
  const names = elements.map(nameOf)
  const stringsAt = (nth: number) => {
    const { shown, within } = beside[nth] ?? last
    return [...shown, ...within].filter((one) => typeof one === 'string')
  }
  return {
    shows: (text: string) =>
      names.includes(text) ||
      [last, ...beside].some((one) => isShown(one, text)) ||
      isShownByOne(beside.length > 0 ? beside : [last], text),
    /** All strings beside a name. */
    shownWith: (name: string) => names.flatMap((one, nth) => (one === name ? stringsAt(nth) : [])),
  }
}
