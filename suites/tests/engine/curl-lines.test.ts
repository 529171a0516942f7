import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Version, versions } from '../../../fixtures/contract/operations.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { renderJson } from '../../../reports/formats/json.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { parseReport } from '../../../reports/report/parse.ts'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'
import { judge } from '../../judge/judge.ts'
import { reportContext } from '../reports/reports.test.support.ts'
import { isCurlInstalled } from '../support/curl-lines.test.support.ts'
import { selectRowsToTest } from '../support/short.test.support.ts'

type Cited = readonly Pick<ExchangeSummary, 'url' | 'status' | 'excerpt'>[]

/**
 * Serves a mutant, and calls `use` with the exchanges and curl lines of the finding of one check. Stops the mutant when
 * `use` has ended.
 */
async function withFinding(
  [id, check, of]: readonly [mutant: string, check: string, of?: readonly Version[]],
  use: (found: { readonly cited: Cited; readonly curl: readonly string[] }) => unknown,
): Promise<void> {
  const mutant = timedMutants.find((one) => one.id === `time-${id}`)
  const { baseUrl, close } = (await mutant?.start(1)) ?? expect.fail(`no mutant ${id}`)
  try {
    const result = await judge({ baseUrl, seed: 15838, versions: of ?? versions, only: [check] })
    const { findings } = parseReport(renderJson(buildReport(result, { ...reportContext, baseUrl })))
    const { finding } = findings.find((one) => one.id === check) ?? expect.fail(`${check} found nothing`)
    await use({ cited: finding.exchanges.flatMap((one) => result.exchanges.get(one) ?? []), curl: finding.curl })
  } finally {
    await close()
  }
}

/** The number of characters of a response that a terminal report shows. */
const SHOWN_CHARACTERS = 300

function expectTwoResponsesToOneRequest([first, other]: Cited): void {
  expect(first?.url).toBe(other?.url)
  const shownOf = (one: typeof other) => [one?.status, one?.excerpt.slice(0, SHOWN_CHARACTERS)]
  expect(shownOf(first)).not.toEqual(shownOf(other))
}

/** Runs a line in a shell and returns what it prints for each URL. Equal responses are returned once. */
async function runCurlLine(line: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line])
  const printed = new Map<string, Set<string>>()
  for (const [, body = '', status = '', address = ''] of stdout.matchAll(/([^]*?)\n(\d{3}) (http.*)\n/g))
    printed.set(address, (printed.get(address) ?? new Set()).add(`${status} ${body}`))
  return printed
}

const shownTogether = [
  ['breed-of-another-under-load', 'breed-cats/reading-changes-nothing', ['v3']],
  ['lives-404-of-two-at-once', 'lives/reading-changes-nothing', ['v3']],
  ['replica-lacks-a-cat-of-a-breed', 'breed-cats/do-not-come-and-go', ['v3']],
] as const

test.runIf(isCurlInstalled).concurrent.each(selectRowsToTest(shownTogether))(
  'a defect under concurrent requests is shown by one curl line: %s',
  async (...row) => {
    await withFinding(row, async ({ cited, curl }) => {
      const printed = await runCurlLine(curl[0] ?? '')
      expect(printed.size).toBeGreaterThan(0)
      expect([...printed.values()].some((bodies) => bodies.size > 1)).toBe(true)
      expectTwoResponsesToOneRequest(cited)
    })
  },
)

const shownOneAfterTheOther = [
  ['replica-lacks-the-last-of-many-cats', 'cats/do-not-come-and-go', ['v3']],
  ['cats-in-shuffled-pages', 'cats/do-not-come-and-go', ['v2']],
] as const

test.concurrent.each(selectRowsToTest(shownOneAfterTheOther, 0))(
  'a defect of several readings is shown by two responses to one request: %s',
  async (...row) => {
    await withFinding(row, ({ cited }) => expectTwoResponsesToOneRequest(cited))
  },
)

test('a list that can be read only once is shown with its present content', async () => {
  await withFinding(['cats-fail-when-asked-again', 'cats/reading-changes-nothing'], ({ cited }) => {
    expect(cited.map(({ status }) => status)).toEqual([500, 200])
  })
})
