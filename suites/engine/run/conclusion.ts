import type { Conclusion, Verdict } from '../check/verdict.ts'
import type { RunPlan } from './plan.ts'

type VerdictStatus = Pick<Verdict, 'status'>

/** Returns whether a check ended without a violation. Advice (`warn`) is not a violation (V1.2). */
export const isPassOrWarn = ({ status }: VerdictStatus): boolean => status === 'pass' || status === 'warn'

/** Returns whether a check decided about the deployment: `pass`, `warn` or `fail`. */
export const hasDecisiveStatus = (ended: VerdictStatus): boolean => isPassOrWarn(ended) || ended.status === 'fail'

const countsInConclusion = (verdict: Verdict): boolean => verdict.check.level !== 'should'

/**
 * Returns `nonconformant` if a check failed (V3.1), otherwise `inconclusive` if one is undecided or none passed (V3.2).
 * Advice does not count.
 */
export function concludeRun(verdicts: readonly Verdict[]): Conclusion {
  const required = verdicts.filter(countsInConclusion)
  if (required.some(({ status }) => status === 'fail')) return 'nonconformant'
  if (required.some(({ status }) => status === 'inconclusive' || status === 'error')) return 'inconclusive'
  const decisive = required.length > 0 ? required : verdicts
  return decisive.some(isPassOrWarn) ? 'conformant' : 'inconclusive'
}

/** Returns the conclusion of a run of selected checks: `partial` instead of `conformant` (V3.4). */
export const concludePartialRun = (conclusion: Conclusion): Conclusion =>
  conclusion === 'conformant' ? 'partial' : conclusion

/**
 * Returns the conclusion of each class (v2, v3, parity). A check of the whole deployment counts in every class if it
 * fails, and in none if it passes.
 */
export function concludeByVersionAndParity(
  verdicts: readonly Verdict[],
  { checks, classes }: Pick<RunPlan<never>, 'checks' | 'classes'>,
): Record<string, Conclusion> {
  const idsOfWholeDeployment = new Set(
    checks.filter(({ concernsWholeDeployment }) => concernsWholeDeployment).map(({ id }) => id),
  )
  const failedInAllClasses = verdicts.filter(
    ({ check, status }) => idsOfWholeDeployment.has(check.id) && status === 'fail',
  )
  const verdictsOfClasses = verdicts.filter(
    (verdict) => !(idsOfWholeDeployment.has(verdict.check.id) && isPassOrWarn(verdict)),
  )
  return Object.fromEntries(
    Object.entries(classes).map(([name, scopes]) => [
      name,
      concludeRun([...verdictsOfClasses.filter(({ version }) => scopes.includes(version)), ...failedInAllClasses]),
    ]),
  )
}
