import { createListChecks } from './shared/list-checks.ts'
import { createWholeListReadOnlyCheck } from './shared/side-effects/read-only.ts'
import { probeCatsShownAtTimes } from './shared/time/shown-at-times.ts'
import { createStableNamesCheck } from './shared/time/stable-names.ts'

/** Checks of S-LIST-CATS: `GET /v2/cats`, `GET /v3/cats`. */
export const catsChecks = [
  ...createListChecks({
    prefix: 'cats',
    operation: 'listCats',
    listStatement: 'S-LIST-CATS',
    nameStatement: 'S-CAT-NAME',
    listDescription: 'the list of all cats',
    element: 'cat',
    requires: ['versions/side-by-side'],
    createTestedList: (_, { directory }) => ({
      description: `the list of all cats (${directory.version})`,
      resource: directory.cats,
    }),
  }),
  createStableNamesCheck({
    id: 'cats/do-not-come-and-go',
    operation: 'listCats',
    element: 'cat',
    listStatement: 'S-LIST-CATS',
    requires: ['cats/is-a-list'],
    listOf: ({ cats }) => cats,
    namesShownBy: (_, cats) => cats,
    probeNamesShownAtTimes: probeCatsShownAtTimes,
  }),
  createWholeListReadOnlyCheck({
    id: 'cats/reading-changes-nothing',
    operation: 'listCats',
    requires: ['cats/is-a-list'],
    listOf: ({ cats }) => cats,
    listThatShows: ({ search }, name) => search(name),
  }),
]
