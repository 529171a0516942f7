import { formatCount } from '../../../reports/text/wording.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { exitCodeOf, exitCodes } from '../../options/exit-code.ts'
import type { Options } from '../../options/options.ts'
import type { BaselineResult } from '../baseline/gate.ts'
import type { DeploymentComparison } from '../compare/against.ts'
import { isRegression } from '../compare/difference.ts'

/** The facts from which the exit code follows. */
interface ExitCodeFacts {
  readonly code: number
  readonly result: Pick<RunResult, 'conclusion' | 'verdicts'>
  readonly gate: BaselineResult | undefined
  readonly comparison: DeploymentComparison | undefined
  /** The description of what fails only because of `--strict`; undefined if nothing does. */
  readonly strict: string | undefined
}

/**
 * Explains the exit code, e.g. `exit code 1: 2 differences from URL (--against); the deployment is conformant`.
 * @returns undefined if the verdict alone explains the exit code
 */
export function describeExitReason(facts: ExitCodeFacts): string | undefined {
  const { code, result, comparison, gate, strict } = facts
  if (code === exitCodes.interrupted.code) return undefined
  const codeFromVerdict = exitCodeOf(result, { strict: false, isInterrupted: false })
  if (!comparison && code === codeFromVerdict && strict === undefined) return undefined
  const parts = [
    ...(comparison ? [describeComparison(comparison)] : []),
    ...(gate ? [describeBaseline(gate)] : []),
    ...(strict === undefined ? [] : [strict]),
    `the deployment is ${result.conclusion}`,
  ]
  return `exit code ${code}: ${parts.join('; ')}`
}

function describeComparison({ other, differences, isDecided, unreached }: DeploymentComparison): string {
  if (unreached !== undefined) return `not compared with ${other} (--against), because ${unreached}`
  const regressions = differences.filter(isRegression).length
  if (regressions > 0) return `${formatCount(regressions, 'difference')} from ${other} (--against)`
  return isDecided
    ? `no difference from ${other} (--against)`
    : `the comparison with ${other} is inconclusive (--against)`
}

function describeBaseline({ known, unknown, problems }: BaselineResult): string {
  const parts = [
    ...(unknown.length > 0 ? [`${formatCount(unknown.length, 'failing check')} not known`] : []),
    ...(problems.length > 0 ? [`${formatCount(problems.length, 'stale entry', 'stale entries')}`] : []),
  ]
  return `${parts.length > 0 ? parts.join(' and ') : `${formatCount(known.size, 'failing check')} known`} (--known)`
}

/**
 * Returns the reason why the option `--path` selected no input, so that the run does not look like a pass. Returns
 * undefined if it selected one, or was not given.
 */
export function describeUnusedCounterexamplePath(
  { path, versions }: Pick<Options, 'path' | 'versions'>,
  { verdicts }: RunResult,
): string | undefined {
  const hasNoInput = ({ version, inputsTested, status, inconclusiveReason }: RunResult['verdicts'][number]) =>
    status === 'not-applicable'
      ? version.split('+').some((one) => !versions.some((judged) => judged === one))
      : inputsTested === 0 && inconclusiveReason?.kind === 'nothing to ask'
  if (path === undefined || !verdicts.every(hasNoInput)) return undefined
  const id = verdicts[0]?.check.id ?? 'any check'
  return `the path ${path} no longer selects an input of ${id}, because the listed names have changed: remove --path to search for a counterexample again`
}
