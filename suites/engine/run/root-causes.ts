import type { Finding, Verdict } from '../check/verdict.ts'
import { hasAnyTrait } from '../finding/common-traits.ts'

/** A rule that decides whether two findings have one cause. The report then shows the other one under the leader. */
type SameCauseRule = (leader: VerdictWithFinding, other: VerdictWithFinding) => boolean

type VerdictWithFinding = Verdict & { readonly finding: Finding }

const hasOwnFinding = (verdict: Verdict): verdict is VerdictWithFinding =>
  verdict.finding !== undefined && verdict.cause === undefined

/** Removes the version from a text, so that texts about v2 and v3 are equal. */
const withoutVersion = (text: string, { version }: Verdict): string =>
  version.split('+').reduce((masked, one) => masked.replaceAll(one, '*'), text)

const inputsOf = ({ inputs, counterexample }: Finding): readonly string[] =>
  inputs ?? (counterexample === undefined ? [] : [counterexample])

/**
 * Returns whether the smallest failing input of one verdict fails in the other verdict too. Larger inputs are ignored:
 * they may fail for another reason.
 */
const failForSameInput: SameCauseRule = ({ finding: one }, { finding: other }) =>
  includesSmallest(inputsOf(one), inputsOf(other)) || includesSmallest(inputsOf(other), inputsOf(one))

const includesSmallest = (inputs: readonly string[], [smallest]: readonly string[]): boolean =>
  smallest !== undefined && inputs.includes(smallest)

const haveCommonElement = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((trait) => others.includes(trait))

/** Returns whether both findings have misread traits, but none in common. */
const haveDifferentMisreadTraits: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) =>
  one !== undefined &&
  other !== undefined &&
  one.misreadTraits.length > 0 &&
  other.misreadTraits.length > 0 &&
  !haveCommonElement(one.misreadTraits, other.misreadTraits)

/** Returns whether the findings have a misread trait in common, even if the versions were sent different inputs. */
const haveCommonMisreadTrait: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) =>
  one !== undefined && other !== undefined && haveCommonElement(one.misreadTraits, other.misreadTraits)

/** Returns the defect without the input that shows it. */
const defectKindOf = ({ causeTraits, finding }: VerdictWithFinding): string => causeTraits?.defectKind ?? finding.actual

const haveSameDefectKind: SameCauseRule = (leader, other) =>
  withoutVersion(defectKindOf(leader), leader) === withoutVersion(defectKindOf(other), other)

/** Joins findings if one requirement fails in the same way in two versions. */
const sameDefectInAnotherVersion: SameCauseRule = (leader, other) =>
  leader.check.id === other.check.id &&
  (failForSameInput(leader, other) ||
    haveCommonMisreadTrait(leader, other) ||
    (haveSameDefectKind(leader, other) && !haveDifferentMisreadTraits(leader, other)))

/** Joins findings whose failing names have a trait in common, e.g. a slash, in any operation. */
const sameTraitOfNames: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) =>
  one !== undefined &&
  other !== undefined &&
  one.isServiceFailure === other.isServiceFailure &&
  haveCommonElement(one.traits, other.traits)

/** Joins findings of an operation if all inputs of one have a trait that is misread in some inputs of another. */
const sameMisreadTrait: SameCauseRule = (leader, other) => {
  const misread = leader.causeTraits?.misreadTraits ?? []
  const inputs = [...(other.causeTraits?.inputs ?? [])]
  const isSame = leader.check.operation === other.check.operation && leader.version === other.version
  return isSame && inputs.length > 0 && inputs.every((input) => hasAnyTrait(misread, input))
}

/** Joins failures of several operations if their inputs have the same trait, e.g. an apostrophe. */
const sameFailureTrait: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) => {
  const [[trait, ...more], theirs] = [one?.misreadTraits ?? [], other?.misreadTraits ?? []]
  return (
    (one?.isServiceFailure && other?.isServiceFailure && more.length + theirs.length === 1 && theirs[0] === trait) ===
    true
  )
}

