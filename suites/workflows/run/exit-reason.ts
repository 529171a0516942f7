import { counted } from '../../../reports/text/wording.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { exitCodeOf, exits } from '../../options/exit-code.ts'
import type { Gate } from '../baseline/gate.ts'
import type { Comparison } from '../compare/against.ts'
import { isRegression } from '../compare/comparison.ts'

/** The facts that decide the exit code. */
export interface Decision {
  readonly code: number
  /** The code without the comparison. */
  readonly own: number
  readonly result: Pick<RunResult, 'conclusion' | 'verdicts'>
  readonly gate: Gate | undefined
  readonly comparison: Comparison | undefined
  /** The failures caused by `--strict`, in words. */
  readonly strict: string | undefined
}

/**
 * Says why the exit code is what it is, e.g. `exit code 1: 2 differences from URL (--against); the deployment is conformant`.
 *
 * @returns undefined where the verdict alone says it
 */
export function exitReason(decision: Decision): string | undefined {
  const { code, result, comparison, gate, strict } = decision
  if (code === exits.interrupted.code) return undefined
  const plain = exitCodeOf(result, { strict: false, interrupted: false })
  if (!comparison && code === plain && strict === undefined) return undefined
  const parts = [
    ...(comparison ? [comparisonReason(comparison)] : []),
    ...(gate ? [gateReason(gate)] : []),
    ...(strict === undefined ? [] : [strict]),
    `the deployment is ${result.conclusion}`,
  ]
  return `exit code ${code}: ${parts.join('; ')}`
}

function comparisonReason({ other, differences, isDecided, unreached }: Comparison): string {
  if (unreached !== undefined) return `not compared with ${other} (--against), because ${unreached}`
  const regressions = differences.filter(isRegression).length
  if (regressions > 0) return `${counted(regressions, 'difference')} from ${other} (--against)`
  return isDecided
    ? `no difference from ${other} (--against)`
    : `the comparison with ${other} is inconclusive (--against)`
}

function gateReason({ known, unknown, problems }: Gate): string {
  const parts = [
    ...(unknown.length > 0 ? [`${counted(unknown.length, 'failing check')} not known`] : []),
    ...(problems.length > 0 ? [`${counted(problems.length, 'stale entry', 'stale entries')}`] : []),
  ]
  return `${parts.length > 0 ? parts.join(' and ') : `${counted(known.size, 'failing check')} known`} (--known)`
}
