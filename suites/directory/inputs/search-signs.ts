import type { Read } from '../../engine/check/readers.ts'
import type { Directory } from '../facts/directory.ts'
import { distinctNames, sorted } from '../readings/names.ts'
import { isOfPlainWords, someOfMany } from './own-names.ts'

const isPlain = (name: string): boolean => /^[A-Za-z]{4,40}$/.test(name)

/** Cats of plain names, those of one word first. */
export async function plainCats({ cats }: Directory, read: Read): Promise<readonly string[]> {
  const names = sorted(someOfMany(await distinctNames(cats, read)))
  return [...names.filter(isPlain), ...names.filter(isOfPlainWords)]
}

export interface Sign {
  readonly signs: string
  /** A query in which the signs mean something, if they mean anything. */
  readonly query: string
  /** The same with a sign that means nothing to anyone. */
  readonly control: string
}

/** How query languages that people are offered use signs, on listed names. */
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

/** Signs in a query, as far as they are asked anyway: whether they mean something is open, and the same in both versions. */
export async function queriesWithSigns(directory: Directory, read: Read): Promise<readonly string[]> {
  const [one, other] = await plainCats(directory, read)
  return one === undefined ? [] : signsOn(one, other).map(({ query }) => query)
}
