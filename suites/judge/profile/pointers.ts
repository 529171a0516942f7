import type { Pinned } from '../../directory/facts/inferred-shapes.ts'
import { type ListName, operationsOfLists } from '../../directory/pages/pagers.ts'
import type { PinnedPages } from '../../directory/pages/pinned-pages.ts'
import { type Place, placeOf } from '../../directory/readings/json.ts'
import { isPinnedBy, type Pin, type Profile } from './profile.ts'

/** The JSON Pointers of a profile for a version. */
export function pointersIn(profile: Profile, version: string): Pinned {
  const pinAt = (id: string, operation: string) => profile.pins.findLast(isPinnedBy({ id, operation, version }))
  const shapes: Partial<Record<ListName, { list: Place; name: Place }>> = {}
  const pages: Partial<Record<ListName, PinnedPages>> = {}
  // Object.keys has no type of its own; the record has exactly these keys.
  for (const of of Object.keys(operationsOfLists) as ListName[]) {
    const pin = pinAt('O-LIST-SHAPE', operationsOfLists[of])
    const { list, name } = pin ?? {}
    if (list !== undefined && name !== undefined) shapes[of] = { list: placeOf(list), name: placeOf(name) }
    const pinned = pin && pagesIn(pin)
    if (pinned) pages[of] = pinned
  }
  const { lives } = pinAt('O-LIVES-SHAPE', 'getLivesLeft') ?? {}
  return { shapes, pages, ...(lives !== undefined && { lives: placeOf(lives) }) }
}

function pagesIn({ next, parameter, counts, whole }: Pin): PinnedPages | undefined {
  if (next === undefined && parameter === undefined && whole === undefined) return undefined
  const isPointer = next === '' || next?.startsWith('/')
  return {
    ...(next !== undefined && { next: isPointer ? { place: placeOf(next) } : { field: next } }),
    ...(parameter !== undefined && { parameter }),
    ...(counts !== undefined && { counts }),
    ...(whole === true && { whole }),
  }
}
