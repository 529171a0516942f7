import type { Conclusion, Scope, Verdict } from './verdict.ts'

const counts = (verdict: Verdict): boolean => verdict.check.level !== 'should'

/** Contract, section 5: any failure makes a run nonconformant; anything required and undecided, or nothing passed, inconclusive. */
export function conclude(verdicts: readonly Verdict[]): Conclusion {
  const required = verdicts.filter(counts)
  if (required.some(({ status }) => status === 'fail')) return 'nonconformant'
  if (required.some(({ status }) => status === 'inconclusive' || status === 'error')) return 'inconclusive'
  const asked = required.length > 0 ? required : verdicts
  return asked.some(({ status }) => status === 'pass' || status === 'warn') ? 'conformant' : 'inconclusive'
}

/**
 * The verdict class by class.
 * @param ofAll ids of checks that speak of the deployment as a whole: they count in every class
 */
export function concludeByClass(
  verdicts: readonly Verdict[],
  ofAll: ReadonlySet<string>,
): { v2: Conclusion; v3: Conclusion; parity: Conclusion } {
  const brokenForAll = verdicts.filter(({ check, status }) => ofAll.has(check.id) && status === 'fail')
  const of = (scope: Scope) => conclude([...verdicts.filter(({ version }) => version === scope), ...brokenForAll])
  return { v2: of('v2'), v3: of('v3'), parity: of('v2+v3') }
}
