import type { VersionTarget } from '../directory/deployment.ts'
import type { Directory } from '../directory/facts/directory.ts'
import { createInputSelector } from '../directory/inputs/input-selector.ts'
import {
  createCauseOfEncodingDefect,
  describeEncodedName,
  drawEncodedNames,
  readNamesForPaths,
} from '../directory/inputs/listed-names.ts'
import { createTestBreedNames, type TestStrings } from '../directory/inputs.ts'
import { describeNonList, describeUnexpectedResponse } from '../directory/readings/describe-non-list.ts'
import type { NameList } from '../directory/readings/list-reading.ts'
import { readDistinctNames, readRequiredList, requireList, requireListOrEmpty } from '../directory/readings/names.ts'
import { describeEncoding, describeEncodingPair, encodeSegment } from '../directory/shared/encodings.ts'
import { findListedName, quoted } from '../directory/shared/text.ts'
import type { Read } from '../engine/check/readers.ts'
import { reportViolation } from '../engine/check/violations.ts'
import { defineCheck, forAll, forEach } from './shared/check.ts'
import { assertServed } from './shared/list-assertions.ts'
import { createListChecks } from './shared/list-checks.ts'
import { createMalformedPathsCheck, createRobustnessCheck } from './shared/robustness.ts'
import { assertSameNames } from './shared/same-names.ts'
import { combineResources, createListedAndUnlistedNameRequests } from './shared/side-effects/experiment-requests.ts'
import { createReadOnlyCheck } from './shared/side-effects/read-only-checks.ts'
import { createSimilarNamesProbe } from './shared/similar-names-first.ts'
import { skipRefusedName, skipUnservedBreed } from './shared/skip-refused.ts'
import { selectBreedsToTest } from './shared/tested-breeds.ts'
import { probeRequestDependenceOfBreedCats } from './shared/time/dependence-probes.ts'
import { stableBreedListsCheck } from './shared/time/stable-names.ts'
import { probeBreedCatListsStayValid } from './shared/time/stays-valid.ts'
import { probeBreedListsStillServed } from './shared/time/still-served.ts'

/**
 * Fails if another spelling of a breed's name, e.g. in lower case, finds other cats than the name itself. Finding no
 * cats is no violation (O-NAME-MATCH).
 */
async function assertCatsOfSameBreed(
  name: string,
  found: NameList,
  breed: string | undefined,
  { catsOf }: Directory,
  read: Read,
): Promise<void> {
  if (breed === undefined) return
  const reading = await read(catsOf(breed))
  const catsOfBreed = requireListOrEmpty(reading)
  // Other checks judge refused requests.
  if (!catsOfBreed || reading.kind === 'refused') return
  assertSameNames(
    { description: `the list of ${quoted(breed)}`, list: catsOfBreed, resource: catsOf(breed) },
    { description: `the list of ${quoted(name)}`, list: found, resource: catsOf(name) },
    `the service treats the breed name ${quoted(name)} as another spelling of ${quoted(breed)}, but their lists differ`,
    { otherNames: [name, ...found.names.filter((cat) => !catsOfBreed.has(cat))] },
  )
}

/** Fails if the list of cats for a name that no breed has is not empty (R12.2). */
async function assertNoCats(name: string, { directory, allowances }: VersionTarget, read: Read): Promise<void> {
  const resource = directory.catsOf(name)
  const [breeds, reading] = await Promise.all([read(directory.breeds), read(resource)])
  if (reading.kind !== 'list' || reading.names.length === 0) return
  const listed = requireList(breeds)
  const { names } = listed
  if (names.includes(name) || allowances.dotsAlone(name)) return
  if (allowances.shownAlias(name, listed)) return
  if (allowances.aliasOf(name, names))
    return assertCatsOfSameBreed(name, reading, findListedName(name, names), directory, read)
  reportViolation({
    expected: 'a 4xx, null or an empty list',
    actual: `the list of cats of ${quoted(name)} contains ${quoted(reading.names[0] ?? '')}${reading.names.length > 1 ? ` and ${reading.names.length - 1} more` : ''}, although no breed has the name ${quoted(name)}`,
    defectKind: `a list of ${reading.names.length}, with ${quoted(reading.names[0] ?? '')}`,
    shownBy: [directory.breeds, resource],
    names: { atFault: reading.names },
    ...(/^\d+$/.test(name) && { inputFixes: [FIX_OF_BREED_BY_NUMBER] }),
  })
}

