import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { versions } from '../../../fixtures/contract/operations.ts'
import type { SimulatableDeployment } from '../../../fixtures/deployment/simulatable-deployment.ts'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { createSimulation } from '../../../fixtures/simulation/simulation.ts'
import { driftingVariants, variants } from '../../../fixtures/variants/index.ts'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { compareDeployments, exitCodeOfComparison } from '../../workflows/compare/against.ts'
import { isRegression } from '../../workflows/compare/difference.ts'
import {
  conformantDirectory,
  deployDirectory,
  directoryWithOneCatMissing,
  runCli,
  type TargetResponder,
} from '../command/cli.test.support.ts'
import { TIMEOUT_MS } from '../deployments/simulated.ts'
import { effortForMutantPairs, quickEffortWithAllOpenPoints } from '../support/extent.test.support.ts'
import { effortOptionsForTests, versionsToTest } from '../support/short.test.support.ts'

const { everything } = inject('extent')
/** The effort of the runs. In `npm test` it is low, because comparisons do not depend on it. */
const lowEffort: Partial<JudgeOptions> = everything
  ? {}
  : { ...effortOptionsForTests, bounds: quickEffortWithAllOpenPoints, versions: versionsToTest }
const little: JudgeOptions['bounds'] = { strings: 'few', inputs: 4, examples: 8, runs: 0 }

const variant = (id: string): SimulatableDeployment => {
  const found = [...variants, ...driftingVariants, ...timedVariants].find((one) => one.id === id)
  if (!found) throw new Error(`unknown variant ${id}`)
  return found
}

/** Compares two deployments in simulated time, where waiting takes no time. */
function compared(other: SimulatableDeployment, candidate: SimulatableDeployment, asked: Partial<JudgeOptions> = {}) {
  const { seed = 1 } = asked
  const { baseUrl, add, runtime, run } = createSimulation(candidate, { seed, name: 'candidate' })
  const otherUrl = add(other, 'other')
  const options = { baseUrl, seed, timeoutMs: TIMEOUT_MS, ...lowEffort, ...asked, runtime }
  return run(async () => compareDeployments(options, await judge(options), otherUrl))
}

const regressions = ({ differences }: Awaited<ReturnType<typeof compared>>) =>
  differences.filter(isRegression).map(({ kind, what, other, candidate }) => `${kind} ${what}: ${other} / ${candidate}`)

/** Variants whose responses vary, e.g. because of random order, latency, changing data, caches or replicas. */
const varyingVariants = [
  'order-random-objects',
  ...[
    'drift-600-ms',
    'wire-jitter',
    'drift-1-ms',
    'drift-60-ms',
    'drift-30-ms-random',
    'drift-20-ms-slow',
    'time-cache-of-1000-ms-max-age-every-300-ms',
    'time-cache-of-200-ms-silent-every-300-ms',
    'time-replicas-by-turns-behind-0-200-ms-every-300-ms',
  ].filter(() => everything),
]
const selfComparisons = varyingVariants.map(
  (id, nth): { readonly id: string; readonly asked: Partial<JudgeOptions> } => ({
    id,
    // Selects v2, v3 and both versions in turn.
    asked: {
      seed: 1,
      bounds: little,
      versions: [versions.slice(0, 1), versions.slice(1), versions][nth % 3] ?? versions,
    },
  }),
)

