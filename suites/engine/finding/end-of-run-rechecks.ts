import type { Assertion } from '../check/check.ts'
import type { Motion } from '../check/drift.ts'
import { createFreshReader } from '../check/readers.ts'
import { namesOf, Violation } from '../check/violations.ts'
import {
  BEYOND_OLD_COPIES_MS,
  fewestMoments,
  OLD_COPY_MS,
  SILENT_COPY_MS,
  type Span,
} from '../history/fewest-changes.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { freshnessOf, oldestMs, outlastsEveryWait } from '../http/client/freshness.ts'
import type { Session } from '../http/session.ts'
import { concernsOne, endOf, Inconclusive } from '../inconclusive.ts'
import { type Suspicion, suspicionOf } from './candidate.ts'
import { type Confirming, holdsStill } from './recheck.ts'

/** A violation of a changing directory that is rechecked at the end of the run, with callbacks for the result. */
export interface Pending {
  readonly assertion: Assertion
  readonly suspicion: Suspicion
  /** Advice is not worth a wait: it is rechecked only when violations are. */
  readonly isAdvice: boolean
  /**
   * True if the violation was confirmed because nothing had changed: it stands if nothing has changed at the end
   * either.
   */
  readonly isBelieved: boolean
  /** The requirement is met when it is rechecked. */
  onKept(): void
  /** The violation outlasted every stale copy. */
  onBroken(suspicion: Suspicion): void
  /** The recheck could not decide. */
  onUndecided(reason: Inconclusive, exchanges: readonly Exchange[]): void
}

/** Delays of the rechecks if responses declare no freshness (T3.5). */
const SILENT_LOOKS_MS = [1000, 3000, 6000]
/** A copy that has just become stale may be served once more while the cache fetches a new one. */
const AFTER_FRESHNESS_MS = [100, 1100]
/** Added to the freshness of copies, so that no copy of one recheck is left at the next. */
const BETWEEN_LOOKS_MS = 1500
/** Between rechecks the assertion is polled: a violation that disappears meanwhile has not outlasted anything. */
const BETWEEN_GLANCES_MS = 300
const ATTEMPTS = 3
const PAUSES_MS = [0, 7, 23]

type Looking = Pick<Confirming, 'session' | 'lookForMotion'>

interface Looked extends Pending {
  /** The names at fault in every recheck and poll so far; empty if the violation names none. */
  readonly names: readonly string[]
  /** The exchanges of each recheck that showed the same names. */
  readonly looks: readonly (readonly Exchange[])[]
  /** `certain`: past the caches the requirement is met; `possible`: caches cannot be bypassed. */
  readonly copy: 'certain' | 'possible' | 'none'
}

/**
 * All rechecks at the end of a run; they share one wait. A contradiction is a violation if it outlasts every copy that
 * caches may hold, also past the caches, for names that were listed all the time (T3).
 */
export class SecondLooks {
  private readonly pending: Looked[] = []
  private readonly signal: AbortSignal
  /** The duration of the last recheck. */
  private tookMs = 0

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  add(pending: Pending): void {
    const { suspicion } = pending
    this.pending.push({ ...pending, names: accused(suspicion), looks: [suspicion.exchanges], copy: 'none' })
  }

  /** Rechecks now and after each delay, until everything is settled. */
  async settle(confirming: Looking): Promise<void> {
    const all = this.pending.splice(0)
    let left: readonly Looked[] = all.filter(({ isBelieved }) => !isBelieved)
    let motion: Motion | undefined
    try {
      if (left.length < all.length && (await confirming.lookForMotion()).moved !== undefined) left = all
      let waited = 0
      for (const moment of [0, ...momentsOf(left.filter(({ isAdvice }) => !isAdvice))]) {
        if (left.length === 0) return
        left = await this.lookAgain(await this.glance(left, moment - waited, confirming), confirming)
        waited = moment
      }
      const [copies, others] = [left.filter(mayBeACopy), left.filter((one) => !mayBeACopy(one))]
      const last = Math.max(waited, ...copies.filter(({ isAdvice }) => !isAdvice).map(lastMomentOf))
      const kept = await this.glance(copies, last - waited, confirming)
      left = [...others, ...(await this.lookAgain(kept, confirming))]
      motion = await confirming.lookForMotion()
    } catch (error) {
      // The run ended: time, requests or the deployment ran out.
      if (!(error instanceof Inconclusive || this.signal.aborted)) throw error
    }
    for (const one of left) conclude(one, motion)
  }

