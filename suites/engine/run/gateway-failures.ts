import type { Finding, RunResult, Verdict } from '../check/verdict.ts'
import { diagnosisRules } from '../finding/diagnoses.ts'
import { GATEWAY_STATUSES } from '../http/client/lost-response.ts'
import { removeUniqueParameter } from '../http/client/past-caches.ts'
import type { SentRequest } from '../http/client/traffic-log.ts'
import { createBlockedVerdict } from './build-verdicts.ts'

/** The minimum share of failures. With a lower share, a retry nearly always succeeds. */
const MIN_FAILED_SHARE = 0.1
/** The minimum number of successes directly after a failure. Outages, e.g. while a process restarts, have fewer. */
const MIN_RECOVERIES = 10
/** The minimum number of targets that both fail and succeed. With fewer, a few requests may be the cause. */
const MIN_MIXED_TARGETS = 5

/**
 * A gateway status with which a notable share of all requests fails at random, whatever they request, e.g. because one of
 * several backends is down.
 */
interface GatewayFailures {
  readonly status: number
  readonly failed: number
  readonly all: number
  /** The version whose requests fail; undefined if requests to all versions fail. */
  readonly version: string | undefined
}

/** Counts the targets of which some requests got the status and others did not. */
function countMixedTargets(sent: readonly SentRequest[], status: number): number {
  const outcomes = new Map<string, Set<boolean>>()
  for (const one of sent) {
    const target = removeUniqueParameter(one.target)
    outcomes.set(target, (outcomes.get(target) ?? new Set()).add(one.status === status))
  }
  return [...outcomes.values()].filter(({ size }) => size === 2).length
}

const countStatus = (sent: readonly SentRequest[], status: number): number =>
  sent.filter((one) => one.status === status).length

/**
 * Returns the failures with a status if they occur at random in the whole run; undefined if there are too few, or if they
 * occurred only for a while, or if certain strings cause them.
 * @param sent the requests to `version`, or to all versions if it is undefined
 */
function findFailuresIn(
  sent: readonly SentRequest[],
  status: number,
  version: string | undefined,
): GatewayFailures | undefined {
  const failed = countStatus(sent, status)
  const share = failed / sent.length
  if (!(share >= MIN_FAILED_SHARE)) return undefined
  const recoveries = sent.filter((one, nth) => one.status !== status && sent[nth - 1]?.status === status).length
  if (recoveries < MIN_RECOVERIES || countMixedTargets(sent, status) < MIN_MIXED_TARGETS) return undefined
  // At random, a failure is followed by a success with the probability `1 - share`.
  if (recoveries < (failed * (1 - share)) / 2) return undefined
  // Outages end, and rate limits have no effect after the suite has reduced its rate (R13.8): the last quarter tells.
  const lastQuarter = sent.slice(-Math.ceil(sent.length / 4))
  if (countStatus(lastQuarter, status) < (lastQuarter.length * share) / 2) return undefined
  return { status, failed, all: sent.length, version }
}

/**
 * Returns the gateway status with which a notable share of all requests failed at random, whatever they requested;
 * undefined if there is none.
 * @param versions the versions of the run, which are segments of each target
 */
export function findGatewayFailures(
  sent: readonly SentRequest[],
  versions: readonly string[],
): GatewayFailures | undefined {
  for (const status of GATEWAY_STATUSES) {
    const byVersion = versions.flatMap((version) => {
      const requests = sent.filter(({ target }) => target.includes(`/${version}/`))
      return findFailuresIn(requests, status, version) ?? []
    })
    if (byVersion.length < versions.length && byVersion[0]) return byVersion[0]
    const inAll = byVersion.length > 0 ? findFailuresIn(sent, status, undefined) : undefined
    if (inAll) return inAll
  }
  return undefined
}

/** Describes the failures, e.g. `status 503 for 50 of 100 requests to v3`. */
export const describeGatewayFailures = ({ status, failed, all, version }: GatewayFailures): string =>
  `status ${status} for ${failed} of ${all} requests${version === undefined ? '' : ` to ${version}`}, also for requests that succeeded at other times`

/** Returns the finding with the cause instead of the input that failed by chance. */
function rewriteFinding({ exchanges }: Finding, { check }: Verdict, failures: GatewayFailures): Finding {
  const fix = diagnosisRules.find(({ id }) => id === 'backend-down')?.fix
  return {
    expected: `every request gets a response from the service, not status ${failures.status} from a gateway in front of it`,
    actual: describeGatewayFailures(failures),
    exchanges,
    ...(check.statementsIfIntermittent && { statements: check.statementsIfIntermittent }),
    ...(fix !== undefined && { fix }),
  }
}

/**
 * Merges all findings that rest on such failures into one finding. Its text names the failures, because the inputs of
 * the findings failed by chance. If no check failed because of them, returns the verdicts unchanged.
 */
export function mergeGatewayFailures(
  verdicts: readonly Verdict[],
  failures: GatewayFailures | undefined,
  exchanges: RunResult['exchanges'],
): readonly Verdict[] {
  if (!failures) return verdicts
  const isExplained = ({ finding, version }: Verdict) =>
    version.includes(failures.version ?? '') &&
    finding?.exchanges.some((id) => exchanges.get(id)?.status === failures.status) === true
  // The number of failures in the advice may differ, because the run went on.
  const isAdviceAboutFailures = ({ status, reason }: Verdict) =>
    status === 'warn' && reason?.startsWith(`status ${failures.status} for `) === true
  const first = verdicts.find((one) => one.status === 'fail' && isExplained(one))
  if (!first?.finding) return verdicts
  const finding = rewriteFinding(first.finding, first, failures)
  const { cause: _, ...others } = first
  const leader: Verdict = { ...others, finding, reason: finding.actual }
  return verdicts.map((one) => {
    if (one === first) return leader
    const isCauseExplained = one.cause !== undefined && (one.cause === first || isExplained(one.cause))
    if (!isExplained(one) && !isCauseExplained && !isAdviceAboutFailures(one)) return one
    const { check, version, inputsTested } = one
    return isExplained(one) && one.status !== 'fail'
      ? createBlockedVerdict({ check, version, inputsTested }, leader)
      : { ...one, cause: leader }
  })
}
