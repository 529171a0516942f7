import { whyNoList } from '../directory/readings/why-no-list.ts'
import { broken } from '../engine/check/violations.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import { check, once } from './shared/check.ts'
import { survey } from './shared/survey.ts'

/** S-SIDE-BY-SIDE. "Both versions are present at once; a client chooses by the prefix, the first path segment." */
export const versions = [
  check({
    id: 'versions/side-by-side',
    title: 'both versions are present at once',
    operation: 'all',
    level: 'must',
    statements: ['S-SIDE-BY-SIDE'],
    clauses: ['R1.1'],
    requires: ['service/answers'],
    why: 'A client chooses its version by the prefix; both must be there for it to choose.',
    how: 'GET the lists of cats and breeds and one search under this prefix: one of them must be answered with 2xx.',
    fix: 'Mount the service under this prefix too, or judge one version alone with --versions.',
    tries: [
      once(async ({ directory }, read) => {
        const { subjects, readings, served } = await survey([directory], read)
        const first = readings[0]
        if (served.length > 0 || !first) return
        if (first.kind === 'refused' && [401, 407].includes(first.status))
          throw new Inconclusive(
            'prerequisite',
            `status ${first.status}: ${directory.version} asks for credentials; give them with --header or --token`,
          )
        broken({
          expected: `a 2xx response to at least one request under /${directory.version}`,
          actual: `nothing is served under /${directory.version}: the list of cats returned ${whyNoList(first)}`,
          shownBy: subjects.slice(0, 2),
        })
      }),
    ],
  }),
]