describe('a comparison of two deployments', () => {
  test(`a comparison finds no difference between equal deployments, in ${selfComparisons.length} runs of variants with varying responses`, async () => {
    const differing: string[] = []
    for (const { id, asked } of selfComparisons) {
      const found = regressions(await compared(variant(id), variant(id), asked))
      differing.push(...found.map((one) => `${id}, seed ${asked.seed}: ${one}`))
    }
    expect(differing).toEqual([])
  })

  test('a comparison shows one choice of both versions once, with both values and a curl line for each side', async () => {
    const { differences } = await compared(variant('strings'), variant('no-match-404'))
    expect(differences.map(({ kind, what }) => `${kind} ${what.split(':')[0]}`)).toEqual([
      `choice O-SEARCH-NO-MATCH of searchCats (${versionsToTest.join(', ')})`,
    ])
    for (const { other, candidate, curl } of differences) {
      expect([other, candidate]).toEqual(['empty list', 'status 404, application/problem+json'])
      expect(curl).toHaveLength(2)
    }
  })

  test('a comparison shows another rule of search once, with the smallest query that finds other cats', async () => {
    const { differences } = await compared(variant('strings'), variant('search-prefix'))
    const [difference, ...others] = differences
    expect(others).toEqual([])
    expect(difference?.what).toMatch(/^O-SEARCH-RULE of searchCats /)
    expect(difference?.input).toMatch(/^"\p{L}" \(and \d+ more\)$/u)
    expect(difference?.other).toMatch(/^substring; finds /)
    expect(difference?.candidate).toMatch(/^prefix; finds /)
    expect(difference?.curl).toHaveLength(2)
  })

  test('a comparison treats other names as other data, not as other behaviour', async () => {
    const comparison = await compared(variant('strings'), variant('directory-plain-cats'), { versions: ['v3'] })
    expect(regressions(comparison)).toEqual([])
    expect(comparison.names['v3']?.onlyOther).toContain('Zoë')
    expect(comparison.names['v3']?.onlyCandidate).toContain('Hugo')
  })

  const ids = [
    ...['cats-500', 'breeds-capped', 'search-empty-object', 'breed-cats-nameless', 'search-capped', 'breeds-at-once'],
    ...['breed-of-a-cat-in-v3', 'search-ghost-by-letter', 'search-percent-500-both', 'search-escaped-letter-500'],
    ...['breed-comment-500', 'breed-read-moves-one', 'v3-searches-fuzzily'],
  ]
  const some = mutants.filter(({ id }) => ids.includes(id)).slice(0, everything ? ids.length : 1)
  test.each(some.map((one) => [one.id, one] as const))(
    'a comparison with a deployment that has the defect %s shows a violation',
    async (_, mutant) => {
      const { differences } = await compared(variant('strings'), mutant, { bounds: effortForMutantPairs })
      expect(differences.some(({ kind }) => kind === 'broken')).toBe(true)
    },
  )

  test('a comparison leaves a response that is no JSON out of the schema of lives', async () => {
    const mutant = mutants.find(({ id }) => id === 'lives-html-for-one')
    if (!mutant) throw new Error('the mutant is missing')
    const { differences } = await compared(variant('strings'), mutant, { bounds: effortForMutantPairs })
    expect(differences.map(({ kind }) => kind)).toContain('broken')
  })
})

const quick = ['--effort', 'quick']

