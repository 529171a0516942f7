import type { Finding, Verdict } from '../check/verdict.ts'
import { hasOneOf } from '../finding/common-traits.ts'

/** Compares two verdicts with findings; the first one may lead. */
type Rule = (leader: Found, other: Found) => boolean

type Found = Verdict & { readonly finding: Finding }

const isFound = (verdict: Verdict): verdict is Found => verdict.finding !== undefined && verdict.cause === undefined

/** A text without its version, so that texts about v2 and v3 are equal. */
const ofAnyVersion = (text: string, { version }: Verdict): string =>
  version.split('+').reduce((said, one) => said.replaceAll(one, '*'), text)

const inputsOf = ({ inputs, counterexample }: Finding): readonly string[] =>
  inputs ?? (counterexample === undefined ? [] : [counterexample])

/** Returns whether the smallest input of one fails in the other too; a larger one may fail for another reason. */
const breakForTheSame: Rule = ({ finding: one }, { finding: other }) =>
  hasSmallestOf(inputsOf(one), inputsOf(other)) || hasSmallestOf(inputsOf(other), inputsOf(one))

const hasSmallestOf = (inputs: readonly string[], [smallest]: readonly string[]): boolean =>
  smallest !== undefined && inputs.includes(smallest)

const shareOne = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((trait) => others.includes(trait))

/** Returns whether both have misread traits, and none in common. */
const misreadOther: Rule = ({ blame: one }, { blame: other }) =>
  one !== undefined &&
  other !== undefined &&
  one.misread.length > 0 &&
  other.misread.length > 0 &&
  !shareOne(one.misread, other.misread)

/** Returns whether both have a misread trait in common; each version may have been sent other inputs. */
const misreadAlike: Rule = ({ blame: one }, { blame: other }) =>
  one !== undefined && other !== undefined && shareOne(one.misread, other.misread)

/** The defect without the input that shows it. */
const defectOf = ({ blame, finding }: Found): string => blame?.manner ?? finding.actual

const readAlike: Rule = (leader, other) =>
  ofAnyVersion(defectOf(leader), leader) === ofAnyVersion(defectOf(other), other)

/** One requirement fails in the same way in two versions. */
const sameDefectInAnotherVersion: Rule = (leader, other) =>
  leader.check.id === other.check.id &&
  (breakForTheSame(leader, other) ||
    misreadAlike(leader, other) ||
    (readAlike(leader, other) && !misreadOther(leader, other)))

/** The failing names have a trait in common, e.g. a slash, wherever they are sent. */
const sameTraitOfNames: Rule = ({ blame: one }, { blame: other }) =>
  one !== undefined && other !== undefined && one.isFailure === other.isFailure && shareOne(one.traits, other.traits)

/** A trait that is misread in some inputs of an operation explains all its inputs with that trait. */
const sameIsMisread: Rule = (leader, other) => {
  const misread = leader.blame?.misread ?? []
  const inputs = [...(other.blame?.inputs ?? [])]
  const isSame = leader.check.operation === other.check.operation && leader.version === other.version
  return isSame && inputs.length > 0 && inputs.every((input) => hasOneOf(misread, input))
}

/** A trait that makes one operation fail makes others fail, e.g. an apostrophe. */
const sameFails: Rule = ({ blame: one }, { blame: other }) => {
  const [[trait, ...more], theirs] = [one?.misread ?? [], other?.misread ?? []]
  return (one?.isFailure && other?.isFailure && more.length + theirs.length === 1 && theirs[0] === trait) === true
}

/** A cause that shows in every operation, e.g. a wrong encoding. */
const sameEverywhere: Rule = ({ blame: one }, { blame: other }) =>
  one?.everywhere !== undefined && one.everywhere === other?.everywhere

/** The requirement that several operations share: the last part of an id. */
const promiseOf = ({ check }: Verdict): string => check.id.slice(check.id.lastIndexOf('/') + 1)

/** The defect without the excerpt of the response, e.g. `status 404`. */
const mannerOf = (found: Found): string => defectOf(found).split(/[:(]/, 1)[0]?.trim() ?? ''

/**
 * Operations that refuse in the same way, or return the same unreadable body, share a defect. Service failures may have
 * different causes.
 */
const samePromiseInAnotherOperation: Rule = (leader, other) =>
  leader.check.operation !== other.check.operation &&
  promiseOf(leader) === promiseOf(other) &&
  mannerOf(leader) === mannerOf(other) &&
  [leader, other].every(({ blame }) => blame !== undefined && !blame.isFailure) &&
  !misreadOther(leader, other)

/** The failing inputs, if others passed. */
const someOf = ({ asked, blame }: Found): readonly string[] =>
  blame && !blame.isFailure && blame.inputs.size < asked ? [...blame.inputs] : []

/** Two operations that fail for exactly the same names: the list shows these names wrongly. */
const sameInputsInAnotherOperation: Rule = (leader, other) => {
  const [some, others] = [someOf(leader), someOf(other)]
  const areSame = some.length === others.length && some.every((input) => others.includes(input))
  return leader.check.operation !== other.check.operation && some.length > 0 && areSame
}

/** From this many failing inputs on, the whole operation is intermittent. */
const MANY_INPUTS = 3

/** If one request of an operation gets different responses, others of that operation do too. */
const sameIsUnsteady: Rule = ({ check: one, blame }, { check: other, blame: theirs }) =>
  one.operation === other.operation &&
  blame?.isUnsteady === true &&
  (theirs?.isUnsteady === true || blame.inputs.size >= MANY_INPUTS)

/** The only place that decides whether two findings have one cause. */
const RULES: readonly Rule[] = [
  sameDefectInAnotherVersion,
  sameTraitOfNames,
  sameIsMisread,
  sameFails,
  sameEverywhere,
  sameIsUnsteady,
  samePromiseInAnotherOperation,
  sameInputsInAnotherOperation,
]

const isOfOneCause: Rule = (leader, other) =>
  leader.status === other.status && RULES.some((rule) => rule(leader, other))

/**
 * Groups verdicts by root cause: the first one of each group keeps the finding, and the others refer to it.
 * @param verdicts in the order of the reports
 */
export function groupByCause(verdicts: readonly Verdict[]): Verdict[] {
  const told: { readonly found: Found; readonly leader: Found }[] = []
  return verdicts.map((verdict) => {
    if (!isFound(verdict)) return verdict
    const same = told.find(({ found }) => isOfOneCause(found, verdict))
    told.push({ found: verdict, leader: same?.leader ?? verdict })
    return same ? { ...verdict, cause: same.leader } : verdict
  })
}
