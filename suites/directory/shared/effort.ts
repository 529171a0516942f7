import type { Check } from '../../engine/check/check.ts'
import type { CheckEffort } from '../../engine/finding/recorder-options.ts'
import { isScopeJudged } from '../../engine/run/plan.ts'

export interface Effort extends CheckEffort {
  /** `few` tests only those strings and characters that find most defects. */
  readonly strings: 'all' | 'few'
  /**
   * Applies to pairs of strings that rarely expose a defect. `in turn` sends each version only one string of each pair,
   * `both` sends both strings to each version.
   */
  readonly pairsOfStrings: 'in turn' | 'both'
  /** The budget of requests for tests with listed names and made-up strings. Applies only if `strings` is `few`. */
  readonly requests: number
  /** `few` observes only the open points of the contract that need no requests of their own. */
  readonly openPoints: 'all' | 'few'
  /**
   * The number of names that are requested only after altered forms of these names, to find caches that mistake an
   * altered form for the name.
   */
  readonly namesWithSimilarFirst: number
  /**
   * The number of cats that are searched for early in the run, to find out whether searches remove cats.
   */
  readonly namesRequestedFirst: number
  /** The number of names that are searched for to find out whether search works at all. */
  readonly namesThatShowSearch: number
  /** The number of cats whose lives are requested in each version without an endpoint for lives. */
  readonly catsForVersionWithoutLives: number
  /** The number of cats whose responses show at which place the count of lives usually is. */
  readonly catsForUsualPlace: number
  /** The number of names that are tested in each percent-encoding except the usual one. */
  readonly namesPerEncoding: number
  /** The number of cats for which queries similar to the name are tested, e.g. with a missing letter. */
  readonly catsForSimilarQueries: number
  /** The number of breeds whose altered names are tested. */
  readonly breedsForSimilarNames: number
  /** The maximum number of breeds whose lists of cats are read. More breeds are sampled. */
  readonly breedLists: number
  /** The number of breeds whose lists are read to find some that have cats. */
  readonly breedsReadForCats: number
  /** The number of names into which special characters are inserted. */
  readonly namesForSpecials: number
  /** The number of responses of an operation that are used to find out where in the JSON its lists and names are. */
  readonly responsesForShape: number
  /**
   * The number of cats whose lives are read before and after the first request of each kind, to detect side effects.
   */
  readonly catsReadAtStart: number
  /** The number of cats whose lives are read again early in the run, to detect changes. */
  readonly catsWatchedEarly: number
  /** The number of cats whose lives are read again late in the run, to detect changes. */
  readonly catsWatchedLate: number
  /** The number of cats whose lives are read again because their names were sent in several percent-encodings. */
  readonly encodedCatsWatched: number
  /** The number of breeds whose lists are read again, to detect changes. */
  readonly breedsWatched: number
  /** The number of readings of the lives of one cat, one after the other, late in the run. */
  readonly rereadingsLate: number
  /** The number of readings of each list during the run, to find out whether the list changes. */
  readonly pollsPerList: number
  /**
   * The maximum number of lists and of cats, per operation, that are tested for side effects of other requests. Only
   * those that changed during the run are tested.
   */
  readonly variedResources: number
  /**
   * The number of breeds whose lists are read again when a check suspects a violation. A cat may have moved from any
   * breed to another.
   */
  readonly breedsCheckedForDrift: number
  /**
   * `full` reads all lists again, also with caches bypassed, each time that a check suspects a violation. `short` reads
   * only the lists of all cats and breeds and some lives. At the end of the run, it reads all lists once: with caches
   * bypassed, if possible.
   */
  readonly driftDetection: 'full' | 'short'
  /**
   * `all` makes every experiment about changes of lists and of lives. `until explained` makes no more of them about lists
   * when requests were shown to change lists, and none about lives when requests were shown to change lives.
   */
  readonly experiments: 'all' | 'until explained'
  /**
   * The number of cats, from the beginning of the list, for which experiments test whether reading lives changes the
   * lives.
   */
  readonly firstCats: number
  /** The number of cats with many lives for which experiments test whether reading lives changes the lives. */
  readonly catsWithManyLives: number
  /** The number of cats whose lives are read to find cats with many lives. */
  readonly catsReadForManyLives: number
  /** The number of cats whose lives are read in bursts, i.e. many times within a short time. */
  readonly catsReadInBursts: number
  /**
   * The number of consecutive readings of all pages of a list, to find out whether the list keeps its order between the
   * requests for its pages.
   */
  readonly pagedReadings: number
  /**
   * If this many readings of all pages of a list, the first of the run included, have the same names, the list is not
   * read more often. 0 if equal readings never suffice.
   */
  readonly sufficientEqualReadings: number
}

