import { type Effort, efforts } from '../../directory/shared/effort.ts'

/** How much the tests try. */
export interface Extent {
  /**
   * Less than the standard effort, for what needs no more: few inputs that nobody chose, and every one that somebody
   * did. What it does not tell is judged with the standard effort.
   */
  readonly screening: Partial<Effort> | undefined
  /** Still less, for variants that strings matter to. */
  readonly stringScreening: Partial<Effort> | undefined
  /** One of so many mutants is tried with more at once: what less catches, that catches, too. */
  readonly moreAtOnceOneOf: number
  /** So many mutants of each check are tried. */
  readonly mutantsPerCheck: number
  /** Every check judges one of so many mutants; the others, those that they name and what these wait for. */
  readonly everyCheckOneOf: number
  /** How many pairs of mutants are judged as one deployment, to see whether one defect hides the other. */
  readonly pairs: number
  /** One of so many variants is tried, of those that choose what none before them does; with 1, all. */
  readonly variantsOneOf: number
  /**
   * One of so many variants is judged in both versions and looked at at all open points. The others, in one version or
   * the other, in turn, if they are alike there; and at the points that take no requests of their own, if at the rest
   * they choose nothing. Where everything is tried, so many are judged with the standard effort, too, and of those in
   * time so many with that alone.
   */
  readonly judgedWholeOneOf: number
  /** How many seeds judge each variant: a false alarm may need an input that is rare. */
  readonly seeds: number
  /** How many judge those that strings do not matter to. */
  readonly shapeSeeds: number
  /** With how many seeds each deployment in time is judged. */
  readonly timeRuns: number
  /**
   * Whether all is tried that an idea is tried on, or a few of each kind; and what asks for very many judgements: each
   * way of trying taken away, to see who notices.
   */
  readonly everything: boolean
  /** How many deployments spoil their answers, each in its own way. */
  readonly answersSpoilt: number
  /** How many command lines are made up, and how many of them the real command is given. */
  readonly commandsMadeUp: number
  readonly realCommandsMadeUp: number
}

export type ExtentName = 'short' | 'full'

/** Little effort leaves most strings out. */
const everyString = { strings: 'all', requests: Number.POSITIVE_INFINITY } as const satisfies Partial<Effort>

/** As little as `--effort quick` takes: what it does not catch as it is to be caught is tried again with more. */
export const glance: Partial<Effort> = efforts.quick

/** What the README says that it catches of the zoo's mutants. */
export const CAUGHT_AT_A_GLANCE = { words: 'nine in ten', share: 0.9 } as const

/** The same, at all open points: for variants that strings do not matter to. */
export const shapeScreening: Partial<Effort> = { ...efforts.quick, openPoints: 'all' }

/** Every string that somebody chose, and few names. */
export const fewerStrings: Partial<Effort> = {
  ...efforts.quick,
  ...everyString,
  openPoints: 'all',
  inputs: 6,
  examples: 12,
  runs: 1,
}

/** Every string that somebody chose, and few names: for pairs of mutants, most of which one such judgement tells apart. */
export const pairEffort: Partial<Effort> = { ...efforts.quick, ...everyString, inputs: 20, runs: 0 }

/** What `npm test` tries, and what `npm run test:full` does. */
export const extents: Readonly<Record<ExtentName, Extent>> = {
  short: {
    screening: { ...efforts.quick, ...everyString, inputs: 20, runs: 1 },
    stringScreening: fewerStrings,
    moreAtOnceOneOf: Number.POSITIVE_INFINITY,
    mutantsPerCheck: 1,
    everyCheckOneOf: 96,
    pairs: 20,
    variantsOneOf: 5,
    judgedWholeOneOf: 24,
    seeds: 1,
    shapeSeeds: 1,
    timeRuns: 1,
    everything: false,
    answersSpoilt: 25,
    commandsMadeUp: 60,
    realCommandsMadeUp: 1,
  },
  full: {
    screening: undefined,
    stringScreening: undefined,
    moreAtOnceOneOf: 7,
    mutantsPerCheck: Number.POSITIVE_INFINITY,
    everyCheckOneOf: 1,
    pairs: 200,
    variantsOneOf: 1,
    judgedWholeOneOf: 3,
    seeds: 20,
    shapeSeeds: 1,
    timeRuns: 3,
    everything: true,
    answersSpoilt: 300,
    commandsMadeUp: 1000,
    realCommandsMadeUp: 20,
  },
}

/** One of each so many in a row, and not the first: what moves fastest stands first, and is waited for longest. */
export const oneOfSoMany = <T>(all: readonly T[], many: number): readonly T[] =>
  all.filter((_, index) => index % many === Math.floor(many / 2))

/** Every second one: the halves are judged side by side, by two workers. */
export const halfOf = <T>(all: readonly T[], part: 0 | 1): readonly T[] => all.filter((_, index) => index % 2 === part)

/** What tests are selected by name (`-t shape-herd`) are there to be run, whatever the extent: none is left out. */
export const leavingNoneOut = {
  mutantsPerCheck: Number.POSITIVE_INFINITY,
  variantsOneOf: 1,
} as const satisfies Partial<Extent>

declare module 'vitest' {
  interface ProvidedContext {
    readonly extent: Extent
    /** When the run began, in milliseconds: what its files leave each other bears it. */
    readonly startedAt: number
  }
}
