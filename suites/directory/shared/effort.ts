import type { Check } from '../../engine/check/check.ts'
import type { CheckEffort } from '../../engine/finding/recorder-options.ts'
import { isScopeJudged } from '../../engine/run/plan.ts'

/** The settings that determine how much is tested. */
export interface Effort extends CheckEffort {
  /** Whether all strings and characters are tested, or only those that find most defects. */
  readonly strings: 'all' | 'few'
  /**
   * For pairs of strings that rarely expose a defect: `in turn` sends each version one of them, `both` sends it both.
   */
  readonly pairsOfStrings: 'in turn' | 'both'
  /**
   * The number of requests that names and strings share if few strings are tested. The fewer names there are, the more
   * strings are tested.
   */
  readonly requests: number
  /** Whether all open points are observed, or only those that need no requests of their own. */
  readonly openPoints: 'all' | 'few'
  /** The number of names whose altered forms are requested before the names themselves. */
  readonly namesWithSimilarFirst: number
  /**
   * The number of breeds that are requested, and of cats that are searched for, before all other requests, to find out
   * whether that removes cats.
   */
  readonly namesRequestedFirst: number
  /** The number of names that are searched for to find out whether search works at all. */
  readonly namesThatShowSearch: number
  /** The number of cats whose lives are requested in a version without lives. */
  readonly catsForVersionWithoutLives: number
  /**
   * The number of cats whose lives are requested early in a version without lives, to find out whether that costs
   * lives.
   */
  readonly earlyCatsForVersionWithoutLives: number
  /** The number of cats from which the usual place of the count of lives is found. */
  readonly catsForUsualPlace: number
  /** The number of names tested in each encoding except the plain one. */
  readonly namesPerEncoding: number
  /** The number of cats for which queries similar to the name are tested, e.g. with a missing letter. */
  readonly catsForSimilarQueries: number
  /** The number of breeds whose altered names are tested, and of breeds that are read to find some with cats. */
  readonly breedsForSimilarNames: number
  readonly breedsReadForCats: number
  /** The number of plain names into which special characters are inserted. */
  readonly namesForSpecials: number
  /** The number of responses of an operation from which its shape is inferred. */
  readonly responsesForShape: number
  /**
   * The numbers of cats watched for changes early and late in the run, of cats that were read in several encodings, and
   * of breeds; and the numbers of repeated readings of one further cat, early and late.
   */
  readonly catsWatchedEarly: number
  readonly catsWatchedLate: number
  readonly encodedCatsWatched: number
  readonly breedsWatched: number
  readonly rereadingsEarly: number
  readonly rereadingsLate: number
  /** The number of readings of each list during the run, to find out whether it changes. */
  readonly pollsPerList: number
  /**
   * The maximum number, per operation, of lists and cats that varied during the run and are tested for dependence on
   * other requests.
   */
  readonly variedResources: number
  /**
   * The number of breeds whose lists are read again if something looks like a violation: a cat may have moved between
   * any two.
   */
  readonly breedsCheckedForDrift: number
  /**
   * `full` reads all lists again, also with caches bypassed, each time that something looks like a violation. `short`
   * does that only at the end of the run, and before it reads the lists of all cats and breeds and some lives.
   */
  readonly driftDetectionBeforeEnd: 'full' | 'short'
  /**
   * The numbers of resources of experiments on side effects: the first cats, cats with many lives among some that are
   * read, and cats that are read in bursts.
   */
  readonly firstCats: number
  readonly catsWithManyLives: number
  readonly catsReadForManyLives: number
  readonly catsReadInBursts: number
  /** The number of consecutive readings of all pages of a list, to find out whether they are cut from one order. */
  readonly pagedReadings: number
  /**
   * If this many complete readings of a list in pages have the same names, its pages are taken to come from one stable
   * order.
   */
  readonly pagedReadingsIfEqual: number
}

/** The settings of standard effort. The other efforts change some of them. */
const STANDARD = {
  strings: 'all',
  pairsOfStrings: 'in turn',
  requests: Number.POSITIVE_INFINITY,
  openPoints: 'all',
  namesWithSimilarFirst: 2,
  namesRequestedFirst: 4,
  namesThatShowSearch: 12,
  catsForVersionWithoutLives: 50,
  earlyCatsForVersionWithoutLives: 1,
  catsForUsualPlace: 5,
  namesPerEncoding: 5,
  catsForSimilarQueries: 2,
  breedsForSimilarNames: 3,
  breedsReadForCats: 12,
  namesForSpecials: 2,
  responsesForShape: 6,
  catsWatchedEarly: 2,
  catsWatchedLate: 8,
  encodedCatsWatched: 3,
  breedsWatched: 8,
  rereadingsEarly: 2,
  rereadingsLate: 11,
  pollsPerList: 3,
  variedResources: 2,
  breedsCheckedForDrift: 40,
  driftDetectionBeforeEnd: 'full',
  firstCats: 2,
  catsWithManyLives: 4,
  catsReadForManyLives: 20,
  catsReadInBursts: 60,
  pagedReadings: 8,
  pagedReadingsIfEqual: 8,
  shrinks: 300,
  rereads: 5,
  listed: 60,
  inputs: 300,
  examples: 1000,
  runs: 3,
} as const

/** The efforts by name (`--effort`). */
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
    earlyCatsForVersionWithoutLives: 0,
    catsForUsualPlace: 2,
    namesPerEncoding: 1,
    catsForSimilarQueries: 1,
    breedsForSimilarNames: 1,
    breedsReadForCats: 3,
    namesForSpecials: 1,
    responsesForShape: 3,
    catsWatchedEarly: 1,
    catsWatchedLate: 2,
    encodedCatsWatched: 0,
    breedsWatched: 1,
    rereadingsEarly: 1,
    rereadingsLate: 1,
    pollsPerList: 0,
    variedResources: 1,
    driftDetectionBeforeEnd: 'short',
    pagedReadings: 4,
    pagedReadingsIfEqual: 2,
    shrinks: 10,
    rereads: 1,
    listed: 4,
  },
  standard: STANDARD,
  thorough: { ...STANDARD, pairsOfStrings: 'both', inputs: 5000, runs: 1000 },
} as const satisfies Record<string, Effort>

/**
 * Reserves the requests that only one check sends. Counts all checks, whichever are selected, so that a replay draws
 * the same inputs.
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
