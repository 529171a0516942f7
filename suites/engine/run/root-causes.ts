import type { Finding, Verdict } from '../check/verdict.ts'
import { isFromSharedEntry } from '../finding/cache-symptoms.ts'
import { hasAnyTrait } from '../finding/common-traits.ts'

/**
 * Decides whether two findings have the same cause. If so, the report shows the second one (`other`) under the first
 * (`leader`).
 */
type SameCauseRule = (leader: VerdictWithFinding, other: VerdictWithFinding) => boolean

type VerdictWithFinding = Verdict & { readonly finding: Finding }

const hasOwnFinding = (verdict: Verdict): verdict is VerdictWithFinding =>
  verdict.finding !== undefined && verdict.cause === undefined

/** Replaces the version in a text, so that texts about v2 and about v3 can be compared. */
const withoutVersion = (text: string, { version }: Verdict): string =>
  version.split('+').reduce((masked, one) => masked.replaceAll(one, '*'), text)

const inputsOf = ({ inputs, counterexample }: Finding): readonly string[] =>
  inputs ?? (counterexample === undefined ? [] : [counterexample])

/**
 * Returns whether the smallest failing input of one finding is among the failing inputs of the other. Larger inputs are
 * ignored, because they may fail for another reason.
 */
const failForSameInput: SameCauseRule = ({ finding: one }, { finding: other }) =>
  includesSmallest(inputsOf(one), inputsOf(other)) || includesSmallest(inputsOf(other), inputsOf(one))

const includesSmallest = (inputs: readonly string[], [smallest]: readonly string[]): boolean =>
  smallest !== undefined && inputs.includes(smallest)

const haveCommonElement = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((trait) => others.includes(trait))

/**
 * Returns whether the deployment misreads inputs in both findings, but these inputs have no trait in common (e.g. a
 * slash in one finding, and a plus sign in the other).
 */
const areMisreadForDifferentReasons: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) =>
  one !== undefined &&
  other !== undefined &&
  one.misreadTraits.length > 0 &&
  other.misreadTraits.length > 0 &&
  !haveCommonElement(one.misreadTraits, other.misreadTraits)

/**
 * Returns whether the deployment misreads inputs in both findings, and these inputs have a trait in common (e.g. a
 * slash). The inputs themselves may differ by version.
 */
const haveCommonMisreadTrait: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) =>
  one !== undefined && other !== undefined && haveCommonElement(one.misreadTraits, other.misreadTraits)

/** Returns the defect without its input, e.g. `status 404`. */
const defectKindOf = ({ causeTraits, finding }: VerdictWithFinding): string => causeTraits?.defectKind ?? finding.actual

const haveSameDefectKind: SameCauseRule = (leader, other) =>
  withoutVersion(defectKindOf(leader), leader) === withoutVersion(defectKindOf(other), other)

/** Returns whether the same check fails in the same way in two versions. */
const sameDefectInAnotherVersion: SameCauseRule = (leader, other) =>
  leader.check.id === other.check.id &&
  (failForSameInput(leader, other) ||
    haveCommonMisreadTrait(leader, other) ||
    (haveSameDefectKind(leader, other) && !areMisreadForDifferentReasons(leader, other)))

/** Returns whether the failing names of both findings have a trait in common, e.g. a slash, in any operation. */
const sameTraitOfNames: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) =>
  one !== undefined &&
  other !== undefined &&
  one.isServiceFailure === other.isServiceFailure &&
  haveCommonElement(one.traits, other.traits)

/**
 * Returns whether both findings concern the same operation and version, and every failing input of `other` has a trait
 * that, according to `leader`, the deployment misreads.
 */
const sameMisreadTrait: SameCauseRule = (leader, other) => {
  const misread = leader.causeTraits?.misreadTraits ?? []
  const inputs = [...(other.causeTraits?.inputs ?? [])]
  const isSame = leader.check.operation === other.check.operation && leader.version === other.version
  return isSame && inputs.length > 0 && inputs.every((input) => hasAnyTrait(misread, input))
}

/**
 * Returns whether two operations misread the same kind of input, and one of them fails for no other inputs. Example:
 * queries and path segments are decoded twice, but only a query contains an emoji.
 */
const sameMisreadTraitInAnotherOperation: SameCauseRule = (leader, other) =>
  leader.check.operation !== other.check.operation &&
  [leader, other].every(({ causeTraits }) => !causeTraits?.isServiceFailure && !causeTraits?.isIntermittent) &&
  (failsOnlyForMisreadInputs(leader, other) || failsOnlyForMisreadInputs(other, leader))

/** Returns whether the other operation misreads every failing input, and this operation some inputs of the other. */
const failsOnlyForMisreadInputs: SameCauseRule = (found, other) => {
  const [inputs, otherInputs] = [found, other].map(partialInputsOf)
  const [traits = [], otherTraits = []] = [found, other].map(({ causeTraits }) => causeTraits?.misreadTraits)
  return (
    inputs?.some((input) => hasAnyTrait(traits, input)) === true &&
    inputs.every((input) => hasAnyTrait(otherTraits, input)) &&
    otherInputs?.some((input) => hasAnyTrait(traits, input)) === true
  )
}