/** Joins findings with a cause that affects every operation, e.g. a wrong encoding. */
const sameCrossOperationCause: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) =>
  one?.crossOperationCause !== undefined && one.crossOperationCause === other?.crossOperationCause

/** Returns the last part of the check's id, which names a requirement that several operations share. */
const requirementOf = ({ check }: Verdict): string => check.id.slice(check.id.lastIndexOf('/') + 1)

/** Returns the defect without the excerpt of the response, e.g. `status 404`. */
const defectKindWithoutExcerpt = (found: VerdictWithFinding): string =>
  defectKindOf(found).split(/[:(]/, 1)[0]?.trim() ?? ''

/**
 * Joins findings of operations that refuse requests in the same way, or return the same unreadable body. Excludes
 * service failures, which may have different causes.
 */
const sameRequirementInAnotherOperation: SameCauseRule = (leader, other) =>
  leader.check.operation !== other.check.operation &&
  requirementOf(leader) === requirementOf(other) &&
  defectKindWithoutExcerpt(leader) === defectKindWithoutExcerpt(other) &&
  [leader, other].every(({ causeTraits }) => causeTraits !== undefined && !causeTraits.isServiceFailure) &&
  !haveDifferentMisreadTraits(leader, other)

/** Returns the failing inputs if others passed. */
const partialInputsOf = ({ inputsTested, causeTraits }: VerdictWithFinding): readonly string[] =>
  causeTraits && !causeTraits.isServiceFailure && causeTraits.inputs.size < inputsTested ? [...causeTraits.inputs] : []

/**
 * Joins findings of two operations that fail for exactly the same names, because the list shows these names wrongly.
 */
const sameInputsInAnotherOperation: SameCauseRule = (leader, other) => {
  const [some, others] = [partialInputsOf(leader), partialInputsOf(other)]
  const areSame = some.length === others.length && some.every((input) => others.includes(input))
  return leader.check.operation !== other.check.operation && some.length > 0 && areSame
}

/** The number of inputs that must fail intermittently to call the whole operation intermittent. */
const MIN_INTERMITTENT_INPUTS = 3

/** Joins intermittent findings of one operation: if one of its requests gets different responses, others do too. */
const sameIntermittentOperation: SameCauseRule = ({ check: one, causeTraits }, { check: other, causeTraits: theirs }) =>
  one.operation === other.operation &&
  causeTraits?.isIntermittent === true &&
  (theirs?.isIntermittent === true || causeTraits.inputs.size >= MIN_INTERMITTENT_INPUTS)

/** All rules that decide whether two findings have one cause. */
const SAME_CAUSE_RULES: readonly SameCauseRule[] = [
  sameDefectInAnotherVersion,
  sameTraitOfNames,
  sameMisreadTrait,
  sameFailureTrait,
  sameCrossOperationCause,
  sameIntermittentOperation,
  sameRequirementInAnotherOperation,
  sameInputsInAnotherOperation,
]

const haveSameCause: SameCauseRule = (leader, other) =>
  leader.status === other.status && SAME_CAUSE_RULES.some((rule) => rule(leader, other))

/**
 * Groups verdicts by root cause: the first one of each group keeps the finding, and the others refer to it.
 * @param verdicts in the order of the reports
 */
export function groupByCause(verdicts: readonly Verdict[]): Verdict[] {
  const reported: { readonly found: VerdictWithFinding; readonly leader: VerdictWithFinding }[] = []
  return verdicts.map((verdict) => {
    if (!hasOwnFinding(verdict)) return verdict
    const same = reported.find(({ found }) => haveSameCause(found, verdict))
    reported.push({ found: verdict, leader: same?.leader ?? verdict })
    return same ? { ...verdict, cause: same.leader } : verdict
  })
}
