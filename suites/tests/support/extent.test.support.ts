import { type Effort, effortsByName } from '../../directory/shared/effort.ts'

/** The number of cases that the tests run. `npm test` runs a part of them, `npm run test:full` all. */
export interface Extent {
  /**
   * The effort with which mutants are judged first: few generated inputs and all fixed ones. If it misses a mutant, the
   * standard effort follows.
   */
  readonly screening: Partial<Effort> | undefined
  /** The effort with which variants that strings affect are judged first. */
  readonly stringScreening: Partial<Effort> | undefined
  /** One in this many mutants is judged with more concurrency. */
  readonly moreConcurrencyOneOf: number
  /** The number of mutants that are tested for each check. */
  readonly mutantsPerCheck: number
  /**
   * One in this many mutants is judged by all checks; others only by the checks that they name, with their
   * prerequisites.
   */
  readonly everyCheckOneOf: number
  /**
   * The number of pairs of mutants that are judged as one deployment with both defects, to test that neither hides the
   * other.
   */
  readonly pairs: number
  /**
   * One in this many variants is tested, of those that are the only ones with some expected observation. With 1, all
   * variants are tested, the others too.
   */
  readonly variantsOneOf: number
  /**
   * One in this many variants is judged in both versions and observed at all open points. Of the others, those with
   * equal versions are judged in one version, and those that make no unusual choice are not observed at points that
   * take requests of their own. In the full extent, one in this many is judged with standard effort, too.
   */
  readonly judgedWholeOneOf: number
  /** The number of seeds for each variant: a false alarm may need a rare input. */
  readonly seeds: number
  /** The number of seeds for each variant that strings do not affect. */
  readonly shapeSeeds: number
  /** The number of seeds for each time-dependent deployment. */
  readonly timeRuns: number
  /** True in the full extent: all cases of each test are run. */
  readonly everything: boolean
  /** The number of deployments with defective responses, each with another kind of defect. */
  readonly defectiveResponses: number
  /** The number of generated command lines, and how many of them run in a process of their own. */
  readonly generatedCommands: number
  readonly generatedRealCommands: number
}

export type ExtentName = 'short' | 'full'

/** Tests every fixed string, most of which quick effort leaves out. */
const everyString = { strings: 'all', requests: Number.POSITIVE_INFINITY } as const satisfies Partial<Effort>

/** The effort `quick`, with which mutants are judged first. It catches most of them. */
export const quickEffort: Partial<Effort> = effortsByName.quick

/** The share of mutants that quick effort must catch, as the README says it. */
export const CAUGHT_WITH_QUICK_EFFORT = { words: 'seven in eight', share: 0.875 } as const

/** The effort for variants that strings do not affect: quick, but at all open points. */
export const effortForShapes: Partial<Effort> = { ...effortsByName.quick, openPoints: 'all' }

/** An effort with all fixed strings, but few names. */
export const effortWithFewNames: Partial<Effort> = {
  ...effortsByName.quick,
  ...everyString,
  openPoints: 'all',
  inputs: 6,
  examples: 12,
  runs: 1,
}

/** The effort for pairs of mutants: all fixed strings and few names, which suffice to find most defects. */
export const effortForMutantPairs: Partial<Effort> = { ...effortsByName.quick, ...everyString, inputs: 20, runs: 0 }

/** The extents of `npm test` and `npm run test:full`. */
export const extents: Readonly<Record<ExtentName, Extent>> = {
  short: {
    screening: { ...effortsByName.quick, ...everyString, inputs: 20, runs: 1 },
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

/** Selects one of each `many` successive items. It is not the first, because the slowest deployments come first. */
export const selectOneOfEach = <T>(all: readonly T[], many: number): readonly T[] =>
  all.filter((_, index) => index % many === Math.floor(many / 2))

/** Selects every second item: two test files share the items. */
export const halfOf = <T>(all: readonly T[], part: 0 | 1): readonly T[] => all.filter((_, index) => index % 2 === part)

/**
 * Changes an extent if tests are selected by name (`-t shape-herd`): all mutants and variants are tested, so that the
 * selected one is among them.
 */
export const extentWithAllCases = {
  mutantsPerCheck: Number.POSITIVE_INFINITY,
  variantsOneOf: 1,
} as const satisfies Partial<Extent>

declare module 'vitest' {
  interface ProvidedContext {
    readonly extent: Extent
    /**
     * The start of the test run in milliseconds. It names the files through which parts of the run exchange results.
     */
    readonly startedAt: number
  }
}
