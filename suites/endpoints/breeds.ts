import { listPromises } from './lists.ts'

/** S-LIST-BREEDS. "`GET /v2/breeds`, `GET /v3/breeds`: the list of all breeds." */
export const breeds = listPromises({
  room: 'breeds',
  operation: 'listBreeds',
  shown: 'S-LIST-BREEDS',
  named: 'S-BREED-NAME',
  list: 'the list of all breeds',
  element: 'breed',
  requires: ['versions/side-by-side'],
  inputs: async () => [''],
  listing: (_, { here }) => ({ of: `the list of all breeds (${here.version})`, subject: here.breeds }),
})