/** Returns whether the service fails for inputs with the same single trait, e.g. an apostrophe, in any operation. */
const sameFailureTrait: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) => {
  const [[trait, ...more], otherTraits] = [one?.misreadTraits ?? [], other?.misreadTraits ?? []]
  return (
    (one?.isServiceFailure &&
      other?.isServiceFailure &&
      more.length + otherTraits.length === 1 &&
      otherTraits[0] === trait) === true
  )
}

/** Returns whether both findings have a cause that affects all operations, e.g. a wrong encoding. */
const sameCrossOperationCause: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) =>
  one?.crossOperationCause !== undefined && one.crossOperationCause === other?.crossOperationCause

/**
 * Returns the last part of a check's id, which names the requirement. Several operations may have the same requirement.
 */
const requirementOf = ({ check }: Verdict): string => check.id.slice(check.id.lastIndexOf('/') + 1)

/** Returns the defect without an excerpt of the response, e.g. `status 404`. */
const defectKindWithoutExcerpt = (found: VerdictWithFinding): string =>
  defectKindOf(found).split(/[:(]/, 1)[0]?.trim() ?? ''

/**
 * Returns whether two operations refuse requests in the same way, or return the same unreadable body. Service failures
 * are excluded, because they may have different causes.
 */
const sameRequirementInAnotherOperation: SameCauseRule = (leader, other) =>
  leader.check.operation !== other.check.operation &&
  requirementOf(leader) === requirementOf(other) &&
  defectKindWithoutExcerpt(leader) === defectKindWithoutExcerpt(other) &&
  [leader, other].every(({ causeTraits }) => causeTraits !== undefined && !causeTraits.isServiceFailure) &&
  !areMisreadForDifferentReasons(leader, other)

/** Returns the failing inputs; empty if no tested input passed. */
const partialInputsOf = ({ inputsTested, causeTraits }: VerdictWithFinding): readonly string[] =>
  causeTraits && !causeTraits.isServiceFailure && causeTraits.inputs.size < inputsTested ? [...causeTraits.inputs] : []

/** Returns whether two operations fail for exactly the same names: the list of names is probably wrong. */
const sameInputsInAnotherOperation: SameCauseRule = (leader, other) => {
  const [some, others] = [partialInputsOf(leader), partialInputsOf(other)]
  const areSame = some.length === others.length && some.every((input) => others.includes(input))
  return leader.check.operation !== other.check.operation && some.length > 0 && areSame
}

/** The number of inputs that must fail intermittently before the whole operation counts as intermittent. */
const MIN_INTERMITTENT_INPUTS = 3

/**
 * Returns whether an operation fails intermittently in both findings: if one of its requests gets different responses,
 * others do too.
 */
const sameIntermittentOperation: SameCauseRule = (
  { check: one, causeTraits },
  { check: other, causeTraits: otherTraits },
) =>
  one.operation === other.operation &&
  causeTraits?.isIntermittent === true &&
  (otherTraits?.isIntermittent === true || causeTraits.inputs.size >= MIN_INTERMITTENT_INPUTS)

/**
 * Returns whether `leader` names two requests that share an entry of a cache, and `other` rests on a response from this
 * entry.
 */
const restsOnSharedEntry: SameCauseRule = ({ causeTraits: one }, { causeTraits: other }) =>
  other?.exchanges?.some((exchange) => isFromSharedEntry(one?.sharedEntry ?? [], exchange)) === true

const SAME_CAUSE_RULES: readonly SameCauseRule[] = [
  restsOnSharedEntry,
  sameDefectInAnotherVersion,
  sameTraitOfNames,
  sameMisreadTrait,
  sameMisreadTraitInAnotherOperation,
  sameFailureTrait,
  sameCrossOperationCause,
  sameIntermittentOperation,
  sameRequirementInAnotherOperation,
  sameInputsInAnotherOperation,
]

const haveSameCause: SameCauseRule = (leader, other) =>
  leader.status === other.status && SAME_CAUSE_RULES.some((rule) => rule(leader, other))

/**
 * Returns the rank of a finding as the first of its group: 0 if it names two requests that share an entry of a cache,
 * and 2 if it shows different responses to different requests, although the same request gets different responses too.
 * A finding about one request names the cause better.
 */
const rankOf = ({ causeTraits }: Verdict): number => {
  if (causeTraits?.sharedEntry) return 0
  return causeTraits?.isIntermittent === true && causeTraits.comparesRequests === true ? 2 : 1
}

/**
 * Groups verdicts by root cause. The first failed check of each group keeps its finding, and the others refer to it.
 * @param verdicts in the order of the reports
 */
export function groupByRootCause(verdicts: readonly Verdict[]): Verdict[] {
  const reported: { readonly found: VerdictWithFinding; readonly leader: VerdictWithFinding }[] = []
  const leaders = new Map<Verdict, Verdict>()
  for (const verdict of verdicts.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (!hasOwnFinding(verdict)) continue
    const same = reported.find(({ found }) => haveSameCause(found, verdict))
    reported.push({ found: verdict, leader: same?.leader ?? verdict })
    if (same) leaders.set(verdict, same.leader)
  }
  return verdicts.map((verdict) => {
    const cause = leaders.get(verdict)
    return cause ? { ...verdict, cause } : verdict
  })
}
