import type { ListReading, NameList } from './list-reading.ts'
import {
  areEqualLists,
  createNameLookup,
  createShownBreeds,
  findFirstMissingName,
  reuseEqualList,
} from './name-index.ts'

/** Joins the pages of a list into one list. */
export function joinPages(pages: readonly NameList[]): NameList {
  const [first, ...others] = pages
  if (first && others.length === 0) return first
  const names = reuseEqualList(pages.flatMap((page) => page.names))
  const haveSameSize = pages.every(({ size }, place) => size === first?.size || place === pages.length - 1)
  const namesInOtherArrays = pages.flatMap((page) => page.namesInOtherArrays ?? [])
  const pinnablePlaces = pages.find((page) => page.pinnablePlaces)?.pinnablePlaces
  const shownBreeds = pages.flatMap((page) => page.names.map((_, place) => page.breedOf.byIndex[place]))
  return {
    kind: 'list',
    names,
    size: pages.reduce((sum, page) => sum + page.size, 0),
    pages: pages.length,
    ...(first && haveSameSize && { pageSize: first.size }),
    has: createNameLookup(names),
    namelessElement: pages.find((page) => page.namelessElement !== undefined)?.namelessElement,
    breedOf: createShownBreeds(names, shownBreeds),
    hasElementWithText: (text) => pages.some((page) => page.hasElementWithText?.(text)),
    otherStringsOf: (name) => pages.flatMap((page) => page.otherStringsOf?.(name) ?? []),
    ...(namesInOtherArrays.length > 0 && { namesInOtherArrays }),
    ...(pinnablePlaces && { pinnablePlaces }),
    ...(first?.otherNamesOf && { otherNamesOf: (name) => pages.flatMap((page) => page.otherNamesOf?.(name) ?? []) }),
  }
}

/** Returns the list without some names; the same list if it has none of them. */
export function removeNames(list: NameList, names: ReadonlySet<string>): NameList {
  const left = list.names.filter((name) => !names.has(name))
  if (left.length === list.names.length) return list
  const shownBreeds = list.breedOf.byIndex.filter((_, place) => !names.has(list.names[place] ?? ''))
  return {
    ...list,
    names: left,
    size: left.length,
    has: createNameLookup(left),
    breedOf: createShownBreeds(left, shownBreeds),
  }
}

/**
 * Returns whether two readings have the same names and breeds in any order. Readings without a list are equal if they
 * are of the same kind, e.g. refused; failed ones also need the same status.
 */
export function areEqualListReadings(one: ListReading, other: ListReading): boolean {
  if (one.kind === 'failed' && other.kind === 'failed') return (one.status ?? 'fault') === (other.status ?? 'fault')
  if (one.kind !== 'list' || other.kind !== 'list') return one.kind === other.kind
  if ((one.namelessElement === undefined) !== (other.namelessElement === undefined)) return false
  if (areEqualLists(one.names, other.names) && areEqualLists(one.breedOf.byIndex, other.breedOf.byIndex)) return true
  if (findFirstMissingName(other.names, one.names) !== undefined) return false
  return (
    areEqualLists(one.names.toSorted(), other.names.toSorted()) &&
    areEqualLists(catBreedPairsOf(one), catBreedPairsOf(other))
  )
}

const catBreedPairsOf = ({ breedOf }: NameList): readonly string[] => [...breedOf].map((pair) => pair.join('\n')).sort()
