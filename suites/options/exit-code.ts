import type { RunResult } from '../engine/check/verdict.ts'

export const exitCodes = {
  conformant: { code: 0, meaning: 'conformant; with --only, no selected check failed' },
  nonconformant: { code: 1, meaning: 'nonconformant: at least one requirement is violated' },
  misused: { code: 2, meaning: 'an error in the command line or the configuration: nothing was tested' },
  inconclusive: {
    code: 3,
    meaning: 'inconclusive: for example, the deployment is unreachable, has no data, or changed its data',
  },
  suiteFailed: { code: 4, meaning: 'the suite itself failed' },
  interrupted: { code: 130, meaning: 'interrupted: the reports contain what was tested until then' },
} as const

type ConcludedRun = Pick<RunResult, 'conclusion' | 'verdicts'>

/** Describes why the run fails only because of `--strict`; undefined if `--strict` makes no difference. */
export function describeStrictFailures(result: ConcludedRun): string | undefined {
  const codes = [true, false].map((strict) => exitCodeOf(result, { strict, isInterrupted: false }))
  if (codes[0] === codes[1]) return undefined
  const { verdicts } = result
  const counts = [
    [verdicts.filter(({ status }) => status === 'warn').length, 'advises', 'advise'],
    [verdicts.filter(({ status }) => status === 'inconclusive').length, 'is undecided', 'are undecided'],
    [verdicts.filter(({ caveat }) => caveat !== undefined).length, 'passes with a caveat', 'pass with a caveat'],
  ] as const
  const countTexts = counts
    .filter(([count]) => count > 0)
    .map(([count, one, more]) => `${count} ${count === 1 ? one : more}`)
  return `failed by --strict: ${countTexts.join(', ')}`
}

/**
 * Returns the exit code of a run.
 * @param result the conclusion and the verdicts of the run
 */
export function exitCodeOf(
  result: ConcludedRun,
  { strict, isInterrupted }: { strict: boolean; isInterrupted: boolean },
): number {
  if (isInterrupted) return exitCodes.interrupted.code
  const has = (...statuses: string[]) => result.verdicts.some(({ status }) => statuses.includes(status))
  if (result.conclusion === 'nonconformant') return exitCodes.nonconformant.code
  if (has('error')) return exitCodes.suiteFailed.code
  const hasCaveat = result.verdicts.some(({ caveat }) => caveat !== undefined)
  if (strict && (hasCaveat || has('warn', 'inconclusive'))) return exitCodes.nonconformant.code
  return exitCodes[result.conclusion === 'partial' ? 'conformant' : result.conclusion].code
}
