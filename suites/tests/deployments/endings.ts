import type { TimedMutant } from '../../../fixtures/mutants/time/index.ts'
import type { TimedVariant } from '../../../fixtures/variants/time/index.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'

/** Returns how a run against a time-dependent mutant ended: its conclusion, or if it is inconclusive, why. */
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

/** Returns whether a run against the mutant may end in this way. */
export const isExpectedEnding = ({ expected }: TimedMutant, ending: string): boolean =>
  ALLOWED[expected].includes(ending)

/** Describes the checks that take a list for a page of a longer list, whose other pages cannot be read. */
export const describeMistakenPages = (result: RunResult): readonly string[] =>
  describeVerdicts(result, 'inconclusive').filter((line) => line.includes('only one page of a longer list'))

/** Describes all results that a permissible deployment must not have, one line each. */
export function describeWrongVariantResult(
  { expected }: Pick<TimedVariant, 'expected'>,
  result: RunResult,
): readonly string[] {
  const wrong = describeVerdicts(result, 'fail', 'error')
  if (wrong.length > 0 || expected === 'conformant or inconclusive') return wrong
  return result.conclusion === 'conformant' ? [] : [result.conclusion, ...describeVerdicts(result, 'inconclusive')]
}

/** Returns a line for each error, and for each failure of a check that the mutant does not name. */
export const describeUnexpectedFailures = ({ isCaughtBy }: TimedMutant, { verdicts }: RunResult): readonly string[] =>
  verdicts
    .filter(({ status, check, version }) => status === 'error' || (status === 'fail' && !isCaughtBy(check.id, version)))
    .map(({ check, version, reason }) => `unexpected: ${check.id} ${version}: ${reason}`)

/** Describes all results that the mutant must not have, one line each. */
export function describeWrongMutantResult(mutant: TimedMutant, result: RunResult): readonly string[] {
  const [ending, unexpectedFailures] = [endingOf(mutant, result), describeUnexpectedFailures(mutant, result)]
  if (isExpectedEnding(mutant, ending)) return unexpectedFailures
  return [
    ...unexpectedFailures,
    `${ending}, not ${mutant.expected}`,
    ...describeVerdicts(result, 'fail', 'inconclusive'),
  ]
}
