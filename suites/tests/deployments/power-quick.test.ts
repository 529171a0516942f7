import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { openPoints } from '../../../fixtures/contract/open-points.ts'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { startService } from '../../../fixtures/service/start.ts'
import { needsManyTestStrings, type Variant, variants } from '../../../fixtures/variants/index.ts'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import { suggestNextStep } from '../../../reports/report/next-steps.ts'
import { forEach } from '../../checks/shared/check.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { NO_DATA_REASON } from '../../engine/run/build-verdicts.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { judge } from '../../judge/judge.ts'
import { createUserCheck } from '../../judge/user-checks.ts'
import { conformantDirectory, deployDirectory } from '../command/cli.test.support.ts'
import { forEachConcurrently } from '../support/concurrently.ts'
import { CAUGHT_WITH_QUICK_EFFORT } from '../support/extent.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'
import { describeTooManyRequests, MAX_REQUESTS_OF_OTHERS } from './quick-requests.ts'
import { judgeInSimulatedTime } from './simulated.ts'

/**
 * The maximum number of requests of a run with `--effort quick` against a directory of fifty cats and fifteen breeds.
 */
const MAX_REQUESTS = 150
const TOO_MANY = 'a check that sends requests that no other check sends must declare `ownRequests`'
const AT_ONCE = 6

const { everything } = inject('extent')

/** Returns a line for each verdict that is not a pass, with its reason. */
const describeNotPassed = ({ verdicts }: RunResult): string[] =>
  verdicts
    .filter(({ status }) => status !== 'pass')
    .map(({ check: { id }, version, status, reason }) => `${id} ${version}: ${status}, ${reason}`)

test('quick effort sends few requests to the reference service with any seed', async () => {
  const { baseUrl, close } = await startService()
  try {
    for (const seed of [1, 11, 99]) {
      const result = await judge({ baseUrl, seed, effort: 'quick', timeoutMs: 60_000 })
      // Compares the verdicts first: if a check fails, the suite also sends more requests, but that is only a
      // consequence.
      expect(describeNotPassed(result)).toEqual([])
      expect(result.requests, TOO_MANY).toBeLessThanOrEqual(MAX_REQUESTS)
    }
  } finally {
    await close()
  }
})

test('quick effort sends at most one request for an open point that no check sends', async () => {
  const [variant] = variants
  if (!variant) throw new Error('there is no variant')
  const judgeWith = (only: readonly string[]) =>
    judgeInSimulatedTime(variant, { seed: 1 }, { effort: 'quick', record: 'all', only })
  const { result: resultOfChecks, baseUrl } = await judgeWith(catalogue.map(({ id }) => id))
  const sentByChecks = new Set(resultOfChecks.traffic?.sent.map(({ target }) => `GET ${baseUrl}${target}`))
  const { observations, exchanges } = (await judgeWith([])).result
  const requestOf = (id: number) => [exchanges.get(id)].map((one) => `${one?.method} ${one?.url}`).join('')
  const costly = openPoints.filter(({ id }) => {
    const evidence = observations.flatMap((one) => (one.id === id ? one.evidence : [])).map(requestOf)
    return new Set(evidence.filter((request) => !sentByChecks.has(request))).size > 1
  })
  const advice = 'its observer in suites/open-points/ sends requests of its own: add `sendsOwnRequests: true` to its id'
  expect(costly.map(({ id }) => `${id}: ${advice}`)).toEqual([])
})

test('a user-defined check with declared own requests sends no more with quick effort', async () => {
  const asked = ['nobody is called so', 'nor so']
  const own = createUserCheck({
    id: 'own/asks-alone',
    title: 'sends requests that no other check sends',
    fix: 'Nothing is wrong.',
    ownRequests: asked.length,
    probes: [
      forEach(
        () => asked,
        async (q, { directory }, read) => void (await read(directory.search(q))),
      ),
    ],
  })
  const { baseUrl, close } = await startService()
  try {
    const { requests, conclusion, verdicts } = await judge(
      { baseUrl, seed: 1, effort: 'quick' },
      { checks: [...catalogue, own] },
    )
    expect(requests).toBeLessThanOrEqual(MAX_REQUESTS)
    expect(conclusion).toBe('conformant')
    expect(verdicts.filter(({ check: { id } }) => id === own.id).map(({ inputsTested: count }) => count)).toEqual([
      2, 2,
    ])
  } finally {
    await close()
  }
})

test('the page on limits states how many mutants quick effort catches', () => {
  const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8')
  expect(page).toContain(`with quick effort: the verdict was nonconformant for ${CAUGHT_WITH_QUICK_EFFORT.words}`)
})

/** Deployments that took too many requests in earlier versions of the suite, each for another reason. */
const pastRegressions = [
  ...['breed-cut-at-hash', 'search-misses-a-cat', 'v3-searches-fuzzily', 'search-emoji-listed-500'],
  ...['breed-plus-is-blank-both', 'cats-first-ten-beside-totals', 'cats-read-costs-a-life', 'search-contrary'],
  ...['breed-dots-resolved', 'breed-prefix-both', 'breeds-read-founds-one', 'search-costs-a-life', 'search-reset'],
  ...[
    'cats-read-moves-one',
    'pages-other-next',
    'pages-gitlab',
    'pages-google',
    'pages-of-nothing',
    'pages-url-list',
    'base-path-slash-redirect',
  ],
]

