import type { Pinned } from '../../directory/facts/inferred-shapes.ts'
import { type Place, placeOf } from '../../directory/readings/json.ts'
import { isPinnedBy, type Profile } from './profile.ts'

const lists = {
  cats: 'listCats',
  breeds: 'listBreeds',
  catsOf: 'listCatsOfBreed',
  search: 'searchCats',
} as const satisfies Record<keyof Pinned['shapes'], string>

/** The JSON Pointers of a profile that hold in a version, whatever would be found. */
export function pointersIn(profile: Profile, version: string): Pinned {
  const pinAt = (id: string, operation: string) => profile.pins.findLast(isPinnedBy({ id, operation, version }))
  const shapes: Partial<Record<keyof Pinned['shapes'], { list: Place; name: Place }>> = {}
  const nexts: Partial<Record<keyof Pinned['shapes'], Place>> = {}
  for (const of of Object.keys(lists) as (keyof typeof lists)[]) {
    // the keys of a record of just these
    const { list, name, next } = pinAt('O-LIST-SHAPE', lists[of]) ?? {}
    if (list !== undefined && name !== undefined) shapes[of] = { list: placeOf(list), name: placeOf(name) }
    if (next !== undefined) nexts[of] = placeOf(next)
  }
  const { lives } = pinAt('O-LIVES-SHAPE', 'getLivesLeft') ?? {}
  return { shapes, next: nexts, ...(lives !== undefined && { lives: placeOf(lives) }) }
}