describe('the command', () => {
  test('the command compares with --against URL and with a saved report, and exits with 1 if the candidate adds a violation', async () => {
    const [good, bad] = await Promise.all([
      deployDirectory(conformantDirectory),
      deployDirectory(directoryWithOneCatMissing),
    ])
    const same = await runCli([...quick, '--base-url', good.origin, '--against', good.origin])
    expect(same.code, same.stdout).toBe(0)
    expect(same.stdout).toContain('no breaking difference')
    const { code, stdout } = await runCli([...quick, '--base-url', bad.origin, '--against', good.origin])
    expect(code).toBe(1)
    expect(stdout).toContain('violations only of the candidate')
    const saved = await runCli([...quick, '--base-url', bad.origin, '--against', join(same.reports, 'report.json')])
    expect(saved.code).toBe(1)
    expect(saved.stdout).toContain('violations only of the candidate')
    expect(
      (await runCli([...quick, '--base-url', good.origin, '--against', join(same.reports, 'report.json')])).code,
    ).toBe(0)
  })

  test('the command reports in one sentence why the other deployment is unreachable, and ends inconclusive', async () => {
    const good = await deployDirectory(conformantDirectory)
    const against = ['--against', 'http://127.0.0.1:9']
    const { code, stdout } = await runCli([...quick, '--base-url', good.origin, ...against])
    expect(stdout).toMatch(/\nnot compared with http:\/\/127\.0\.0\.1:9: the other side could not be reached: .+\n/)
    expect(stdout).not.toContain('not there')
    expect(code).toBe(3)
  })

  test.each([
    [0, true, 0],
    [0, false, 3],
    [1, false, 1],
    [3, true, 3],
    [4, false, 4],
  ])(
    'the command of a comparison turns the exit code %i (decided: %s) into %i if nothing differs',
    (own, isDecided, code) => {
      expect(exitCodeOfComparison({ differences: [], isDecided }, own)).toBe(code)
    },
  )

  test('the command sends no credentials to the other deployment, except its own', async () => {
    const [one, other] = await Promise.all([deployDirectory(conformantDirectory), deployDirectory(conformantDirectory)])
    await runCli([
      ...quick,
      '--base-url',
      one.origin,
      '--against',
      other.origin,
      '--token',
      'abcdefgh',
      '--against-header',
      'X-Api-Key: other',
    ])
    expect(other.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(false)
    expect(other.requests.some(({ headers }) => headers['x-api-key'] === 'other')).toBe(true)
    expect(one.requests.some(({ headers }) => headers['x-api-key'] !== undefined)).toBe(false)
  })

  test('the command shows no credentials if a deployment returns them as a name', async () => {
    // Begins with `0`, so that it is first in alphabetical order and thus one of the three names that a report shows.
    const token = '0tok-3f9a61c2'
    const calling =
      (name: string): TargetResponder =>
      (target) => {
        // Finds the cat with the token in its name by any part of the name.
        const isPart = name.startsWith(new URL(target, 'http://h').searchParams.get('q') || ' ')
        const value = conformantDirectory(
          isPart ? target.replace(/q=[^&]*/, 'q=Luna') : target.replaceAll(name, 'Luna'),
        )
        return value && JSON.parse(JSON.stringify(value).replaceAll('Luna', name))
      }
    /** Finds a cat by its full name only. */
    const exact: TargetResponder = (target) => {
      const q = new URL(target, 'http://h').searchParams.get('q') ?? ''
      const found: unknown = calling(token)(target)
      const isPart = q !== '' && q !== token && token.includes(q)
      return isPart && Array.isArray(found) ? found.filter((name) => name !== token) : found
    }
    const [production, candidate, otherDeployment] = await Promise.all(
      [calling(token), exact, calling('Lena')].map((directory) => deployDirectory(directory)),
    )
    for (const other of [production, otherDeployment]) {
      const against = ['--against', other?.origin ?? '', '--token', token]
      const { stdout, reports } = await runCli([...quick, '--base-url', candidate?.origin ?? '', ...against])
      const saved = readFileSync(join(reports, 'comparison.json'), 'utf8')
      expect(stdout).toMatch(other === production ? /finds .*"\*\*\*"/ : /only the candidate lists "\*\*\*"/)
      expect(stdout + saved).not.toContain(token)
    }
  })

  test('the command compares with the old report before it writes the new one', async () => {
    const [good, bad] = await Promise.all([
      deployDirectory(conformantDirectory),
      deployDirectory(directoryWithOneCatMissing),
    ])
    const { reports } = await runCli([...quick, '--base-url', good.origin])
    const saved = ['--against', join(reports, 'report.json'), '--report-dir', reports]
    const { code, stdout } = await runCli([...quick, '--base-url', bad.origin, ...saved])
    expect(stdout).toContain('violations only of the candidate')
    expect(code).toBe(1)
  })

  test('the command refuses to compare with anything but a report, before any request', async () => {
    const { origin, requests } = await deployDirectory(conformantDirectory)
    const { code, stderr } = await runCli(['--base-url', origin, '--against', 'no-such-report.json'])
    expect(code).toBe(2)
    expect(stderr).toContain('--against')
    expect(requests).toEqual([])
  })
})
