import type { Choices } from '../../../fixtures/deployment/choices.ts'
import { createSimulatableDeployment, type Defect } from '../../../fixtures/deployment/deploy.ts'
import type { SimulatableDeployment } from '../../../fixtures/deployment/simulatable-deployment.ts'
import { type Mutant, mutants } from '../../../fixtures/mutants/index.ts'
import type { RunResult, Verdict } from '../../engine/check/verdict.ts'
import { createRandomGenerator } from '../../engine/property/sample.ts'
import { effortForMutantPairs } from '../support/extent.test.support.ts'
import { judgeInSimulatedTime } from './simulated.ts'

/**
 * The maximum number of pairs of mutants that are drawn until one is usable. A pair is usable if the suite finds each
 * of its two defects when only this one is in the deployment. The deployment makes the choices of both mutants at the
 * contract's open points.
 */
const MAX_DRAWN_PAIRS = 100

/**
 * Two mutants of different checks, to be combined in one deployment with both defects. Its choices at the open points
 * of the contract (`combinedChoices`) are those of both mutants.
 */
export interface MutantPair {
  readonly mutants: readonly [Mutant, Mutant]
  readonly combinedChoices: Partial<Choices>
}

/** Leaves out mutants that never respond: each request to them lasts until its deadline. */
const drawableMutants = mutants.filter(({ id }) => !id.includes('hang'))

const checksOf = ({ caughtBy }: Mutant): string[] => caughtBy.map(({ check }) => check)

/**
 * Combines what both mutants choose at the contract's open points; undefined if they choose differently at one point.
 */
function combineChoices(one: Mutant, other: Mutant): Partial<Choices> | undefined {
  const otherChoices = new Map(Object.entries(other.choices))
  const differs = Object.entries(one.choices).some(
    ([key, value]) => otherChoices.has(key) && otherChoices.get(key) !== value,
  )
  return differs ? undefined : { ...one.choices, ...other.choices }
}

function* drawPairs(seed: number): Generator<MutantPair> {
  const random = createRandomGenerator(seed)
  const draw = () => drawableMutants[Math.floor(random() * drawableMutants.length)]
  for (let drawn = 0; drawn < MAX_DRAWN_PAIRS; drawn++) {
    const [one, other] = [draw(), draw()]
    if (!one || !other || checksOf(one).some((check) => checksOf(other).includes(check))) continue
    const combinedChoices = combineChoices(one, other)
    if (combinedChoices) yield { mutants: [one, other], combinedChoices }
  }
}

const judged = async (deployment: SimulatableDeployment, only: readonly string[] = []): Promise<RunResult> =>
  (
    await judgeInSimulatedTime(
      deployment,
      { seed: 1 },
      { bounds: effortForMutantPairs, ...(only.length > 0 && { only }) },
    )
  ).result

const isOf = ({ caughtBy }: Mutant, { check, version }: Verdict): boolean =>
  caughtBy.some((one) => one.check === check.id && one.version === version)

const isFoundIn = ({ verdicts }: RunResult, mutant: Mutant): boolean =>
  verdicts.some((verdict) => verdict.status === 'fail' && isOf(mutant, verdict))

/** Returns whether the suite finds each of the two defects if the other one is left out. */
async function areFoundAlone({ mutants, combinedChoices }: MutantPair): Promise<boolean> {
  for (const mutant of mutants) {
    const alone = createSimulatableDeployment(mutant.id, mutant.describes, combinedChoices, mutant.defect)
    if (!isFoundIn(await judged(alone, checksOf(mutant)), mutant)) return false
  }
  return true
}

const LIST_OPERATIONS = ['listCats', 'listBreeds', 'all']

/**
 * Returns whether at least half of the tested inputs show the violation. If so, few inputs are left for testing other
 * requirements.
 */
function concernsMostInputs({ finding, inputsTested }: Verdict): boolean {
  if (finding?.counterexample === undefined) return true
  const failedInputs = (finding.inputs?.length ?? 1) + (finding.moreInputs ?? 0)
  return 2 * failedInputs >= inputsTested
}

/**
 * Returns whether the suite cannot find the defect of `mutant` because of that of `pairedMutants`: the latter breaks most
 * inputs of a prerequisite of the check for `mutant`, or changes the same operation.
 */
function isUnobservable(mutant: Mutant, otherMutant: Mutant, { verdicts }: RunResult): boolean {
  const own = verdicts.filter((verdict) => isOf(mutant, verdict))
  const sameOperation = [...LIST_OPERATIONS, mutant.breaks.operation].includes(otherMutant.breaks.operation)
  return own.every(
    ({ status, cause }) =>
      (status === 'inconclusive' && (cause ? concernsMostInputs(cause) : sameOperation)) ||
      (status === 'pass' && sameOperation),
  )
}

/**
 * The pairs for which the suite reports only one defect, with the reason. A new mutant changes which pairs are drawn: an
 * entry is added only if one defect takes away the effect of the other, or if standard effort finds both.
 */
