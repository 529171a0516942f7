import type { Check } from '../../engine/check/check.ts'
import type { Effort as EngineEffort } from '../../engine/run/check-run.ts'
import { isJudgedIn } from '../../engine/run/plan.ts'

/** Everything that decides how much is tried. */
export interface Effort extends EngineEffort {
  /** Of strings and characters: all, or the few that show most. */
  readonly strings: 'all' | 'few'
  /** Of two strings that few services fall over: each is put to one of two versions, or both to each. */
  readonly pairsOfStrings: 'in turn' | 'both'
  /** Where few strings are tried, so many requests are shared by names and strings: the fewer names, the more strings. */
  readonly requests: number
  /** Of the open points: all are observed, or those that cost no more than what is asked anyway. */
  readonly openPoints: 'all' | 'few'
  /** Names that are altered before anyone asks for the names themselves. */
  readonly namesAskedNearFirst: number
  /** Breeds that are asked for, and searched for, before all else, to see whether that takes cats away. */
  readonly breedsAskedFirst: number
  /** Names that show whether search is there at all. */
  readonly namesThatShowSearch: number
  /** Cats that are asked for their lives in a version that has none. */
  readonly catsWithoutLives: number
  /** Cats whose lives are asked for early in a version that has none, to see whether that costs some. */
  readonly catsWithoutLivesEarly: number
  /** Cats that show where a count of lives stands. */
  readonly catsThatShowThePlace: number
  /** Names in each encoding that differs from the plain one. */
  readonly namesPerEncoding: number
  /** Cats whose names are altered to queries that people type instead. */
  readonly catsForNearQueries: number
  /** Breeds whose names are altered, and how many are looked at to find those that have cats. */
  readonly breedsForNearMisses: number
  readonly breedsLookedAt: number
  /** Names of plain letters in which special characters are put. */
  readonly namesForSpecials: number
  /** Answers of an operation that its shape is told from. */
  readonly answersForShape: number
  /**
   * What is watched for motion: cats early and late, and late those whose names were read in other encodings, too;
   * breeds; and how often one cat more is read again, early and late.
   */
  readonly catsWatchedEarly: number
  readonly catsWatchedLate: number
  readonly encodedCatsWatched: number
  readonly breedsWatched: number
  readonly readAgainEarly: number
  readonly readAgainLate: number
  /** How often each list is glanced at while all else is asked, to see whether it stands still. */
  readonly glances: number
  /** Breeds whose lists are read again when something looks broken. */
  readonly breedsWatchedForMotion: number
  /** What experiments on the cost of asking use: the first cats, lively ones among some that are looked at, and cats that are read in rows. */
  readonly firstCats: number
  readonly livelyCats: number
  readonly livelyLookedAt: number
  readonly catsReadInRows: number
  /** How often in a row the pages of a list are read from the first to the last, to see whether they are cut from one order. */
  readonly walksThroughPages: number
}

const common = {
  strings: 'all',
  pairsOfStrings: 'in turn',
  requests: Number.POSITIVE_INFINITY,
  openPoints: 'all',
  namesAskedNearFirst: 2,
  breedsAskedFirst: 4,
  namesThatShowSearch: 12,
  catsWithoutLives: 50,
  catsWithoutLivesEarly: 1,
  catsThatShowThePlace: 5,
  namesPerEncoding: 5,
  catsForNearQueries: 2,
  breedsForNearMisses: 3,
  breedsLookedAt: 12,
  namesForSpecials: 2,
  answersForShape: 6,
  catsWatchedEarly: 2,
  catsWatchedLate: 8,
  encodedCatsWatched: 3,
  breedsWatched: 8,
  readAgainEarly: 2,
  readAgainLate: 11,
  glances: 3,
  breedsWatchedForMotion: 40,
  firstCats: 2,
  livelyCats: 4,
  livelyLookedAt: 20,
  catsReadInRows: 60,
  walksThroughPages: 8,
  shrinks: 300,
  rereads: 5,
  listed: 60,
} as const

/** How much is asked, by the names that `--effort` takes. */
export const efforts = {
  quick: {
    strings: 'few',
    pairsOfStrings: 'in turn',
    requests: 150,
    openPoints: 'few',
    inputs: 300,
    examples: 1000,
    runs: 0,
    namesAskedNearFirst: 0,
    breedsAskedFirst: 0,
    namesThatShowSearch: 4,
    catsWithoutLives: 1,
    catsWithoutLivesEarly: 0,
    catsThatShowThePlace: 2,
    namesPerEncoding: 1,
    catsForNearQueries: 1,
    breedsForNearMisses: 1,
    breedsLookedAt: 3,
    namesForSpecials: 1,
    answersForShape: 3,
    catsWatchedEarly: 1,
    catsWatchedLate: 2,
    encodedCatsWatched: 0,
    breedsWatched: 1,
    readAgainEarly: 1,
    readAgainLate: 1,
    glances: 0,
    breedsWatchedForMotion: 2,
    firstCats: 2,
    livelyCats: 4,
    livelyLookedAt: 20,
    catsReadInRows: 60,
    walksThroughPages: 4,
    shrinks: 16,
    rereads: 3,
    listed: 8,
  },
  standard: { ...common, inputs: 300, examples: 1000, runs: 3 },
  thorough: { ...common, pairsOfStrings: 'both', inputs: 5000, examples: 1000, runs: 1000 },
} as const satisfies Record<string, Effort>

/** An effort without the requests that checks send alone; all checks, whichever are selected: what is drawn is the same in a replay. */
export function leavingRoom<T>(
  effort: Effort,
  checks: readonly Pick<Check<T>, 'requestsOfItsOwn' | 'scopes'>[],
  judged: readonly string[],
): Effort {
  const alone = checks.map((check) => check.requestsOfItsOwn * check.scopes.filter(isJudgedIn(judged)).length)
  return { ...effort, requests: effort.requests - alone.reduce((sum, count) => sum + count, 0) }
}

export type EffortName = keyof typeof efforts

export const effortNames = Object.keys(efforts) as readonly EffortName[] // of a record of just these