  private async lookAgain(all: readonly Looked[], { session, lookForMotion }: Looking): Promise<readonly Looked[]> {
    if (all.length === 0) return []
    const began = session.clock.now()
    const motion = await lookForMotion()
    const looked = await Promise.all(all.map((one) => lookOnce(one, session, motion).catch(undecided(one))))
    this.tookMs = session.clock.now() - began
    return looked.filter((one) => one !== undefined)
  }

  /** Waits, and drops everything that passes a poll meanwhile. */
  private async glance(all: readonly Looked[], ms: number, { session }: Looking): Promise<readonly Looked[]> {
    const { clock } = session
    const until = clock.now() + ms
    // A recheck takes several times as long as a poll.
    const between = Math.max(BETWEEN_GLANCES_MS, this.tookMs)
    let left = all
    for (let now = clock.now(); now < until && left.length > 0; now = clock.now()) {
      await clock.sleep(Math.min(between, until - now), this.signal)
      if (this.signal.aborted) throw endOf(this.signal)
      if (until - clock.now() < BETWEEN_GLANCES_MS) continue
      const glanced = await Promise.all(left.map((one) => glanceOnce(one, session).catch(undecided(one))))
      left = glanced.filter((one) => one !== undefined)
    }
    return left
  }
}

/** @returns undefined if the requirement is met now */
async function glanceOnce(one: Looked, session: Session): Promise<Looked | undefined> {
  if (one.isAdvice) return one
  const seen = await suspicionOf(one.assertion, createFreshReader(session.ask))
  if (seen) return narrowed(one, seen)
  one.onKept()
  return undefined
}

type Accused = Pick<Looked, 'names' | 'looks'>

/** Keeps the names that are at fault again; a violation with other names each time has not outlasted anything. */
function narrowed<T extends Accused>(one: T, seen: Suspicion): T {
  const names = accused(seen)
  if (names.length === 0) return one
  if (one.names.length === 0) return { ...one, names }
  const shared = names.filter((name) => one.names.includes(name))
  return shared.length > 0 ? { ...one, names: shared } : { ...one, names, looks: [] }
}

/** The missing names of a violation, or all its names if none are missing. */
function accused({ violation: { contradiction } }: Suspicion): readonly string[] {
  const { lacks = [] } = contradiction
  return lacks.length > 0 ? lacks : namesOf(contradiction)
}

/** @returns undefined if the requirement is met for everything that did not change */
async function lookOnce(one: Looked, session: Session, motion: Motion): Promise<Looked | undefined> {
  const seen = await stillBroken(one.assertion, session.ask, motion, session)
  if (seen === 'kept') {
    one.onKept()
    return undefined
  }
  const copy = await copyOf(one.assertion, session, motion)
  const { names, looks } = narrowed(one, seen)
  return { ...one, suspicion: seen, names, looks: [...looks, seen.exchanges], copy }
}

/** Ends one recheck as inconclusive, e.g. because its input is gone; the others continue. */
const undecided =
  ({ onUndecided, suspicion }: Looked) =>
  (error: unknown): undefined => {
    if (!(error instanceof Inconclusive && concernsOne(error))) throw error
    onUndecided(error, suspicion.exchanges)
  }

async function copyOf(assertion: Assertion, session: Session, motion: Motion): Promise<Looked['copy']> {
  switch (motion.newParameter) {
    case 'passes caches':
      return (await stillBroken(assertion, session.askPastCaches, motion, session)) === 'kept' ? 'certain' : 'none'
    case 'is refused':
    case 'leads to copies':
      return 'possible'
    case 'unknown':
      return 'none'
  }
}

/**
 * Returns whether the violation may be a stale copy of undeclared age: past the caches the requirement is met, or
 * caches cannot be bypassed.
 */
const isSilentCopy = ({ copy, looks }: Looked): boolean =>
  copy !== 'none' && looks.flat().every((exchange) => oldestMs(exchange) === undefined)

/** Returns whether one more recheck is needed after all copies of the first rechecks have expired. */
const mayBeACopy = (one: Looked): boolean =>
  isSilentCopy(one) || (one.copy === 'possible' && !one.looks.flat().some(outlastsEveryWait))

