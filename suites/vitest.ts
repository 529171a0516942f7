/** The exports of `cat-directory-conformance/vitest`, the only file of the package that needs vitest. */
import { beforeAll, describe, type RunnerTestCase, test } from 'vitest'
import { renderCheck } from '../reports/formats/terminal/terminal.ts'
import { escapeTerminal } from '../reports/text/escape.ts'
import { groupBy } from '../reports/text/group-by.ts'
import { createStacklessError } from './command/stackless.ts'
import type { Deployment } from './directory/deployment.ts'
import { scopesByClass } from './directory/shared/versions.ts'
import type { Check } from './engine/check/check.ts'
import type { RunResult, Verdict, VerdictScope } from './engine/check/verdict.ts'
import { systemClock } from './engine/clock.ts'
import { isPassOrWarn } from './engine/run/conclusion.ts'
import { catalogue, createIdSelector, refuseUnknownChecks } from './judge/catalogue.ts'
import type { JudgeOptions } from './judge/judge-options.ts'
import {
  judge,
  judgeOptionNames,
  type MemberNames,
  refuseInvalidContent,
  refuseInvalidProfile,
  refuseUnknownNames,
  throwTypeErrors,
} from './judge/library-options.ts'
import { createPinnedChecks } from './judge/profile/pinned.ts'
import { observableOpenPoints } from './open-points/index.ts'
import { type BaselineResult, compareWithBaseline } from './workflows/baseline/gate.ts'
import {
  BASELINE_FORMAT_TEXT,
  type KnownViolations,
  parseBaseline,
  refusePlaceholders,
} from './workflows/baseline/known.ts'
import { type ReportOptions, reportOf } from './workflows/report/report.ts'
import { adviseInTestFile, findCredentialOptions } from './workflows/run/advice.ts'
import { diagnoseKnownCause, formatDiagnosis } from './workflows/run/diagnosis.ts'

/** The options of a run under vitest. Omitted options have the command's defaults. */
export interface ConformanceOptions
  extends Omit<JudgeOptions, 'baseUrl' | 'session' | 'onVerdict' | 'onRequest'>,
    Omit<ReportOptions, 'baseUrl'> {
  /** The URL of the deployment, or a function called after the `beforeAll` hooks of the file. */
  readonly baseUrl: string | (() => string | Promise<string>)
  /** By default, the whole catalogue. */
  readonly checks?: readonly Check<Deployment>[]
  /** Known violations, which fail no test. A stale entry fails a test of its own. */
  readonly known?: KnownViolations
}

const conformanceOnlyNames: MemberNames<Omit<ConformanceOptions, keyof JudgeOptions>> = {
  ...{ embedded: true, replayOptions: true, checks: true, known: true },
}
export const conformanceOptionNames = { ...judgeOptionNames, ...conformanceOnlyNames }

interface Judgement {
  readonly result: RunResult
  readonly gate: BaselineResult | undefined
  readonly options: ReportOptions
}

/**
 * Removes the stack from an error about invalid options, because the stack would show code of this suite. Returns other
 * errors unchanged.
 */
const hideStack = (error: unknown): unknown =>
  error instanceof TypeError && error.cause !== undefined ? createStacklessError(error.name, error.message) : error

async function judgeDeployment(options: ConformanceOptions): Promise<Judgement> {
  const { baseUrl: given, checks, known, embedded: _embedded, replayOptions: _replayOptions, ...common } = options
  const baseUrl = typeof given === 'function' ? await given() : given
  const judgeOptions = { ...common, baseUrl }
  const result = await judge(judgeOptions, checks && { checks }).catch((error: unknown) => {
    throw hideStack(error)
  })
  const why = findReasonNothingWasJudged(result, judgeOptions)
  if (why !== undefined) throw createStacklessError('Inconclusive', escapeTerminal(why))
  return {
    result,
    gate: known && compareWithBaseline(result, known, new Date(systemClock.wallTime())),
    options: { ...options, baseUrl },
  }
}

/**
 * Returns the reason why nothing could be tested, which is reported once instead of by every check; undefined if no
 * such reason is known.
 */
function findReasonNothingWasJudged(result: RunResult, options: JudgeOptions): string | undefined {
  if (result.conclusion !== 'inconclusive') return undefined
  const diagnosis = diagnoseKnownCause(result, {
    baseUrl: options.baseUrl,
    credentialOptions: findCredentialOptions(options),
  })
  return diagnosis && adviseInTestFile(formatDiagnosis(diagnosis))
}

