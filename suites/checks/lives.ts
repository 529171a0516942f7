import type { VersionTarget } from '../directory/deployment.ts'
import { encodeMiddleLetter, isNumber } from '../directory/inputs/alterations.ts'
import {
  createCauseOfEncodingDefect,
  describeEncodedName,
  limitInputsForQuickEffort,
  readNamesForPaths,
} from '../directory/inputs/listed-names.ts'
import { createTestCatNames, type TestStrings } from '../directory/inputs.ts'
import { describeMissingCount } from '../directory/lives/lives-reading.ts'
import { describeUnexpectedResponse } from '../directory/readings/describe-non-list.ts'
import { requireList } from '../directory/readings/names.ts'
import { describeEncoding, encodeSegment } from '../directory/shared/encodings.ts'
import { quoted } from '../directory/shared/text.ts'
import type { Read } from '../engine/check/readers.ts'
import { reportViolation } from '../engine/check/violations.ts'
import { addControlNameToInputs } from './shared/add-control-name.ts'
import { defineCheck, defineCheckWithoutOperation, forAll, forEach } from './shared/check.ts'
import { createCauseOfKnownMistake, requireJsonInAnyOperation } from './shared/list-assertions.ts'
import {
  assertJsonForUnlistedCat,
  assertLivesAreCount,
  assertUsualCountPlace,
  judgeLivesIfListed,
} from './shared/lives/lives-assertions.ts'
import { createLivesOfRequestedCatCheck } from './shared/lives/lives-owner.ts'
import {
  selectCatsForVersionWithoutLives,
  selectCatsToTest,
  selectEncodedCatForVersionWithoutLives,
  selectEncodedCats,
} from './shared/lives/tested-cats.ts'
import { assertNoLives, requestLivesInBothVersions } from './shared/lives/version-without-lives.ts'
import { createMalformedPathsCheck, createRobustnessCheck } from './shared/robustness.ts'
import { livesReadOnlyCheck } from './shared/side-effects/read-only-checks.ts'
import { createSimilarNamesProbe } from './shared/similar-names-first.ts'
import { skipRefusedName } from './shared/skip-refused.ts'

const commonFacts = { operation: 'getLivesLeft', level: 'must' } as const

const FIX_OF_UNKNOWN_CAT =
  'Decoding is probably not the cause: the name has no characters that must be decoded, or other names with the same kinds of characters work. Look the cat up by the name that the list of cats shows, in the same case. If this fails, find out why, e.g. its row is missing, a join drops it, or an index or cache lacks it. If all names fail, check the route.'

const createCatStrings = (target: VersionTarget, read: Read): Promise<TestStrings> =>
  createTestCatNames(target.directory, target, read, target.directory.version)

