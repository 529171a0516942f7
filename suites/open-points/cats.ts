import { areEqualLists } from '../directory/readings/name-index.ts'
import { namesOfReading } from '../directory/readings/names.ts'
import { createListShapeObserver, createMediaTypeObserver } from './shared/lists.ts'
import { createVersionPairObserver } from './shared/observe.ts'

/**
 * Returns whether two lists have the same order. Only names in both lists are compared, so that added and removed cats
 * have no effect.
 */
function haveSameOrder(names: readonly string[], others: readonly string[]): boolean {
  if (areEqualLists(names, others)) return true
  const [first, second] = [new Set(names), new Set(others)]
  const common = [...second].filter((name) => first.has(name))
  return [...first].filter((name) => second.has(name)).every((name, i) => name === common[i])
}

export const catsObservers = [
  createListShapeObserver('listCats', 'cats', async ({ cats }) => cats),
  createMediaTypeObserver('listCats', async ({ cats }) => cats),
  createVersionPairObserver(
    'O-ORDER',
    'listCats',
    async ({ target: { older, newer, changeMonitor }, read, createFreshReader }) => {
      const lists = [older.cats, newer.cats]
      const freshReader = createFreshReader()
      const readAgain = (list: typeof older.cats) =>
        changeMonitor.hasKeptOrder(list) ? read(list) : freshReader.read(list)
      const [one, other, ...rereadings] = (await Promise.all([...lists.map(read), ...lists.map(readAgain)])).map(
        namesOfReading,
      )
      if (!one || !other || one.length < 2 || other.length < 2) return undefined
      const isStable = rereadings.every((names, i) => haveSameOrder(names, i === 0 ? one : other))
      const between = haveSameOrder(one, other) ? 'equal in both versions' : 'differs between the versions'
      return { value: isStable ? `stable, ${between}` : 'varies', shownBy: lists }
    },
  ),
]
