import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import type { ServedDeployment } from '../../../fixtures/simulation/network.ts'
import { createSimulation } from '../../../fixtures/simulation/simulation.ts'
import {
  createReleaseResponder,
  PRODUCTION_CATS,
  repeatCats,
  type ServiceRelease,
  STAGING_CATS,
  type StoredCat,
  serviceReleases,
} from '../../../fixtures/variants/releases.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { judge } from '../../judge/judge.ts'
import { parseProfile } from '../../judge/profile/profile.ts'
import { exitCodeOf } from '../../options/exit-code.ts'
import { compareDeployments, exitCodeOfComparison } from '../../workflows/compare/against.ts'
import { createTemporaryFolder, deploy, readReport, runCli } from '../command/cli.test.support.ts'
import { TIMEOUT_MS } from '../deployments/simulated.ts'
import { reportContext } from '../reports/reports.test.support.ts'
import { effortWithFewNames } from '../support/extent.test.support.ts'

const args = ['--seed', '1', '--effort']
const { everything } = inject('extent')

async function serve(release: ServiceRelease, cats: readonly StoredCat[]): Promise<string> {
  const respondTo = createReleaseResponder(release, cats)
  const { origin } = await deploy(({ url = '' }, response) => {
    const [status, body] = respondTo(url)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return origin
}

const [firstRelease] = serviceReleases
if (!firstRelease) throw new Error('the first release is missing')
const first: ServiceRelease = firstRelease
const folder = createTemporaryFolder()

async function profileOf(cats: readonly StoredCat[]): Promise<string> {
  const file = join(folder, `profile-${cats.length}.json`)
  // Uses standard effort: `--effort quick` leaves out observations that take additional requests, e.g. O-SEARCH-RULE.
  await runCli([...args, 'standard', '--base-url', await serve(first, cats), '--pin', file])
  return file
}
const profile = profileOf(PRODUCTION_CATS)

interface SavedDifference {
  readonly kind: string
  readonly what: string
}

const isDefect = ({ kind }: SavedDifference): boolean => ['broken', 'choice', 'behaviour'].includes(kind)

/** Returns the differences that the command reports, one line each. */
function listDifferences(reports: string): readonly string[] {
  const { differences }: { readonly differences: readonly SavedDifference[] } = JSON.parse(
    readFileSync(join(reports, 'comparison.json'), 'utf8'),
  )
  return differences.filter(isDefect).map(({ what }) => what)
}

const createDeploymentOf = (release: ServiceRelease, cats: readonly StoredCat[]): ServedDeployment => {
  const respondTo = createReleaseResponder(release, cats)
  return {
    basePath: '',
    open: () => (request, respond) => {
      const [status, value] = respondTo(request.target)
      const body = Buffer.from(JSON.stringify(value))
      const headers = { 'content-type': 'application/json', 'content-length': String(body.byteLength) }
      respond({ status, headers, chunks: [body] })
    },
  }
}

interface ReleaseResult {
  readonly code: number
  /** The defects that the run reports, one line each. */
  readonly defects: readonly string[]
}

/** Judges a release in simulated time, under the profile of the first release or in comparison with it. */
async function judgeRelease(
  release: ServiceRelease,
  cats: readonly StoredCat[],
  option: 'profile' | 'against',
): Promise<ReleaseResult> {
  const { baseUrl, add, runtime, run } = createSimulation(createDeploymentOf(release, cats), { seed: 1 })
  const options = { baseUrl, runtime, seed: 1, timeoutMs: TIMEOUT_MS, bounds: effortWithFewNames }
  const exitOptions = { strict: false, isInterrupted: false }
  if (option === 'profile') {
    const pins = parseProfile(readFileSync(await profile, 'utf8'))
    const result = await run(() => judge({ ...options, profile: pins }))
    const { findings } = buildReport(result, { ...reportContext, baseUrl })
    const failed = findings.filter(({ status }) => status === 'fail')
    return { code: exitCodeOf(result, exitOptions), defects: failed.map(({ finding }) => finding.actual) }
  }
  const other = add(createDeploymentOf(first, PRODUCTION_CATS), 'other')
  return run(async () => {
    const result = await judge(options)
    const comparison = await compareDeployments(options, result, other)
    const code = exitCodeOfComparison(comparison, exitCodeOf(result, exitOptions))
    return { code, defects: comparison.differences.filter(isDefect).map(({ what }) => what) }
  })
}

const ways = [
  ['profile', 'equal', PRODUCTION_CATS, [0]],
  ['profile', 'other', STAGING_CATS, [0, 3]],
  ['against', 'equal', PRODUCTION_CATS, [0]],
  ['against', 'other', STAGING_CATS, [0]],
] as const

/**
 * The tested combinations of a release and a way to detect its changes. In `npm test`, each release is judged in one
 * way, and each way judges some releases that break clients and some that do not.
 */
const rows = serviceReleases.flatMap((release, at) =>
  ways
    .filter((_, index) => everything || index === at % ways.length)
    .map((way) => [release.id, ...way, release] as const),
)

test.each(rows)(
  'release %s is green, or red with one line, under --%s with %s data',
  async (_id, option, _data, cats, green, release) => {
    const { code, defects } = await judgeRelease(release, cats, option)
    const { breaks } = release
    // With other data, the run may pass: the data may not show what a pin requires.
    if (!breaks) expect(green, defects.join('\n')).toContain(code)
    else {
      expect(code).toBe(1)
      expect(defects).toEqual([expect.stringMatching(breaks)])
    }
  },
)

test.each([
  ['2.0', '/pins/0/value, /pins/1/value, /pins/2/value, /pins/3/value: "array at /items" → "array at /cats"'],
  ['2.1', '/pins/0/schema, /pins/2/schema, /pins/3/schema: /age in elements: always there → never there'],
  ['2.2', '/pins/0/schema, /pins/2/schema, /pins/3/schema: /age in elements: integer → string'],
])('the finding of release %s names each pin to edit, and shows the edit in one line', async (id, edit) => {
  const release = serviceReleases.find((one) => one.id.startsWith(id))
  if (!release) throw new Error('the release is missing')
  const origin = await serve(release, PRODUCTION_CATS)
  const only = ['--only', 'pinned/O-LIST-SHAPE/', '--base-url', origin, '--profile', await profile]
  const { reports } = await runCli([...args, 'quick', ...only])
  const fixes = readReport(reports).findings.map(({ finding }) => finding.fix)
  expect(fixes).toEqual([expect.stringContaining(`If the change is intended, edit the profile at ${edit}`)])
})

const inPages = (pageSize: number | undefined): ServiceRelease => ({
  ...first,
  id: 'in pages',
  ...(pageSize && { pageSize }),
})

test.each([
  ['pages of 3 instead of 4 are one violation of the pin', 3, 5, 1],
  ['pages of 4 as before conform to the pin', 4, 5, 0],
  ['a whole list of five instead of pages of 4 is a violation of the pin', undefined, 5, 1],
  ['a list of four, which fits into one page of 4, is inconclusive', 4, 4, 3],
])('%s', async (_, pageSize, count, expected) => {
  const file = join(folder, `pages-${pageSize}-${count}.json`)
  const only = ['--only', 'pinned/O-PAGINATION/listCats']
  await runCli([...args, 'quick', '--base-url', await serve(inPages(4), PRODUCTION_CATS), '--pin', file])
  const origin = await serve(inPages(pageSize), PRODUCTION_CATS.slice(0, count))
  const { code, stdout, reports } = await runCli([...args, 'quick', ...only, '--base-url', origin, '--profile', file])
  expect(code, stdout).toBe(expected)
  expect(readReport(reports).findings).toHaveLength(expected === 1 ? 1 : 0)
})

test('smaller pages of all lists are one violation of a profile, and one difference in a comparison', async () => {
  const cats = repeatCats(PRODUCTION_CATS, 30)
  const [file, previous] = [join(folder, 'pages-of-8.json'), await serve(inPages(8), cats)]
  await runCli([...args, 'quick', '--base-url', previous, '--pin', file])
  const now = [...args, 'quick', '--base-url', await serve(inPages(3), cats)]
  const pinned = await runCli([...now, '--only', 'pinned/O-PAGINATION/', '--profile', file])
  expect(readReport(pinned.reports).findings.map(({ finding }) => finding.fix)).toEqual([
    expect.stringMatching(/at \/pins\/\d+\/value: "pages of 8" → "pages of 3"; at \/pins\/\d+\/value: \["none".* → /),
  ])
  const compared = await runCli([...now, '--against', previous])
  expect(listDifferences(compared.reports)).toEqual([expect.stringContaining('O-PAGINATION of listCats, listBreeds')])
})

test.runIf(everything).each([
  ['equal releases', '1.0', 0],
  ['releases that search differently', '2.4', 1],
  ['releases that wrap lists differently', '2.0', 1],
])('a comparison of %s with lists in twenty-five pages costs at most twice judging both', async (_, id, expected) => {
  const cats = repeatCats(PRODUCTION_CATS, 150)
  const requests = { judged: 0, compared: 0 }
  let now: keyof typeof requests = 'judged'
  const serveInPages = async (release: ServiceRelease) => {
    const respondTo = createReleaseResponder({ ...release, pageSize: 6 }, cats)
    const { origin } = await deploy(({ url = '' }, response) => {
      requests[now]++
      const [status, body] = respondTo(url)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    return origin
  }
  const next = serviceReleases.find((release) => release.id.startsWith(id))
  if (!next) throw new Error('the release is missing')
  const [other, candidate] = [await serveInPages(first), await serveInPages(next)]
  const run = [...args, 'standard', '--versions', 'v3', '--base-url']
  await Promise.all([other, candidate].map((origin) => runCli([...run, origin])))
  now = 'compared'
  const { code, stdout, reports } = await runCli([...run, candidate, '--against', other])
  expect(code, stdout).toBe(expected)
  expect(requests.compared).toBeLessThanOrEqual(2 * requests.judged)
  // An observation that shows less than another one, e.g. not whether accents are folded, does not contradict it.
  expect(listDifferences(reports)).toEqual(next.breaks ? [expect.stringMatching(next.breaks)] : [])
  expect(stdout).not.toContain('different responses to the same request')
})

// A list of 5,000 cats is longer than the part of a body that a report contains.
test.runIf(everything)('a profile of 5,000 cats has schemas, which the next release must keep', async () => {
  const many = repeatCats(PRODUCTION_CATS, 5000)
  const file = await profileOf(many)
  const release = serviceReleases.find(({ id }) => id.startsWith('2.1'))
  if (!release) throw new Error('the release is missing')
  const only = ['--only', 'pinned/O-LIST-SHAPE/listCats']
  const same = await runCli([...args, 'quick', ...only, '--base-url', await serve(first, many), '--profile', file])
  expect(same.code, same.stdout).toBe(0)
  const next = await runCli([...args, 'quick', ...only, '--base-url', await serve(release, many), '--profile', file])
  expect(next.code, next.stdout).toBe(1)
  expect(next.stdout).toMatch(/\bage\b/)
})

test('a pinned limit is enforced on each of 5,000 elements, not only on one of each structure', async () => {
  const schema = { properties: { age: { maximum: 18 } } }
  const file = join(folder, 'limit.json')
  const pin = { point: 'O-LIST-SHAPE', operation: 'listCats', schema }
  writeFileSync(file, JSON.stringify({ profileVersion: 1, pins: [pin] }))
  const origin = await serve(first, repeatCats(PRODUCTION_CATS, 5000))
  const only = ['--only', 'pinned/', '--versions', 'v3', '--base-url', origin, '--profile', file]
  const { code, stdout } = await runCli([...args, 'quick', ...only])
  expect(code, stdout).toBe(1)
  expect(stdout).toContain('"age":19')
})
