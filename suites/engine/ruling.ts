import type { Cite } from './plan.ts'
import { Inconclusive, NotApplicable } from './throwables.ts'
import type { Confirmed, Outcome } from './trial.ts'
import type { CheckFacts, Finding, Scope, Verdict } from './verdict.ts'

/** What every verdict says, whichever it is. */
export type Said = Pick<Verdict, 'check' | 'version' | 'asked' | 'sampledFrom'>

export const saidOf = (
  { id, title, statements, level, operation }: CheckFacts,
  version: Scope,
  { asked, sampledFrom }: Outcome,
): Said => ({
  check: { id, title, statements, level, operation },
  version,
  asked,
  ...(sampledFrom !== undefined && { sampledFrom }),
})

/** The three things that a check may throw, told apart: a reason for no verdict, no concern, and a defect of the suite. */
export function ruleOnThrown(said: Said, error: unknown): Verdict {
  if (error instanceof NotApplicable) return { ...said, status: 'not-applicable', reason: error.message }
  if (error instanceof Inconclusive)
    return { ...said, status: 'inconclusive', reason: `${error.kind}: ${error.message}` }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { ...said, status: 'error', reason: `a defect of this suite: ${told}` }
}

export function ruleOnConfirmed(said: Said, confirmed: Confirmed, cite: Cite): Verdict {
  const finding = findingOf(confirmed, said.asked, cite)
  return { ...said, status: said.check.level === 'should' ? 'warn' : 'fail', reason: finding.actual, finding }
}

/** One root cause is told once: by the check that it is a finding of. */
export const ruleExplained = (said: Said, cause: Verdict): Verdict => ({
  ...said,
  status: 'inconclusive',
  reason: `${prerequisite(cause).message}, which explains what was seen here`,
})

export function ruleUndecided(
  said: Said,
  { reason, exchanges }: NonNullable<Outcome['undecided']>,
  cite: Cite,
): Verdict {
  const { kind, message, contradiction } = reason
  const finding = contradiction && {
    expected: contradiction.expected,
    actual: contradiction.actual,
    exchanges: cite(exchanges),
  }
  return { ...said, status: 'inconclusive', reason: `${kind}: ${message}`, ...(finding && { finding }) }
}

export const ruleUnbroken = (said: Said): Verdict =>
  said.asked === 0
    ? { ...said, status: 'inconclusive', reason: 'nothing to ask: there was no input to try this with' }
    : { ...said, status: 'pass' }

function findingOf(
  { violation, exchanges, others, counterexample, path }: Confirmed,
  asked: number,
  cite: Cite,
): Finding {
  const { expected, actual } = violation.contradiction
  return {
    expected,
    actual: actual + (others > 0 ? ` (and so for ${others} more of ${asked} asked)` : ''),
    exchanges: cite(exchanges),
    ...(counterexample !== undefined && { counterexample }),
    ...(path !== undefined && { path }),
  }
}

const PREREQUISITE = 'prerequisite: '

/** Names the first link of a chain of prerequisites: what keeps ten checks from being asked is told once. */
export function prerequisite({ check, version, status, reason }: Verdict): Inconclusive {
  const root = reason?.startsWith(PREREQUISITE) ? reason.slice(PREREQUISITE.length) : undefined
  return new Inconclusive(
    'prerequisite',
    root ?? `${check.id} (${version}) ${status === 'fail' ? 'failed' : `is ${status}`}`,
  )
}
