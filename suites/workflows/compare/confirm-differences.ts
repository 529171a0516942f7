import type { Exchange } from '../../engine/http/client/exchange.ts'
import { declaredFreshnessMs } from '../../engine/http/client/freshness.ts'
import { Inconclusive, resolveInconclusiveTo } from '../../engine/inconclusive.ts'

/** Differences between two sides, some of which may be noise. */
export interface UnconfirmedDifferences {
  /** True if any difference remains. */
  readonly hasDifferences: boolean
  /** The exchanges whose responses declare how long copies of them are fresh. */
  readonly cacheableExchanges: readonly Exchange[]
  /** Returns whether a side gave different responses to the same requests. */
  hasChanged(): Promise<boolean>
  /** Called once if the data of a side changes, before the differences are rechecked. */
  onChange(): void
  /** Requests both sides again, and drops differences that do not recur. */
  readAgain(): Promise<void>
  /** Drops all differences, because they could not be rechecked. */
  dropAll(): void
}

/**
 * The number of repeated readings. With random responses, both sides would repeat their first responses this often only
 * once in 100,000 runs.
 */
const MAX_READINGS = 8
/** The total wait, if no response declares a longer freshness. */
const MAX_WAIT_MS = 12_000
/**
 * A time added to the declared freshness, because a cache may serve a stale copy once more while it fetches a new one.
 */
const DELAY_AFTER_FRESHNESS_MS = 1100

export interface ConfirmOptions {
  /** Returns whether the lists of a side have changed. */
  readonly haveListsChanged: () => Promise<boolean>
  /**
   * Waits.
   * @throws {Inconclusive} if the run ends meanwhile
   */
  readonly pause: (ms: number) => Promise<void>
}

/**
 * Rechecks all differences if the data changes, because stale copies and chance cause differences that do not last. If
 * no side changes, nothing is requested again.
 * @returns whether all differences could be rechecked
 */
export async function confirmDifferences(
  all: readonly UnconfirmedDifferences[],
  { haveListsChanged, pause }: ConfirmOptions,
): Promise<boolean> {
  const left = () => all.filter(({ hasDifferences }) => hasDifferences)
  if (left().length === 0) return true
  // A side that cannot be read counts as unchanged.
  const changeChecks = [haveListsChanged, ...all.map((one) => () => one.hasChanged())].map((hasChanged) =>
    hasChanged().catch(resolveInconclusiveTo(false)),
  )
  if (!(await Promise.all(changeChecks)).includes(true)) return true
  for (const one of all) one.onChange()
  const freshness = all.flatMap(({ cacheableExchanges }) =>
    cacheableExchanges.map((exchange) => declaredFreshnessMs(exchange) ?? 0),
  )
  const wait = Math.max(MAX_WAIT_MS, ...freshness.map((ms) => ms + DELAY_AFTER_FRESHNESS_MS))
  try {
    for (let reading = 0; reading < MAX_READINGS && left().length > 0; reading++) {
      await pause(wait / MAX_READINGS)
      await Promise.all(left().map((one) => one.readAgain()))
    }
    return true
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error
    for (const one of left()) one.dropAll()
    return false
  }
}
