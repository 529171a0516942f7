import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { versions as allVersions, type Version } from '../../../fixtures/contract/operations.ts'
import { type CatchingCheck, type Mutant, mutants } from '../../../fixtures/mutants/index.ts'
import { createSimulation, type Simulation } from '../../../fixtures/simulation/simulation.ts'
import { buildReport } from '../../../reports/report/build.ts'
import type { Deployment } from '../../directory/deployment.ts'
import { effortsByName } from '../../directory/shared/effort.ts'
import type { Check } from '../../engine/check/check.ts'
import type { RunResult, Verdict } from '../../engine/check/verdict.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { reportContext } from '../reports/reports.test.support.ts'
import { type CurlEvidence, isCurlInstalled, runCurlLines } from '../support/curl-lines.test.support.ts'
import { quickEffort, selectHalf } from '../support/extent.test.support.ts'
import { describeVerdict, describeVerdicts } from '../support/verdict-lines.ts'
import { testQuickEffort } from './power-quick.test.support.ts'
import { describeTooManyRequests } from './quick-requests.ts'
import { TIMEOUT_MS } from './simulated.ts'

interface MutantAttempt extends Pick<JudgeOptions, 'bounds'> {
  /** True if all checks judge the mutant, because it needs more evidence than the checks that it names collect. */
  readonly hasAllChecks?: true
}

const { standardEffortFirstOneOf, mutantsPerCheck, screening, everyCheckOneOf, repeatedOneOf, everything } =
  inject('extent')

const withQuickEffort: MutantAttempt = { bounds: effortsByName.quick }

/** Returns the attempts to catch a mutant: usually with more effort each time, for some mutants with less. */
const attemptsFor = (mutant: Mutant): readonly MutantAttempt[] => {
  // This attempt does not observe open points, because the tests of variants do.
  const screened: readonly MutantAttempt[] = screening ? [{ bounds: screening }] : []
  const isStandardFirst = mutants.indexOf(mutant) % standardEffortFirstOneOf === 0
  const attempts = isStandardFirst ? [...screened, {}, withQuickEffort] : [withQuickEffort, ...screened, {}]
  // Few requests may show a side effect that uses up all cats before the experiments of standard effort.
  return [...attempts, { bounds: quickEffort }, { hasAllChecks: true }]
}

const failing = ({ verdicts }: RunResult): string[] =>
  verdicts
    .filter(({ status }) => status === 'fail')
    .map(({ check, version }) => `${check.id} ${version}`)
    .sort()

const findings = ({ verdicts }: RunResult): string[] =>
  verdicts
    .filter(({ status, cause }) => status === 'fail' && !cause)
    .map(({ check, version }) => `${check.id} ${version}`)

const namedBy = ({ caughtBy }: Mutant): string[] => caughtBy.map(({ check, version }) => `${check} ${version}`).sort()

const checksNamedBy = ({ caughtBy }: Mutant): ReadonlySet<string> => new Set(caughtBy.map(({ check }) => check))

const checkOf = new Map(catalogue.map((check) => [check.id, check]))

const isJudgedByAll = (mutant: Mutant): boolean =>
  mutant.breaks.operation === 'all' || mutants.indexOf(mutant) % everyCheckOneOf === 0

/**
 * Returns the checks that a mutant names, with their prerequisites. Other checks that could explain a failure are left
 * out.
 */
function checksFor(mutant: Mutant): readonly Check<Deployment>[] {
  if (isJudgedByAll(mutant)) return catalogue
  const ids = new Set(checksNamedBy(mutant))
  // The loop also visits the ids that it adds.
  for (const id of ids) for (const other of checkOf.get(id)?.requires ?? []) ids.add(other)
  return catalogue
    .filter(({ id }) => ids.has(id))
    .map((check) => ({ ...check, explainedBy: check.explainedBy.filter((id) => ids.has(id)) }))
}

/**
 * Returns the versions to judge: only that of the defect, unless a check compares versions or looks for side effects.
 */
function versionsFor(mutant: Mutant): readonly Version[] {
  const isAlone = ({ check, version }: CatchingCheck) =>
    version !== 'v2+v3' && !check.endsWith('/reading-changes-nothing')
  return !isJudgedByAll(mutant) && mutant.caughtBy.every(isAlone) ? mutant.breaks.versions : allVersions
}

/** Describes the verdicts of the named checks, and all inconclusive verdicts, for failure messages. */
const describeVerdictsOf = ({ verdicts }: RunResult, cases: readonly string[]): string =>
  verdicts
    .filter(
      ({ check, version, status, reason }) =>
        cases.includes(`${check.id} ${version}`) || (status === 'inconclusive' && !reason?.startsWith('prerequisite')),
    )
    .map(describeVerdict)
    .join('; ')