function lastMomentOf(one: Looked): number {
  if (isSilentCopy(one)) return BEYOND_OLD_COPIES_MS
  const kept = one.looks.flat().map((exchange) => freshnessOf(exchange) ?? SILENT_COPY_MS)
  return 2 * Math.max(...kept) + BETWEEN_LOOKS_MS
}

/**
 * Returns whether one change of the directory cannot explain all contradictions: no moment is common to the time spans
 * of all rechecks. If all readings may be copies, two changes are allowed: an element may have arrived before one copy
 * was made and left before the next.
 */
const outlasts = ({ looks, copy }: Looked, silentCopyMs: number): boolean => {
  const mayBeCopies = copy === 'possible'
  const mostMs = (exchange: Exchange) => (mayBeCopies ? oldestMs(exchange) : freshnessOf(exchange)) ?? silentCopyMs
  return fewestMoments(looks.map((exchanges) => spanOf(exchanges, mostMs))) > (mayBeCopies ? 2 : 1)
}

/** Returns the violation if its readings are stable; readings that keep changing prove nothing. */
async function stillBroken(
  assertion: Assertion,
  ask: Session['ask'],
  { still }: Motion,
  session: Pick<Session, 'pause'>,
): Promise<Suspicion | 'kept'> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const reader = createFreshReader(ask, still)
    const seen = await suspicionOf(assertion, reader)
    if (!seen) return 'kept'
    if (await holdsStill(reader, PAUSES_MS, session)) return seen
  }
  return 'kept'
}

/**
 * The time span in which all responses were correct at some moment: from the request, or from as much earlier as a copy
 * may be old.
 */
function spanOf(exchanges: readonly Exchange[], mostMs: (exchange: Exchange) => number): Span {
  const from = exchanges.map((exchange) => exchange.askedAt - mostMs(exchange))
  const to = exchanges.map(({ askedAt, ms }) => askedAt + ms)
  return { from: Math.min(...from), to: Math.max(...to) }
}

/**
 * The delays of the rechecks, in ms from now: after the declared freshness, and after fixed delays for responses that
 * declare none.
 */
function momentsOf(all: readonly Looked[]): readonly number[] {
  const declared = all.flatMap(({ suspicion }) => suspicion.exchanges.map(freshnessOf))
  const longest = Math.max(0, ...declared.filter((ms) => ms !== undefined))
  const silent = declared.includes(undefined) ? SILENT_LOOKS_MS : []
  const fresh = longest > 0 ? AFTER_FRESHNESS_MS.map((ms) => longest + ms) : []
  return [...silent, ...fresh].sort((a, b) => a - b)
}

/** @param motion undefined if the run ended before the recheck */
function conclude(one: Looked, motion: Motion | undefined): void {
  const { suspicion, copy, onBroken, onUndecided } = one
  if (one.isAdvice && motion && motion.moved === undefined) return onBroken(suspicion)
  const isSettled = motion !== undefined && suspicion.exchanges.length > 0
  // Without a change nothing can be stale, whatever Age says (T3.2).
  if (isSettled && copy !== 'certain' && motion.moved === undefined) return onBroken(suspicion)
  if (isSettled && copy !== 'certain' && outlasts(one, SILENT_COPY_MS)) return onBroken(suspicion)
  if (isSettled && isSilentCopy(one) && outlasts(one, OLD_COPY_MS)) return onBroken(ofOldCopies(suspicion))
  const { actual } = suspicion.violation.contradiction
  onUndecided(new Inconclusive('drift', `${actual}${whyUndecided(motion)}`), suspicion.exchanges)
}

function whyUndecided(motion: Motion | undefined): string {
  if (motion === undefined) return '. The directory was changing, and the run ended before this could be checked again'
  return `${motion.moved === undefined ? '' : `, while ${motion.moved}`}; stale copies may still be served`
}

function ofOldCopies(suspicion: Suspicion): Suspicion {
  const { expected, actual, ...rest } = suspicion.violation.contradiction
  const why = `a stale copy without a declared age: still served after ${OLD_COPY_MS / 1000} s, although a request that bypasses caches is answered correctly`
  return { ...suspicion, violation: new Violation({ expected, actual: `${actual} (${why})`, ...rest }) }
}
