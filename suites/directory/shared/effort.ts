import type { Check } from '../../engine/check/check.ts'
import type { Effort as EngineEffort } from '../../engine/run/check-run.ts'
import { isJudgedIn } from '../../engine/run/plan.ts'

/** The settings that determine how much is tested. */
export interface Effort extends EngineEffort {
  /** All strings and characters, or the few that find most defects. */
  readonly strings: 'all' | 'few'
  /** Pairs of strings on which few services fail: one per version, or both in each. */
  readonly pairsOfStrings: 'in turn' | 'both'
  /** Requests shared by names and strings if few strings are tested: the fewer names, the more strings. */
  readonly requests: number
  /** All open points, or those that need no requests of their own. */
  readonly openPoints: 'all' | 'few'
  /** Names whose alterations are requested before the names. */
  readonly namesWithSimilarFirst: number
  /** Breeds that are requested and searched for first, to see whether that removes cats. */
  readonly breedsRequestedFirst: number
  /** Names that show whether search works at all. */
  readonly namesThatShowSearch: number
  /** Cats whose lives are requested in a version without lives. */
  readonly catsWithoutLives: number
  /** Cats whose lives are requested early in a version without lives, to see whether that costs lives. */
  readonly catsWithoutLivesEarly: number
  /** Cats that show the place of the count of lives. */
  readonly catsForUsualPlace: number
  /** Names in each encoding other than the plain one. */
  readonly namesPerEncoding: number
  /** Cats whose names are altered to queries that people type instead. */
  readonly catsForSimilarQueries: number
  /** Breeds whose names are altered, and breeds that are read to find some with cats. */
  readonly breedsForSimilarNames: number
  readonly breedsReadForCats: number
  /** Plain names into which special characters are inserted. */
  readonly namesForSpecials: number
  /** Responses of an operation from which its shape is inferred. */
  readonly responsesForShape: number
  /**
   * The numbers of subjects that are watched for changes: cats early and late, late also names that were read in other
   * encodings; breeds; and readings of one more cat, early and late.
   */
  readonly catsWatchedEarly: number
  readonly catsWatchedLate: number
  readonly encodedCatsWatched: number
  readonly breedsWatched: number
  readonly rereadingsEarly: number
  readonly rereadingsLate: number
  /** Polls of each list during the run, to see whether it changes. */
  readonly pollsPerList: number
  /** Breeds whose lists are read again if something looks like a violation: a cat may have moved between any two. */
  readonly breedsCheckedForDrift: number
  /**
   * Subjects of experiments on side effects: the first cats, cats with many lives among some that are read, and cats
   * that are read in bursts.
   */
  readonly firstCats: number
  readonly catsWithManyLives: number
  readonly catsReadForManyLives: number
  readonly catsReadInBursts: number
  /** Consecutive readings of all pages of a list, to see whether they are cut from one order. */
  readonly pagedReadings: number
  /** After how many of these walks the list is held to be cut from one order, if all showed the same names. */
  readonly pagedReadingsIfEqual: number
}

const COMMON_SETTINGS = {
  strings: 'all',
  pairsOfStrings: 'in turn',
  requests: Number.POSITIVE_INFINITY,
  openPoints: 'all',
  namesWithSimilarFirst: 2,
  breedsRequestedFirst: 4,
  namesThatShowSearch: 12,
  catsWithoutLives: 50,
  catsWithoutLivesEarly: 1,
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
  breedsCheckedForDrift: 40,
  firstCats: 2,
  catsWithManyLives: 4,
  catsReadForManyLives: 20,
  catsReadInBursts: 60,
  pagedReadings: 8,
  pagedReadingsIfEqual: 8,
  shrinks: 300,
  rereads: 5,
  listed: 60,
} as const

/** The efforts by name (`--effort`). */
export const efforts = {
  quick: {
    strings: 'few',
    pairsOfStrings: 'in turn',
    requests: 150,
    openPoints: 'few',
    inputs: 300,
    examples: 1000,
    runs: 0,
    namesWithSimilarFirst: 0,
    breedsRequestedFirst: 0,
    namesThatShowSearch: 4,
    catsWithoutLives: 1,
    catsWithoutLivesEarly: 0,
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
    breedsCheckedForDrift: 40,
    firstCats: 2,
    catsWithManyLives: 4,
    catsReadForManyLives: 20,
    catsReadInBursts: 60,
    pagedReadings: 4,
    pagedReadingsIfEqual: 2,
    shrinks: 10,
    rereads: 1,
    listed: 4,
  },
  standard: { ...COMMON_SETTINGS, inputs: 300, examples: 1000, runs: 3 },
  thorough: { ...COMMON_SETTINGS, pairsOfStrings: 'both', inputs: 5000, examples: 1000, runs: 1000 },
} as const satisfies Record<string, Effort>

/**
 * Reserves the requests that only one check sends. Counts all checks, whichever are selected, so that a replay draws
 * the same inputs.
 */
export function reserveOwnRequests<T>(
  effort: Effort,
  checks: readonly Pick<Check<T>, 'ownRequests' | 'scopes'>[],
  judged: readonly string[],
): Effort {
  const alone = checks.map((check) => check.ownRequests * check.scopes.filter(isJudgedIn(judged)).length)
  return { ...effort, requests: effort.requests - alone.reduce((sum, count) => sum + count, 0) }
}

export type EffortName = keyof typeof efforts

export const effortNames = Object.keys(efforts) as readonly EffortName[] // The keys of a record with exactly these keys.
