import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { Deployment, VersionTarget } from '../../directory/deployment.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import { findSentTexts } from '../../directory/facts/sent-texts.ts'
import { limitInputsForQuickEffort } from '../../directory/inputs/listed-names.ts'
import { readPlainCatNames } from '../../directory/inputs/operator-queries.ts'
import { isValidPercentEncoding } from '../../directory/inputs/string-classes.ts'
import { malformedEncodings, unusualQueryStrings } from '../../directory/inputs/trouble-strings.ts'
import { selectPlusEncodedQueries, selectTestStrings, type TestStrings } from '../../directory/inputs.ts'
import { describeUnexpectedResponse } from '../../directory/readings/describe-non-list.ts'
import { readDistinctNames } from '../../directory/readings/names.ts'
import { encodeQueryValue } from '../../directory/shared/encodings.ts'
import { formatCount, quoted } from '../../directory/shared/text.ts'
import type { Check } from '../../engine/check/check.ts'
import type { Read, Resource } from '../../engine/check/readers.ts'
import { reportViolation } from '../../engine/check/violations.ts'
import { type CheckProbe, defineCheck, forAll, forEach } from './check.ts'
import type { CheckId } from './ids.ts'

/** The members of a reading that say whether its request was served, refused or failed. */
interface RequestOutcome {
  readonly kind: string
  readonly status?: number | undefined
  readonly why?: string
  readonly fault?: string
}

/** Returns a function that creates the request for a string. */
type ResourceOfText = (directory: Directory) => (text: string) => Resource<RequestOutcome>

/** Describes a request in a finding, by the string that the request contains. */
type DescribeRequest = (sent: string) => string

const REQUEST_DESCRIPTIONS: Readonly<Partial<Record<OperationId, DescribeRequest>>> = {
  searchCats: (query) => `the search for ${quoted(query)}`,
  listCatsOfBreed: (breed) => `the request for the cats of the breed ${quoted(breed)}`,
  getLivesLeft: (cat) => `the request for the lives of ${quoted(cat)}`,
}

/** Describes a search by its whole query string, e.g. `the search with the query string "q[]="`. */
export const describeSearchByQueryString: DescribeRequest = (queryString) =>
  queryString === '' ? 'the search without a query string' : `the search with the query string ${quoted(queryString)}`

const describeMalformedPath: DescribeRequest = (segment) =>
  segment === '' ? 'the request with an empty name' : `the request with the path segment ${segment} in place of a name`

/** Describes malformed percent-encoding, e.g. as `q=%`. The form `"%"` would look like the valid query `%25`. */
const describeMalformedValue = (octets: string): string => `q=${octets}`

const describeMalformedSearch: DescribeRequest = (octets) => `the search with ${describeMalformedValue(octets)}`

/** Fails if a string causes a 5xx, a dropped connection or no response (S-ROBUST). */
async function assertSurvives(
  text: string,
  resource: Resource<RequestOutcome>,
  read: Read,
  describeRequest: DescribeRequest = describeMalformedPath,
): Promise<void> {
  const reading = await read(resource)
  if (reading.kind !== 'failed') return
  const isComplete = reading.fault === undefined
  if (isComplete && reading.status !== undefined && reading.status < 500) return
  reportViolation({
    expected: 'a complete response with a 2xx or any 4xx; never a 5xx, a timeout or a dropped connection',
    actual: describeUnexpectedResponse(
      describeRequest(text),
      { kind: 'failed' },
      reading.why ?? `status ${reading.status}`,
    ),
    defectKind: reading.why ?? `status ${reading.status}`,
    shownBy: [resource],
    // Confirms the violation only if the string fails again when it is sent alone (R13.2).
    ...(isComplete && { concernsOneInput: true }),
  })
}

/** Returns whether a percent-encoded string has only letters, digits, spaces, `_` and `-`. They hardly cause a failure. */
const isOrdinaryText = (sent: string): boolean => /^([\w-]|%20|%[C-F][0-9A-F]|%[89AB][0-9A-F])*$/.test(sent)

/**
 * Creates a probe that counts for the report how many of the tested strings were served, refused or failed. It adds a
 * note if most strings with special characters got a 403, because a firewall may have kept them from the service.
 * @param isCounted returns whether a string belongs to the check
 */
