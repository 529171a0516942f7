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

/** A promise that looked broken while the directory moved, and who is told what became of it. */
export interface Pending {
  readonly assertion: Assertion
  readonly suspicion: Suspicion
  /** Advice, which is worth no wait: it is looked at whenever others are. */
  readonly isAdvice: boolean
  /** It was believed because nothing moved: where nothing has moved at the end either, it stands. */
  readonly isBelieved: boolean
  /** Looked at again, the promise is kept. */
  onKept(): void
  /** It outlasted every copy. */
  onBroken(suspicion: Suspicion): void
  /** It could not be settled. */
  onUndecided(reason: Inconclusive, exchanges: readonly Exchange[]): void
}

/** Delays of the rechecks if responses declare no freshness (T3.5). */
const SILENT_LOOKS_MS = [1000, 3000, 6000]
/** A copy that has just become stale may be served once more, while a new one is fetched. */
const AFTER_FRESHNESS_MS = [100, 1100]
/** Copies of one look are gone when the next is made so long after they must be. */
const BETWEEN_LOOKS_MS = 1500
/** Between two looks it is glanced at so often, at most: what is gone meanwhile, and comes again, has outlasted nothing. */
const BETWEEN_GLANCES_MS = 300
const ATTEMPTS = 3
const PAUSES_MS = [0, 7, 23]

type Looking = Pick<Confirming, 'session' | 'lookForMotion'>

interface Looked extends Pending {
  /** What each look, and each glance, accused so far; none where it names nothing. */
  readonly names: readonly string[]
  /** What was exchanged at each look that showed the same names. */
  readonly looks: readonly (readonly Exchange[])[]
  /** What is seen is one where past the caches the promise is kept; it is possible where they cannot be passed. */
  readonly copy: 'certain' | 'possible' | 'none'
}

/**
 * All second looks of a run, which share one wait at its end. A contradiction between two answers convicts when it
 * outlasts the copies that may have been kept, past the caches too, among the names that stood all along.
 */
export class SecondLooks {
  private readonly pending: Looked[] = []
  private readonly signal: AbortSignal
  /** How long the last look took. */
  private tookMs = 0

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  add(pending: Pending): void {
    const { suspicion } = pending
    this.pending.push({ ...pending, names: accused(suspicion), looks: [suspicion.exchanges], copy: 'none' })
  }

  /** Looks again, now and after the waits, until all is settled. */
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
      // The time, the requests or the deployment came to an end.
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

  /** Waits, and meanwhile leaves out what is kept at some moment. */
  private async glance(all: readonly Looked[], ms: number, { session }: Looking): Promise<readonly Looked[]> {
    const { clock } = session
    const until = clock.now() + ms
    // A look takes several times as long as a glance.
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

/** @returns undefined when the promise is kept now */
async function glanceOnce(one: Looked, session: Session): Promise<Looked | undefined> {
  if (one.isAdvice) return one
  const seen = await suspicionOf(one.assertion, createFreshReader(session.ask))
  if (seen) return narrowed(one, seen)
  one.onKept()
  return undefined
}

type Accused = Pick<Looked, 'names' | 'looks'>

/** What is wrong with other names each time has not outlasted anything. */
function narrowed<T extends Accused>(one: T, seen: Suspicion): T {
  const names = accused(seen)
  if (names.length === 0) return one
  if (one.names.length === 0) return { ...one, names }
  const shared = names.filter((name) => one.names.includes(name))
  return shared.length > 0 ? { ...one, names: shared } : { ...one, names, looks: [] }
}

/** The names of what is broken; where names are missing, these are meant. */
function accused({ violation: { contradiction } }: Suspicion): readonly string[] {
  const { lacks = [] } = contradiction
  return lacks.length > 0 ? lacks : namesOf(contradiction)
}

/** @returns undefined when the promise is kept among what stood still: what was seen had moved, or was a copy that has gone */
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

/** What one promise rests on may be there no longer, which says nothing of the others. */
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

/** Past the caches the promise is kept, as far as they can be passed, and nothing says how old the copies may be. */
const isSilentCopy = ({ copy, looks }: Looked): boolean =>
  copy !== 'none' && looks.flat().every((exchange) => oldestMs(exchange) === undefined)

/** What is looked at once more when no copy of the first looks is left. */
const mayBeACopy = (one: Looked): boolean =>
  isSilentCopy(one) || (one.copy === 'possible' && !one.looks.flat().some(outlastsEveryWait))

function lastMomentOf(one: Looked): number {
  if (isSilentCopy(one)) return BEYOND_OLD_COPIES_MS
  const kept = one.looks.flat().map((exchange) => freshnessOf(exchange) ?? SILENT_COPY_MS)
  return 2 * Math.max(...kept) + BETWEEN_LOOKS_MS
}

/**
 * One change of the directory explains contradictions that share a moment; what takes two of the same names is none.
 * Where all that is seen may be copies, she may have come before one was made, and left before the next.
 */
const outlasts = ({ looks, copy }: Looked, silentCopyMs: number): boolean => {
  const mayBeCopies = copy === 'possible'
  const mostMs = (exchange: Exchange) => (mayBeCopies ? oldestMs(exchange) : freshnessOf(exchange)) ?? silentCopyMs
  return fewestMoments(looks.map((exchanges) => spanOf(exchanges, mostMs))) > (mayBeCopies ? 2 : 1)
}

/** Readings that go on changing while they are compared say nothing against the promise. */
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

/** When answers were right, at some moment: since they were asked for, or as much earlier as a copy may be old. */
function spanOf(exchanges: readonly Exchange[], mostMs: (exchange: Exchange) => number): Span {
  const from = exchanges.map((exchange) => exchange.askedAt - mostMs(exchange))
  const to = exchanges.map(({ askedAt, ms }) => askedAt + ms)
  return { from: Math.min(...from), to: Math.max(...to) }
}

/** When to look again, in milliseconds from now: after the freshness that the answers declare, and that of silent ones. */
function momentsOf(all: readonly Looked[]): readonly number[] {
  const declared = all.flatMap(({ suspicion }) => suspicion.exchanges.map(freshnessOf))
  const longest = Math.max(0, ...declared.filter((ms) => ms !== undefined))
  const silent = declared.includes(undefined) ? SILENT_LOOKS_MS : []
  const fresh = longest > 0 ? AFTER_FRESHNESS_MS.map((ms) => longest + ms) : []
  return [...silent, ...fresh].sort((a, b) => a - b)
}

/** @param motion undefined when the run ended before */
function conclude(one: Looked, motion: Motion | undefined): void {
  const { suspicion, copy, onBroken, onUndecided } = one
  if (one.isAdvice && motion && motion.moved === undefined) return onBroken(suspicion)
  const isSettled = motion !== undefined && suspicion.exchanges.length > 0
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
