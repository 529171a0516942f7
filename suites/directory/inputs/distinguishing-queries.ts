import { sortNames } from '../readings/names.ts'
import { isAscii, removeAccents, swapCase } from '../shared/text.ts'

const isPlainName = (name: string): boolean => /^[A-Za-z]{4,12}$/.test(name)
const hasSeveralWords = (name: string): boolean => /^[A-Za-z]{3,}( [A-Za-z]{3,})+$/.test(name)

/** Letters within many names, and a digit of other members: a search of these members finds unrelated cats (R8.3). */
const SINGLE_CHARACTERS = [...'aeo9']

/** Creates queries that tell matching rules apart. */
export function createDistinguishingQueries(names: readonly string[]): readonly string[] {
  const inOrder = sortNames(names)
  const [one, other] = inOrder.filter(isPlainName)
  const words = inOrder.find(hasSeveralWords)
  const accented = inOrder.find(
    (name) => !isAscii(name) && /^[A-Za-z]+$/.test(removeAccents(name)) && removeAccents(name) !== name,
  )
  return [
    ...(one === undefined
      ? []
      : [swapCase(one), one.slice(0, 3), one.slice(1), one.slice(0, 1) + one.slice(2), `${one}x`]),
    ...(other === undefined ? [] : [swapCase(other), other.slice(1)]),
    ...(words === undefined ? [] : [words, ...words.split(' '), words.split(' ').toReversed().join(' ')]),
    ...(accented === undefined ? [] : [removeAccents(accented)]),
    ...SINGLE_CHARACTERS,
  ]
}