const createOutcomeDescription =
  (raw: ResourceOfText, isCounted: (sent: string) => boolean): CheckProbe =>
  async ({ target, read, readings, describeTested, addCaveat }) => {
    const sent = findSentTexts(readings, raw(target.directory)).filter(isCounted)
    // `read` throws if a string was not sent because similar strings made the service unavailable. Then the check is
    // inconclusive.
    const tested = await Promise.all(
      sent.map(async (one) => ({ sent: one, reading: await read(raw(target.directory)(one)) })),
    )
    describeTested(countOutcomes(tested.map(({ reading }) => reading)))
    const unusualStrings = tested.filter((one) => !isOrdinaryText(one.sent))
    const forbidden = unusualStrings.filter(
      ({ reading }) => reading.kind === 'refused' && reading.status === FORBIDDEN_STATUS,
    )
    if (forbidden.length * 2 <= unusualStrings.length) return
    addCaveat(
      `${forbidden.length} of ${unusualStrings.length} strings with special characters were refused with ${FORBIDDEN_STATUS}, perhaps by a firewall in front of the service`,
    )
  }

const FORBIDDEN_STATUS = 403

/** Counts the strings that were served, refused and dropped, e.g. `9 strings sent: 6 served, 3 refused with 400`. */
function countOutcomes(readings: readonly RequestOutcome[]): string {
  const refused = readings.filter(({ kind }) => kind === 'refused')
  const failed = readings.filter(({ kind }) => kind === 'failed')
  const statuses = [...new Set(refused.map(({ status }) => status))].sort((a = 0, b = 0) => a - b)
  const refusals = statuses.map(
    (status) => `${refused.filter((one) => one.status === status).length} refused with ${status}`,
  )
  return [
    `${formatCount(readings.length, 'string')} sent: ${readings.length - refused.length - failed.length} served`,
    ...refusals,
    ...(failed.length > 0 ? [`${failed.length} failed or dropped`] : []),
  ].join(', ')
}

/** The properties in which the checks of strings differ by operation. */
interface RobustnessCheckOptions {
  readonly id: CheckId
  readonly title: string
  readonly operation: OperationId
  readonly requires: readonly CheckId[]
  readonly explainedBy: readonly CheckId[]
  readonly strings: (target: VersionTarget, read: Read) => Promise<TestStrings>
  /** Creates the request that contains the string percent-encoded. */
  readonly resource: ResourceOfText
  /** Creates the request that contains the string unchanged, without percent-encoding. */
  readonly rawResource: ResourceOfText
  /** Selects listed names to test as well. Only for an operation in which no other check requests each listed name. */
  readonly names?: (target: VersionTarget, read: Read) => Promise<readonly string[]>
  /**
   * Creates the request with a whole query string; undefined for operations without a query. In a query, a 5xx for
   * malformed percent-encoding is a violation; in a path it is only advice.
   */
  readonly queryStringResource?: ResourceOfText
}

/**
 * Creates the check that gives advice if a path with malformed percent-encoding (R13.14) or an empty segment (R13.16)
 * gets a 5xx.
 */
export const createMalformedPathsCheck = ({
  rawResource,
  ...definition
}: Pick<RobustnessCheckOptions, 'operation' | 'requires' | 'explainedBy' | 'rawResource'> & {
  readonly id: CheckId
}): Check<Deployment> =>
  defineCheck({
    ...definition,
    title: 'a malformed path causes no 5xx',
    level: 'should',
    statements: ['S-ROBUST'],
    clauses: ['R13.14', 'R13.12', 'R13.16'],
    why: 'A 5xx says that the service failed, although the client made the mistake. It raises alarms, and clients retry the request.',
    how: '1. GET paths in which the name is a percent sign without two hex digits (`%zz`), an octet that is not UTF-8 (`%FF`), or empty. 2. Each response should be a 2xx or any 4xx, not a 5xx.',
    fix: 'If a path cannot be decoded, answer with 400. Express: an error handler for `URIError`; Rails: `ActionController::BadRequest`; Python: decode with `errors="strict"` and catch `UnicodeDecodeError`.',
    probes: [
      forEach(
        (target) => limitInputsForQuickEffort([...malformedEncodings, ''], target.effort, 1),
        (sent: string, { directory }, read) => assertSurvives(sent, rawResource(directory)(sent), read),
      ),
    ],
  })

/**
 * Creates the query string of a search for a listed name with an unknown parameter. The observation of
 * O-SEARCH-QUERY-SYNTAX sends the same request, so this check costs no additional request.
 */
