import type { CauseTraits, Finding, Verdict } from '../check/verdict.ts'
import { isFromSharedEntry } from '../finding/cache-symptoms.ts'
import { hasAnyTrait } from '../finding/common-traits.ts'

type VerdictWithFinding = Verdict & { readonly finding: Finding }
type FailedVerdict = VerdictWithFinding & { readonly causeTraits: CauseTraits }

const hasOwnFinding = (verdict: Verdict): verdict is VerdictWithFinding =>
  verdict.finding !== undefined && verdict.cause === undefined

const hasTraits = (verdict: VerdictWithFinding): verdict is FailedVerdict => verdict.causeTraits !== undefined

/** Replaces the version in a text, so that texts about v2 and about v3 can be compared. */
const withoutVersion = (text: string, { version }: Verdict): string =>
  version.split('+').reduce((masked, one) => masked.replaceAll(one, '*'), text)

/** Returns the defect without its input, e.g. `status 404`. */
const defectKindOf = ({ causeTraits, finding }: VerdictWithFinding): string => causeTraits?.defectKind ?? finding.actual

const inputsOf = ({ finding: { inputs, counterexample } }: VerdictWithFinding): readonly string[] =>
  inputs ?? (counterexample === undefined ? [] : [counterexample])

/** Returns whether the first of the other inputs, which is the smallest, is one of the inputs. */
const includesSmallest = (inputs: readonly string[], [smallest]: readonly string[]): boolean =>
  smallest !== undefined && inputs.includes(smallest)

const haveCommonElement = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.includes(one))

/**
 * Returns whether the deployment misreads inputs in both findings, but these inputs have no trait in common (e.g. a
 * slash in one finding, and a plus sign in the other).
 */
function areMisreadForDifferentReasons(leader: VerdictWithFinding, other: VerdictWithFinding): boolean {
  const [traits, otherTraits] = [leader.causeTraits?.misreadTraits ?? [], other.causeTraits?.misreadTraits ?? []]
  return traits.length > 0 && otherTraits.length > 0 && !haveCommonElement(traits, otherTraits)
}

/**
 * Returns whether the same check fails in two versions for the same smallest input, for inputs with a common trait that
 * the deployment misreads, or in the same way. Larger inputs are ignored: they may fail for another reason.
 */
function isSameDefectInAnotherVersion(leader: VerdictWithFinding, other: VerdictWithFinding): boolean {
  if (leader.check.id !== other.check.id) return false
  const [inputs, otherInputs] = [inputsOf(leader), inputsOf(other)]
  return (
    includesSmallest(inputs, otherInputs) ||
    includesSmallest(otherInputs, inputs) ||
    haveCommonElement(leader.causeTraits?.misreadTraits ?? [], other.causeTraits?.misreadTraits ?? []) ||
    (withoutVersion(defectKindOf(leader), leader) === withoutVersion(defectKindOf(other), other) &&
      !areMisreadForDifferentReasons(leader, other))
  )
}

/** The number of inputs that must fail intermittently before the whole operation counts as intermittent. */
const MIN_INTERMITTENT_INPUTS = 2

/** Returns whether two failures of any operations have one cause. */
function haveSameCauseInAnyOperation(leader: FailedVerdict, other: FailedVerdict): boolean {
  const [one, two] = [leader.causeTraits, other.causeTraits]
  // The failing names have a trait in common, e.g. a slash.
  if (one.isServiceFailure === two.isServiceFailure && haveCommonElement(one.traitsOfNames, two.traitsOfNames))
    return true
  // The service fails for inputs with the same single trait, e.g. an apostrophe.
  const failureTraits = [...one.misreadTraits, ...two.misreadTraits]
  if (one.isServiceFailure && two.isServiceFailure && failureTraits.length === 2 && new Set(failureTraits).size === 1)
    return true
  // Both have a cause that affects all operations, e.g. a wrong encoding.
  if (one.crossOperationCause !== undefined && one.crossOperationCause === two.crossOperationCause) return true
  // The leader names two requests that share an entry of a cache, and the other rests on a response from this entry.
  return two.exchanges?.some((exchange) => isFromSharedEntry(one.sharedEntry ?? [], exchange)) === true
}

/** Returns whether two failures of one operation have one cause. */
function haveSameCauseInOperation(leader: FailedVerdict, other: FailedVerdict): boolean {
  const [one, two] = [leader.causeTraits, other.causeTraits]
  const inputs = [...two.inputs]
  // According to the leader, the deployment misreads a trait of every failing input of the other.
  if (
    leader.version === other.version &&
    inputs.length > 0 &&
    inputs.every((input) => hasAnyTrait(one.misreadTraits, input))
  )
    return true
  // If one request of an operation gets different responses, others do too.
  return one.isIntermittent && (two.isIntermittent || one.inputs.size >= MIN_INTERMITTENT_INPUTS)
}

/** Returns the failing inputs; an empty list if no tested input passed, or if the service itself failed. */
const partialInputsOf = ({
  inputsTested,
  causeTraits: { isServiceFailure, inputs },
}: FailedVerdict): readonly string[] => (!isServiceFailure && inputs.size < inputsTested ? [...inputs] : [])

