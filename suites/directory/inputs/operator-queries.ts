import type { Read } from '../../engine/check/readers.ts'
import type { Directory } from '../facts/directory.ts'
import { readDistinctNames, sortNames } from '../readings/names.ts'
import { changeCase, isAscii, removeAccents } from '../shared/text.ts'
import { hasSeveralPlainWords, selectNamesForInputs } from './listed-names.ts'

const isPlainName = (name: string): boolean => /^[A-Za-z]{4,40}$/.test(name)

/** Reads the names of cats that consist of plain words: first those with one word, then those with several. */
export async function readPlainCatNames({ cats }: Directory, read: Read): Promise<readonly string[]> {
  const names = sortNames(selectNamesForInputs(await readDistinctNames(cats, read)))
  return [...names.filter(isPlainName), ...names.filter(hasSeveralPlainWords)]
}

/** A query with operators, e.g. `Fel*`, and a control query without them, e.g. `Fel,`. */
export interface OperatorQuery {
  readonly operators: string
  /** A query in which the operators have their usual meaning, if the search supports them. */
  readonly query: string
  /** The same query with ordinary punctuation in place of the operators. */
  readonly control: string
}

/** Creates a query for each operator from the name of a cat. `other` is the name of another cat, if there is one. */
export function addOperatorsToName(name: string, other: string | undefined): readonly OperatorQuery[] {
  const [half, third] = [name.length >> 1, name.slice(0, 3)]
  const insertInMiddle = (before: string, after: string) =>
    name.slice(0, half) + before + name.slice(half + after.length)
  return [
    { operators: '*', query: `${third}*`, control: `${third},` },
    { operators: '?', query: insertInMiddle('?', '?'), control: insertInMiddle(',', ',') },
    { operators: '"', query: `"${name}"`, control: `,${name},` },
    { operators: '+', query: `+${name}`, control: `,${name}` },
    { operators: '-', query: `-${name}`, control: `,${name}` },
    { operators: '( )', query: `(${name})`, control: `,${name},` },
    ...(other === undefined ? [] : [{ operators: '|', query: `${name}|${other}`, control: `${name},${other}` }]),
  ]
}

/** Creates queries with operators. Whether operators are supported is open, but both versions must agree. */
export async function createOperatorQueries(directory: Directory, read: Read): Promise<readonly string[]> {
  const [one, other] = await readPlainCatNames(directory, read)
  return one === undefined ? [] : addOperatorsToName(one, other).map(({ query }) => query)
}

const isShortPlainName = (name: string): boolean => /^[A-Za-z]{4,12}$/.test(name)
const hasSeveralWords = (name: string): boolean => /^[A-Za-z]{3,}( [A-Za-z]{3,})+$/.test(name)

/**
 * Letters that many names contain, and a digit that occurs in other members, e.g. ids. A search that also matches these
 * members finds unrelated cats (R8.3).
 */
const SINGLE_CHARACTERS = [...'aeo9']

/** Creates queries whose results differ between matching rules, e.g. the start of a name, or a name in another case. */
export function createDistinguishingQueries(names: readonly string[]): readonly string[] {
  const inOrder = sortNames(names)
  const [one, other] = inOrder.filter(isShortPlainName)
  const words = inOrder.find(hasSeveralWords)
  const accented = inOrder.find(
    (name) => !isAscii(name) && /^[A-Za-z]+$/.test(removeAccents(name)) && removeAccents(name) !== name,
  )
  return [
    ...(one === undefined
      ? []
      : [changeCase(one), one.slice(0, 3), one.slice(1), one.slice(0, 1) + one.slice(2), `${one}x`]),
    ...(other === undefined ? [] : [changeCase(other), other.slice(1)]),
    ...(words === undefined ? [] : [words, ...words.split(' '), words.split(' ').toReversed().join(' ')]),
    ...(accented === undefined ? [] : [removeAccents(accented)]),
    ...SINGLE_CHARACTERS,
  ]
}
