import type { SendRequest } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { readLives } from '../lives/lives-reading.ts'
import { interpretResponse } from '../readings/interpret-response.ts'
import { INPUT_PLACEHOLDER, parseJsonPointer, toJsonPointer, walkJson } from '../readings/json.ts'
import { type ElementKind, findArrays } from '../readings/name-candidates.ts'
import { encodeQueryValue, encodeSegment } from '../shared/encodings.ts'
import { createGetRequest, type RequestTargets } from '../shared/targets.ts'

/** Returns whether a string is a name: a request with it finds something, and one with the control name does not. */
export type NameTest = (name: string) => Promise<boolean>

export async function passesAnyNameTest(tests: readonly NameTest[], name: string): Promise<boolean> {
  for (const test of tests) if (await test(name)) return true
  return false
}

/** Returns the JSON value of a successful response; undefined for any other response. */
export const jsonValueOf = (exchange: Exchange): unknown => {
  const opened = interpretResponse(exchange)
  return opened.kind === 'json' ? opened.value : undefined
}

type StringsByPlace = ReadonlyMap<string, ReadonlySet<string>>

/** The maximum number of elements, and the depth in each, in which strings are collected. */
const MAX_ELEMENTS_READ = 500
const MAX_DEPTH_IN_ELEMENT = 6

/** Collects the strings in the arrays of a response, each with its places in the elements. */
function collectStrings(exchange: Exchange): StringsByPlace {
  const found = new Map<string, Set<string>>()
  for (const { place: list, elements } of findArrays(jsonValueOf(exchange))) {
    for (const element of elements.slice(0, MAX_ELEMENTS_READ)) {
      walkJson(
        element,
        MAX_DEPTH_IN_ELEMENT,
        () => true,
        (text, place) => {
          if (typeof text !== 'string') return
          const places = found.get(text) ?? new Set()
          found.set(text, places.add(`${toJsonPointer(list)} ${toJsonPointer(place)}`))
        },
      )
    }
  }
  return found
}

/** Returns a text twice: with the plain name, and with the percent-encoded name, replaced by the control name. */
const replaceNameIn = (text: string, name: string, controlName: string): readonly string[] => [
  text.replaceAll(name, controlName),
  text.replaceAll(encodeSegment(name), encodeSegment(controlName)),
]

/**
 * Returns whether the response has strings that the response to the control name lacks at the same place. The requested
 * name itself does not count.
 */
function hasOwnContent(
  strings: StringsByPlace,
  controlStrings: StringsByPlace,
  name: string,
  controlName: string,
): boolean {
  const isShownToo = (text: string, place: string) =>
    [text, ...replaceNameIn(text, name, controlName)].some((one) => controlStrings.get(one)?.has(place))
  return [...strings].some(([text, places]) => [...places].some((place) => !isShownToo(text, place)))
}

/**
 * Returns whether the response contains the requested name at a place where the response to the control name contains
 * neither name.
 */
function hasOwnMention(
  strings: StringsByPlace,
  controlStrings: StringsByPlace,
  name: string,
  controlName: string,
): boolean {
  const echoes = controlStrings.get(controlName) ?? new Set()
  const controlPlaces = controlStrings.get(name) ?? new Set()
  return [...(strings.get(name) ?? [])].some((place) => !echoes.has(place) && !controlPlaces.has(place))
}

/**
 * Creates a test whether the lives of a string can be read, while those of a control name cannot. Numbers at another
 * place, e.g. in an error that is sent with status 200, are not the lives of the control name.
 */
export function createLivesNameTest({ controlName, lives }: RequestTargets, sendOnce: SendRequest): NameTest {
  const placeOf = async (name: string) => {
    const reading = readLives(await sendOnce(createGetRequest(lives(encodeSegment(name)))))
    // The name itself may be a part of the place, as in `{"Tom": 7}`.
    if (reading.kind !== 'count') return undefined
    return toJsonPointer(parseJsonPointer(reading.place).map((key) => (key === name ? INPUT_PLACEHOLDER : key)))
  }
  return async (name) => {
    const place = await placeOf(name)
    return place !== undefined && place !== (await placeOf(controlName()))
  }
}

/**
 * Creates tests whether a string is a name, the most reliable first. Later tests are used if no string passes the
 * first.
 */
export function createNameTests(
  targets: RequestTargets,
  sendOnce: SendRequest,
): Readonly<Record<ElementKind, readonly NameTest[]>> {
  const controlName = targets.controlName()
  const stringsAt = (target: string) => sendOnce(createGetRequest(target)).then(collectStrings)
  const stringsFor = (targetOf: (text: string) => string) => (name: string) =>
    Promise.all([stringsAt(targetOf(name)), stringsAt(targetOf(controlName))])
  const catsOf = stringsFor((name) => targets.catsOf(encodeSegment(name)))
  const search = stringsFor((name) => targets.search(encodeQueryValue(name)))

  const isFound: NameTest = async (name) => hasOwnMention(...(await search(name)), name, controlName)
  const hasCats: NameTest = async (name) => hasOwnContent(...(await catsOf(name)), name, controlName)
  const findsCats: NameTest = async (name) => hasOwnContent(...(await search(name)), name, controlName)
  /** Returns whether the list of a breed is served, even if it is empty, while that of the control name is refused. */
  const hasResource: NameTest = async (name) => {
    const [response, controlResponse] = await Promise.all(
      [name, controlName].map((text) =>
        sendOnce(createGetRequest(targets.catsOf(encodeSegment(text)))).then(interpretResponse),
      ),
    )
    if (controlResponse?.kind !== 'refused') return false
    return response?.kind === 'nothing' || (response?.kind === 'json' && findArrays(response.value).length > 0)
  }
  return {
    cat: targets.hasLives ? [isFound, createLivesNameTest(targets, sendOnce)] : [isFound],
    // Searches come last, because a search for a single letter finds cats, too.
    breed: [hasCats, hasResource, findsCats],
  }
}
