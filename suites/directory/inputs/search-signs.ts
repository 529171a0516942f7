import type { Read } from '../../engine/check/readers.ts'
import type { Directory } from '../facts/directory.ts'
import { distinctNames, sorted } from '../readings/names.ts'
import { isOfPlainWords, someOfMany } from './own-names.ts'

const isPlain = (name: string): boolean => /^[A-Za-z]{4,40}$/.test(name)

/** Cats with plain names, single words first. */
export async function plainCats({ cats }: Directory, read: Read): Promise<readonly string[]> {
  const names = sorted(someOfMany(await distinctNames(cats, read)))
  return [...names.filter(isPlain), ...names.filter(isOfPlainWords)]
}

export interface Sign {
  readonly signs: string
  /** A query in which the signs would have their meaning. */
  readonly query: string
  /** The same query with a sign without meaning. */
  readonly control: string
}

/** Signs as query languages for people use them, on listed names. */
export function signsOn(one: string, other: string | undefined): readonly Sign[] {
  const [half, third] = [one.length >> 1, one.slice(0, 3)]
  const around = (before: string, after: string) => one.slice(0, half) + before + one.slice(half + after.length)
  return [
    { signs: '*', query: `${third}*`, control: `${third},` },
    { signs: '?', query: around('?', '?'), control: around(',', ',') },
    { signs: '"', query: `"${one}"`, control: `,${one},` },
    { signs: '+', query: `+${one}`, control: `,${one}` },
    { signs: '-', query: `-${one}`, control: `,${one}` },
    { signs: '( )', query: `(${one})`, control: `,${one},` },
    ...(other === undefined ? [] : [{ signs: '|', query: `${one}|${other}`, control: `${one},${other}` }]),
  ]
}

/**
 * Queries with signs that are sent anyway: whether signs have a meaning is open, and must be equal in both versions.
 */
export async function queriesWithSigns(directory: Directory, read: Read): Promise<readonly string[]> {
  const [one, other] = await plainCats(directory, read)
  return one === undefined ? [] : signsOn(one, other).map(({ query }) => query)
}
