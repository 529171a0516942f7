import type { Finding, Verdict } from './verdict.ts'

/** Two verdicts with findings, the one that may lead first. */
type Rule = (leader: Found, other: Found) => boolean

type Found = Verdict & { readonly finding: Finding }

const isFound = (verdict: Verdict): verdict is Found => verdict.finding !== undefined && verdict.cause === undefined

/** A text about one version, about any. */
const ofAnyVersion = (text: string, { version }: Verdict): string =>
  version.split('+').reduce((said, one) => said.replaceAll(one, '*'), text)

const inputsOf = ({ inputs, counterexample }: Finding): readonly string[] =>
  inputs ?? (counterexample === undefined ? [] : [counterexample])

const haveAnInputInCommon: Rule = ({ finding: one }, { finding: other }) =>
  inputsOf(one).some((input) => inputsOf(other).includes(input))

const readAlike: Rule = (leader, other) =>
  ofAnyVersion(leader.finding.actual, leader) === ofAnyVersion(other.finding.actual, other)

/** One promise is broken alike in two versions. */
const sameDefectInAnotherVersion: Rule = (leader, other) =>
  leader.check.id === other.check.id && (haveAnInputInCommon(leader, other) || readAlike(leader, other))

/** What is wrong with names is what they have in common: a slash, say, wherever it is sent. */
const sameTraitOfNames: Rule = ({ blame: one }, { blame: other }) =>
  one !== undefined &&
  other !== undefined &&
  one.isFailure === other.isFailure &&
  one.traits.some((trait) => other.traits.includes(trait))

/** A sign that is misread in listed names is misread in all others of the operation. */
const sameSignOfNames: Rule = (leader, other) => {
  const signs = leader.blame?.signs ?? []
  const inputs = inputsOf(other.finding)
  const isSame = leader.check.operation === other.check.operation && leader.version === other.version
  return isSame && inputs.length > 0 && inputs.every((input) => signs.some((sign) => input.includes(sign)))
}

/** When two findings are of one root cause: all that decides it. */
const RULES: readonly Rule[] = [sameDefectInAnotherVersion, sameTraitOfNames, sameSignOfNames]

/**
 * Tells each root cause once: of all verdicts that fail by one defect the first leads, and the others refer to it.
 * @param verdicts in the order in which reports show them
 */
export function groupByCause(verdicts: readonly Verdict[]): Verdict[] {
  const leaders: Found[] = []
  return verdicts.map((verdict) => {
    if (!isFound(verdict)) return verdict
    const leader = leaders.find((one) => one.status === verdict.status && RULES.some((rule) => rule(one, verdict)))
    if (leader) return { ...verdict, cause: leader }
    leaders.push(verdict)
    return verdict
  })
}
