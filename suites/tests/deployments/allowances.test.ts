import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, inject, test } from 'vitest'
import type { SimulatableDeployment } from '../../../fixtures/deployment/simulatable-deployment.ts'
import { mutants } from '../../../fixtures/mutants/index.ts'
import type { Mutant } from '../../../fixtures/mutants/mutant.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import type { TimedMutant } from '../../../fixtures/mutants/time/timed-mutant.ts'
import { type Variant, variants } from '../../../fixtures/variants/index.ts'
import type { Deployment } from '../../directory/deployment.ts'
import { type Allowances, allowances } from '../../directory/matching/allowances.ts'
import type { Check } from '../../engine/check/check.ts'
import type { Status, Verdict } from '../../engine/check/verdict.ts'
import { catalogue } from '../../judge/catalogue.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import type { JudgeDependencies } from '../../judge/run-plan.ts'
import { effortWithFewNames } from '../support/extent.test.support.ts'
import { judgeInSimulatedTime } from './simulated.ts'

type Tries = 'probesAtStart' | 'probesFirst' | 'earlyExperiments' | 'probes' | 'probesAfterChange'

interface ProbePosition {
  readonly check: Check<Deployment>
  readonly of: Tries
  readonly index: number
}

/** Both are false in `npm test`, which leaves out most of these tests: each judges many deployments. */
const { probes, everything } = inject('extent')

/**
 * The probes of all checks with several probes. If a check has only one probe, its mutants already prove that this
 * probe is needed.
 */
const testedProbes = catalogue.flatMap((check) => {
  const all = (['probesAtStart', 'probesFirst', 'earlyExperiments', 'probes', 'probesAfterChange'] as const).flatMap(
    (of) => check[of].map((_, index): ProbePosition => ({ check, of, index })),
  )
  return all.length > 1 ? all : []
})

/**
 * Returns a check together with all checks that can change its verdict: its prerequisites, and the checks that may
 * explain its failure.
 */
function selectRelatedChecks(check: Check<Deployment>): readonly Check<Deployment>[] {
  const ids = new Set([check.id])
  // The loop also visits the ids that it adds.
  for (const id of ids) {
    const one = catalogue.find((other) => other.id === id)
    for (const other of [...(one?.requires ?? []), ...(one?.explainedBy ?? [])]) ids.add(other)
  }
  return catalogue.filter(({ id }) => ids.has(id))
}

const without = (
  { check, of, index }: ProbePosition,
  checks: readonly Check<Deployment>[],
): readonly Check<Deployment>[] =>
  checks.map((one) => (one === check ? { ...check, [of]: check[of].filter((_, other) => other !== index) } : one))

/** Judges a deployment in simulated time, where defects that depend on time show in every run. */
const judged = async (
  deployment: SimulatableDeployment,
  judging: JudgeDependencies,
  asked: Partial<JudgeOptions> = {},
): Promise<readonly Verdict[]> => (await judgeInSimulatedTime(deployment, { seed: 1 }, asked, judging)).result.verdicts

const FOUND_BEFORE = new URL('allowances.escapes.json', import.meta.url)

/** A mutant that passed without a probe, and the attempt (its index) in which it did. */
interface Escape {
  readonly mutant: string
  readonly attempt: number
}

/** For each probe, the escape that an earlier run found. It is tried first; a wrong entry only costs time. */
const foundBefore: Readonly<Record<string, Escape>> = JSON.parse(readFileSync(FOUND_BEFORE, 'utf8'))
const found: Record<string, Escape> = {}

const sortFirst = <T>(all: readonly T[], isFirst: (one: T) => boolean): readonly T[] =>
  all.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))

/** Returns the deployments that a check must report. */
function selectReportedDeployments({ id, scopes, level }: Check<Deployment>): readonly ReportedDeployment[] {
  if (level === 'should') return variants.filter(({ advised }) => advised.some((place) => place.startsWith(`${id} `)))
  const isNamed = (mutant: TimedMutant) => scopes.some((scope) => mutant.isCaughtBy(id, scope))
  return [
    ...mutants.filter((mutant) => mutant.caughtBy.some(({ check }) => check === id)),
    ...timedMutants.filter(isNamed),
  ]
}

/** Finds a mutant that is caught with this probe, but not without it. */
async function findEscape(probe: ProbePosition, title: string): Promise<Escape | undefined> {
  const known = foundBefore[title]
  const attempts = sortFirst([0, 1, 2], (attempt) => attempt === known?.attempt)
  for (const mutant of sortFirst(selectReportedDeployments(probe.check), ({ id }) => id === known?.mutant))
    for (const attempt of attempts)
      if (await isReportedOnlyWithProbe(mutant, probe, attempt)) return { mutant: mutant.id, attempt }
  return undefined
}

/** A deployment that some check reports: a mutant, or a variant that gets advice. */
type ReportedDeployment = Mutant | TimedMutant | Variant

