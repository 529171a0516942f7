import type { CheckFacts, Finding, Scope, Verdict } from '../check/verdict.ts'
import { NotApplicable, Undecided, Waiting } from '../check/violations.ts'
import { allBroken, type Broken, type CheckRecord, type Confirmed, type Spoilt } from '../finding/check-record.ts'
import { inCommon } from '../finding/common-traits.ts'
import { Inconclusive } from '../inconclusive.ts'
import { quoted } from '../quoted.ts'
import type { Cite } from './plan.ts'

/** The members that every verdict has. */
export type VerdictBase = Pick<Verdict, 'check' | 'version' | 'asked' | 'sampledFrom' | 'exercised'>

export const verdictBase = (
  { id, title, statements, level, operation, fix, inputNoun }: CheckFacts,
  version: Scope,
  { asked, sampledFrom, exercised }: CheckRecord,
): VerdictBase => ({
  check: {
    ...{ id, title, statements, level, operation },
    ...(fix !== undefined && { fix }),
    ...(inputNoun !== undefined && { inputNoun }),
  },
  version,
  asked,
  ...(sampledFrom !== undefined && { sampledFrom }),
  ...(exercised !== undefined && { exercised }),
})

/** Distinguishes three kinds of errors of a check: no verdict possible, not applicable, and a defect of this suite. */
export function verdictOnThrown(base: VerdictBase, error: unknown): Verdict {
  if (error instanceof NotApplicable) return { ...base, status: 'not-applicable', reason: error.message }
  if (error instanceof Inconclusive) {
    const reason = `${error.kind}: ${error.message}`
    return { ...base, status: 'inconclusive', reason, ...(error instanceof Waiting && { cause: error.cause }) }
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { ...base, status: 'error', reason: `a defect of this suite: ${told}` }
}

export function verdictOnConfirmed(base: VerdictBase, confirmed: Confirmed, cite: Cite): Verdict {
  const finding = findingOf(confirmed, base, cite)
  return { ...base, status: base.check.level === 'should' ? 'warn' : 'fail', reason: finding.actual, finding }
}

/** The verdict of a check whose violation another check explains. */
export const explainedVerdict = (base: VerdictBase, cause: Verdict): Verdict => ({
  ...base,
  status: 'inconclusive',
  reason: `blocked by ${cause.check.id} (${cause.version})`,
  cause,
})

export function undecidedVerdict(
  base: VerdictBase,
  { reason, exchanges }: NonNullable<CheckRecord['undecided']>,
  cite: Cite,
): Verdict {
  const { kind, message } = reason
  const contradiction = reason instanceof Undecided ? reason.contradiction : undefined
  const finding = contradiction && {
    expected: contradiction.expected,
    actual: contradiction.actual,
    exchanges: cite(exchanges),
  }
  return { ...base, status: 'inconclusive', reason: `${kind}: ${message}`, ...(finding && { finding }) }
}

/** A pass names the inputs that it does not cover. */
export function unbrokenVerdict(base: VerdictBase, { caveat, untried }: CheckRecord, spoilt: Spoilt): Verdict {
  const left = spoilt.inputs.size > 0 ? leftOut(spoilt) : undefined
  if (base.asked === 0) {
    const nothing = `nothing to ask: ${untried ?? 'there was no input to test this with'}`
    const reason = left ? `${PREREQUISITE}${left}` : nothing
    return { ...base, status: 'inconclusive', reason }
  }
  const said = [caveat, left].flatMap((one) => one ?? [])
  return { ...base, status: 'pass', ...(said.length > 0 && { caveat: said.join('; ') }) }
}

const MOST_NAMED = 3

function leftOut({ inputs, by }: Spoilt): string {
  const named = [...inputs].slice(0, MOST_NAMED).map(quoted)
  const more = inputs.size - named.length
  return `not tested with ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}, which failed in ${by.join(' and ')}`
}

/** Failing inputs that a finding lists. */
const MOST_LISTED = 20

function findingOf(confirmed: Confirmed, { check, asked }: VerdictBase, cite: Cite): Finding {
  const { violation, telling, text, path, also, kept } = confirmed
  const { expected, actual, evidence } = violation.contradiction
  const all = allBroken(confirmed)
  const texts = [...new Set(all.flatMap((broken) => broken.text ?? []))]
  const common = commonOf(all, kept)
  // Cited first: of an exchange that is cited twice the last version is kept, and the shown ones have the better
  // excerpt.
  const inFlight = evidence && cite(evidence.inFlight)
  return {
    expected,
    actual:
      actual + (also.length > 0 ? ` (${also.length + 1} of ${asked} ${check.inputNoun ?? 'inputs'} affected)` : ''),
    exchanges: cite(telling),
    ...(inFlight && { inFlight }),
    ...(text !== undefined && { counterexample: text }),
    ...(path !== undefined && { path }),
    ...(texts.some(Boolean) && { inputs: texts.slice(0, MOST_LISTED) }),
    ...(texts.length > MOST_LISTED && { moreInputs: texts.length - MOST_LISTED }),
    ...(common !== undefined && { common }),
    ...(confirmed.fix !== undefined && { fix: confirmed.fix }),
  }
}

function commonOf(all: readonly Broken[], kept: readonly string[]): string | undefined {
  const inputs = all.flatMap(({ input }) => input ?? [])
  const said = [inputs.length === all.length ? inCommon(inputs, kept) : undefined, all[0]?.note].flatMap(
    (one) => one ?? [],
  )
  return said.length > 0 ? said.join('; ') : undefined
}

const PREREQUISITE = 'prerequisite: '

/** Names the first failed check in a chain of prerequisites, so that ten dependent checks name one cause. */
export function prerequisite(verdict: Verdict): Waiting {
  const { check, version, status, reason } = verdict
  const root = reason?.startsWith(PREREQUISITE) ? reason.slice(PREREQUISITE.length) : undefined
  const why = status === 'inconclusive' && reason ? `: ${reason.split('\n', 1)[0]?.replace(/^[a-z ]+: /, '')}` : ''
  const message = root ?? `${check.id} (${version}) ${status === 'fail' ? 'failed' : `was ${status}${why}`}`
  return new Waiting(message, verdict.cause ?? verdict)
}
