import { isSameList } from '../directory/readings/index-of-names.ts'
import { namesIn } from '../directory/readings/names.ts'
import { listShape, media } from './shared/lists.ts'
import { observePair } from './shared/observe.ts'

/** Returns whether the common names of two lists have the same order; added or removed cats do not matter. */
function isInOrder(names: readonly string[], others: readonly string[]): boolean {
  if (isSameList(names, others)) return true
  const [first, second] = [new Set(names), new Set(others)]
  const common = [...second].filter((name) => first.has(name))
  return [...first].filter((name) => second.has(name)).every((name, i) => name === common[i])
}

export const ofCats = [
  listShape('listCats', 'cats', async ({ cats }) => cats),
  media('listCats', async ({ cats }) => cats),
  observePair('O-ORDER', 'listCats', async ({ target: { older, newer, watch }, read, fresh }) => {
    const lists = [older.cats, newer.cats]
    const anew = fresh()
    const readAgain = (list: typeof older.cats) => (watch.keptItsOrder(list) ? read(list) : anew.read(list))
    const [one, other, ...again] = (await Promise.all([...lists.map(read), ...lists.map(readAgain)])).map(namesIn)
    if (!one || !other || one.length < 2 || other.length < 2) return undefined
    const isStable = again.every((names, i) => isInOrder(names, i === 0 ? one : other))
    const between = isInOrder(one, other) ? 'equal in both versions' : 'differs between the versions'
    return { value: isStable ? `stable, ${between}` : 'varies', shownBy: lists }
  }),
]