async function countRequestsWithQuickEffort(id: string): Promise<number> {
  const found = [...mutants, ...variants].find((one) => one.id === id)
  if (!found) throw new Error(`unknown test deployment ${id}`)
  const headers = 'headers' in found ? found.headers : undefined
  const options = { ...(headers && { headers }), seed: 7, effort: 'quick', timeoutMs: 10_000 } as const
  return (await judgeInSimulatedTime(found, { seed: 7 }, options)).result.requests
}

// Simulates the time: the number of rechecks depends on the time between them.
test.each(pastRegressions)('quick effort sends few requests to the deployment %s', async (id) => {
  expect(describeTooManyRequests(new Map([[id, await countRequestsWithQuickEffort(id)]]))).toEqual([])
})

test('quick effort is inconclusive where it reaches its limit, and the next step is standard effort', async () => {
  const found = timedMutants.find(({ id }) => id === 'time-cats-in-shuffled-pages')
  if (!found) throw new Error('the mutant is missing')
  const { result } = await judgeInSimulatedTime(found, { seed: 1 }, { effort: 'quick' })
  expect(result.conclusion).toBe('inconclusive')
  const [limited] = result.verdicts.flatMap(({ inconclusiveReason: reason }) =>
    reason?.kind === 'budget' ? reason : [],
  )
  expect(limited && suggestNextStep('cats/is-served', limited).option).toBe('--effort standard')
})

/**
 * The judged variants. `npm test` judges only variants that are sensitive to the sent strings: the other variants are
 * judged with `--effort quick` by other tests.
 */
const judgedVariants = (everything ? variants : variants.filter(needsManyTestStrings)).filter(
  (_, index) => index % (everything ? 4 : 16) === 0,
)

test('quick effort sends few requests with any seed, and reports what it leaves out', async () => {
  for (const seed of [1, 7, 42]) {
    const { origin } = await deployDirectory(conformantDirectory)
    const { requests, conclusion, notExercised, verdicts } = await judge({ baseUrl: origin, seed, effort: 'quick' })
    expect(conclusion).toBe('conformant')
    expect(requests, TOO_MANY).toBeLessThanOrEqual(MAX_REQUESTS)
    const omitted = notExercised.filter((line) => line.startsWith('not observed with quick effort, unless a profile'))
    expect(omitted).toEqual([expect.stringContaining(', O-SIZE, ')])
    expect(describeVerdicts({ verdicts }, 'inconclusive')).toEqual([])
    const strings = verdicts.filter(({ check }) => check.id.endsWith('survives-every-string'))
    expect(strings.every(({ inputsTested, sampledFrom = 0 }) => sampledFrom > inputsTested)).toBe(true)
  }
})

/** Creates a directory of `count` breeds with two cats each. */
const createDirectory =
  (count: number, showsBreeds = false) =>
  (target: string) => {
    const breeds = Array.from({ length: count }, (_, index) => `Breed No. ${index}`)
    const cats = breeds.flatMap((breed) => ['O’Hara', 'Tom'].map((name) => ({ name: `${name} of ${breed}`, breed })))
    const [path = '', query = ''] = target.split('?')
    const [, version = '', kind, name = '', rest] = path.split('/').map(decoded)
    const namesWhere = (isMeant: (cat: (typeof cats)[number]) => boolean) =>
      cats.filter(isMeant).map((cat) => (showsBreeds ? cat : cat.name))
    if (kind === 'cats') return namesWhere(() => true)
    if (kind === 'search') {
      const q = new URLSearchParams(query).get('q') ?? ''
      return namesWhere((cat) => q !== '' && (cat.name.includes(q) || cat.breed.includes(q)))
    }
    if (kind === 'breeds' && rest === undefined) return breeds
    if (kind === 'breeds' && rest === 'cats' && breeds.includes(name)) return namesWhere(({ breed }) => breed === name)
    return version === 'v3' && rest === 'lives_left' && namesWhere((cat) => cat.name === name).length > 0
      ? 7
      : undefined
  }

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

test.each([1, 60])('quick effort has an input for every check, also with %i breeds', async (count) => {
  const { origin } = await deployDirectory(createDirectory(count, true))
  expect(describeNotPassed(await judge({ baseUrl: origin, seed: 7, effort: 'quick' }))).toEqual([])
})

test('quick effort reads the lists of 25 breeds, and says which check needs more', async () => {
  const requests: string[] = []
  const whole = createDirectory(60)
  const { origin } = await deployDirectory((target) => (requests.push(target), whole(target)))
  const why =
    'not-applicable, the lists of only 25 breeds were read, and no response shows the breed of each cat, so a cat may be in a list that was not read'
  expect(describeNotPassed(await judge({ baseUrl: origin, seed: 7, effort: 'quick' }))).toEqual([
    `membership/every-cat-has-a-breed v2: ${why}`,
    `membership/every-cat-has-a-breed v3: ${why}`,
  ])
  const listed = requests.filter((target) => /^\/v2\/breeds\/Breed%20No\.%20\d+\/cats$/.test(target))
  expect(new Set(listed).size).toBeLessThan(40)
})

