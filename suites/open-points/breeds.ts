import { readDistinctNames } from '../directory/readings/names.ts'
import { createListShapeObserver } from './shared/list-shape.ts'
import { createNoMatchObserver } from './shared/lists.ts'

export const breedsObservers = [
  createListShapeObserver('listBreeds', 'breeds', async ({ breeds }) => breeds),
  createListShapeObserver('listCatsOfBreed', 'catsOf', async ({ breeds, catsOf }, read) => {
    const [breed] = await readDistinctNames(breeds, read)
    return breed === undefined ? undefined : catsOf(breed)
  }),
  createNoMatchObserver({ id: 'O-UNKNOWN-BREED', operation: 'listCatsOfBreed' }, ({ catsOf, controlName }) =>
    catsOf(controlName()),
  ),
]
