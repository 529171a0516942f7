import type { TimedMutant } from '../../../fixtures/mutants/time/index.ts'
import type { TimedVariant } from '../../../fixtures/variants/time/index.ts'
import type { RunResult, Status } from '../../engine/check/verdict.ts'

/** Lists check, version, status and reason of the verdicts with these statuses. */
export const describeVerdicts = ({ verdicts }: RunResult, statuses: readonly Status[]): string[] =>
  verdicts
    .filter(({ status }) => statuses.includes(status))
    .map(({ check, version, status, reason }) => `${check.id} ${version}: ${status}, ${reason}`)

/** Returns how the judgement of a mutant in time ended, as an `ExpectedEnding`. */
export function endingOf({ isCaughtBy }: TimedMutant, { conclusion, verdicts }: RunResult): string {
  if (conclusion !== 'inconclusive') return conclusion
  const reasons = verdicts
    .filter(({ status, check, version }) => status === 'inconclusive' && isCaughtBy(check.id, version))
    .map(({ reason = '' }) => reason.replace(/:.*/s, ''))
  if (reasons.includes('unstable')) return 'unstable'
  return reasons.includes('drift') ? 'undecided' : 'inconclusive for another reason'
}

const ALLOWED: Readonly<Record<TimedMutant['expected'], readonly string[]>> = {
  nonconformant: ['nonconformant'],
  'nonconformant or unstable': ['nonconformant', 'unstable'],
  'nonconformant or undecided': ['nonconformant', 'unstable', 'undecided'],
}

/** Returns true if a mutant in time may end so. */
export const isExpectedEnding = ({ expected }: TimedMutant, ending: string): boolean =>
  ALLOWED[expected].includes(ending)

/** @returns why the judgement of a permissible deployment is not what was expected; empty if it is */
export function describeWrongResult(
  { expected }: Pick<TimedVariant, 'expected'>,
  result: RunResult,
): readonly string[] {
  const wrong = describeVerdicts(result, ['fail', 'error'])
  if (wrong.length > 0 || expected === 'conformant or inconclusive') return wrong
  return result.conclusion === 'conformant' ? [] : [result.conclusion, ...describeVerdicts(result, ['inconclusive'])]
}

/** Lists failures that checks other than the mutant's own report, and errors. */
export const describeUnexpectedFailures = ({ isCaughtBy }: TimedMutant, { verdicts }: RunResult): readonly string[] =>
  verdicts
    .filter(({ status, check, version }) => status === 'error' || (status === 'fail' && !isCaughtBy(check.id, version)))
    .map(({ check, version, reason }) => `beside it ${check.id} ${version}: ${reason}`)

/** @returns why the judgement of a mutant in time is not what was expected; empty if it is */
export function describeWrongMutantResult(mutant: TimedMutant, result: RunResult): readonly string[] {
  const [ending, beside] = [endingOf(mutant, result), describeUnexpectedFailures(mutant, result)]
  if (isExpectedEnding(mutant, ending)) return beside
  return [...beside, `${ending}, not ${mutant.expected}`, ...describeVerdicts(result, ['fail', 'inconclusive'])]
}
