import { createVersionPairTarget, type Deployment } from '../directory/deployment.ts'
import { areEqualLists } from '../directory/readings/name-index.ts'
import { namesOfReading } from '../directory/readings/names.ts'
import { scopeSelectors } from '../directory/shared/versions.ts'
import type { OpenPointObserver } from '../engine/run/plan.ts'
import { createListShapeObserver } from './shared/list-shape.ts'
import { createMediaTypeObserver } from './shared/lists.ts'

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

/** Observes whether the order of cats is stable, and equal in both versions (O-ORDER). */
const orderObserver: OpenPointObserver<Deployment> = {
  id: 'O-ORDER',
  operation: 'listCats',
  scopes: scopeSelectors.pairs('listCats'),
  async observe({ target, scope, read, createFreshReader }) {
    const { older, newer, changeMonitor } = createVersionPairTarget(target, scope)
    const lists = [older.cats, newer.cats]
    const freshReader = createFreshReader()
    const readAgain = (list: typeof older.cats) =>
      changeMonitor.hasKeptOrder(list) ? read(list) : freshReader.read(list)
    const readings = await Promise.all([...lists.map(read), ...lists.map(readAgain)])
    const [one, other, ...rereadings] = readings.map(namesOfReading)
    if (!one || !other || one.length < 2 || other.length < 2) return undefined
    const isStable = rereadings.every((names, i) => haveSameOrder(names, i === 0 ? one : other))
    const between = haveSameOrder(one, other) ? 'equal in both versions' : 'differs between the versions'
    return { value: isStable ? `stable, ${between}` : 'varies', shownBy: lists }
  },
}

export const catsObservers = [
  createListShapeObserver('listCats', 'cats', async ({ cats }) => cats),
  createMediaTypeObserver('listCats', async ({ cats }) => cats),
  orderObserver,
]
