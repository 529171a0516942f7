import { createListChecks } from './shared/list-checks.ts'
import { createReadOnlyCheck, probeCatsRemain } from './shared/side-effects/read-only-checks.ts'
import { probeHeadOfNewUrl, probeRequestDependenceOfCatList } from './shared/time/dependence-probes.ts'
import { probeIntermittentCats } from './shared/time/intermittent-facts.ts'
import { createStableNamesCheck } from './shared/time/stable-names.ts'
import { probeCatListStaysValid } from './shared/time/stays-valid.ts'
import { createListStillServedProbe } from './shared/time/still-served.ts'

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
    probeIntermittentNames: probeIntermittentCats,
  }),
  createReadOnlyCheck({
    id: 'cats/reading-changes-nothing',
    operation: 'listCats',
    requires: ['cats/is-a-list'],
    requests: [async ({ cats }) => cats],
    ownList: ({ cats }) => cats,
    observedLists: [['breeds', 'breedCats']],
    livesRequests: { resources: ({ cats }) => [cats] },
    furtherProbes: [
      createListStillServedProbe(
        ({ cats }) => cats,
        ({ search }, name) => search(name),
      ),
      probeRequestDependenceOfCatList,
      probeHeadOfNewUrl,
      probeCatListStaysValid,
      probeCatsRemain,
    ],
  }),
]
