import type { PinnedPlaces } from '../../directory/facts/inferred-shapes.ts'
import { type ListKind, operationIdByList } from '../../directory/pages/pager.ts'
import type { PinnedPaging } from '../../directory/pages/pinned-pages.ts'
import { type JsonPlace, parseJsonPointer } from '../../directory/readings/json.ts'
import { createPinFilter, type Pin, type Profile } from './profile.ts'

/** Returns the places that the profile pins for one version: of lists, names, next pages and the count of lives. */
export function pinnedPointersOf(profile: Profile, version: string): PinnedPlaces {
  const pinAt = (id: string, operation: string) => profile.pins.findLast(createPinFilter({ id, operation, version }))
  const shapes: Partial<Record<ListKind, { list: JsonPlace; name: JsonPlace }>> = {}
  const pages: Partial<Record<ListKind, PinnedPaging>> = {}
  for (const listKind of Object.keys(operationIdByList) as ListKind[]) {
    const pin = pinAt('O-LIST-SHAPE', operationIdByList[listKind])
    const { list, name } = pin ?? {}
    if (list !== undefined && name !== undefined)
      shapes[listKind] = { list: parseJsonPointer(list), name: parseJsonPointer(name) }
    const pinned = pin && pinnedPagesOf(pin)
    if (pinned) pages[listKind] = pinned
  }
  const { lives } = pinAt('O-LIVES-SHAPE', 'getLivesLeft') ?? {}
  return { shapes, pages, ...(lives !== undefined && { lives: parseJsonPointer(lives) }) }
}

/** Returns how to find the next page of a list according to its pin; undefined if the pin does not say it. */
function pinnedPagesOf({ next, parameter, counts, whole }: Pin): PinnedPaging | undefined {
  if (next === undefined && parameter === undefined && whole === undefined) return undefined
  const isPointer = next === '' || next?.startsWith('/')
  return {
    ...(next !== undefined && { next: isPointer ? { place: parseJsonPointer(next) } : { field: next } }),
    ...(parameter !== undefined && { parameter }),
    ...(counts !== undefined && { counts }),
    ...(whole === true && { hasOnePage: whole }),
  }
}