/** Creates the error of a failed test, with the check as in the command's summary. */
function createFindingError(verdict: Verdict, { result, options }: Pick<Judgement, 'result' | 'options'>): Error {
  const report = reportOf({ ...result, verdicts: [verdict] }, options)
  const text = report.checks.map((check) => renderCheck(check, report, { colour: false, width: 100 }))
  return createStacklessError(verdict.status === 'fail' ? 'Nonconformant' : 'Inconclusive', text.join('\n'))
}

const testNameOf = ({ check, version }: Verdict): string => `${version} ${check.id}: ${check.title}`

/** Returns whether the test of a verdict runs; vitest's filters may exclude it. */
function isTestRun(verdict: Verdict, { suite, file }: Readonly<RunnerTestCase>): boolean {
  const parent = suite?.suite ?? file
  return parent.tasks.some(
    (scope) =>
      scope.type === 'suite' &&
      scope.tasks.some(({ name, mode }) => mode !== 'skip' && `${scope.name} ${name}` === testNameOf(verdict)),
  )
}

/** Lists the checks and versions that have a test: those of the catalogue and those of a profile. */
function listTests({ checks = catalogue, profile, only = [] }: ConformanceOptions) {
  const catalogueTests = checks.flatMap(({ id, title, scopes }) => scopes.map((version) => ({ id, title, version })))
  const pinned = profile ? createPinnedChecks(profile, observableOpenPoints) : []
  return [...catalogueTests, ...pinned].filter(({ id }) => createIdSelector(only)(id))
}

/**
 * Refuses known violations that the command would refuse too, e.g. of unknown checks.
 * @throws {TypeError} if they are invalid
 */
function refuseInvalidKnown(known: KnownViolations, tests: ReturnType<typeof listTests>): void {
  const byId = groupBy(tests, ({ id }) => id)
  const checks = [...byId].map(([id, checkTests]) => ({ id, scopes: checkTests.map(({ version }) => version) }))
  const parse = (text: string) => refusePlaceholders(parseBaseline(text, checks))
  refuseInvalidContent('known', known, { parse, expected: BASELINE_FORMAT_TEXT })
}

function refuseInvalidOptions(options: ConformanceOptions): void {
  try {
    refuseUnknownNames(options, conformanceOptionNames)
    const { only, profile, known } = options
    if (profile !== undefined) refuseInvalidProfile(profile)
    const tests = listTests({ ...options, only: [] })
    const ids = tests.map(({ id }) => id)
    throwTypeErrors(() => refuseUnknownChecks('only', only ?? [], ids))
    if (known !== undefined) refuseInvalidKnown(known, tests)
  } catch (error) {
    throw hideStack(error)
  }
}

/**
 * Registers one test for each check and version, so that vitest's filters, reporters and watch mode work on checks. A
 * failing test shows the finding. A check whose prerequisite failed is skipped. An unreachable deployment is reported
 * once.
 * @throws {TypeError} for an unknown option, or if `only` selects no check
 */
export function conformance(options: ConformanceOptions): void {
  refuseInvalidOptions(options)
  const tests = listTests(options)
  const scopes = new Set<VerdictScope>([...Object.values(scopesByClass).flat(), ...tests.map(({ version }) => version)])
  describe('conformance', () => {
    let judged: Judgement
    /** The id of the test that reports a finding whose own test does not run, by the name of the own test. */
    const reportedBy = new Map<string, string>()
    beforeAll(async () => {
      judged = await judgeDeployment(options)
    }, 0)
    for (const scope of scopes) {
      const testsOfScope = tests.filter(({ version }) => version === scope)
      describe.runIf(testsOfScope.length > 0)(scope, () => {
        for (const { id, title } of testsOfScope)
          test(`${id}: ${title}`, ({ skip, task }) => {
            const verdict = judged.result.verdicts.find(({ check, version }) => check.id === id && version === scope)
            if (!verdict) throw new Error(`no verdict for ${id} (${scope})`)
            const { status, reason, cause } = verdict
            if (isPassOrWarn(verdict) || judged.gate?.known.has(verdict)) return
            // A root cause in two versions fails both tests. Dependent tests refer to the first one.
            const shownVerdict = status === 'fail' ? verdict : (cause ?? verdict)
            const isReportedElsewhere =
              isTestRun(shownVerdict, task) || (reportedBy.get(testNameOf(shownVerdict)) ?? task.id) !== task.id
            if (status === 'not-applicable' || (shownVerdict !== verdict && isReportedElsewhere)) skip(reason)
            reportedBy.set(testNameOf(shownVerdict), task.id)
            throw createFindingError(shownVerdict, judged)
          })
      })
    }
    if (options.known === undefined) return
    test('known violations: each entry is still correct', () => {
      const problems = judged.gate?.problems ?? []
      if (problems.length > 0) throw createStacklessError('Stale', escapeTerminal(problems.join('; ')))
    })
  })
}
