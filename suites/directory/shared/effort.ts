import type { Check } from '../../engine/check/check.ts'
import { createScopeFilter } from '../../engine/run/plan.ts'

export const effortNames = ['quick', 'standard', 'thorough'] as const
export type EffortName = (typeof effortNames)[number]

const perEffort = <T>(quick: T, standard: T, thorough = standard): Readonly<Record<EffortName, T>> => ({
  quick,
  standard,
  thorough,
})

/** The settings that differ between efforts. `CheckEffort` of the engine describes those without a comment. */
const settings = {
  inputs: perEffort(300, 300, 5000),
  maxRequests: perEffort(250, Number.POSITIVE_INFINITY),
  requestsForRechecks: perEffort(25, 0),
  requestsAtEnd: perEffort(35, 0),
  examples: perEffort(1000, 1000),
  runs: perEffort(0, 3, 1000),
  shrinks: perEffort(2, 300),
  rereads: perEffort(1, 5),
  listed: perEffort(2, 60),
  /** `few` tests only the strings and characters that find most defects. */
  strings: perEffort<'all' | 'few'>('few', 'all'),
  /** The use of pairs of strings that rarely expose a defect: each version is sent one string of each pair, or both. */
  pairsOfStrings: perEffort<'in turn' | 'both'>('in turn', 'in turn', 'both'),
  /** The budget of requests for tests with listed names and made-up strings. Applies only if `strings` is `few`. */
  requests: perEffort(150, Number.POSITIVE_INFINITY),
  /** `few` observes only the open points of the contract that need no requests of their own. */
  openPoints: perEffort<'all' | 'few'>('few', 'all'),
  /**
   * The number of listed names that are requested only after altered forms of them, to find caches that confuse these.
   */
  namesWithSimilarFirst: perEffort(0, 2),
  /** The number of cats that are searched for early in the run, to find out whether searches remove cats. */
  namesRequestedFirst: perEffort(0, 4),
  /** The number of names that are searched for to find out whether search works at all. */
  namesThatShowSearch: perEffort(4, 12),
  /** The number of cats whose lives are requested in each version without an endpoint for lives. */
  catsForVersionWithoutLives: perEffort(1, 50),
  /** The number of cats whose responses show at which place the count of lives usually is. */
  catsForUsualPlace: perEffort(2, 5),
  /** The number of names that are tested in each percent-encoding except the usual one. */
  namesPerEncoding: perEffort(1, 5),
  /** The number of cats for which queries similar to the name are tested, e.g. with a missing letter. */
  catsForSimilarQueries: perEffort(1, 2),
  /** The number of breeds whose altered names are tested. */
  breedsForSimilarNames: perEffort(1, 3),
  /** The maximum number of breeds whose lists of cats are read. More breeds are sampled. */
  breedLists: perEffort(25, Number.POSITIVE_INFINITY),
  /** The number of breeds whose lists are read to find some that have cats. */
  breedsReadForCats: perEffort(3, 12),
  /**
   * The number of names into which special characters are inserted: the first is that of a cat, the second of a breed.
   */
  namesForSpecials: perEffort(1, 2),
  /** The number of responses of an operation that are used to find out where in the JSON its lists and names are. */
  responsesForShape: perEffort(3, 6),
  /**
   * The number of cats whose lives are read before and after the first request of each kind, to detect side effects.
   */
  catsReadAtStart: perEffort(2, 6),
  /** The number of cats whose lives are read again early in the run, to detect changes. */
  catsWatchedEarly: perEffort(1, 2),
  /** The number of cats whose lives are read again late in the run, to detect changes. */
  catsWatchedLate: perEffort(2, 8, 200),
  /** The number of cats whose lives are read again because their names were sent in several percent-encodings. */
  encodedCatsWatched: perEffort(0, 3),
  /** The number of breeds whose lists are read again, to detect changes. */
  breedsWatched: perEffort(1, 8),
  /** The number of readings of the lives of one cat, one after the other, late in the run. */
  rereadingsLate: perEffort(1, 11),
  /** The number of readings of each list during the run, to find out whether the list changes. */
  pollsPerList: perEffort(0, 3),
  /** The maximum number of changed lists and cats, per operation, that are tested for side effects. */
  variedResources: perEffort(1, 2),
  /**
   * `full` reads all lists again at each suspected violation, and then with caches bypassed. `short` reads only the
   * lists of all cats and breeds and some lives, and all lists once at the end of the run.
   */
  driftDetection: perEffort<'full' | 'short'>('short', 'full'),
  /**
   * `until explained` makes no more experiments about changes of lists or lives when requests were shown to cause such
   * changes.
   */
  experiments: perEffort<'all' | 'until explained'>('until explained', 'all'),
  /** The number of readings of all pages, to find out whether a list keeps its order between pages. */
  pagedReadings: perEffort(4, 8),
  /**
   * The number of equal readings of all pages, the first included, after which no more are made; 0 to make all of them.
   */
  sufficientEqualReadings: perEffort(2, 0),
}

export type Effort = { readonly [K in keyof typeof settings]: (typeof settings)[K][EffortName] }

// The cast is safe: the object has a value for each setting.
const createEffort = (name: EffortName): Effort =>
  Object.fromEntries(Object.entries(settings).map(([key, values]) => [key, values[name]])) as unknown as Effort

export const effortsByName: Readonly<Record<EffortName, Effort>> = {
  quick: createEffort('quick'),
  standard: createEffort('standard'),
  thorough: createEffort('thorough'),
}

/** The number of cats whose lives are read to find cats with many lives. */
export const CATS_READ_FOR_MANY_LIVES = 20
/** The number of cats whose lives are read in bursts, i.e. many times within a short time. */
export const CATS_READ_IN_BURSTS = 60

/**
 * Subtracts the requests that single checks need for themselves from the shared budget. Counts all checks, even if not
 * selected, so that a replay selects the same inputs.
 */
export function reserveRequestsOfSingleChecks<T>(
  effort: Effort,
  checks: readonly Pick<Check<T>, 'ownRequests' | 'scopes'>[],
  judged: readonly string[],
): Effort {
  const ownRequests = checks.map((check) => check.ownRequests * check.scopes.filter(createScopeFilter(judged)).length)
  return { ...effort, requests: effort.requests - ownRequests.reduce((sum, count) => sum + count, 0) }
}
