import { rulesToleratingErrors } from '../../directory/matching/rules.ts'
import type { Observation } from '../../engine/check/verdict.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { compareOpenPointValues, removeVaryingParts } from '../../judge/profile/compare-values.ts'
import { createPin } from '../../judge/profile/pin.ts'
import { isSameOpenPoint, pinnedCheckIdOf } from '../../judge/profile/pinned.ts'
import type { Profile } from '../../judge/profile/profile.ts'
import { type ComparedSide, compareChoice, listMissingChoices } from './comparison.ts'
import type { DifferenceRechecker } from './confirm-differences.ts'
import { isRegression, type OperationDifference } from './difference.ts'

/** Returns the key of a choice: the id of the check that would pin it, and the version. */
const choiceKeyOf = (one: Observation): string => `${pinnedCheckIdOf(one)} ${one.version}`

/**
 * Observes again the choices that one side of the comparison makes at open points of the contract, and returns the keys
 * of the choices that are different now. A choice that is only less certain now counts as unchanged: the second
 * observation sends fewer queries, and may not show e.g. whether the search ignores accents.
 */
async function findUnstableChoices(
  options: JudgeOptions,
  observations: readonly Observation[],
): Promise<readonly string[]> {
  if (observations.length === 0) return []
  const profile: Profile = { profileVersion: 1, pins: observations.map(createPin) }
  const only = [...new Set(observations.map(pinnedCheckIdOf))]
  const { verdicts, observations: again } = await judge({ ...options, profile, only })
  const lessCertain = observations.filter((one) => {
    const now = again.find(isSameOpenPoint(one))
    return now !== undefined && typeof compareOpenPointValues(one.id, one, now) === 'object'
  })
  const exempt = new Set(lessCertain.map(choiceKeyOf))
  return verdicts
    .filter(({ status }) => status !== 'pass')
    .map(({ check, version }) => `${check.id} ${version}`)
    .filter((key) => !exempt.has(key))
}

/** The open points of the contract at which two sides make different choices, also when observed again. */
export class ChoiceComparison implements DifferenceRechecker {
  readonly cacheableExchanges = []
  private readonly other: ComparedSide
  private readonly candidate: ComparedSide
  /**
   * The keys of the choices at open points for which at least one side gave different responses to the same requests.
   */
  private readonly unstableChoiceKeys = new Set<string>()

  constructor(other: ComparedSide, candidate: ComparedSide) {
    this.other = other
    this.candidate = candidate
  }

  private readonly isStable = (one: Observation) => !this.unstableChoiceKeys.has(choiceKeyOf(one))

  /** The keys of the open points at which the two sides make different choices. */
  private get differingChoiceKeys(): ReadonlySet<string> {
    const differs = (one: Observation) => compareChoice(one, this.other, this.candidate).some(isRegression)
    return new Set(this.candidate.observations.filter(this.isStable).filter(differs).map(choiceKeyOf))
  }

  get hasDifferences(): boolean {
    return this.differingChoiceKeys.size > 0
  }

  /** Sentences that say which choices were not compared, and why. */
  get uncomparedParts(): readonly string[] {
    return [...this.unstableChoiceKeys].map(
      (key) => `${key}: one of the deployments gave different responses to the same request`,
    )
  }

  async hasChanged(): Promise<boolean> {
    return this.unstableChoiceKeys.size > 0
  }

  /**
   * Called if the data changes. Drops a difference between the matching rules of searches if one rule is fuzzy or does
   * not explain all hits. Such a difference proves nothing: a stale copy that lacks one hit would cause the same
   * difference. The searches themselves are still compared, with caches bypassed.
   */
  onChange(): void {
    const isUnexplained = (one: Observation) =>
      one.id === 'O-SEARCH-RULE' &&
      ['unexplained', ...rulesToleratingErrors].some((rule) => String(removeVaryingParts(one)).startsWith(rule))
    const differing = this.differingChoiceKeys
    for (const one of [this.other, this.candidate].flatMap(({ observations }) => observations.filter(isUnexplained)))
      if (differing.has(choiceKeyOf(one))) this.unstableChoiceKeys.add(choiceKeyOf(one))
  }

  async readAgain(): Promise<void> {
    const keys = this.differingChoiceKeys
    const again = [this.other, this.candidate].map(async ({ options, observations }) => {
      const differing = observations.filter((one) => keys.has(choiceKeyOf(one)))
      return options ? findUnstableChoices(options, differing) : []
    })
    for (const key of (await Promise.all(again)).flat()) this.unstableChoiceKeys.add(key)
  }

  dropAll(): void {
    for (const key of this.differingChoiceKeys) this.unstableChoiceKeys.add(key)
  }

  differences(): readonly OperationDifference[] {
    const other = { ...this.other, observations: this.other.observations.filter(this.isStable) }
    const { candidate } = this
    const observed = candidate.observations.filter(this.isStable)
    return [...observed.flatMap((one) => compareChoice(one, other, candidate)), ...listMissingChoices(other, candidate)]
  }
}
