import { type EffortName, effortNames } from '../../directory/shared/effort.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'

type Asked = JudgeOptions & { readonly effort: EffortName }

/**
 * Judges until `most` checks have failed: first with quick effort, which shows most defects for a sixth of the
 * requests. All checks run concurrently; when the first of them fails, most requests of a run have been sent.
 * @param most undefined: everything is judged
 */
export function judgeUntilEnoughFailed(options: Asked, most: number | undefined): Promise<RunResult> {
  if (most === undefined) return judge(options)
  // The path to a counterexample belongs to the inputs of one effort.
  const first = options.path === undefined ? 0 : effortNames.indexOf(options.effort)
  return judgeWithMoreAndMore(effortNames.slice(first, effortNames.indexOf(options.effort)), options, most)
}

/** @param lesser efforts below the requested one */
async function judgeWithMoreAndMore(
  [effort, ...lesser]: readonly EffortName[],
  options: Asked,
  most: number,
): Promise<RunResult> {
  if (effort === undefined) return judgeToTheEnd(options, most)
  const result = await judge({ ...options, effort })
  const { requests, retries, durationMs } = result
  const { maxRequests = Number.POSITIVE_INFINITY, onVerdict, onRequest } = options
  const left = maxRequests - requests
  if (failuresIn(result) >= most) return endedEarly(result, effort, most)
  if (left < 1 || options.signal?.aborted) return result
  const more = await judgeWithMoreAndMore(
    lesser,
    {
      ...options,
      maxRequests: left,
      onVerdict: (done, total, sent, latest) => onVerdict?.(done, total, requests + sent, latest),
      onRequest: (sent) => onRequest?.(requests + sent),
    },
    most,
  )
  return {
    ...more,
    startedAt: result.startedAt,
    requests: requests + more.requests,
    retries: retries + more.retries,
    durationMs: durationMs + more.durationMs,
  }
}

/** A pass with little effort is no pass with the requested one. */
function endedEarly(result: RunResult, effort: EffortName, most: number): RunResult {
  const why = `enough has failed (--max-failures ${most}): what passed was tried with ${effort} effort alone`
  return { ...result, notExercised: [why, ...result.notExercised] }
}

const failuresIn = ({ verdicts }: RunResult): number =>
  verdicts.filter(({ check, status }) => status === 'fail' && check.level !== 'should').length

/** Stops sending requests after enough failures: the remaining checks are inconclusive. */
function judgeToTheEnd(options: Asked, most: number): Promise<RunResult> {
  const enough = new AbortController()
  let failures = 0
  return judge({
    ...options,
    signal: AbortSignal.any([enough.signal, ...(options.signal ? [options.signal] : [])]),
    onVerdict(done, total, requests, latest) {
      options.onVerdict?.(done, total, requests, latest)
      if (latest.isFailure && ++failures === most)
        enough.abort(new Inconclusive('budget', `enough has failed (--max-failures ${most})`))
    },
  })
}