/** The settings of `--effort standard`. The other efforts change some of them. */
const STANDARD = {
  strings: 'all',
  pairsOfStrings: 'in turn',
  requests: Number.POSITIVE_INFINITY,
  openPoints: 'all',
  namesWithSimilarFirst: 2,
  namesRequestedFirst: 4,
  namesThatShowSearch: 12,
  catsForVersionWithoutLives: 50,
  catsForUsualPlace: 5,
  namesPerEncoding: 5,
  catsForSimilarQueries: 2,
  breedsForSimilarNames: 3,
  breedLists: Number.POSITIVE_INFINITY,
  breedsReadForCats: 12,
  namesForSpecials: 2,
  responsesForShape: 6,
  catsReadAtStart: 6,
  catsWatchedEarly: 2,
  catsWatchedLate: 8,
  encodedCatsWatched: 3,
  breedsWatched: 8,
  rereadingsLate: 11,
  pollsPerList: 3,
  variedResources: 2,
  breedsCheckedForDrift: 40,
  driftDetection: 'full',
  experiments: 'all',
  firstCats: 2,
  catsWithManyLives: 4,
  catsReadForManyLives: 20,
  catsReadInBursts: 60,
  pagedReadings: 8,
  sufficientEqualReadings: 0,
  shrinks: 300,
  rereads: 5,
  listed: 60,
  inputs: 300,
  maxRequests: Number.POSITIVE_INFINITY,
  requestsAtEnd: Number.POSITIVE_INFINITY,
  examples: 1000,
  runs: 3,
} as const

export const effortsByName = {
  quick: {
    ...STANDARD,
    strings: 'few',
    requests: 150,
    openPoints: 'few',
    runs: 0,
    namesWithSimilarFirst: 0,
    namesRequestedFirst: 0,
    namesThatShowSearch: 4,
    catsForVersionWithoutLives: 1,
    catsForUsualPlace: 2,
    namesPerEncoding: 1,
    catsForSimilarQueries: 1,
    breedsForSimilarNames: 1,
    breedLists: 25,
    breedsReadForCats: 3,
    namesForSpecials: 1,
    responsesForShape: 3,
    catsReadAtStart: 2,
    catsWatchedEarly: 1,
    catsWatchedLate: 2,
    encodedCatsWatched: 0,
    breedsWatched: 1,
    rereadingsLate: 1,
    pollsPerList: 0,
    variedResources: 1,
    driftDetection: 'short',
    experiments: 'until explained',
    pagedReadings: 4,
    sufficientEqualReadings: 2,
    shrinks: 2,
    rereads: 1,
    listed: 2,
    maxRequests: 250,
    requestsAtEnd: 50,
  },
  standard: STANDARD,
  thorough: { ...STANDARD, pairsOfStrings: 'both', inputs: 5000, runs: 1000 },
} as const satisfies Record<string, Effort>

/**
 * Subtracts the requests that a single check needs from the budget that all checks share. Counts all checks, even those
 * that are not selected, so that a replay selects the same inputs.
 */
export function reserveRequestsOfSingleChecks<T>(
  effort: Effort,
  checks: readonly Pick<Check<T>, 'ownRequests' | 'scopes'>[],
  judged: readonly string[],
): Effort {
  const alone = checks.map((check) => check.ownRequests * check.scopes.filter(isScopeJudged(judged)).length)
  return { ...effort, requests: effort.requests - alone.reduce((sum, count) => sum + count, 0) }
}

export type EffortName = keyof typeof effortsByName

export const effortNames = Object.keys(effortsByName) as readonly EffortName[] // The cast is safe: the record has exactly these keys.
