import { distinctNames } from '../vocabulary/reading/names.ts'
import { unheardOf } from '../vocabulary/unheard-of.ts'
import { listShape, ofNothing } from './kit/lists.ts'

export const ofBreedCats = [
  listShape('listCatsOfBreed', 'catsOf', async ({ breeds, catsOf }, read) => {
    const [breed] = await distinctNames(breeds, read)
    return breed === undefined ? undefined : catsOf(breed)
  }),
  ofNothing('O-UNKNOWN-BREED', 'listCatsOfBreed', ({ catsOf, version }) => catsOf(unheardOf(0, version))),
]
