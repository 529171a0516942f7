import type { Plan } from './plan.ts'
import type { Conclusion, Verdict } from './verdict.ts'

const counts = (verdict: Verdict): boolean => verdict.check.level !== 'should'

/** Contract, section 5: any failure makes a run nonconformant; anything required and undecided, or nothing passed, inconclusive. */
export function conclude(verdicts: readonly Verdict[]): Conclusion {
  const required = verdicts.filter(counts)
  if (required.some(({ status }) => status === 'fail')) return 'nonconformant'
  if (required.some(({ status }) => status === 'inconclusive' || status === 'error')) return 'inconclusive'
  const asked = required.length > 0 ? required : verdicts
  return asked.some(({ status }) => status === 'pass' || status === 'warn') ? 'conformant' : 'inconclusive'
}

/** What a run of some checks only comes to: such a run is never called conformant (contract, section 5). */
export const ofSomeChecks = (conclusion: Conclusion): Conclusion =>
  conclusion === 'conformant' ? 'partial' : conclusion

/** The verdict class by class; a broken check of the deployment as a whole counts in every one. */
export function concludeByClass(
  verdicts: readonly Verdict[],
  { checks, classes }: Pick<Plan<never>, 'checks' | 'classes'>,
): Record<string, Conclusion> {
  const ofWhole = new Set(checks.filter(({ isOfWhole }) => isOfWhole).map(({ id }) => id))
  const brokenForAll = verdicts.filter(({ check, status }) => ofWhole.has(check.id) && status === 'fail')
  return Object.fromEntries(
    Object.entries(classes).map(([name, scopes]) => [
      name,
      conclude([...verdicts.filter(({ version }) => scopes.includes(version)), ...brokenForAll]),
    ]),
  )
}
