import { namesOfReading } from '../../directory/readings/names.ts'
import { createFreshReader } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { declaredFreshnessMsOf } from '../../engine/http/client/freshness.ts'
import { Inconclusive, resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import type { LiveDeployment } from './side-pair.ts'

/**
 * Holds the differences that were found between two deployments, and rechecks them: some may be caused by changes of
 * the data or by chance.
 */
export interface DifferenceRechecker {
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
  all: readonly DifferenceRechecker[],
  { haveListsChanged, pause }: ConfirmationOptions,
): Promise<boolean> {
  const selectUndropped = () => all.filter(({ hasDifferences }) => hasDifferences)
  if (selectUndropped().length === 0) return true
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
    for (let reading = 0; reading < MAX_READINGS && selectUndropped().length > 0; reading++) {
      await pause(wait / MAX_READINGS)
      await Promise.all(selectUndropped().map((one) => one.readAgain()))
    }
    return true
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error
    for (const one of selectUndropped()) one.dropAll()
    return false
  }
}

/** The content of the list of all cats, in one reading. */
interface ReadList {
  /** The listed names with their breeds, as JSON; empty if the list could not be read. */
  readonly text: string
  readonly pages: number
}

/** Reads the list of all cats from each deployment, in each version. */
const readLists = (
  liveDeployments: readonly LiveDeployment[],
  way: 'send' | 'sendPastCaches',
): Promise<readonly ReadList[]> =>
  Promise.all(
    liveDeployments.flatMap((live) =>
      live.deployment.directories.map(async ({ cats }) => {
        const list = await createFreshReader(live.session[way]).read(cats)
        const breedOf = (name: string) => (list.kind === 'list' ? list.breedOf.get(name) : undefined)
        const shown = namesOfReading(list)
          .toSorted()
          .map((name) => [name, breedOf(name)])
        return {
          text: shown.length === 0 ? '' : JSON.stringify(shown),
          pages: list.kind === 'list' ? list.pages : 1,
        }
      }),
    ),
  )

/**
 * The number of times that the lists are read again, and the interval in ms. Enough to notice names that disappear and
 * come back several times a second.
 */
const [READINGS, READING_INTERVAL_MS] = [5, 400]
/**
 * The number of times that long lists are read again, and the number of pages above which a list is long. One reading
 * of so many pages takes long enough to notice changes.
 */
const [READINGS_OF_LONG_LISTS, LONG_LIST_PAGES] = [1, 20]

/**
 * Reads the lists of both deployments. Creates a function that detects later whether these lists have changed.
 * @returns a function that reads the lists again several times, also with caches bypassed, and returns whether a list
 * has changed
 */
export async function createListChangeDetector(
  liveDeployments: readonly LiveDeployment[],
  pause: (ms: number) => Promise<void>,
): Promise<() => Promise<boolean>> {
  // If the first reading fails, the lists count as changed.
  const first = await readLists(liveDeployments, 'send').catch(resolveInconclusiveTo(undefined))
  const readings = first?.some(({ pages }) => pages > LONG_LIST_PAGES) ? READINGS_OF_LONG_LISTS : READINGS
  const isUnchanged = (now: readonly ReadList[]) =>
    now.every(({ text }, at) => text === '' || text === first?.[at]?.text)
  const hasChanged = async () =>
    first === undefined ||
    !isUnchanged(await readLists(liveDeployments, 'send')) ||
    !isUnchanged(await readLists(liveDeployments, 'sendPastCaches'))
  return async () => {
    for (let reading = 1; reading < readings; reading++) {
      if (await hasChanged()) return true
      await pause(READING_INTERVAL_MS)
    }
    return hasChanged()
  }
}
