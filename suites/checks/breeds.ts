import { listPromises } from './shared/list-promises.ts'
import { doNotComeAndGo } from './shared/time/come-and-go.ts'
import { readingTheListChangesNothing } from './shared/time/read-only.ts'

/** Checks of S-LIST-BREEDS: `GET /v2/breeds`, `GET /v3/breeds`. */
export const breeds = [
  ...listPromises({
    prefix: 'breeds',
    operation: 'listBreeds',
    shown: 'S-LIST-BREEDS',
    named: 'S-BREED-NAME',
    list: 'the list of all breeds',
    element: 'breed',
    requires: ['versions/side-by-side'],
    listing: (_, { directory }) => ({ of: `the list of all breeds (${directory.version})`, subject: directory.breeds }),
  }),
  doNotComeAndGo({
    id: 'breeds/do-not-come-and-go',
    operation: 'listBreeds',
    element: 'breed',
    shown: 'S-LIST-BREEDS',
    requires: ['breeds/is-a-list'],
    listOf: ({ breeds }) => breeds,
    standIn: (breed, { length }) => (length > 0 ? [breed] : []),
  }),
  readingTheListChangesNothing({
    id: 'breeds/reading-changes-nothing',
    operation: 'listBreeds',
    requires: ['breeds/is-a-list'],
    listOf: ({ breeds }) => breeds,
    elsewhere: ({ catsOf }, name) => catsOf(name),
  }),
]