const FIX_OF_BREED_BY_NUMBER =
  'The service probably looks breeds up by a number too: an index of an array, a row or an id (`breeds[name]`, `WHERE id = ? OR name = ?`). Look them up by name only, or show the number as an id in the list of breeds.'

const createBreedStrings = (target: VersionTarget, read: Read): Promise<TestStrings> =>
  createTestBreedNames(target.directory, target, read, target.directory.version)

const FIX_OF_MISSING_BREED =
  'If the breed has no cats, answer with an empty list and status 200. If it has cats, look it up by the name that the list of breeds shows, not by an id or a slug. If all breeds fail, check the route.'

/**
 * Returns whether a name has a slash although no listed name has one, e.g. `x/../Manx`. A proxy may decode the slash and
 * resolve the path to that of a listed breed (R12.5).
 */
async function isPathOfSeveralSteps(
  name: string,
  { directory: { cats, breeds }, allowances }: VersionTarget,
  read: Read,
): Promise<boolean> {
  return allowances.stepsInPath(
    name,
    ...(await Promise.all([cats, breeds].map((list) => readDistinctNames(list, read)))),
  )
}

const createTestedList = (breed: string, { catsOf }: Directory, descriptionSuffix = '') => ({
  description: `the list of cats of the breed ${quoted(breed)}${descriptionSuffix}`,
  resource: catsOf(breed),
  namesAtFault: [breed],
})

