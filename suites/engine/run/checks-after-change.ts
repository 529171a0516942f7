import type { Check } from '../check/check.ts'
import { createCachingReader } from '../check/readers.ts'
import type { Verdict } from '../check/verdict.ts'
import { resolveInconclusiveTo } from '../inconclusive.ts'
import { type CheckRun, type ExchangeCiter, type RunPlan, sharesVersion } from './plan.ts'
import { CheckRunner } from './runner.ts'

/** Returns the checks with probes to repeat, without their other probes. */
const checksToRepeat = <T>({ checks, selects, path }: RunPlan<T>): readonly Check<T>[] => {
  const some =
    path === undefined ? checks.filter(({ id, probesAfterChange }) => probesAfterChange.length > 0 && selects(id)) : []
  const isOne = (id: string) => some.some((check) => check.id === id)
  return some.map(({ describe: _account, ...check }) => ({
    ...check,
    requires: check.requires.filter(isOne),
    explainedBy: check.explainedBy.filter(isOne),
    probesAtStart: [],
    probesFirst: [],
    earlyExperiments: [],
    probesMeanwhile: [],
    probes: check.probesAfterChange,
  }))
}

/**
 * Returns whether a failure of the repeated check may replace a verdict. A failed check stays as it is, so that its finding
 * is not reported twice.
 */
const canBeReplaced = ({ status, cause }: Verdict): boolean =>
  status === 'pass' || (status === 'inconclusive' && cause === undefined)

/**
 * Repeats checks with new readings at the end of the run, if the data changed. A change may explain contradictions
 * between early readings, but none between readings after the change.
 * @returns undefined if nothing changed; else the functions that settle the rechecks of the repeated checks, and that
 *   replace the verdicts of checks that failed when they were repeated
 */
export async function repeatChecksAfterChange<T>(plan: RunPlan<T>, cite: ExchangeCiter) {
  const checks = checksToRepeat(plan)
  if (checks.length === 0) return undefined
  // An empty cache, because the suite must find out anew where the changed lists contain names.
  const session = { ...plan.session, ...plan.session.withEmptyCache() }
  const readings = createCachingReader(session.sendOnce)
  // Rejects if the limit of requests or of time is reached: the verdicts so far then stand.
  const target = await plan.createTargetAfterChange(session, readings).catch(resolveInconclusiveTo(undefined))
  if (target === undefined) return undefined
  const runner = new CheckRunner({ ...plan, checks, session, target, readings }, cite)
  const runs = checks.flatMap((check) => check.scopes.map((scope): CheckRun<T> => ({ check, scope })))
  await Promise.all(runs.map((one) => runner.run(one)))
  const verdictAfter = async (first: Verdict): Promise<Verdict> => {
    const one = runs.find(({ check, scope }) => check.id === first.check.id && scope === first.version)
    const last = one && canBeReplaced(first) ? await runner.finalVerdictOf(one) : undefined
    return last?.status === 'fail' ? asFailureAfterChange(last) : first
  }
  return {
    settle: () => runner.settleRechecks(),
    async verdictsAfter(first: readonly Verdict[]): Promise<readonly Verdict[]> {
      const failed = first.filter(({ status, check }) => status === 'fail' && runsLast(plan, check.id))
      const hasFailed = ({ version }: Verdict) => failed.some((one) => sharesVersion(version, one.version))
      return Promise.all(first.map(async (one) => (hasFailed(one) ? one : verdictAfter(one))))
    },
  }
}

/** Returns whether a check runs after all others. Such checks report intermittent defects themselves. */
const runsLast = <T>({ checks }: RunPlan<T>, id: string): boolean =>
  checks.some((check) => check.id === id && check.when === 'last')

const FIX_AFTER_CHANGE =
  'Find out what changed the response during the run. The usual cause is code that edits shared data while it handles a request: it sorts, filters or deletes in place in a list or object that is kept in memory. Copy the data before you edit it. Or a cache kept a response that was wrong for a while.'

function asFailureAfterChange({ finding, ...verdict }: Verdict): Verdict {
  if (!finding) return verdict
  const actual = `${finding.actual}; earlier in the run, the response was correct`
  return { ...verdict, reason: actual, finding: { ...finding, actual, fix: FIX_AFTER_CHANGE } }
}
