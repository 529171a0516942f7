import { finder, firstMissing, heldOnce, isSameList, shownBreeds } from './index-of-names.ts'
import type { ListReading, Named } from './list-reading.ts'

/** Joins the pages of a list. */
export function together(pages: readonly Named[]): Named {
  const [first, ...others] = pages
  if (first && others.length === 0) return first
  const names = heldOnce(pages.flatMap((page) => page.names))
  const beside = pages.flatMap((page) => page.beside ?? [])
  const shown = pages.flatMap((page) => page.names.map((_, place) => page.breedOf.inOrder[place]))
  return {
    kind: 'list',
    names,
    size: pages.reduce((sum, page) => sum + page.size, 0),
    pages: pages.length,
    has: finder(names),
    nameless: pages.find((page) => page.nameless !== undefined)?.nameless,
    breedOf: shownBreeds(names, shown),
    shows: (text) => pages.some((page) => page.shows?.(text)),
    shownWith: (name) => pages.flatMap((page) => page.shownWith?.(name) ?? []),
    ...(beside.length > 0 && { beside }),
    ...(first?.alsoCalled && { alsoCalled: (name) => pages.flatMap((page) => page.alsoCalled?.(name) ?? []) }),
  }
}

/** The list without some names. */
export function without(list: Named, names: ReadonlySet<string>): Named {
  const left = list.names.filter((name) => !names.has(name))
  if (left.length === list.names.length) return list
  const shown = list.breedOf.inOrder.filter((_, place) => !names.has(list.names[place] ?? ''))
  return { ...list, names: left, size: left.length, has: finder(left), breedOf: shownBreeds(left, shown) }
}

/** Returns whether two readings have the same names and breeds, in any order. */
export function isSameReading(one: ListReading, other: ListReading): boolean {
  if (one.kind === 'failed' && other.kind === 'failed') return (one.status ?? 'fault') === (other.status ?? 'fault')
  if (one.kind !== 'list' || other.kind !== 'list') return one.kind === other.kind
  if ((one.nameless === undefined) !== (other.nameless === undefined)) return false
  if (isSameList(one.names, other.names) && isSameList(one.breedOf.inOrder, other.breedOf.inOrder)) return true
  if (firstMissing(other.names, one.names) !== undefined) return false
  return isSameList(one.names.toSorted(), other.names.toSorted()) && isSameList(pairsOf(one), pairsOf(other))
}

const pairsOf = ({ breedOf }: Named): readonly string[] => [...breedOf].map((pair) => pair.join('\n')).sort()
