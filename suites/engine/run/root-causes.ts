import type { Finding, Verdict } from '../check/verdict.ts'
import { hasOneOf } from '../finding/common-traits.ts'

/** Two verdicts with findings, the one that may lead first. */
type Rule = (leader: Found, other: Found) => boolean

type Found = Verdict & { readonly finding: Finding }

const isFound = (verdict: Verdict): verdict is Found => verdict.finding !== undefined && verdict.cause === undefined

/** A text about one version, about any. */
const ofAnyVersion = (text: string, { version }: Verdict): string =>
  version.split('+').reduce((said, one) => said.replaceAll(one, '*'), text)

const inputsOf = ({ inputs, counterexample }: Finding): readonly string[] =>
  inputs ?? (counterexample === undefined ? [] : [counterexample])

/** The smallest input of one breaks the promise in the other too: a larger one may break it for another reason. */
const breakForTheSame: Rule = ({ finding: one }, { finding: other }) =>
  hasSmallestOf(inputsOf(one), inputsOf(other)) || hasSmallestOf(inputsOf(other), inputsOf(one))

const hasSmallestOf = (inputs: readonly string[], [smallest]: readonly string[]): boolean =>
  smallest !== undefined && inputs.includes(smallest)

const shareOne = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((trait) => others.includes(trait))

/** What is misread is known of both, and is not the same. */
const misreadOther: Rule = ({ blame: one }, { blame: other }) =>
  one !== undefined &&
  other !== undefined &&
  one.misread.length > 0 &&
  other.misread.length > 0 &&
  !shareOne(one.misread, other.misread)

/** The same kind of input, of which each version was asked others. */
const misreadAlike: Rule = ({ blame: one }, { blame: other }) =>
  one !== undefined && other !== undefined && shareOne(one.misread, other.misread)

/** The defect without the input that shows it. */
const defectOf = ({ blame, finding }: Found): string => blame?.manner ?? finding.actual

const readAlike: Rule = (leader, other) =>
  ofAnyVersion(defectOf(leader), leader) === ofAnyVersion(defectOf(other), other)

/** One promise is broken alike in two versions. */
const sameDefectInAnotherVersion: Rule = (leader, other) =>
  leader.check.id === other.check.id &&
  (breakForTheSame(leader, other) ||
    misreadAlike(leader, other) ||
    (readAlike(leader, other) && !misreadOther(leader, other)))

/** What is wrong with names is what they have in common: a slash, say, wherever it is sent. */
const sameTraitOfNames: Rule = ({ blame: one }, { blame: other }) =>
  one !== undefined && other !== undefined && one.isFailure === other.isFailure && shareOne(one.traits, other.traits)

/** What is misread in some inputs of an operation is misread in all others. */
const sameIsMisread: Rule = (leader, other) => {
  const misread = leader.blame?.misread ?? []
  const inputs = [...(other.blame?.inputs ?? [])]
  const isSame = leader.check.operation === other.check.operation && leader.version === other.version
  return isSame && inputs.length > 0 && inputs.every((input) => hasOneOf(misread, input))
}

/** What makes one operation fail makes others fail: an apostrophe, say, in whatever is asked with it. */
const sameFails: Rule = ({ blame: one }, { blame: other }) => {
  const [[trait, ...more], theirs] = [one?.misread ?? [], other?.misread ?? []]
  return (one?.isFailure && other?.isFailure && more.length + theirs.length === 1 && theirs[0] === trait) === true
}

/** What is written or cut wrong in one operation is so in others. */
const sameEverywhere: Rule = ({ blame: one }, { blame: other }) =>
  one?.everywhere !== undefined && one.everywhere === other?.everywhere

/** What several operations promise alike: the last part of an id. */
const promiseOf = ({ check }: Verdict): string => check.id.slice(check.id.lastIndexOf('/') + 1)

/** The defect without the excerpt of the response, e.g. `status 404`. */
const mannerOf = (found: Found): string => defectOf(found).split(/[:(]/, 1)[0]?.trim() ?? ''

/** Operations that refuse alike, or write alike what cannot be read: what they share is broken. What fails may fail for anything. */
const samePromiseInAnotherOperation: Rule = (leader, other) =>
  leader.check.operation !== other.check.operation &&
  promiseOf(leader) === promiseOf(other) &&
  mannerOf(leader) === mannerOf(other) &&
  [leader, other].every(({ blame }) => blame !== undefined && !blame.isFailure) &&
  !misreadOther(leader, other)

/** The inputs that break a promise which others keep. */
const someOf = ({ asked, blame }: Found): readonly string[] =>
  blame && !blame.isFailure && blame.inputs.size < asked ? [...blame.inputs] : []

/** Names that two operations take otherwise than they are listed, and those alone: it is the list that shows them wrongly. */
const sameInputsInAnotherOperation: Rule = (leader, other) => {
  const [some, others] = [someOf(leader), someOf(other)]
  const areSame = some.length === others.length && some.every((input) => others.includes(input))
  return leader.check.operation !== other.check.operation && some.length > 0 && areSame
}

/** So many inputs, and more, and it is the operation that answers otherwise each time. */
const MANY_INPUTS = 3

/** Where one request of an operation is answered otherwise each time, others are, too; some of them in step with the asking. */
const sameIsUnsteady: Rule = ({ check: one, blame }, { check: other, blame: theirs }) =>
  one.operation === other.operation &&
  blame?.isUnsteady === true &&
  (theirs?.isUnsteady === true || blame.inputs.size >= MANY_INPUTS)

/** When two findings are of one root cause: all that decides it. */
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
 * Tells each root cause once: of all verdicts that fail by one defect the first leads, and the others refer to it.
 * @param verdicts in the order in which reports show them
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