async function createUnknownParameterQueries({ directory }: VersionTarget, read: Read): Promise<readonly string[]> {
  const [name] = [...(await readPlainCatNames(directory, read)), ...(await readDistinctNames(directory.cats, read))]
  return name === undefined ? [] : [`q=${encodeQueryValue(name)}&${directory.controlName()}=1`]
}

/** Gives advice if an unknown parameter gets a 5xx (R13.16). */
export const unknownParametersCheck = defineCheck({
  id: 'search/survives-unknown-parameters',
  title: 'a search with an unknown parameter gets no 5xx',
  operation: 'searchCats',
  level: 'should',
  statements: ['S-ROBUST'],
  clauses: ['R13.16'],
  requires: ['search/is-served', 'cats/have-names'],
  explainedBy: ['search/survives-every-string'],
  ownRequests: 1,
  why: 'A search fails if its URL has a tracking parameter (`utm_source`), or a parameter that a client adds to bypass caches.',
  how: '1. Search for a listed name with an additional, unknown parameter in the URL. 2. The response should be a 2xx or any 4xx, not a 5xx.',
  fix: 'Ignore parameters that you do not know, or refuse them with 400.',
  probes: [
    forEach(createUnknownParameterQueries, (sent: string, { directory }, read) =>
      assertSurvives(sent, directory.raw.query(sent), read, describeSearchByQueryString),
    ),
  ],
})

const STRING_CLAUSES = ['R13.2', 'R13.1', 'R13.3', 'R13.5', 'R13.6', 'R13.7', 'R13.8', 'R13.9', 'R13.11'] as const
const QUERY_CLAUSES = ['R13.12', 'R13.13', 'R13.15'] as const

/** Creates the check which verifies that no string makes an operation fail (S-ROBUST). */
export const createRobustnessCheck = ({
  strings,
  resource,
  rawResource,
  names,
  queryStringResource,
  ...definition
}: RobustnessCheckOptions): Check<Deployment> => {
  const describeRequest = REQUEST_DESCRIPTIONS[definition.operation]
  return defineCheck({
    ...definition,
    level: 'must',
    statements: ['S-ROBUST'],
    clauses: [...STRING_CLAUSES, ...(queryStringResource ? QUERY_CLAUSES : [])],
    why: 'A user who types a string that the service cannot handle gets an error instead of a result, and may stop the service for everyone.',
    how: '1. Send these strings, correctly percent-encoded: listed names, special characters (of URLs, SQL, regular expressions, templates and JSON), control characters, characters of all planes of Unicode, long texts, texts that look like malformed percent-encoding (e.g. `%zz`), and generated strings. 2. Each response must be a 2xx or any 4xx. A 5xx, a dropped connection or no response before the deadline is a failure. 3. If a string fails, send it again while no other request is in flight, with an ordinary request before and after it. Only a failure that recurs is reported.',
    fix: 'Treat the string as data at every layer (bound parameters, escaped patterns and search expressions) and answer with a 4xx if a layer cannot take the string. Node.js: catch the errors of asynchronous handlers.',
    probes: [
      forAll(
        strings,
        (text, { directory }) => [resource(directory)(text)],
        (text, { directory }, read) => assertSurvives(text, resource(directory)(text), read, describeRequest),
      ),
      ...(names
        ? [
            forEach(names, (name: string, { directory }, read) =>
              assertSurvives(name, resource(directory)(name), read, describeRequest),
            ),
          ]
        : []),
      // In `q`, a 5xx is a violation for malformed percent-encoding (R13.13) and for unusual query strings, e.g. `q[]=` (R13.15).
      ...(queryStringResource
        ? [
            forEach(
              (target, read) => selectTestStrings('malformed', malformedEncodings, target, read),
              (sent: string, { directory }, read) =>
                assertSurvives(sent, rawResource(directory)(sent), read, describeMalformedSearch),
              { textOf: describeMalformedValue },
            ),
            forEach(
              async (target, read) => {
                const unusualStrings = await selectTestStrings('queryString', unusualQueryStrings, target, read)
                const plusEncodedQueries = await selectPlusEncodedQueries(target, read)
                return {
                  inputs: [...unusualStrings.inputs, ...plusEncodedQueries],
                  population: unusualStrings.population + plusEncodedQueries.length,
                }
              },
              (sent: string, { directory }, read) =>
                assertSurvives(sent, queryStringResource(directory)(sent), read, describeSearchByQueryString),
            ),
          ]
        : []),
    ],
    // Malformed paths are left to another check, which gives advice.
    describe: createOutcomeDescription(rawResource, queryStringResource ? () => true : isValidPercentEncoding),
  })
}