/** Returns whether `other` misreads every failing input of `failed`, and `failed` misreads some failing inputs of `other`. */
function failsOnlyForMisreadInputs(failed: FailedVerdict, other: FailedVerdict): boolean {
  const inputs = partialInputsOf(failed)
  const isMisread = (input: string) => hasAnyTrait(failed.causeTraits.misreadTraits, input)
  return (
    inputs.some(isMisread) &&
    inputs.every((input) => hasAnyTrait(other.causeTraits.misreadTraits, input)) &&
    partialInputsOf(other).some(isMisread)
  )
}

/** Returns the last part of a check's id, which names the requirement. Several operations may have the same one. */
const requirementOf = ({ check }: Verdict): string => check.id.slice(check.id.lastIndexOf('/') + 1)

/** Returns the defect without an excerpt of the response, e.g. `status 404`. */
const defectKindWithoutExcerpt = (verdict: VerdictWithFinding): string =>
  defectKindOf(verdict).split(/[:(]/, 1)[0]?.trim() ?? ''

/** Returns whether failures of two operations have one cause. Returns false for 5xx: these may have different causes. */
function haveSameCauseInTwoOperations(leader: FailedVerdict, other: FailedVerdict): boolean {
  if (leader.causeTraits.isServiceFailure || other.causeTraits.isServiceFailure) return false
  // Both fail for exactly the same names: the list of names is probably wrong.
  const [inputs, otherInputs] = [partialInputsOf(leader), partialInputsOf(other)]
  const areSame = inputs.length === otherInputs.length && inputs.every((input) => otherInputs.includes(input))
  if (inputs.length > 0 && areSame) return true
  // Both refuse requests in the same way, or return the same unreadable body.
  if (
    requirementOf(leader) === requirementOf(other) &&
    defectKindWithoutExcerpt(leader) === defectKindWithoutExcerpt(other) &&
    !areMisreadForDifferentReasons(leader, other)
  )
    return true
  // Both misread the same kind of input. Example: both decode twice, but only a query contains an emoji.
  return (
    !leader.causeTraits.isIntermittent &&
    !other.causeTraits.isIntermittent &&
    (failsOnlyForMisreadInputs(leader, other) || failsOnlyForMisreadInputs(other, leader))
  )
}

/** Returns whether two findings have one cause, so that the report shows the other under the leader. */
function haveSameCause(leader: VerdictWithFinding, other: VerdictWithFinding): boolean {
  if (leader.status !== other.status) return false
  if (isSameDefectInAnotherVersion(leader, other)) return true
  if (!hasTraits(leader) || !hasTraits(other)) return false
  if (haveSameCauseInAnyOperation(leader, other)) return true
  return leader.check.operation === other.check.operation
    ? haveSameCauseInOperation(leader, other)
    : haveSameCauseInTwoOperations(leader, other)
}

/** The kinds of findings. If findings have one cause, the one whose kind comes first names it best, and leads the group. */
const KINDS_OF_LEADERS = [
  'names two requests that share an entry of a cache',
  'is about one request',
  // Several inputs show that the same request gets different responses, so the whole operation is intermittent.
  'compares requests of an intermittent operation',
  'compares requests',
  'compares requests, but one of them alone gets different responses',
  'compares versions',
] as const

type LeaderKind = (typeof KINDS_OF_LEADERS)[number]

function leaderKindOf({ causeTraits, check, version }: Verdict): LeaderKind {
  if (causeTraits?.sharedEntry) return 'names two requests that share an entry of a cache'
  if (version.includes('+')) return 'compares versions'
  const failsAtTimes = causeTraits?.isServiceFailure && causeTraits.isIntermittent
  if (failsAtTimes && check.statementsIfIntermittent)
    return 'compares requests, but one of them alone gets different responses'
  if (!causeTraits?.comparesRequests) return 'is about one request'
  if (!causeTraits.isIntermittent) return 'compares requests'
  return causeTraits.inputs.size >= MIN_INTERMITTENT_INPUTS
    ? 'compares requests of an intermittent operation'
    : 'compares requests, but one of them alone gets different responses'
}

const rankOf = (verdict: Verdict): number => KINDS_OF_LEADERS.indexOf(leaderKindOf(verdict))

/**
 * Groups verdicts by root cause. The first failed check of each group keeps its finding, and the others refer to it.
 * @param verdicts in the order of the reports
 */
export function groupByRootCause(verdicts: readonly Verdict[]): Verdict[] {
  const ranked: { readonly verdict: VerdictWithFinding; readonly leader: VerdictWithFinding }[] = []
  const leaders = new Map<Verdict, Verdict>()
  for (const verdict of verdicts.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (!hasOwnFinding(verdict)) continue
    const same = ranked.find((earlier) => haveSameCause(earlier.verdict, verdict))
    ranked.push({ verdict, leader: same?.leader ?? verdict })
    if (same) leaders.set(verdict, same.leader)
  }
  return verdicts.map((verdict) => {
    const cause = leaders.get(verdict)
    return cause ? { ...verdict, cause } : verdict
  })
}
