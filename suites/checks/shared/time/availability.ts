import { type OperationId, operations } from '../../../../fixtures/contract/operations.ts'
import type { Deployment } from '../../../directory/deployment.ts'
import { findOperationOfTarget } from '../../../directory/shared/targets.ts'
import { GATEWAY_STATUSES } from '../../../engine/http/client/lost-response.ts'
import type { SentRequest } from '../../../engine/http/client/traffic-log.ts'
import { describeGatewayFailures, findGatewayFailures } from '../../../engine/run/gateway-failures.ts'
import type { CheckProbe } from '../check.ts'
import { reportViolationOfReadings } from '../report-violation.ts'

/** The minimum number of lost responses for an outage of an operation. Fewer may be e.g. lost packets. */
const MIN_LOST = 3
/** The minimum number of requests of other operations that were answered during the outage. */
const MIN_ANSWERED = 3
/**
 * The maximum probability that all losses fall on one operation by chance. Above it, they are no evidence of an outage.
 */
const MAX_CHANCE = 0.02

/** A phrase for requests of each operation. */
const REQUESTS_OF: Readonly<Record<OperationId, string>> = {
  listCats: 'requests for the list of all cats',
  listBreeds: 'requests for the list of all breeds',
  listCatsOfBreed: "requests for breeds' lists",
  searchCats: 'searches',
  getLivesLeft: 'requests for lives',
}

const isAnswered = ({ status }: SentRequest): boolean => status > 0 && !GATEWAY_STATUSES.includes(status)

const operationOf = ({ target }: SentRequest): OperationId | undefined =>
  findOperationOfTarget(target.replace(/^.*?(?=\/v\d+\/)/, ''))?.operation

/**
 * Describes an outage of one operation (T5.3): some of its responses were lost, while all requests of other operations
 * were answered, and the lost requests were answered when they were sent again. Returns undefined if there was none.
 */
function findOutageOfOneOperation(sent: readonly SentRequest[]): string | undefined {
  const answered = new Set(sent.filter(isAnswered).map(({ target }) => target))
  const isLost = (one: SentRequest) => !isAnswered(one) && one.again !== 'busy' && answered.has(one.target)
  for (const { id } of operations) {
    const lost = sent.filter((one) => isLost(one) && operationOf(one) === id)
    if (lost.length < MIN_LOST) continue
    const times = lost.map(({ askedAt }) => askedAt)
    const [from, to] = [Math.min(...times), Math.max(...times)]
    const during = sent.filter((one) => one.askedAt >= from && one.askedAt <= to && operationOf(one) !== undefined)
    const others = during.filter((one) => operationOf(one) !== id)
    const chance = (1 - others.length / during.length) ** lost.length
    if (others.length < MIN_ANSWERED || !others.every(isAnswered) || chance > MAX_CHANCE) continue
    return `${lost.length} ${REQUESTS_OF[id]} failed, all in a period of ${((to - from) / 1000).toFixed(1)} s in which ${others.length} requests of other operations were answered. The failed requests were answered when they were sent again`
  }
  return undefined
}

/** If at most this many requests were sent in the second before a request, no rate limit explains its failure. */
const REQUESTS_WITHIN_ANY_LIMIT = 30

/** Returns whether requests also fail with the status at a low rate. Otherwise a rate limit causes the failures (R13.8). */
function doSlowRequestsFail(sent: readonly SentRequest[], status: number): boolean {
  const slow = sent.filter(
    ({ askedAt }, nth) => askedAt - (sent[nth - REQUESTS_WITHIN_ANY_LIMIT]?.askedAt ?? askedAt) > 1000,
  )
  return slow.filter((one) => one.status === status).length >= MIN_LOST
}

/**
 * Gives advice if an operation failed for a while, or if a share of all requests failed, although their retries
 * succeeded.
 */
export const probeAvailability: CheckProbe<Deployment> = async (context) => {
  const { directories, judgedDirectories, traffic } = context.target
  const versions = judgedDirectories.map(({ version }) => version)
  // The responses to HEAD and OPTIONS are an open point (O-METHODS).
  const sent = traffic.sent.filter(({ method }) => method === undefined)
  const failures = findGatewayFailures(sent, versions)
  const actual =
    findOutageOfOneOperation(sent) ??
    (failures && doSlowRequestsFail(sent, failures.status) ? describeGatewayFailures(failures) : undefined)
  const [directory] = judgedDirectories.length > 0 ? judgedDirectories : directories
  if (actual === undefined || !directory) return context.verify(async () => {})
  await reportViolationOfReadings(directory.cats, context, {
    expected: 'every request gets a response at the first attempt, and its status is not 502, 503 or 504',
    actual,
    shownBy: [directory.cats],
  })
}