test('quick effort guesses no pages of the cats of a breed if the list of breeds has several pages', async () => {
  const pageSize = 5
  const whole = createDirectory(12)
  const { origin } = await deployDirectory((target) => {
    const { pathname, searchParams } = new URL(target, 'http://h')
    const start = Number(searchParams.get('start') ?? 0)
    const all = whole(target.replace(/[?&]start=\d+/, ''))
    if (!Array.isArray(all)) return all
    searchParams.set('start', String(start + pageSize))
    const next = start + pageSize < all.length ? `${pathname}?${searchParams.toString()}` : null
    return { items: all.slice(start, start + pageSize), total: all.length, next }
  })
  const { requests, conclusion } = await judge({ baseUrl: origin, seed: 7, effort: 'quick' })
  expect(conclusion).toBe('conformant')
  expect(requests).toBeLessThanOrEqual(MAX_REQUESTS_OF_OTHERS)
})

/**
 * Returns whether a verdict is inconclusive because the directory has no input for the check. More effort would not
 * change that.
 */
const isWithoutInput = ({ verdict }: Variant, reason = ''): boolean =>
  verdict === 'conformant' && reason.includes(NO_DATA_REASON)

test('a violation that was confirmed before the limit counts, although checks that it requires are inconclusive', async () => {
  const found = mutants.find(({ id }) => id === 'breed-read-costs-a-life')
  if (!found) throw new Error('the mutant is missing')
  const { result } = await judgeInSimulatedTime(found, { seed: 7 }, { effort: 'quick', seed: 7 })
  expect(describeVerdicts(result, 'inconclusive').join()).toContain('breed-cats/is-a-list v3')
  expect(result.conclusion).toBe('nonconformant')
})

// Without the requests that are kept, these mutants are inconclusive with quick effort: nothing is left to look for
// changes of the data, or to send a search again that got no response.
test.each(['cats-ascii', 'search-reset'])('quick effort keeps requests to decide at the end about %s', async (id) => {
  const found = mutants.find((one) => one.id === id)
  if (!found) throw new Error('the mutant is missing')
  const { result } = await judgeInSimulatedTime(found, { seed: 7 }, { effort: 'quick', seed: 7 })
  expect(result.conclusion).toBe('nonconformant')
})

test('a service that answered before the limit is not called unreachable: only the checks that need more are inconclusive', async () => {
  const { baseUrl, close } = await startService()
  try {
    const { verdicts } = await judge({ baseUrl, seed: 1, bounds: { maxRequests: 20 } })
    const statusOf = (wanted: string) => verdicts.find(({ check: { id } }) => id === wanted)?.status
    expect([statusOf('service/answers'), statusOf('search/is-a-list')]).toEqual(['pass', 'inconclusive'])
  } finally {
    await close()
  }
})

// With this seed and limit, the suite once failed the variant: the end of the run had no requests to detect the changes.
test('a violation that a change may explain does not count if no request is left to detect changes', async () => {
  const found = timedVariants.find(({ id }) => id === 'time-cache-of-1000-ms-silent-every-30-ms')
  if (!found) throw new Error('the variant is missing')
  const options = { effort: 'quick', maxRequests: 250, timeoutMs: 10_000 } as const
  expect(describeVerdicts((await judgeInSimulatedTime(found, { seed: 1 }, options)).result, 'fail')).toEqual([])
})

test('quick effort fails no permissible deployment, and leaves no check without inputs', async () => {
  const falselyFailed: string[] = []
  const requestsById = new Map<string, number>()
  await forEachConcurrently(judgedVariants, AT_ONCE, async (variant) => {
    const options = { headers: variant.headers, timeoutMs: 60_000, effort: 'quick', seed: 7 } as const
    const { result } = await judgeInSimulatedTime(variant, { seed: 7 }, options)
    requestsById.set(variant.id, result.requests)
    for (const { check, version, status, reason } of result.verdicts)
      if (status === 'fail' || status === 'error' || isWithoutInput(variant, reason))
        falselyFailed.push(`${variant.id}: ${check.id} ${version}, ${reason}`)
  })
  expect(falselyFailed).toEqual([])
  expect(describeTooManyRequests(requestsById)).toEqual([])
})

// With this seed, the suite once failed the variant: it retried a request during health checks of the other version.
test('quick effort fails no deployment that resets the fifth connection', async () => {
  const variant = timedVariants.find(({ id }) => id === 'time-limit-4-connections')
  if (!variant) throw new Error('the variant is missing')
  const { result } = await judgeInSimulatedTime(variant, { seed: 2 }, { effort: 'quick' })
  expect(describeVerdicts(result, 'fail')).toEqual([])
})
