import type { Exchange } from '../../engine/http/client/exchange.ts'
import { declaredFreshnessMsOf } from '../../engine/http/client/freshness.ts'
import { Inconclusive, resolveInconclusiveTo } from '../../engine/inconclusive.ts'

/** Differences between two deployments. Some may be caused by changes of the data or by chance. */
export interface UnconfirmedDifferences {
  /** True if at least one difference was not dropped. */
  readonly hasDifferences: boolean
  /** The exchanges whose responses declare for how long a cache may serve them. */
  readonly cacheableExchanges: readonly Exchange[]
  /** Returns whether a deployment gave different responses to the same requests. */
  hasChanged(): Promise<boolean>
  /** Called once if the data of a deployment changes, before the differences are requested again. */
  onChange(): void
  /** Requests both deployments again, and drops the differences that do not recur. */
  readAgain(): Promise<void>
  /** Drops all differences. Called if they could not be requested again. */
  dropAll(): void
}

/**
 * The number of times that both deployments are requested again. A difference that is due to chance in each response
 * would recur this often only once in 100,000 runs.
 */
const MAX_READINGS = 8
/** The total wait in ms, unless a response declares that caches may serve it for longer. */
const MAX_WAIT_MS = 12_000
/**
 * A wait in ms after the declared freshness has ended: a cache may serve a stale copy once more while it fetches a new
 * one.
 */
const DELAY_AFTER_FRESHNESS_MS = 1100

interface ConfirmationOptions {
  /** Returns whether the lists of a deployment have changed. */
  readonly haveListsChanged: () => Promise<boolean>
  /**
   * Waits for a time in ms.
   * @throws {Inconclusive} if the run ends meanwhile
   */
  readonly pause: (ms: number) => Promise<void>
}

/**
 * Rechecks all differences if the data of a deployment changes, because stale copies and chance cause differences that
 * do not last. If no deployment changes, requests nothing.
 * @returns whether all differences could be rechecked
 */
export async function confirmDifferences(
  all: readonly UnconfirmedDifferences[],
  { haveListsChanged, pause }: ConfirmationOptions,
): Promise<boolean> {
  const left = () => all.filter(({ hasDifferences }) => hasDifferences)
  if (left().length === 0) return true
  // A deployment that does not respond counts as unchanged.
  const changeChecks = [haveListsChanged, ...all.map((one) => () => one.hasChanged())].map((hasChanged) =>
    hasChanged().catch(resolveInconclusiveTo(false)),
  )
  if (!(await Promise.all(changeChecks)).includes(true)) return true
  for (const one of all) one.onChange()
  const freshness = all.flatMap(({ cacheableExchanges }) =>
    cacheableExchanges.map((exchange) => declaredFreshnessMsOf(exchange) ?? 0),
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