const OVERLAPPING_PAIRS: ReadonlyMap<string, string> = new Map([
  ['breeds-read-costs-a-life + lives-true', 'every count is `true`, so that no reading shows the lost lives'],
  [
    'search-any-letter + v3-plus-is-plus',
    'a plus sign in a query is misread in both, so that the difference between the versions counts as explained',
  ],
  [
    'cats-lowered + one-breed-nameless-and-upper-hex-only',
    'the list of one breed cannot be read, and every cat that is missing elsewhere may be in it',
  ],
  [
    'breed-nine-kana-404 + cats-lowered',
    'the list of one breed cannot be read, and every cat that is missing elsewhere may be in it',
  ],
  [
    'cats-read-drops-one + search-gives-a-life',
    'each reading of the list removes a cat: the experiments on lives leave too few for the experiment on the list',
  ],
  [
    'breed-unknown-nothing + search-breed-escapes-html',
    'the search by breed passes, although it fails without the other defect',
  ],
  [
    'search-sql-injection + v2-finds-exactly-unaccented',
    'the difference between the versions counts as explained by the injection',
  ],
  [
    'search-zero-finds-all + v2-searches-cased',
    'the difference between the versions counts as explained by the search for 0',
  ],
  [
    'breed-blank-is-of-signs + unknown-cat-costs-first-two-a-life',
    'both alter the responses to unlisted names, and the order of the defects decides which of them is seen',
  ],
  [
    'one-breed-404-and-search-misses + search-adds-query',
    'each search changes the directory, so that a breed may be gone; its cats are reported as cats without a breed',
  ],
  [
    'breed-read-costs-first-two-a-life + v2-finds-exactly-cased',
    'only the defect that is applied last has an effect in v2',
  ],
  [
    'lives-404-for-one-and-cost-one + lives-tilde-refused',
    'with quick effort, the refused encodings explain why the lives change; standard effort finds both defects',
  ],
  [
    'lives-cost-one-in-v2 + search-moves',
    'each search changes the lists: the changes of lives pass with a note, because the lists change as well',
  ],
  [
    'breed-read-takes-its-last + search-no-key',
    'the 15 cats are used up before the experiment on lists of breeds: in this shape, the defect is missed alone, too',
  ],
  ['v3-breeds-without-accents + v3-searches-words', 'only the defect that is applied last has an effect in v3'],
  [
    'v2-breeds-in-any-form + v2-finds-exactly-unaccented',
    'the difference between the versions counts as explained by the search',
  ],
  [
    'search-forgets-emoji + v3-drops-punctuation',
    'the difference between the versions for punctuation counts as explained by that for emoji',
  ],
])

/** Returns whether the suite is known to report only one of the two defects. */
export const isKnownToOverlap = ({ mutants }: MutantPair): boolean =>
  OVERLAPPING_PAIRS.has(
    mutants
      .map(({ id }) => id)
      .sort()
      .join(' + '),
  )

/** The result of judging one deployment with both defects of a pair. */
export interface JudgedPair extends MutantPair {
  /** The mutants that the suite does not find, although it could. */
  readonly hidden: readonly string[]
  readonly areBothFound: boolean
}

/**
 * Judges two deployments with both defects. In one of them, the first defect alters the responses before the second; in
 * the other, after it.
 * @returns the better one of both results
 */
async function judgePair(pair: MutantPair): Promise<JudgedPair> {
  const [one, other] = pair.mutants
  const over =
    (upper: Mutant, lower: Mutant): Defect =>
    (correct, context) =>
      upper.defect(lower.defect(correct, context), context)
  let hidden: readonly string[] = []
  for (const bothDefects of [over(one, other), over(other, one)]) {
    const result = await judged(
      createSimulatableDeployment('pair', `${one.id} and ${other.id}`, pair.combinedChoices, bothDefects),
    )
    const pairedMutants = new Map([
      [one, other],
      [other, one],
    ])
    const areBothFound = pair.mutants.every((mutant) => isFoundIn(result, mutant))
    hidden = [...pairedMutants].flatMap(([mutant, another]) =>
      isFoundIn(result, mutant) || isUnobservable(mutant, another, result)
        ? []
        : result.verdicts
            .filter((verdict) => isOf(mutant, verdict))
            .map(({ check, version, status, reason }) => `${mutant.id}: ${check.id} ${version} ${status}, ${reason}`),
    )
    if (hidden.length === 0) return { ...pair, hidden, areBothFound }
  }
  return { ...pair, hidden, areBothFound: false }
}

/**
 * Draws pairs of mutants until one is usable. A pair is usable if the suite finds both defects in one deployment, or if
 * it finds each defect in a deployment without the other one.
 */
export async function judgeDrawnPair(seed: number): Promise<JudgedPair | undefined> {
  for (const pair of drawPairs(seed)) {
    const judgedPair = await judgePair(pair)
    if (judgedPair.areBothFound || (await areFoundAlone(pair))) return judgedPair
  }
  return undefined
}
