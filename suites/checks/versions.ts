import { describeNonList } from '../directory/readings/describe-non-list.ts'
import { reportViolation } from '../engine/check/violations.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import { defineCheck, probeOnce } from './shared/check.ts'
import { asksForCredentials, readSampleLists } from './shared/sample-lists.ts'

/** The check of S-SIDE-BY-SIDE: v2 and v3 are present at once. */
export const versionsChecks = [
  defineCheck({
    id: 'versions/side-by-side',
    title: 'both versions are served side by side',
    operation: 'all',
    level: 'must',
    statements: ['S-SIDE-BY-SIDE'],
    clauses: ['R1.1'],
    requires: ['service/answers'],
    why: 'Clients select a version by the first path segment, so a missing version breaks all of its clients.',
    how: '1. Under the prefix of the version (/v2 or /v3), GET the list of cats, the list of breeds, and one search. 2. At least one of these requests must get a 2xx.',
    fix: 'Mount the service under both prefixes (Express: `app.use("/v2", router)`; nginx: a `location` for each prefix), or test one version with --versions.',
    probes: [
      probeOnce(async ({ directory }, read) => {
        const { resources, readings, served } = await readSampleLists([directory], read)
        const first = readings[0]
        if (served.length > 0 || !first) return
        if (asksForCredentials(first, [401, 407]))
          throw new Inconclusive(
            'prerequisite',
            `${directory.version} returned ${describeNonList(first)}: valid credentials are needed (--header or --token)`,
            { remedy: 'give credentials' },
          )
        reportViolation({
          expected: `a 2xx response to at least one request under /${directory.version}`,
          actual: `nothing is served under /${directory.version}: the list of cats returned ${describeNonList(first)}`,
          shownBy: resources.slice(0, 1),
        })
      }),
    ],
  }),
]