interface CaughtMutant {
  readonly mutant: string
  readonly named: readonly string[]
  readonly caught: readonly string[]
  readonly counterexamples: readonly string[]
  /** The findings of the report. A root cause that both versions have is one finding. */
  readonly findings: readonly string[]
  /** For each finding, whether its curl lines show the violation in a shell. */
  readonly shown: readonly CurlEvidence[]
}

/** Returns whether all findings of this mutant are repeated: by a replay, and by their curl lines. */
const areAllRepeated = (mutant: Mutant): boolean =>
  // Successive mutants are judged by different test files, so the choice must not depend on their parity.
  Math.floor(mutants.indexOf(mutant) / 2) % repeatedOneOf === 0

/** The checks of which a finding was replayed. */
const replayedChecks = new Set<string>()
const isReplayed = (mutant: Mutant, id: string): boolean =>
  areAllRepeated(mutant) || (!replayedChecks.has(id) && replayedChecks.add(id).has(id))

/**
 * For each check, the mutant whose curl lines are always run in a shell. Of all mutants that this check must report, it
 * is the one that the fewest other checks must report.
 */
const mutantWithCurlLines = new Map(
  mutants
    .toReversed()
    .toSorted((a, b) => checksNamedBy(b).size - checksNamedBy(a).size)
    .flatMap((mutant) => [...checksNamedBy(mutant)].map((check) => [check, mutant] as const)),
)
const isPasted = (mutant: Mutant, check: string): boolean =>
  areAllRepeated(mutant) || mutantWithCurlLines.get(check) === mutant

/** Replays a finding with `--seed --path --only`: one request must find the same counterexample. */
async function replays(
  mutant: Mutant,
  { baseUrl, runtime }: Simulation,
  { check, version, status, finding }: Verdict,
): Promise<void> {
  if (status !== 'fail' || finding?.path === undefined || !isReplayed(mutant, check.id)) return
  const versions = allVersions.filter((one) => version.split('+').includes(one))
  const { path, counterexample } = finding
  const { verdicts } = await judge({
    baseUrl,
    runtime,
    timeoutMs: TIMEOUT_MS,
    versions,
    seed: 7,
    path,
    only: [check.id],
  })
  const again = verdicts.find((verdict) => verdict.check.id === check.id && verdict.version === version)
  expect(again).toMatchObject({ status: 'fail', inputsTested: 1, finding: { counterexample } })
}

/**
 * Mutants whose curl lines show no difference from the deployment without the defect. Most depend on earlier requests of
 * the run, e.g. the defect starts after a hundred of them, or a cache has kept the response to another spelling.
 */
const mutantsNotShownByCurlLines: ReadonlySet<string> = new Set([
  ...['lives-cost-some', 'search-moves', 'cats-read-moves-one', 'search-nothing-at-first'],
  ...['cats-read-drops-one-late', 'breed-read-adds-one-late', 'breeds-read-founds-one-late'],
  ...['lives-gain-one-late', 'search-adds-query-late', 'cats-nothing-after-head'],
  ...['lives-missing-in-any-case', 'breed-missing-in-any-case', 'search-missing-by-beginning'],
])

/** The share of findings whose first curl line must show the defect. */
const SHOWN_BY_FIRST_LINE = 0.9

/** Runs the curl lines of each finding in a shell, for the mutant and for the same deployment without the defect. */
async function runAllCurlLines(
  mutant: Mutant,
  result: RunResult,
  simulatedBaseUrl: string,
): Promise<readonly CurlEvidence[]> {
  if (!isCurlInstalled || ![...checksNamedBy(mutant)].some((check) => isPasted(mutant, check))) return []
  const [defective, honest] = await Promise.all([mutant.start(), mutant.correctTwin.start()])
  // A link may lead out of the base path, so the origins are compared.
  const originOf = (url: string) => new URL(url).origin
  const [simulated, wrong, right] = [originOf(simulatedBaseUrl), originOf(defective.baseUrl), originOf(honest.baseUrl)]
  const { findings } = buildReport(result, { ...reportContext, baseUrl: simulatedBaseUrl })
  const failed = findings.filter(({ id, status }) => status === 'fail' && isPasted(mutant, id))
  try {
    return await Promise.all(
      failed.map(({ finding }) => {
        const lines = finding.curl.map((line) => line.replaceAll(simulated, wrong))
        return runCurlLines(lines, wrong, right)
      }),
    )
  } finally {
    await Promise.all([defective.close(), honest.close()])
  }
}

/** The ids of the mutants that were caught with `--effort quick`. */
const caughtWithQuickEffort = new Set<string>()
/** The numbers of requests of all mutants that were judged by all checks with `--effort quick`. */
const requestsWithQuickEffort = new Map<string, number>()

/**
 * Judges a mutant once. The mutant is started anew for each attempt, because its defect may depend on earlier requests.
 */
