import { foldText } from '../../../directory/shared/text.ts'

const wordsOf = (name: string): readonly string[] => foldText(name).match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Functions that return a part of a name, e.g. its first word, which a cache may take for the whole name. The longest
 * part comes first.
 */
const NAME_PARTS: readonly ((name: string) => string | undefined)[] = [
  foldText,
  (name) => wordsOf(name)[0],
  (name) => wordsOf(name).at(-1),
]

type NamePair = readonly [name: string, other: string]

/** Returns, for each of `NAME_PARTS`, the pairs of names that have this part in common, e.g. the same first word. */
export const selectSimilarNamePairs = (names: readonly string[]): readonly (readonly NamePair[])[] =>
  NAME_PARTS.map((partOf) => {
    const known = new Map<string, string>()
    return names.flatMap((name): readonly NamePair[] => {
      const part = partOf(name) ?? name
      const other = known.get(part)
      known.set(part, name)
      return other === undefined || other === name ? [] : [[name, other]]
    })
  })

const MAX_SIMILAR = 4

/**
 * Selects names that a cache with an incomplete key may confuse with the given name: similar names first, then any
 * others.
 */
export function selectSimilarNames(name: string, names: readonly string[]): readonly string[] {
  const others = names.filter((one) => one !== name)
  const similar = NAME_PARTS.flatMap((partOf) => others.filter((one) => partOf(one) === partOf(name)))
  return [...new Set([...similar.slice(0, MAX_SIMILAR - 1), ...others])].slice(0, MAX_SIMILAR)
}
