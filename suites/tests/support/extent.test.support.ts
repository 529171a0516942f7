import { type Effort, effortsByName } from '../../directory/shared/effort.ts'

/**
 * The numbers of cases that the tests run. `npm test` runs a part of all cases, `npm run test:full` all of them, and
 * `npm run test:ci` what a change must pass: the cases of `npm test`, with every mutant, variant and probe.
 */
export interface TestExtent {
  /**
   * The effort with which mutants are judged first: few generated inputs and all fixed ones. A mutant that passes is
   * judged again with standard effort.
   */
  readonly screening: Partial<Effort> | undefined
  /**
   * The effort with which a variant is judged first if its behaviour depends on the sent strings, e.g. because it has
   * an unusual matching rule.
   */
  readonly stringScreening: Partial<Effort> | undefined
  /** Every n-th mutant is judged with standard effort first, which sends more concurrent requests than quick effort. */
  readonly standardEffortFirstOneOf: number
  /** The number of mutants that are tested for each check. */
  readonly mutantsPerCheck: number
  /**
   * Every n-th mutant is judged by all checks. The others are judged only by the checks that must catch them, with
   * their prerequisites.
   */
  readonly everyCheckOneOf: number
  /**
   * The findings of every n-th mutant are replayed, and their curl lines are run in a shell. Of each check, one finding
   * is tested in any case.
   */
  readonly repeatedOneOf: number
  /**
   * The number of pairs of mutants that are judged as one deployment with both defects, to test that neither hides the
   * other.
   */
  readonly pairs: number
  /**
   * Every n-th variant of a selection is tested. The selected variants together declare every value of each open point.
   * With 1, all variants are tested, not only the selected ones.
   */
  readonly variantsOneOf: number
  /**
   * Every n-th variant is judged completely: in both versions, at all open points of the contract, and in `npm run
   * test:full` with standard effort. To save time, any other variant is judged in one version if both are equal. An
   * open point that takes additional requests is then observed only if the variant chooses an unusual value there.
   */
  readonly judgedWholeOneOf: number
  /** The number of seeds for each variant: a false alarm may need a rare input. */
  readonly seeds: number
  /** The number of seeds for each variant whose verdicts do not depend on the sent strings. */
  readonly shapeSeeds: number
  /** The number of seeds for each time-dependent variant. A time-dependent mutant is judged with the first one. */
  readonly timeRuns: number
  /** Whether the tests look, for each probe of the checks, for a deployment that needs it. */
  readonly probes: boolean
  /** True in `npm run test:full`: all cases of each test are run. */
  readonly everything: boolean
  /** The number of deployments with defective responses, each with another kind of defect. */
  readonly defectiveResponses: number
  /**
   * The number of generated command lines. `generatedRealCommands` is how many of them run in a process of their own.
   */
  readonly generatedCommands: number
  readonly generatedRealCommands: number
}

export type TestExtentName = 'short' | 'ci' | 'full'

/** The effort that sends every fixed string. `--effort quick` leaves out most of them. */
const everyString = { strings: 'all', requests: Number.POSITIVE_INFINITY } as const satisfies Partial<Effort>

/** Like `--effort quick`, but without a limit of requests, and with the lists of all breeds. */
export const quickEffort = {
  ...effortsByName.quick,
  maxRequests: Number.POSITIVE_INFINITY,
  breedLists: Number.POSITIVE_INFINITY,
} as const satisfies Partial<Effort>

/** The share of mutants that `--effort quick` must catch, in the words of the README and as a number. */
export const CAUGHT_WITH_QUICK_EFFORT = { words: 'more than four of five', share: 4 / 5 } as const

/**
 * The effort for variants that the sent strings do not affect: like `--effort quick`, but observing all open points of
 * the contract.
 */
export const quickEffortWithAllOpenPoints: Partial<Effort> = { ...quickEffort, openPoints: 'all' }

/** An effort with all fixed strings, but few names. */
export const effortWithFewNames: Partial<Effort> = {
  ...quickEffort,
  ...everyString,
  openPoints: 'all',
  inputs: 6,
  examples: 12,
  runs: 1,
}

/** The effort for pairs of mutants: all fixed strings and few names, which suffice to find most defects. */
export const effortForMutantPairs: Partial<Effort> = { ...quickEffort, ...everyString, inputs: 20, runs: 0 }

const shortExtent: TestExtent = {
  screening: { ...quickEffort, ...everyString, inputs: 20, runs: 1 },
  stringScreening: effortWithFewNames,
  standardEffortFirstOneOf: Number.POSITIVE_INFINITY,
  mutantsPerCheck: 1,
  everyCheckOneOf: 96,
  repeatedOneOf: Number.POSITIVE_INFINITY,
  pairs: 20,
  variantsOneOf: 5,
  judgedWholeOneOf: 24,
  seeds: 1,
  shapeSeeds: 1,
  timeRuns: 1,
  probes: false,
  everything: false,
  defectiveResponses: 25,
  generatedCommands: 60,
  generatedRealCommands: 1,
}

/** The numbers of cases of `npm test` (`short`), `npm run test:ci` and `npm run test:full`. */
export const testExtents: Readonly<Record<TestExtentName, TestExtent>> = {
  short: shortExtent,
  ci: {
    ...shortExtent,
    mutantsPerCheck: Number.POSITIVE_INFINITY,
    everyCheckOneOf: 8,
    repeatedOneOf: 4,
    pairs: 60,
    variantsOneOf: 1,
    probes: true,
  },
  full: {
    screening: undefined,
    stringScreening: undefined,
    standardEffortFirstOneOf: 28,
    mutantsPerCheck: Number.POSITIVE_INFINITY,
    everyCheckOneOf: 1,
    repeatedOneOf: 4,
    pairs: 200,
    variantsOneOf: 1,
    judgedWholeOneOf: 16,
    seeds: 3,
    shapeSeeds: 1,
    timeRuns: 2,
    probes: true,
    everything: true,
    defectiveResponses: 100,
    generatedCommands: 200,
    generatedRealCommands: 10,
  },
}

/** Selects one of each `many` successive items: the middle one, because the first are the slowest deployments. */
export const selectEveryNth = <T>(all: readonly T[], many: number): readonly T[] =>
  all.filter((_, index) => index % many === Math.floor(many / 2))

/** Selects every second item, beginning with item `part`: two test files divide the items among themselves. */
export const selectHalf = <T>(all: readonly T[], part: 0 | 1): readonly T[] =>
  all.filter((_, index) => index % 2 === part)

/**
 * The numbers that change if tests are selected by name (`-t shape-herd`). All mutants and variants are then tested, so
 * that the selected one is among them.
 */
export const extentWithAllCases = {
  mutantsPerCheck: Number.POSITIVE_INFINITY,
  variantsOneOf: 1,
} as const satisfies Partial<TestExtent>

declare module 'vitest' {
  interface ProvidedContext {
    readonly extent: TestExtent
    /**
     * The start of the test run in milliseconds. Processes of one run exchange results through files with this number
     * in their names.
     */
    readonly startedAt: number
  }
}
