import { distinctNames } from '../directory/readings/names.ts'
import { listShape, ofNothing } from './shared/lists.ts'

export const ofBreedCats = [
  listShape('listCatsOfBreed', 'catsOf', async ({ breeds, catsOf }, read) => {
    const [breed] = await distinctNames(breeds, read)
    return breed === undefined ? undefined : catsOf(breed)
  }),
  ofNothing('O-UNKNOWN-BREED', 'listCatsOfBreed', ({ catsOf, controlName }) => catsOf(controlName())),
]
