import { computeOnce } from '../../engine/memoise.ts'
import { createValueReader, isContainer, type JsonPlace, normaliseKey } from './json.ts'

/**
 * A string or number in an element, apart from its name. `array`: it is in an array, e.g. of tags. `named object`: it
 * is in an object that has a name and is in an array, e.g. in a cat of the breed.
 */
interface ElementText {
  readonly value: string | number
  readonly where: 'object' | 'array' | 'named object'
}

const MAX_DEPTH = 6

function readTexts(value: unknown, where: ElementText['where'] = 'object', depth = 0): readonly ElementText[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ value, where }]
  if (!isContainer(value) || depth === MAX_DEPTH) return []
  const hasOwnName = Object.keys(value).some((key) => normaliseKey(key).endsWith('name'))
  const inside = where === 'array' && hasOwnName ? 'named object' : where
  return Object.values(value).flatMap((member) =>
    readTexts(member, Array.isArray(value) && inside === 'object' ? 'array' : inside, depth + 1),
  )
}

/** Returns whether a link contains a text as a part of its path or query, e.g. `/breeds/17` contains `17`. */
const isInLink = (link: string | number, text: string): boolean =>
  typeof link === 'string' && link.includes('/') && link.split(/[/?#&=]/).includes(text)

/** Returns whether a text is one of the values that are not in an array, or a part of a link. */
const hasText = (texts: readonly ElementText[], text: string): boolean =>
  texts.some(({ value, where }) => (where === 'object' && String(value) === text) || isInLink(value, text))

const hasTextInArray = (texts: readonly ElementText[], text: string): boolean =>
  texts.some(({ value, where }) => where === 'array' && String(value) === text)

/** Creates the lookups of texts in the elements of a list; `NameList` describes them. `place` is that of the names. */
export function createElementTextLookup(elements: readonly unknown[], place: JsonPlace) {
  const nameOf = createValueReader(place)
  const names = elements.map(nameOf)
  const textsByElement = computeOnce(() =>
    elements.map((element, nth) => readTexts(element).filter(({ value }) => value !== names[nth])),
  )
  const stringsAt = (nth: number) =>
    textsByElement()
      [nth]?.map(({ value }) => value)
      .filter((value) => typeof value === 'string') ?? []
  return {
    hasElementWithText: (text: string) =>
      names.includes(text) ||
      textsByElement().some((texts) => hasText(texts, text)) ||
      // A text in an array, e.g. a tag, identifies the breed only if no other element has it.
      textsByElement().filter((texts) => hasTextInArray(texts, text)).length === 1,
    otherStringsOf: (name: string) => names.flatMap((one, nth) => (one === name ? stringsAt(nth) : [])),
  }
}
