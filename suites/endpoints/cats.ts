import { listPromises } from './lists.ts'

/** S-LIST-CATS. "`GET /v2/cats`, `GET /v3/cats`: the list of all cats." */
export const cats = listPromises({
  room: 'cats',
  operation: 'listCats',
  shown: 'S-LIST-CATS',
  named: 'S-CAT-NAME',
  list: 'the list of all cats',
  element: 'cat',
  requires: ['versions/side-by-side'],
  inputs: async () => [''],
  listing: (_, { here }) => ({ of: `the list of all cats (${here.version})`, subject: here.cats }),
})
