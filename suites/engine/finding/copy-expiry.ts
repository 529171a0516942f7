import {
  countMinimumMoments,
  TWICE_CACHED_COPY_AGE_MS,
  timeSpanOf,
  UNDECLARED_COPY_AGE_MS,
  WAIT_BEYOND_TWICE_CACHED_COPIES_MS,
} from '../history/fewest-changes.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { declaredFreshnessMsOf, maxCopyAgeMsOf, mayCachedCopyOutlastMaxWait } from '../http/client/freshness.ts'

/** The responses of a violation and of its rechecks. Each of them may be a stale copy from a cache. */
export interface RecheckedResponses {
  /** The exchanges in which the violation was found, and those of each recheck that showed the same affected names. */
  readonly recheckExchanges: readonly (readonly Exchange[])[]
  /**
   * The likelihood that the violation is a stale copy. `certain`: the requirement is met if caches are bypassed.
   * `possible`: caches cannot be bypassed.
   */
  readonly staleCopy: 'certain' | 'possible' | 'none'
}

/** The delays of the rechecks if responses declare no freshness (T3.5). */
const UNDECLARED_COPY_DELAYS_MS = [1000, 3000, 6000]
/**
 * The delays of the rechecks after the declared freshness. There are two, because a cache may serve a stale copy once
 * more while it fetches a new one.
 */
const DELAYS_AFTER_FRESHNESS_MS = [100, 1100]
/** The margin after which cached copies have surely expired, in addition to the freshness that they declare. */
const EXPIRY_MARGIN_MS = 1500

/**
 * Returns the delays of the rechecks, in ms from now: some after the declared freshness, and fixed ones if any response
 * declares none.
 */
export function recheckDelaysMs(exchanges: readonly Exchange[]): readonly number[] {
  const declared = exchanges.map(declaredFreshnessMsOf)
  const longest = Math.max(0, ...declared.filter((ms) => ms !== undefined))
  const fixedDelays = declared.includes(undefined) ? UNDECLARED_COPY_DELAYS_MS : []
  const delaysAfterFreshness = longest > 0 ? DELAYS_AFTER_FRESHNESS_MS.map((ms) => longest + ms) : []
  return [...fixedDelays, ...delaysAfterFreshness].sort((a, b) => a - b)
}

/**
 * Returns whether the violation may be a stale copy of unknown age: no response declares an age, and bypassing caches
 * helps or is impossible.
 */
const isUndeclaredCopy = ({ staleCopy, recheckExchanges }: RecheckedResponses): boolean =>
  staleCopy !== 'none' && recheckExchanges.flat().every((exchange) => maxCopyAgeMsOf(exchange) === undefined)

/** Returns whether the violation is rechecked once more, when all cached copies from the first rechecks have expired. */
export const mayBeStaleCopy = (responses: RecheckedResponses): boolean =>
  isUndeclaredCopy(responses) ||
  (responses.staleCopy === 'possible' && !responses.recheckExchanges.flat().some(mayCachedCopyOutlastMaxWait))

/** Returns the delay of the additional recheck of a violation that may be a stale copy, in ms from now. */
export function lastRecheckDelayMs(responses: RecheckedResponses): number {
  if (isUndeclaredCopy(responses)) return WAIT_BEYOND_TWICE_CACHED_COPIES_MS
  const kept = responses.recheckExchanges
    .flat()
    .map((exchange) => declaredFreshnessMsOf(exchange) ?? UNDECLARED_COPY_AGE_MS)
  return 2 * Math.max(...kept) + EXPIRY_MARGIN_MS
}

/**
 * Returns whether no single change of the directory explains the violation, i.e. whether the rechecks cannot all have
 * shown the directory as it was at one moment. If all responses may come from caches, two changes must not explain it
 * either: an element may have been added before one response was cached, and removed before the next one was.
 * @param undeclaredMaxAgeMs the greatest age of a copy that declares none
 */
function needsMoreChanges({ recheckExchanges, staleCopy }: RecheckedResponses, undeclaredMaxAgeMs: number): boolean {
  const mayBeCopies = staleCopy === 'possible'
  const maxAgeMs = (exchange: Exchange) =>
    (mayBeCopies ? maxCopyAgeMsOf(exchange) : declaredFreshnessMsOf(exchange)) ?? undeclaredMaxAgeMs
  return (
    countMinimumMoments(recheckExchanges.map((exchanges) => timeSpanOf(exchanges, maxAgeMs))) > (mayBeCopies ? 2 : 1)
  )
}

/**
 * Returns whether the violation lasted longer than any copy may. `as old copy` means that it is a copy without a declared
 * age that is older than two caches in a row explain: clients cannot distinguish it from a defect.
 */
export function outlastsCopies(responses: RecheckedResponses): 'yes' | 'as old copy' | 'no' {
  if (responses.staleCopy !== 'certain' && needsMoreChanges(responses, UNDECLARED_COPY_AGE_MS)) return 'yes'
  return isUndeclaredCopy(responses) && needsMoreChanges(responses, TWICE_CACHED_COPY_AGE_MS) ? 'as old copy' : 'no'
}