/** Checks of S-CATS-OF-BREED: `GET /v2/breeds/<breed_name>/cats`, same in v3. */
export const breedCatsChecks = [
  ...createListChecks({
    prefix: 'breed-cats',
    operation: 'listCatsOfBreed',
    listStatement: 'S-CATS-OF-BREED',
    nameStatement: 'S-CAT-NAME',
    listDescription: 'the cats of listed breeds',
    element: 'cat',
    requires: ['breeds/is-a-list'],
    inputs: selectBreedsToTest,
    createTestedList: (breed, { directory }) => createTestedList(breed, directory, ` (${directory.version})`),
    strings: createBreedStrings,
    servedCheck: defineCheck({
      id: 'breed-cats/is-served',
      title: 'every listed breed can be requested',
      operation: 'listCatsOfBreed',
      level: 'must',
      statements: ['S-CATS-OF-BREED', 'S-BREED-NAME', 'S-GET'],
      clauses: ['R6.3', 'R6.4', 'R1.1', 'R1.2', 'R1.3', 'R7.3', 'R7.4', 'R7.5', 'R13.4', 'R13.10', 'R14.3'],
      requires: ['breeds/is-a-list'],
      why: 'A client that reads the list of breeds, and then requests the cats of each, gets an error for a listed breed.',
      how: '1. GET the list of breeds. 2. GET the cats of each listed breed by its exact name, percent-encoded. 3. Each of these requests must get a 2xx whose body arrives completely. An empty list is fine, and so is a 204 without a body.',
      fix: 'Decode the name in the path exactly once, as UTF-8, before you look the breed up. Answer a breed without cats with an empty list. Flask: `<path:name>` if names contain slashes; Express 4: `req.params` is already decoded; nginx: `proxy_pass` without a URI part.',
      probesFirst: [
        createSimilarNamesProbe(
          ({ breeds }) => breeds,
          ({ catsOf }) => catsOf,
        ),
      ],
      probes: [
        forEach(selectBreedsToTest, async (breed, { directory, allowances }, read) => {
          const list = {
            ...createTestedList(breed, directory),
            element: 'cat' as const,
            listedBy: directory.breeds,
            fixForOrdinaryInputs: FIX_OF_MISSING_BREED,
          }
          if (!(await readRequiredList(directory.breeds, read)).has(breed)) return
          const reading = await read(list.resource)
          if (allowances.refusedName(reading, breed)) skipRefusedName(breed, reading)
          await assertServed(list, read)
        }),
      ],
    }),
  }),
  defineCheck({
    id: 'breed-cats/equivalent-encodings',
    title: 'equivalent percent-encodings of a breed name return the same cats',
    operation: 'listCatsOfBreed',
    level: 'must',
    statements: ['S-HTTP', 'S-CATS-OF-BREED'],
    statementsIfIntermittent: ['S-CATS-OF-BREED'],
    clauses: ['R14.1', 'R14.2', 'R14.3'],
    requires: ['breed-cats/have-names'],
    why: 'HTTP clients encode names in different ways, and some of them get another list or an error.',
    how: '1. GET the cats of listed breeds, with the name encoded as `encodeURIComponent` does it. 2. GET them again, with the name encoded in three other ways: every octet percent-encoded; hex digits in lower case; only those octets encoded that must be (a plus sign stays a plus sign). 3. All requests for the same breed must list the same cats.',
    fix: 'Decode each percent-encoded octet of the path exactly once, and do not turn plus signs into spaces. Java: not `URLDecoder`, which is for forms; Python: `unquote`, not `unquote_plus`; PHP: `rawurldecode`, not `urldecode`.',
    probes: [
      forEach(
        async (target, read) => {
          const { directory } = target
          const { includes } = await createInputSelector(target, directory, read)
          const names = await readNamesForPaths(directory.breeds, read)
          return drawEncodedNames(names, encodeSegment, target, (encoding) =>
            includes('encodedBreed', encoding, directory.version),
          )
        },
        async ({ name, encoding }, { directory, allowances }, read) => {
          const plain = directory.catsOf(name)
          const encoded = directory.catsOf(name, encoding)
          const [plainReading, reading] = await Promise.all([read(plain), read(encoded)])
          if (allowances.refusedName(reading, name)) skipRefusedName(name, reading)
          skipUnservedBreed(name, plainReading, allowances)
          if (plainReading.kind === 'list' && reading.kind !== 'list')
            reportViolation({
              expected: `the same cats as for the name ${describeEncoding('plain')}`,
              actual: describeUnexpectedResponse(
                `the request for the cats of the breed ${quoted(name)} (${describeEncoding(encoding)})`,
                reading,
                describeNonList(reading),
              ),
              defectKind: describeNonList(reading),
              shownBy: [plain, encoded],
              ...createCauseOfEncodingDefect(encoding),
            })
          assertSameNames(
            { description: 'the first list', list: requireList(plainReading), resource: plain },
            { description: 'the second list', list: requireList(reading), resource: encoded },
            `the cats of the breed ${quoted(name)} (${describeEncodingPair(encoding)})`,
            { otherNames: [name], ...createCauseOfEncodingDefect(encoding) },
          )
        },
        { textOf: describeEncodedName, stringOf: ({ name, encoding }) => encodeSegment(name, encoding) },
      ),
    ],
  }),
  defineCheck({
    id: 'breed-cats/unknown-breeds-have-none',
    title: 'an unlisted breed has no cats',
    operation: 'listCatsOfBreed',
    level: 'must',
    statements: ['S-CATS-OF-BREED', 'S-HTTP'],
    clauses: ['R12.2', 'R12.1', 'R12.3', 'R12.4', 'R12.6', 'R14.4'],
    requires: ['breeds/have-names', 'breed-cats/have-names'],
    explainedBy: ['breed-cats/survives-every-string', 'membership/every-cat-has-a-breed'],
    why: 'A client that misspells a breed gets the cats of another breed without noticing.',
    how: '1. Make names that no breed has: parts of listed names, listed names with a character changed, and generated strings. 2. GET the cats of each such name. 3. The response must be a 4xx, null or an empty list, not a list with cats.',
    fix: 'Compare whole names, decoded once: `=` instead of `LIKE`, a regular expression or a prefix match. Do not fall back to the first breed or to all cats.',
    probes: [
      forAll(
        createBreedStrings,
        (name, { directory }) => [directory.catsOf(name)],
        async (name, target, read) => {
          if (!(await isPathOfSeveralSteps(name, target, read))) await assertNoCats(name, target, read)
        },
      ),
    ],
  }),
  defineCheck({
    id: 'breed-cats/slashes-are-data',
    title: 'an encoded slash in a breed name is data',
    operation: 'listCatsOfBreed',
    level: 'should',
    statements: ['S-CATS-OF-BREED', 'S-HTTP'],
    clauses: ['R12.5'],
    requires: ['breed-cats/have-names'],
    explainedBy: ['breed-cats/unknown-breeds-have-none'],
    why: 'If a proxy decodes the path and resolves `..` before it forwards the request, no client can request a breed whose name contains a slash.',
    how: '1. GET the cats of names with an encoded slash, e.g. `x%2F..%2FManx`. If the slash is decoded too early, this path leads to the listed breed "Manx". 2. The response should be a 4xx, null or an empty list.',
    fix: 'Pass the path on unchanged. nginx: `proxy_pass` without a URI part; Apache: `AllowEncodedSlashes NoDecode` and `nocanon`; Spring: an `HttpFirewall` with encoded slashes allowed.',
    probes: [
      forEach<string>(
        async (target, read) => (await createBreedStrings(target, read)).examples.filter((name) => name.includes('/')),
        async (name, target, read) => {
          if (await isPathOfSeveralSteps(name, target, read)) await assertNoCats(name, target, read)
        },
      ),
    ],
  }),
  createRobustnessCheck({
    id: 'breed-cats/survives-every-string',
    title: 'no breed name causes a 5xx or a dropped connection',
    operation: 'listCatsOfBreed',
    requires: ['breeds/is-a-list'],
    explainedBy: ['breed-cats/is-served'],
    strings: createBreedStrings,
    resource: (directory) => directory.catsOf,
    rawResource: ({ raw }) => raw.catsOf,
  }),
  createMalformedPathsCheck({
    id: 'breed-cats/survives-malformed-paths',
    operation: 'listCatsOfBreed',
    requires: ['breeds/is-a-list'],
    explainedBy: ['breed-cats/is-served', 'breed-cats/survives-every-string'],
    rawResource: ({ raw }) => raw.catsOf,
  }),
  stableBreedListsCheck,
  createReadOnlyCheck({
    id: 'breed-cats/reading-changes-nothing',
    operation: 'listCatsOfBreed',
    requires: ['breed-cats/have-names'],
    explainedBy: ['breed-cats/is-served', 'breed-cats/equivalent-encodings', 'membership/every-cat-has-a-breed'],
    requests: createListedAndUnlistedNameRequests([({ breeds }) => breeds], ({ catsOf }) => catsOf),
    // Observes the lists of breeds' cats last and alone, because observing them sends the requests that this check is
    // about.
    observedLists: [['cats', 'breeds'], ['breedCats']],
    livesRequests: {
      resources: ({ catsOf }, _, breeds) => combineResources(breeds.map((breed) => catsOf(breed))),
      areForBreeds: true,
      unlistedResource: ({ catsOf }) => catsOf,
    },
    furtherProbes: [probeBreedListsStillServed, probeRequestDependenceOfBreedCats, probeBreedCatListsStayValid],
  }),
]