/** Returns the statuses with which a check may report a deployment. */
function statusesOfReport({ level }: Check<Deployment>, one: ReportedDeployment): readonly Status[] {
  if (level === 'should') return ['warn']
  return 'isCaughtBy' in one && one.expected !== 'nonconformant' ? ['fail', 'inconclusive'] : ['fail']
}

/**
 * The attempts to find an escape. The first ones run only the necessary checks: with few names, then with standard
 * effort. The last one runs all checks. Some defects show only after many requests, others only after few.
 */
const attemptsFor = ({ check }: ProbePosition) => [
  { checks: selectRelatedChecks(check), bounds: effortWithFewNames },
  { checks: selectRelatedChecks(check), bounds: {} },
  { checks: catalogue, bounds: {} },
]

/** Returns whether the check reports the deployment with this probe, but not without it. */
async function isReportedOnlyWithProbe(one: ReportedDeployment, probe: ProbePosition, nth: number): Promise<boolean> {
  const attempt = attemptsFor(probe)[nth]
  if (!attempt) throw new Error(`there is no attempt ${nth}`)
  const { checks, bounds } = attempt
  const isReported = async (some: readonly Check<Deployment>[]) =>
    (await judged(one, { checks: some }, { bounds })).some(
      ({ check, status }) => check.id === probe.check.id && statusesOfReport(probe.check, one).includes(status),
    )
  return !(await isReported(without(probe, checks))) && (await isReported(checks))
}

const titled = testedProbes.map((probe) => [`${probe.check.id}, ${probe.of} ${probe.index + 1}`, probe] as const)

describe.runIf(probes)('a mutant escapes without each probe (in test:ci and test:full)', () => {
  test.each(titled)('a mutant escapes without the probe %s', async (title, probe) => {
    const escape = await findEscape(probe, title)
    expect(escape, 'no mutant escapes without this probe').toBeDefined()
    if (escape) found[title] = escape
  })

  afterAll(() => {
    const others = Object.keys(found).filter((title) => !isDeepStrictEqual(found[title], foundBefore[title]))
    if (others.length === 0) return
    mkdirSync('reports/power', { recursive: true })
    const lines = Object.entries({ ...foundBefore, ...found }).map(
      ([title, escape]) => `  ${JSON.stringify(title)}: ${JSON.stringify(escape)}`,
    )
    writeFileSync('reports/power/allowances.escapes.json', `{\n${lines.join(',\n')}\n}\n`)
    console.log(`others escape than before (reports/power/allowances.escapes.json knows them): ${others.join('; ')}`)
  })
})

/**
 * For each allowance (a tolerated deviation), a permissible variant that needs it, and the check that fails without it.
 */
const deploymentsByAllowance: Readonly<Record<keyof Allowances, readonly [variant: string, check: string]>> = {
  refusedName: ['long-listed-name-refused', 'lives/is-served'],
  refusedQuery: ['long-listed-name-refused', 'search/finds-every-cat-by-name'],
  aliasOf: ['names-in-any-case', 'breed-cats/unknown-breeds-have-none'],
  shownAlias: ['breeds-by-id', 'breed-cats/unknown-breeds-have-none'],
  dotsAlone: ['dot-segments', 'breed-cats/unknown-breeds-have-none'],
  anotherRoute: ['paths-resolved-to-pages', 'breed-cats/is-a-list'],
  stepsInPath: ['paths-resolved-anew', 'breed-cats/unknown-breeds-have-none'],
  soundsAlike: ['search-soundex', 'search/hits-share-a-character'],
  sameBreed: ['shows-breed-slug', 'membership/shown-breed'],
  syntaxInQuery: ['search-unpunctuated', 'search/hits-share-a-character'],
  isOneError: ['search-fuzzy-beginnings', 'search/hits-share-a-character'],
  transliterated: ['search-transliterated', 'search/hits-share-a-character'],
  readAsSpecial: ['search-typographic', 'search/special-characters-are-literal'],
  speltOut: ['search-spelt-out', 'search/hits-share-a-character'],
  alsoFoundWithout: ['search-words', 'search/special-characters-are-literal'],
  redirectedOutOf: ['v2-lives-at-v3', 'lives/only-in-v3'],
}

describe('a variant fails without each allowance, and passes with it', () => {
  test.each(Object.entries(deploymentsByAllowance))(
    'a variant fails without the allowance %s, and passes with it',
    async (name, [id, check]) => {
      const variant = variants.find((one) => one.id === id)
      if (!variant) throw new Error(`unknown variant ${id}`)
      const failing = async (judging: JudgeDependencies) =>
        (await judged(variant, judging, { only: [check] })).filter(({ status }) => status === 'fail')
      // Tests that the variant passes with all allowances. In `npm test`, the tests of variants do so.
      if (everything) expect(await failing({})).toEqual([])
      expect(await failing({ allowances: { ...allowances, [name]: () => false } })).not.toEqual([])
    },
  )
})
