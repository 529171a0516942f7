import type { Exchange } from '../../engine/http/client/exchange.ts'
import type { NextPageMethod } from './next-page-methods.ts'

/** Query parameters of several references that are sent in one request. Each parameter has one value. */
interface ParameterGroup {
  readonly isServerProvided: boolean
  readonly names: Set<string>
  readonly pairs: string[]
}

const queryPairsOf = (query: string): readonly string[] => query.split('&').filter((pair) => pair !== '')

/** Returns the query parameters that a reference adds to a URL; none if it changes anything else. */
function addedPairs(reference: string, pagePairs: readonly string[]): readonly string[] {
  const all = reference.startsWith('?') ? queryPairsOf(reference.slice(1)) : []
  return pagePairs.every((pair) => all.includes(pair)) ? all.filter((pair) => !pagePairs.includes(pair)) : []
}

const nameOf = (pair: string): string => pair.split('=', 1)[0] ?? ''

/**
 * Combines the suggested references into a few with many parameters each, e.g. `?offset=10&skip=10&page=1`. If a
 * deployment ignores all parameters of the combined request, it ignores each of them.
 * @returns the combined reference for each suggested one
 */
export function combineReferences(
  suggested: readonly { readonly method: NextPageMethod; readonly reference: string }[],
  page: Exchange,
): ReadonlyMap<string, string> {
  const pagePairs = queryPairsOf(new URL(page.url).search.slice(1))
  const groups: ParameterGroup[] = []
  const groupByReference = new Map<string, ParameterGroup>()
  for (const { method, reference } of suggested) {
    const added = addedPairs(reference, pagePairs)
    if (added.length === 0) continue
    const isServerProvided = method.isServerProvided === true
    const fits = (one: ParameterGroup) =>
      one.isServerProvided === isServerProvided && !added.some((pair) => one.names.has(nameOf(pair)))
    const group = groups.find(fits) ?? { isServerProvided, names: new Set(), pairs: [] }
    if (group.pairs.length === 0) groups.push(group)
    for (const pair of added) group.names.add(nameOf(pair))
    group.pairs.push(...added)
    groupByReference.set(reference, group)
  }
  const combined = [...groupByReference].map(
    ([reference, { pairs }]) => [reference, `?${[...pagePairs, ...pairs].join('&')}`] as const,
  )
  return new Map(combined)
}
