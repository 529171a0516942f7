import type { RunResult } from './engine/verdict.ts'

/** The command's answer to whoever called it (0 conformant … 4 the suite itself failed, 130 interrupted). */
export function exitCodeOf(
  result: Pick<RunResult, 'conclusion' | 'verdicts'>,
  { strict, interrupted }: { strict: boolean; interrupted: boolean },
): number {
  if (interrupted) return 130
  const has = (...statuses: string[]) => result.verdicts.some(({ status }) => statuses.includes(status))
  if (result.conclusion === 'nonconformant') return 1
  if (has('error')) return 4
  if (strict && has('warn', 'inconclusive')) return 1
  return result.conclusion === 'conformant' ? 0 : 3
}
