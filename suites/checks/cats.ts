import { listPromises } from './shared/list-promises.ts'
import { doNotComeAndGo } from './shared/time/come-and-go.ts'
import { readingTheListChangesNothing } from './shared/time/read-only.ts'

/** Checks of S-LIST-CATS: `GET /v2/cats`, `GET /v3/cats`. */
export const cats = [
  ...listPromises({
    prefix: 'cats',
    operation: 'listCats',
    shown: 'S-LIST-CATS',
    named: 'S-CAT-NAME',
    list: 'the list of all cats',
    element: 'cat',
    requires: ['versions/side-by-side'],
    listing: (_, { directory }) => ({ of: `the list of all cats (${directory.version})`, subject: directory.cats }),
  }),
  doNotComeAndGo({
    id: 'cats/do-not-come-and-go',
    operation: 'listCats',
    element: 'cat',
    shown: 'S-LIST-CATS',
    requires: ['cats/is-a-list'],
    listOf: ({ cats }) => cats,
    standIn: (_, cats) => cats,
  }),
  readingTheListChangesNothing({
    id: 'cats/reading-changes-nothing',
    operation: 'listCats',
    requires: ['cats/is-a-list'],
    listOf: ({ cats }) => cats,
    elsewhere: ({ search }, name) => search(name),
  }),
]
