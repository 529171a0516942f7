import type { Reader } from '../check/readers.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { GATEWAY_STATUSES } from '../http/client/lost-response.ts'
import type { TrafficLog } from '../http/client/traffic-log.ts'
import { COMPRESSED_WITHOUT_HEADER_REASON } from '../http/decode/decode.ts'
import { CUT_SHORT_REASON } from '../http/decode/not-json.ts'
import { headerValue } from '../http/decode/response.ts'
import { describeSharedEntry, findSharedEntry } from './cache-symptoms.ts'
import type { CandidateViolation } from './candidate.ts'
import type { FailedInput } from './check-record.ts'
import { describeGatewayError } from './common-traits.ts'
import { selectShownExchanges } from './shown-exchanges.ts'

/** Observations about a confirmed violation that may reveal its cause. */
interface Symptoms {
  /** The exchange that shows the violation most clearly. */
  readonly shown: Exchange | undefined
  /** The exchanges that show the violation, in the order in which they must be sent again. */
  readonly sequence: readonly Exchange[]
  /** True if the same request got both correct and wrong responses, and the check knows no cause. */
  readonly isUnsteady: boolean
  /** True if the same request got both, even when it was sent alone. */
  readonly isUnsteadyAlone: boolean
  /** The number of requests for the same target in this run, and how many of them got the same status as `shown`. */
  readonly identical: { readonly failed: number; readonly all: number }
}

/** A cause that certain symptoms suggest, and advice on where to look for it. */
export interface DiagnosisRule<S> {
  readonly id: string
  readonly symptom: string
  readonly fix: string
  readonly applies: (symptoms: S) => boolean
  /** Returns the observation as a phrase for the finding, e.g. `status 403 (Server: nginx)`. */
  readonly observed?: (symptoms: S) => string
}

const statusOf = ({ shown }: Symptoms): number => shown?.outcome.status ?? 0

/** Returns whether the same request got another status in this run. */
const hasIdenticalSuccess = ({ identical: { failed, all } }: Symptoms): boolean => failed < all

const describeIdenticalFailures = (symptoms: Symptoms): string =>
  `status ${statusOf(symptoms)} for ${symptoms.identical.failed} of ${symptoms.identical.all} identical requests`

/** Returns the value of a header of the shown response; undefined if there is none. */
const headerOf = ({ shown }: Symptoms, name: string): string | undefined =>
  shown?.outcome.kind === 'response' ? headerValue(shown.outcome, name) : undefined

const describeServerFields = (symptoms: Symptoms): string =>
  ['Server', 'Via']
    .flatMap((name) => {
      const value = headerOf(symptoms, name.toLowerCase())
      return value === undefined ? [] : [`${name}: ${value}`]
    })
    .join(', ')

/** Returns whether the response comes from a cache: `Age` is above 0, or `X-Cache` reports a hit. */
const isCopy = (symptoms: Symptoms): boolean =>
  Number(headerOf(symptoms, 'age') ?? 0) > 0 || /\bhit\b/i.test(headerOf(symptoms, 'x-cache') ?? '')

/** Returns whether a response says that it is only a part of another one (RFC 9110, sections 14.4 and 15.3.7). */
const isPartialContent = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'response' && (outcome.status === 206 || headerValue(outcome, 'content-range') !== undefined)

/** Returns whether a body is not JSON because of this mistake. */
const hasMistake = ({ outcome }: Exchange, mistake: string): boolean =>
  outcome.kind === 'response' && outcome.body.kind === 'not-json' && outcome.body.knownMistake === mistake

/**
 * The rules in the order in which they are tried. The `fix` of the first rule that applies replaces the general `fix`
 * of the check.
 */