async function judgeOnce(mutant: Mutant, attempt: MutantAttempt): Promise<CaughtMutant> {
  const simulation = createSimulation(mutant, { seed: 1 })
  const { baseUrl, runtime, run } = simulation
  const named = namedBy(mutant)
  const { bounds, hasAllChecks } = attempt
  const versions = bounds ? versionsFor(mutant) : allVersions
  const options = { baseUrl, runtime, timeoutMs: TIMEOUT_MS, versions, seed: 7, ...(bounds && { bounds }) }
  const result = await run(() => judge(options, { checks: hasAllChecks ? catalogue : checksFor(mutant) }))
  const caught = failing(result)
  if (attempt === withQuickEffort && caught.length > 0) caughtWithQuickEffort.add(mutant.id)
  if (attempt === withQuickEffort) requestsWithQuickEffort.set(mutant.id, result.requests)
  expect(caught, `${mutant.describes}; ${describeVerdictsOf(result, [...named, ...caught])}`).toEqual(named)
  expect(findings(result), 'one finding for each root cause').toHaveLength(mutant.defects)
  expect(result.conclusion).toBe('nonconformant')
  expect(describeVerdicts(result, 'error')).toEqual([])
  for (const verdict of result.verdicts) await run(() => replays(mutant, simulation, verdict))
  const counterexamples = result.verdicts.flatMap(({ finding }) => finding?.counterexample ?? [])
  const shown = await runAllCurlLines(mutant, result, baseUrl)
  if (!mutantsNotShownByCurlLines.has(mutant.id))
    expect(
      shown.map(({ byAll }) => byAll),
      'whether the curl lines show it',
    ).toEqual(shown.map(() => true))
  return { mutant: mutant.id, named, caught, counterexamples, findings: findings(result), shown }
}

/**
 * Makes attempts with more and more effort until one catches the mutant.
 * @throws {Error} the failure of the last attempt
 */
async function catchMutant(mutant: Mutant): Promise<CaughtMutant> {
  let failure: unknown
  for (const attempt of attemptsFor(mutant)) {
    try {
      return await judgeOnce(mutant, attempt)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** The mutants to test. `npm run test:full` tests all of them. `npm test` tests the first mutants of each check. */
const testedMutants = mutants.filter((mutant) => {
  const isAmongFirst = (check: string) =>
    mutants.filter((one) => checksNamedBy(one).has(check)).indexOf(mutant) < mutantsPerCheck
  return [...checksNamedBy(mutant)].some(isAmongFirst)
})

/**
 * Tests one half of the mutants. Two test files run side by side, and each writes its half of the table of caught
 * mutants.
 * @param part the half, 0 or 1
 */
export function testMutants(part: 0 | 1): void {
  const half = selectHalf(testedMutants, part)
  const matrix: CaughtMutant[] = []

  describe('every mutant is caught by the check that it names, at the defect, and by no other', () => {
    test.each(half.map((mutant) => [mutant.id, mutant] as const))(
      'the mutant %s is caught by the check that it names, at the defect, and by no other',
      async (_, mutant) => {
        matrix.push(await catchMutant(mutant))
      },
    )
  })

  if (everything) testQuickEffort(part, half, caughtWithQuickEffort)

  test('the first curl line of a finding shows the defect in nine of ten findings', () => {
    const shown = matrix.flatMap((kill) => kill.shown)
    expect(shown.filter(({ byFirst }) => byFirst).length / Math.max(1, shown.length)).toBeGreaterThanOrEqual(
      shown.length === 0 ? 0 : SHOWN_BY_FIRST_LINE,
    )
  })

  test('quick effort sends few requests to every mutant', () => {
    expect(describeTooManyRequests(requestsWithQuickEffort)).toEqual([])
  })

  afterAll(() => {
    mkdirSync('reports/power', { recursive: true })
    const rows = matrix.toSorted((a, b) => (a.mutant < b.mutant ? -1 : 1))
    writeFileSync(`reports/power/kill-matrix-${part + 1}.json`, `${JSON.stringify(rows, null, 2)}\n`)
    console.log(`mutants caught by the check they name: ${matrix.length} / ${half.length}`)
    const sum = (of: (kill: CaughtMutant) => readonly string[]) =>
      matrix.reduce((all, kill) => all + of(kill).length, 0)
    const checks = ({ caught }: CaughtMutant) => [...new Set(caught.map((one) => one.split(' ')[0] ?? ''))]
    const causes = half
      .filter(({ id }) => matrix.some((kill) => kill.mutant === id))
      .reduce((sum, { defects }) => sum + defects, 0)
    const perCause = (count: number) => (count / Math.max(1, causes)).toFixed(2)
    console.log(
      `for each root cause: ${perCause(sum(checks))} failing checks, ${perCause(sum((kill) => kill.findings))} findings`,
    )
    const shown = matrix.flatMap((kill) => kill.shown)
    const share = (is: (one: CurlEvidence) => boolean) => `${shown.filter(is).length} / ${shown.length}`
    console.log(
      `shown by the first curl line alone: ${share(({ byFirst }) => byFirst)}, by all: ${share(({ byAll }) => byAll)}`,
    )
  })
}
