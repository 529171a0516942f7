import { createListChecks } from './shared/list-checks.ts'
import { createReadOnlyCheck } from './shared/side-effects/read-only-checks.ts'
import { probeRequestDependenceOfBreedList } from './shared/time/dependence-probes.ts'
import { probeIntermittentBreeds } from './shared/time/intermittent-facts.ts'
import { createStableNamesCheck } from './shared/time/stable-names.ts'
import { probeBreedListStaysValid } from './shared/time/stays-valid.ts'
import { createListStillServedProbe } from './shared/time/still-served.ts'

/** Checks of S-LIST-BREEDS: `GET /v2/breeds`, `GET /v3/breeds`. */
export const breedsChecks = [
  ...createListChecks({
    prefix: 'breeds',
    operation: 'listBreeds',
    listStatement: 'S-LIST-BREEDS',
    nameStatement: 'S-BREED-NAME',
    listDescription: 'the list of all breeds',
    element: 'breed',
    requires: ['versions/side-by-side'],
    createTestedList: (_, { directory }) => ({
      description: `the list of all breeds (${directory.version})`,
      resource: directory.breeds,
    }),
  }),
  createStableNamesCheck({
    id: 'breeds/do-not-come-and-go',
    operation: 'listBreeds',
    element: 'breed',
    listStatement: 'S-LIST-BREEDS',
    requires: ['breeds/is-a-list'],
    listOf: ({ breeds }) => breeds,
    namesShownBy: (breed, { length }) => (length > 0 ? [breed] : []),
    probeIntermittentNames: probeIntermittentBreeds,
  }),
  createReadOnlyCheck({
    id: 'breeds/reading-changes-nothing',
    operation: 'listBreeds',
    requires: ['breeds/is-a-list'],
    requests: [async ({ breeds }) => breeds],
    ownList: ({ breeds }) => breeds,
    observedLists: [['cats', 'breedCats']],
    livesRequests: { resources: ({ breeds }) => [breeds] },
    furtherProbes: [
      createListStillServedProbe(
        ({ breeds }) => breeds,
        ({ catsOf }, name) => catsOf(name),
      ),
      probeRequestDependenceOfBreedList,
      probeBreedListStaysValid,
    ],
  }),
]
