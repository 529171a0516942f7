import { describeNonList } from '../directory/readings/describe-non-list.ts'
import { reportViolation } from '../engine/check/violations.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import { defineDeploymentCheck, probeOnce } from './shared/check.ts'
import { isJsonMediaType } from './shared/list-assertions.ts'
import { asksForCredentials, readSampleLists } from './shared/sample-lists.ts'

/** The check that runs first: whether the deployment is a cat directory, and whether the base URL is right. */
export const serviceChecks = [
  defineDeploymentCheck({
    id: 'service/answers',
    title: 'the base URL serves a cat directory',
    operation: 'all',
    level: 'must',
    statements: ['S-SIDE-BY-SIDE', 'S-GET', 'S-JSON'],
    clauses: ['R1.1', 'R1.4', 'R2.3'],
    why: 'With a wrong base URL every request fails, and no other check can tell anything.',
    how: '1. GET the lists of cats and breeds and one search under both prefixes. 2. At least one of them must get a 2xx. 3. At least one of these must be JSON.',
    fix: 'Give the URL above /v2/cats and /v3/cats with --base-url, with its path if it has one, and credentials with --header or --token.',
    probes: [
      probeOnce(async ({ directories }, read) => {
        const { resources, readings, served } = await readSampleLists(directories, read)
        const first = readings[0]
        if (served.length === 0) {
          if (readings.every((one) => asksForCredentials(one, [401, 403, 407]))) {
            throw new Inconclusive(
              'prerequisite',
              `every response is ${first ? describeNonList(first) : 'a refusal'}: the deployment requires credentials; give them with --header or --token`,
            )
          }
          reportViolation({
            expected: 'a 2xx response to at least one request for a list of cats or breeds, or to a search',
            actual: `no list and no search is served: the list of cats returned ${first ? describeNonList(first) : 'nothing'}`,
            shownBy: resources.slice(0, 2),
          })
        }
        if (
          served.every(({ kind }) => kind === 'not-json') &&
          !served.some((one) => one.kind === 'not-json' && isJsonMediaType(one.mediaType))
        ) {
          throw new Inconclusive(
            'unreadable',
            'no response under the base URL is JSON, the only format that this suite reads: is it the address of a web page?',
          )
        }
      }),
    ],
  }),
]
