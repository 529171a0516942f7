import { describeNonList } from '../directory/readings/describe-non-list.ts'
import { isJsonMediaType } from '../directory/readings/media-type.ts'
import { reportViolation } from '../engine/check/violations.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import { defineDeploymentCheck, probeOnce } from './shared/check.ts'
import { probeErrorBodies } from './shared/error-bodies.ts'
import { asksForCredentials, readSampleLists } from './shared/sample-lists.ts'
import { probeAvailability } from './shared/time/availability.ts'

/** The check whether the base URL is that of a cat directory, and the check whether it stays available. */
export const serviceChecks = [
  defineDeploymentCheck({
    id: 'service/answers',
    title: 'the base URL serves a cat directory',
    operation: 'all',
    level: 'must',
    statements: ['S-SIDE-BY-SIDE', 'S-GET', 'S-JSON'],
    clauses: ['R1.1', 'R1.4', 'R2.3'],
    why: 'A client whose base URL is wrong gets an error for every request. No other check can test anything then.',
    how: '1. Under each of the prefixes /v2 and /v3, GET the list of cats, the list of breeds, and one search. 2. At least one of these requests must get a 2xx. 3. At least one of the 2xx responses must be JSON.',
    fix: 'If the status is a 5xx, look at the logs of the service. Otherwise correct --base-url: it is the part of the URL before /v2/cats, including a path such as /api.',
    probes: [
      probeOnce(async ({ directories }, read) => {
        const { resources, readings, served } = await readSampleLists(directories, read)
        const first = readings[0]
        if (readings.every((one) => asksForCredentials(one, [401, 403, 407]))) {
          const what = first && first.kind !== 'not-json' ? describeNonList(first) : 'a login page'
          throw new Inconclusive(
            'prerequisite',
            `every response is ${what}: valid credentials are needed (--header or --token)`,
            { remedy: 'give credentials' },
          )
        }
        if (served.length === 0) {
          reportViolation({
            expected: 'a 2xx response to at least one request for a list of cats or breeds, or to a search',
            actual: `no list and no search is served: the list of cats returned ${first ? describeNonList(first) : 'nothing'}`,
            shownBy: resources.slice(0, 1),
          })
        }
        if (
          served.every(({ kind }) => kind === 'not-json') &&
          !served.some((one) => one.kind === 'not-json' && isJsonMediaType(one.mediaType))
        ) {
          throw new Inconclusive(
            'unreadable',
            'no response under the base URL is JSON, the only format that this suite reads',
            { remedy: 'correct the base URL' },
          )
        }
      }),
    ],
  }),
  defineDeploymentCheck({
    id: 'service/stays-available',
    title: 'no operation becomes unavailable, not even for a short time',
    operation: 'all',
    level: 'should',
    statements: ['S-ROBUST'],
    clauses: ['T5.3'],
    requires: ['service/answers'],
    when: 'last',
    why: 'A client that does not retry its requests shows errors, or waits until its deadline.',
    how: '1. Retry each request that gets no response, or status 502, 503 or 504. 2. The report mentions the retries in two cases: all retried requests belong to one operation, or at least a tenth of all requests of the run had to be retried. Each retried request was answered in the end, so this is advice, and no run fails because of it.',
    fix: 'If only one operation was unavailable, find out what only this operation uses (e.g. a search index, a connection pool, or a backend that was restarted), and look for its errors in the logs. If requests of all operations fail now and then, one of several backends is probably down: take it out of rotation.',
    probes: [probeAvailability],
  }),
  defineDeploymentCheck({
    id: 'service/errors-are-json',
    title: 'an error with a JSON media type is JSON',
    operation: 'all',
    level: 'should',
    statements: ['S-JSON'],
    clauses: ['R2.2'],
    requires: ['service/answers'],
    when: 'last',
    why: 'A client that parses the body of an error gets an exception instead of the error.',
    how: '1. Take all responses of the run with a status of 4xx and a body whose media type is JSON. 2. Decode each body strictly as UTF-8. 3. It should be exactly one JSON text. An error in another format, or without a body, is fine.',
    fix: 'Serialise errors with a JSON library, like other responses. Do not insert the requested name into a JSON text: quotation marks in the name break it. Calculate `Content-Length` from the octets of the body, not from its characters.',
    probes: [probeErrorBodies],
  }),
]
