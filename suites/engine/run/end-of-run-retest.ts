import type { Check } from '../check/check.ts'
import { createCachingReader } from '../check/readers.ts'
import type { Verdict } from '../check/verdict.ts'
import { resolveInconclusiveTo } from '../inconclusive.ts'
import { type CheckRun, type ExchangeCiter, type RunPlan, sharesVersion } from './plan.ts'
import { CheckRunner } from './runner.ts'

/** Returns the checks with probes for the end of the run, without their other probes. */
const checksWithEndProbes = <T>({ checks, selects, path }: RunPlan<T>): readonly Check<T>[] => {
  const some = path === undefined ? checks.filter(({ id, probesAtEnd }) => probesAtEnd.length > 0 && selects(id)) : []
  const isOne = (id: string) => some.some((check) => check.id === id)
  return some.map(({ describe: _account, ...check }) => ({
    ...check,
    requires: check.requires.filter(isOne),
    explainedBy: check.explainedBy.filter(isOne),
    probesAtStart: [],
    probesFirst: [],
    probesMeanwhile: [],
    probes: check.probesAtEnd,
  }))
}

/**
 * Returns whether a failure in the second run may replace a verdict. A failed check stays as it is, so that its finding
 * is not reported twice.
 */
const canBeRetested = ({ status, cause }: Verdict): boolean =>
  status === 'pass' || (status === 'inconclusive' && cause === undefined)

/**
 * Runs checks once more with new readings, if the data changed during the run. A change may explain contradictions
 * between early readings, but none between readings after the change.
 * @returns undefined if nothing changed; else the functions that settle the rechecks of this second run, and that replace
 *   the verdicts of checks that failed in it
 */
export async function startEndOfRunRetest<T>(
  plan: RunPlan<T>,
  first: Parameters<RunPlan<T>['createEndOfRunTarget']>[0],
  cite: ExchangeCiter,
) {
  const checks = checksWithEndProbes(plan)
  if (checks.length === 0) return undefined
  // An empty cache, because the suite must find out anew where the changed lists contain names.
  const session = { ...plan.session, ...plan.session.withEmptyCache() }
  const readings = createCachingReader(session.sendOnce)
  // Rejects if the limit of requests or of time is reached: the verdicts of the first run then stand.
  const later = await plan.createEndOfRunTarget(first, session, readings).catch(resolveInconclusiveTo(undefined))
  if (later === undefined) return undefined
  const runner = new CheckRunner({ ...plan, checks, session }, later, readings, cite)
  const runs = checks.flatMap((check) => check.scopes.map((scope): CheckRun<T> => ({ check, scope })))
  await Promise.all(runs.map((one) => runner.run(one)))
  const verdictAfter = async (first: Verdict): Promise<Verdict> => {
    const one = runs.find(({ check, scope }) => check.id === first.check.id && scope === first.version)
    const last = one && canBeRetested(first) ? await runner.verdictOf(one) : undefined
    return last?.status === 'fail' ? asEndOfRunFailure(last) : first
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

const FIX_OF_LATE_FAILURE =
  'Find out what changed the response during the run. The usual cause is code that edits shared data while it handles a request: it sorts, filters or deletes in place in a list or object that is kept in memory. Copy the data before you edit it. Or a cache kept a response that was wrong for a while.'

function asEndOfRunFailure({ finding, ...verdict }: Verdict): Verdict {
  if (!finding) return verdict
  const actual = `${finding.actual}; earlier in the run, the response was correct`
  return { ...verdict, reason: actual, finding: { ...finding, actual, fix: FIX_OF_LATE_FAILURE } }
}