export const diagnosisRules: readonly DiagnosisRule<Symptoms>[] = [
  {
    id: 'backend-down',
    symptom: 'status 502, 503 or 504 for some of several identical requests',
    fix: 'One of several backends is probably down. Check the health checks of the load balancer (HAProxy `option httpchk` and `check`, nginx `max_fails`, Kubernetes `readinessProbe`) and take the backend out of rotation.',
    applies: (symptoms) => GATEWAY_STATUSES.includes(statusOf(symptoms)) && hasIdenticalSuccess(symptoms),
    observed: describeIdenticalFailures,
  },
  {
    id: 'stopped-working',
    symptom: 'status 5xx for a request that succeeded earlier in the run',
    fix: 'The service answered this request earlier, but fails now. Look at the log of the service at the time of the first failure. Often no database connection is left (return each connection to the pool, also after errors), or memory, disk space or a quota is used up.',
    applies: (symptoms) => !symptoms.isUnsteady && statusOf(symptoms) >= 500 && hasIdenticalSuccess(symptoms),
    observed: describeIdenticalFailures,
  },
  {
    id: 'refused-in-front',
    symptom: 'status 403 for a listed name',
    fix: 'Something in front of the service probably refuses the string. Check the rules of the web application firewall (ModSecurity, AWS WAF, Cloudflare) and of the reverse proxy, and exempt the paths of this API from the rule.',
    applies: (symptoms) => statusOf(symptoms) === 403,
    observed: (symptoms) => {
      const by = describeServerFields(symptoms)
      return by === '' ? 'status 403' : `status 403 (${by})`
    },
  },
  {
    id: 'process-ends',
    symptom: 'a dropped connection each time that a certain string is sent',
    fix: 'An uncaught exception probably ends the process or its worker. Look for the stack trace in the log, catch the errors of each request (Express and Koa: error middleware, also for promises), and answer a malformed string with 400.',
    applies: ({ shown, isUnsteady }) =>
      !isUnsteady && shown?.outcome.kind === 'fault' && shown.outcome.fault === 'dropped',
  },
  {
    id: 'compressed-unannounced',
    symptom: 'a body in the gzip format without the header Content-Encoding',
    fix: 'Send the header `Content-Encoding: gzip` with every compressed body. If only some responses lack it, look at caches: a cache must store this header with the body, and an entry of its own for each `Accept-Encoding` (`Vary: Accept-Encoding`).',
    applies: ({ sequence }) => sequence.some((exchange) => hasMistake(exchange, COMPRESSED_WITHOUT_HEADER_REASON)),
    observed: () => 'a body is compressed with gzip, but the header Content-Encoding does not say so',
  },
  {
    id: 'partial-content',
    symptom:
      'JSON that is cut short in a response with the status 206 or the header Content-Range, although the request has no Range',
    fix: 'A cache or proxy probably answers with a part of the response that it stored for a request with the header Range. Store ranges under keys of their own, or store only complete responses with the status 200 (nginx: `slice` needs `$slice_range` in `proxy_cache_key`; Varnish and Apache Traffic Server: no caching of 206).',
    applies: ({ shown }) => shown !== undefined && isPartialContent(shown) && hasMistake(shown, CUT_SHORT_REASON),
    observed: ({ shown }) => `the response is only a part of another one (status ${shown?.outcome.status})`,
  },
  {
    id: 'shared-entry',
    symptom: 'a request gets the response to another one that was sent right before it',
    fix: 'Both requests probably share one entry of a cache, or one variable. Put the method, the version, and the whole path and query into the key of the cache (Varnish: `hash_data(req.url)`; nginx: `proxy_cache_key "$request_method$host$request_uri"`; Redis and memory: the whole name, in its case), and share no variable among requests.',
    applies: ({ sequence }) => findSharedEntry(sequence) !== undefined,
    observed: ({ sequence }) => describeSharedEntry(findSharedEntry(sequence) ?? []),
  },
  {
    id: 'cached',
    symptom: 'a wrong response with the header `Age` above 0 or `X-Cache: HIT`',
    fix: 'The response is a copy from a cache. The key of the cache must contain the whole path and query (Varnish `hash_data(req.url)`, nginx `proxy_cache_key $request_uri`, CDN: include the query string).',
    applies: (symptoms) => statusOf(symptoms) < 300 && isCopy(symptoms),
  },
  {
    id: 'replica',
    symptom: 'identical requests, sent one after the other, of which some get a correct and some a wrong response',
    fix: 'There are two usual causes. A replica, instance or worker process has different data, or runs a different release: send the request to each of them, and compare the responses. Or concurrent requests share state, e.g. a module variable, or a connection or cursor that is not safe for concurrent use.',
    applies: ({ isUnsteadyAlone }) => isUnsteadyAlone,
  },
  {
    id: 'unsteady',
    symptom: 'identical requests, of which several are in flight, and some get a correct and some a wrong response',
    fix: 'Look for state that requests share (a module variable, a client or cursor that is not safe for concurrent use, a cache key that lacks a part of the request). If there are replicas, compare their responses one by one.',
    applies: ({ isUnsteady }) => isUnsteady,
  },
]

/** The parts of a run that a diagnosis needs. */
interface Run {
  readonly readings: Reader
  readonly session: { readonly traffic: Pick<TrafficLog, 'countIdentical'> }
}

/** Returns remarks on the response that shows the violation, and advice on the cause that they suggest. */
export function diagnoseViolation(
  candidate: CandidateViolation,
  { readings, session }: Run,
): Pick<FailedInput, 'remark' | 'fix'> {
  const sequence = selectShownExchanges(candidate)
  const [shown] = sequence
  const others = readings.resourcesRead().flatMap((resource) => readings.exchangesFor(resource))
  const { intermittent, fix } = candidate.violation.contradiction
  const symptoms: Symptoms = {
    shown,
    sequence,
    isUnsteady: intermittent !== undefined && fix === undefined,
    isUnsteadyAlone: intermittent === 'even alone',
    identical: session.traffic.countIdentical(shown),
  }
  const diagnosis = diagnosisRules.find(({ applies }) => applies(symptoms))
  const notes = [diagnosis?.observed?.(symptoms), describeGatewayError(shown, others)].filter(
    (one) => one !== undefined,
  )
  return {
    ...(notes.length > 0 && { remark: notes.join('; ') }),
    ...(diagnosis && { fix: diagnosis.fix }),
  }
}