/** Checks of S-LIVES: `GET /v3/cat/<name>/lives_left`. */
export const livesChecks = [
  defineCheck({
    ...commonFacts,
    id: 'lives/is-served',
    title: "every listed cat's lives can be requested",
    statements: ['S-LIVES', 'S-CAT-NAME', 'S-GET'],
    clauses: ['R1.1', 'R1.2', 'R1.3', 'R7.3', 'R7.4', 'R7.5', 'R13.4', 'R13.10', 'R14.3'],
    requires: ['cats/is-a-list'],
    explainedBy: ['membership/every-cat-has-a-breed', 'parity/cats'],
    why: 'A client that reads the list of cats, and then requests the lives of each, gets an error for a listed cat.',
    how: '1. GET the list of cats. 2. GET lives_left of each listed cat by its exact name, percent-encoded. 3. Each of these requests must get a 2xx whose body arrives completely.',
    fix: 'Decode the name in the path exactly once, as UTF-8, before you look the cat up. Flask: `<path:name>` if names contain slashes; Express 4: `req.params` is already decoded; nginx: `proxy_pass` without a URI part.',
    probesFirst: [
      createSimilarNamesProbe(
        (directory) => directory.cats,
        (directory) => directory.lives,
      ),
    ],
    probes: [
      forEach(selectCatsToTest, (cat: string, target, read) =>
        judgeLivesIfListed(cat, target, read, (reading, resource) => {
          if (target.allowances.refusedName(reading, cat)) skipRefusedName(cat, reading)
          if (reading.kind !== 'refused' && reading.kind !== 'failed') return
          reportViolation({
            expected: 'a 2xx response for every listed cat',
            actual: describeUnexpectedResponse(
              `the request for the lives of ${quoted(cat)}`,
              reading,
              describeMissingCount(reading),
            ),
            defectKind: describeMissingCount(reading),
            ...(reading.kind === 'refused' && { fixForOrdinaryInputs: FIX_OF_UNKNOWN_CAT }),
            shownBy: [target.directory.cats, resource],
            names: { atFault: [cat] },
          })
        }),
      ),
    ],
  }),
  defineCheck({
    ...commonFacts,
    id: 'lives/is-json',
    title: 'the response with a count of lives is JSON',
    statements: ['S-JSON'],
    clauses: ['R2.2', 'R2.1'],
    requires: ['lives/is-served'],
    why: 'A client that parses JSON gets an exception instead of a count.',
    how: '1. GET lives_left of each listed cat, and of unlisted names. 2. Decode the body of each 2xx strictly as UTF-8. 3. It must be exactly one JSON text, whatever its media type says.',
    fix: 'Serialise with a JSON library (`res.json(9)`, `json.dumps`, `JsonResponse(…, safe=False)`), in UTF-8. Send errors with an error status, not with 200.',
    probes: [
      forEach(selectCatsToTest, (cat: string, target, read) =>
        judgeLivesIfListed(cat, target, read, async (reading, resource) => {
          if (reading.kind !== 'not-json') return
          await requireJsonInAnyOperation(reading.mediaType, target, read)
          reportViolation({
            expected: 'one well-formed JSON text in UTF-8',
            actual: describeUnexpectedResponse(
              `the request for the lives of ${quoted(cat)}`,
              reading,
              describeMissingCount(reading),
            ),
            defectKind: describeMissingCount(reading),
            shownBy: [resource],
            ...createCauseOfKnownMistake(reading),
            names: { atFault: [cat] },
          })
        }),
      ),
      forAll(
        addControlNameToInputs(createCatStrings),
        (name, { directory }) => [directory.lives(name)],
        assertJsonForUnlistedCat,
      ),
    ],
  }),
  defineCheck({
    ...commonFacts,
    id: 'lives/is-a-count',
    title: 'lives are a whole number of at least 0',
    statements: ['S-LIVES', 'S-CAT-LIVES'],
    clauses: ['R9.1', 'R16.1', 'R9.2', 'R9.4', 'R9.5', 'R9.6', 'R9.7', 'R9.8'],
    requires: ['lives/is-json'],
    why: 'A client that calculates with the count fails or shows nonsense.',
    how: '1. GET lives_left of each listed cat. 2. Find the count: the member `lives_left`, else the only member whose name contains `lives`, else the only number in the response. 3. The count must be a JSON number, whole and at least 0.',
    fix: 'If the count is a string, convert it: some database drivers return decimals as strings. If the count is null, store a number (SQL: `NOT NULL` with a `DEFAULT`). If the count is negative, stop at 0 (SQL: `GREATEST(lives - 1, 0)` and a `CHECK` constraint). If the count has a fraction, store an integer.',
    probes: [forEach(selectCatsToTest, assertLivesAreCount)],
  }),
  defineCheck({
    ...commonFacts,
    id: 'lives/same-place',
    title: 'the count is at the same place for every cat',
    statements: ['S-LIVES', 'S-CAT-LIVES'],
    clauses: ['R9.3'],
    requires: ['lives/is-a-count'],
    why: 'A client that reads the count at the usual place in the JSON finds no count for a cat whose count is at another place.',
    how: '1. GET lives_left of each listed cat. 2. Find the JSON Pointer of the count in each response. 3. The JSON Pointer must be the same for all cats.',
    fix: 'Build the response in one place for all cats, e.g. with one serializer or one response class.',
    probes: [forEach(selectCatsToTest, assertUsualCountPlace)],
  }),
  createLivesOfRequestedCatCheck(selectCatsToTest),
  defineCheck({
    ...commonFacts,
    id: 'lives/equivalent-encodings',
    title: 'equivalent percent-encodings of a cat name return the same lives',
    statements: ['S-HTTP', 'S-LIVES'],
    statementsIfIntermittent: ['S-LIVES'],
    clauses: ['R14.1', 'R14.2', 'R14.3'],
    requires: ['lives/is-a-count'],
    why: 'HTTP clients encode names in different ways, and some of them get another count or an error.',
    how: '1. GET the lives of listed cats, with the name encoded as `encodeURIComponent` does it. 2. GET them again, with the name encoded in three other ways: every octet percent-encoded; hex digits in lower case; only those octets encoded that must be (a plus sign stays a plus sign). 3. All requests for the same cat must return the same count.',
    fix: 'Decode each percent-encoded octet of the path exactly once, and do not turn plus signs into spaces. Java: not `URLDecoder`, which is for forms; Python: `unquote`, not `unquote_plus`; PHP: `rawurldecode`, not `urldecode`.',
    probes: [
      forEach(
        selectEncodedCats,
        ({ name, encoding }, target, read) =>
          judgeLivesIfListed(name, target, read, async (plain, resource) => {
            const encoded = target.directory.lives(name, encoding)
            const reading = await read(encoded)
            if (target.allowances.refusedName(reading, name)) skipRefusedName(name, reading)
            if (plain.kind !== 'count' || (reading.kind === 'count' && reading.value === plain.value)) return
            if (reading.kind === 'ambiguous') return
            reportViolation({
              expected: `the same lives as for the name ${describeEncoding('plain')}: ${describeMissingCount(plain)}`,
              actual: `${describeUnexpectedResponse(
                `the request for the lives of ${quoted(name)} (${describeEncoding(encoding)})`,
                reading,
                describeMissingCount(reading),
              )}; for the name ${describeEncoding('plain')}, the request returned ${describeMissingCount(plain)}`,
              defectKind: describeMissingCount(reading),
              shownBy: [resource, encoded],
              ...createCauseOfEncodingDefect(encoding),
            })
          }),
        { textOf: describeEncodedName, stringOf: ({ name, encoding }) => encodeSegment(name, encoding) },
      ),
    ],
  }),
  defineCheckWithoutOperation({
    ...commonFacts,
    id: 'lives/only-in-v3',
    title: 'v2 has no lives_left',
    statements: ['S-V3-ONLY', 'S-CAT-LIVES'],
    clauses: ['R10.1', 'R10.2', 'R10.3'],
    requires: ['cats/is-a-list'],
    why: 'Clients of v2 come to rely on an operation that the interface document gives to v3 only.',
    how: '1. GET `/v2/cat/<name>/lives_left` for all listed cats, or for a sample if there are more than 50, and for one of them with every octet percent-encoded. 2. Follow redirects within v2. 3. No response may be a 2xx that contains a count of lives.',
    fix: 'Route lives_left under /v3 only. Under /v2, answer with 404, 405, 410 or 501.',
    ownRequests: 1,
    probesFirst: [requestLivesInBothVersions],
    probes: [
      forEach(selectCatsForVersionWithoutLives, (name: string, target, read) =>
        assertNoLives({ name, encoding: 'plain' }, target, read),
      ),
      forEach(selectEncodedCatForVersionWithoutLives, assertNoLives, {
        textOf: describeEncodedName,
        stringOf: ({ name, encoding }) => encodeSegment(name, encoding),
      }),
    ],
  }),
  defineCheck({
    ...commonFacts,
    id: 'lives/unknown-cats',
    title: 'an unlisted cat has no count of lives',
    level: 'should',
    statements: ['S-LIVES', 'S-CAT-NAME'],
    clauses: ['R12.7', 'R12.1'],
    requires: ['lives/is-a-count'],
    why: 'A client that misspells a name gets a count of lives for a cat that does not exist.',
    how: '1. GET lives_left of names that no listed cat has, even if case, accents, white space and punctuation are ignored. 2. GET lives_left of a listed name with one letter percent-encoded twice, and of a listed name of digits with a zero before it. 3. No response should contain a count.',
    fix: 'If no cat has the name, answer with 404 or another 4xx instead of a default value.',
    probes: [
      forEach(
        async ({ directory, effort }, read) => {
          const cats = await readNamesForPaths(directory.cats, read)
          const encodedTwice = cats.slice(0, 1).map(encodeMiddleLetter)
          const otherForms = cats.filter(isNumber).map((name) => `0${name}`)
          const all = [directory.controlName(), 'no such cat', ...encodedTwice, ...otherForms.slice(0, 1)]
          return limitInputsForQuickEffort(all, effort, 1)
        },
        async (name, { directory, allowances }, read) => {
          const [list, reading] = await Promise.all([read(directory.cats), read(directory.lives(name))])
          const { names } = requireList(list)
          if (reading.kind !== 'count' || names.includes(name) || allowances.aliasOf(name, names)) return
          reportViolation({
            expected: 'a 4xx, null or an object without a count',
            actual: `the lives of ${quoted(name)} are ${describeMissingCount(reading)}, although no listed cat has this name`,
            defectKind: describeMissingCount(reading),
            shownBy: [directory.lives(name)],
          })
        },
      ),
    ],
  }),
  createRobustnessCheck({
    id: 'lives/survives-every-string',
    title: 'no cat name causes a 5xx or a dropped connection',
    operation: 'getLivesLeft',
    requires: ['cats/is-a-list'],
    explainedBy: ['lives/is-served'],
    strings: createCatStrings,
    resource: (directory) => directory.lives,
    rawResource: ({ raw }) => raw.lives,
  }),
  createMalformedPathsCheck({
    id: 'lives/survives-malformed-paths',
    operation: 'getLivesLeft',
    requires: ['cats/is-a-list'],
    explainedBy: ['lives/is-served', 'lives/survives-every-string'],
    rawResource: ({ raw }) => raw.lives,
  }),
  livesReadOnlyCheck,
]
