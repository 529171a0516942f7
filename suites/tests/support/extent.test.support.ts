import { type Effort, efforts } from '../../directory/shared/effort.ts'

/** The extent of a run of all tests. */
export interface Extent {
  /**
   * Effort of the first attempt: few generated inputs and all fixed ones. Mutants that it misses are judged with the
   * standard effort.
   */
  readonly screening: Partial<Effort> | undefined
  /** Effort of the first attempt for variants that strings affect. */
  readonly stringScreening: Partial<Effort> | undefined
  /** One in this many mutants is judged with more concurrency. */
  readonly moreConcurrencyOneOf: number
  /** Number of mutants that are tested for each check. */
  readonly mutantsPerCheck: number
  /**
   * One in this many mutants is judged by every check; others by the checks that they name, with their prerequisites.
   */
  readonly everyCheckOneOf: number
  /** Number of pairs of mutants that are judged as one deployment, to test whether one defect hides the other. */
  readonly pairs: number
  /** One in this many variants is tested, of those that make a new choice; 1 tests all. */
  readonly variantsOneOf: number
  /**
   * One in this many variants is judged in both versions and observed at all open points. Other variants are judged in
   * one version in turn if both are alike, and observed only at points without requests of their own if they make no
   * other choice. In the full extent, the same share is judged with the standard effort, too.
   */
  readonly judgedWholeOneOf: number
  /** Number of seeds per variant: a false alarm may need a rare input. */
  readonly seeds: number
  /** Number of seeds for variants that strings do not affect. */
  readonly shapeSeeds: number
  /** Number of seeds for each deployment in time. */
  readonly timeRuns: number
  /** True if all cases of each test run, and the tests that need very many runs (each probe removed in turn). */
  readonly everything: boolean
  /** Number of deployments with defective responses, each of its own kind. */
  readonly defectiveResponses: number
  /** Number of generated command lines, and how many of them the real command gets. */
  readonly generatedCommands: number
  readonly generatedRealCommands: number
}

export type ExtentName = 'short' | 'full'

/** Quick effort leaves most strings out. */
const everyString = { strings: 'all', requests: Number.POSITIVE_INFINITY } as const satisfies Partial<Effort>

/** The effort `quick`: a mutant that it misses is judged again with more. */
export const quickEffort: Partial<Effort> = efforts.quick

/** The share of mutants that the README says quick effort catches. */
export const CAUGHT_WITH_QUICK_EFFORT = { words: 'seven in eight', share: 0.875 } as const

/** The same effort at all open points, for variants that strings do not affect. */
export const effortForShapes: Partial<Effort> = { ...efforts.quick, openPoints: 'all' }

/** All fixed strings and few names. */
export const effortWithFewNames: Partial<Effort> = {
  ...efforts.quick,
  ...everyString,
  openPoints: 'all',
  inputs: 6,
  examples: 12,
  runs: 1,
}

/** All fixed strings and few names, for pairs of mutants: one such run distinguishes most of them. */
export const effortForMutantPairs: Partial<Effort> = { ...efforts.quick, ...everyString, inputs: 20, runs: 0 }

/** The extents of `npm test` and `npm run test:full`. */
export const extents: Readonly<Record<ExtentName, Extent>> = {
  short: {
    screening: { ...efforts.quick, ...everyString, inputs: 20, runs: 1 },
    stringScreening: effortWithFewNames,
    moreConcurrencyOneOf: Number.POSITIVE_INFINITY,
    mutantsPerCheck: 1,
    everyCheckOneOf: 96,
    pairs: 20,
    variantsOneOf: 5,
    judgedWholeOneOf: 24,
    seeds: 1,
    shapeSeeds: 1,
    timeRuns: 1,
    everything: false,
    defectiveResponses: 25,
    generatedCommands: 60,
    generatedRealCommands: 1,
  },
  full: {
    screening: undefined,
    stringScreening: undefined,
    moreConcurrencyOneOf: 7,
    mutantsPerCheck: Number.POSITIVE_INFINITY,
    everyCheckOneOf: 1,
    pairs: 200,
    variantsOneOf: 1,
    judgedWholeOneOf: 3,
    seeds: 20,
    shapeSeeds: 1,
    timeRuns: 2,
    everything: true,
    defectiveResponses: 300,
    generatedCommands: 1000,
    generatedRealCommands: 20,
  },
}

/** Picks one of each `many` items in a row, but not the first, because the slowest deployments come first. */
export const pickOneOfEach = <T>(all: readonly T[], many: number): readonly T[] =>
  all.filter((_, index) => index % many === Math.floor(many / 2))

/** Picks every second item: two workers judge the halves concurrently. */
export const halfOf = <T>(all: readonly T[], part: 0 | 1): readonly T[] => all.filter((_, index) => index % 2 === part)

/** Runs every case of tests that are selected by name (`-t shape-herd`), in any extent. */
export const everySelectedCase = {
  mutantsPerCheck: Number.POSITIVE_INFINITY,
  variantsOneOf: 1,
} as const satisfies Partial<Extent>

declare module 'vitest' {
  interface ProvidedContext {
    readonly extent: Extent
    /** Start of the run in milliseconds; it names the files that parts of the run leave for each other. */
    readonly startedAt: number
  }
}
