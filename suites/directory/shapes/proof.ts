import type { Asker } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { readLives } from '../lives/lives-reading.ts'
import { arraysIn, type Kind } from '../readings/candidates.ts'
import { pointer, walk } from '../readings/json.ts'
import { openAnswer } from '../readings/list-reading.ts'
import { asQueryValue, asSegment } from '../shared/encodings.ts'
import { get, type Targets } from '../shared/targets.ts'

/** Returns whether a string leads somewhere while the control name does not. */
export type Works = (name: string) => Promise<boolean>

/** Returns whether one of several ways proves it. */
export async function anyProves(ways: readonly Works[], name: string): Promise<boolean> {
  for (const works of ways) if (await works(name)) return true
  return false
}

export const valueOf = (exchange: Exchange): unknown => {
  const opened = openAnswer(exchange)
  return opened.kind === 'json' ? opened.value : undefined
}

type Strings = ReadonlyMap<string, ReadonlySet<string>>

/** The strings in the arrays of a response, each with its place in an element; of a large response the first ones. */
function stringsIn(exchange: Exchange): Strings {
  const found = new Map<string, Set<string>>()
  for (const { place: list, elements } of arraysIn(valueOf(exchange))) {
    for (const element of elements.slice(0, 500)) {
      walk(
        element,
        6,
        () => true,
        (text, place) => {
          if (typeof text !== 'string') return
          const places = found.get(text) ?? new Set()
          found.set(text, places.add(`${pointer(list)} ${pointer(place)}`))
        },
      )
    }
  }
  return found
}

/** The text with another requested name in it. */
const inItsPlace = (text: string, name: string, unknown: string): readonly string[] => [
  text.replaceAll(name, unknown),
  text.replaceAll(asSegment(name), asSegment(unknown)),
]

/**
 * Returns whether a list shows something that the control does not show at the same place, neither literally nor as an
 * echo of the requested name.
 */
function isFilled(here: Strings, always: Strings, name: string, unknown: string): boolean {
  const isShownToo = (text: string, place: string) =>
    [text, ...inItsPlace(text, name, unknown)].some((one) => always.get(one)?.has(place))
  return [...here].some(([text, places]) => [...places].some((place) => !isShownToo(text, place)))
}

/** Returns whether a list shows a string at a place where the control shows neither that string nor its own. */
function isMentioned(here: Strings, always: Strings, name: string, unknown: string): boolean {
  const echoes = always.get(unknown) ?? new Set()
  const constant = always.get(name) ?? new Set()
  return [...(here.get(name) ?? [])].some((place) => !echoes.has(place) && !constant.has(place))
}

/** Returns whether a string identifies a cat in the path of lives_left (S-CAT-NAME) while the control name does not. */
export function hasLives({ controlName, lives }: Targets, recall: Asker): Works {
  const kindOf = async (name: string) => readLives(await recall(get(lives(asSegment(name))))).kind
  return async (name) => (await kindOf(name)) === 'count' && (await kindOf(controlName())) !== 'count'
}

/**
 * Ways to prove that a string is a name, the surest first: each is used if the ones before it prove nothing.
 * @param recall sends each request once
 */
export function proofs(targets: Targets, recall: Asker): Readonly<Record<Kind, readonly Works[]>> {
  const unknown = targets.controlName()
  const stringsAt = (target: string) => recall(get(target)).then(stringsIn)
  const asked = (targetOf: (text: string) => string) => (name: string) =>
    Promise.all([stringsAt(targetOf(name)), stringsAt(targetOf(unknown))])
  const catsOf = asked((name) => targets.catsOf(asSegment(name)))
  const search = asked((name) => targets.search(asQueryValue(name)))

  const isFound: Works = async (name) => isMentioned(...(await search(name)), name, unknown)
  const hasCats: Works = async (name) => isFilled(...(await catsOf(name)), name, unknown)
  const findsCats: Works = async (name) => isFilled(...(await search(name)), name, unknown)
  /** A breed without cats has an empty list or no content, while the control name is refused. */
  const isThere: Works = async (name) => {
    const [here, never] = await Promise.all(
      [name, unknown].map((text) => recall(get(targets.catsOf(asSegment(text)))).then(openAnswer)),
    )
    if (never?.kind !== 'refused') return false
    return here?.kind === 'nothing' || (here?.kind === 'json' && arraysIn(here.value).length > 0)
  }
  return {
    cat: targets.hasLives ? [isFound, hasLives(targets, recall)] : [isFound],
    // A search for an initial finds cats too.
    breed: [hasCats, isThere, findsCats],
  }
}
