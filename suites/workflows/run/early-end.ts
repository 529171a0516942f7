import type { EffortName } from '../../directory/shared/effort.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'

/** The options of a run that may end early. */
type EarlyEndOptions = JudgeOptions & { readonly effort: EffortName }

/**
 * Judges until a number of checks have failed (`--max-failures`). Starts with quick effort, which finds most defects
 * with a sixth of the requests. With full effort all checks run concurrently, so most requests would be sent before the
 * first check fails.
 * @param maxFailures the number of failed checks that ends the run; if undefined, everything is judged
 */
export async function judgeUntilFailureLimit(
  options: EarlyEndOptions,
  maxFailures: number | undefined,
): Promise<RunResult> {
  if (maxFailures === undefined) return judge(options)
  const { effort, path, maxRequests = Number.POSITIVE_INFINITY, onVerdict, onRequest, signal } = options
  // The path to a counterexample (`--path`) is valid only for the effort that found it.
  if (effort === 'quick' || path !== undefined) return judgeWithRequestedEffort(options, maxFailures)
  const result = await judge({ ...options, effort: 'quick' })
  const { requests, retries, durationMs, startedAt } = result
  if (countFailures(result) >= maxFailures) return markEndedEarly(result, maxFailures)
  const remainingRequests = maxRequests - requests
  if (remainingRequests < 1 || signal?.aborted) return result
  const more = await judgeWithRequestedEffort(
    {
      ...options,
      maxRequests: remainingRequests,
      onVerdict: (done, total, sent, latest) => onVerdict?.(done, total, requests + sent, latest),
      onRequest: (sent) => onRequest?.(requests + sent),
    },
    maxFailures,
  )
  return {
    ...more,
    startedAt,
    requests: requests + more.requests,
    retries: retries + more.retries,
    durationMs: durationMs + more.durationMs,
  }
}

/**
 * Adds to a result a sentence that it was reached with quick effort, so that its passes are not taken for passes with
 * the requested effort.
 */
function markEndedEarly(result: RunResult, maxFailures: number): RunResult {
  const why = `enough checks failed (--max-failures ${maxFailures}): passed checks ran with quick effort only`
  return { ...result, notExercised: [why, ...result.notExercised] }
}

const countFailures = ({ verdicts }: RunResult): number =>
  verdicts.filter(({ check, status }) => status === 'fail' && check.level !== 'should').length

/**
 * Judges with the effort of the options. After enough failures no more requests are sent, and the remaining checks are
 * inconclusive.
 */
function judgeWithRequestedEffort(options: EarlyEndOptions, maxFailures: number): Promise<RunResult> {
  const failureLimit = new AbortController()
  let failures = 0
  return judge({
    ...options,
    signal: AbortSignal.any([failureLimit.signal, ...(options.signal ? [options.signal] : [])]),
    onVerdict(done, total, requests, latest) {
      options.onVerdict?.(done, total, requests, latest)
      if (latest.isFailure && ++failures === maxFailures)
        failureLimit.abort(new Inconclusive('interrupted', `enough checks failed (--max-failures ${maxFailures})`))
    },
  })
}
