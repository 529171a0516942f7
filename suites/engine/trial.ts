import type { Chosen, Control, Law, Trial } from './check.ts'
import { type Confirmation, confirm, type Judge, type Suspicion, suspicionOf, vanished } from './confirm.ts'
import { findSuspects, judgeOf } from './law.ts'
import { createFreshReader, type Reader } from './reading.ts'
import { sample } from './sample.ts'
import type { Exchange, Session } from './session.ts'
import { Inconclusive, Violation } from './throwables.ts'

export interface Effort {
  /** How many of the deployment's own names each check tries, when there are more. */
  readonly inputs: number
  /** How many of its trouble-makers each law tries, the shortest first. */
  readonly examples: number
  /** How many generated inputs each law tries. */
  readonly runs: number
}

export interface TrialOptions<C> {
  readonly context: C
  readonly memory: Reader
  readonly session: Session
  readonly effort: Effort
  readonly seed: number
  readonly path: string | undefined
}

/** A confirmed violation, with what a finding needs beside it. */
export interface Confirmed extends Suspicion {
  readonly counterexample?: string
  readonly path?: string
  readonly others: number
}

/** What came out of a trial: a confirmed violation, or a reason for no verdict, or neither: the promise was kept. */
export interface Outcome {
  asked: number
  sampledFrom?: number
  confirmed?: Confirmed
  undecided?: { readonly reason: Inconclusive; readonly exchanges: readonly Exchange[] }
}

/** How many suspicions are asked about again before the directory is held to be in motion. */
const MOST_CONFIRMATIONS = 4

/** Starts a trial: its `outcome` fills while the check runs. */
export function startTrial<C>(options: TrialOptions<C>): { trial: Trial<C>; outcome: Outcome } {
  const { context, memory, session, seed } = options
  const inquest = new Inquest(options)
  const { outcome } = inquest
  const trial: Trial<C> = {
    context,
    memory,
    read: memory.read,
    judge: (ask) => inquest.judge(ask),
    judgeEach: (chosen) => inquest.judgeEach(chosen),
    judgeAll: (law) => inquest.judgeAll(law),
    judgeCause: (control) => inquest.judgeCause(control),
    again: () => createFreshReader(session.ask),
    isBroken: () => outcome.confirmed !== undefined,
    isSettled: () => outcome.confirmed !== undefined || outcome.undecided !== undefined,
    seed,
  }
  return { trial, outcome }
}

interface Suspected<I> {
  readonly input: I
  readonly text: string
  readonly suspicion: Suspicion
}

/** Judges, and asks again before it believes what it found. */
class Inquest {
  readonly outcome: Outcome = { asked: 0 }
  private readonly options: TrialOptions<unknown>

  constructor(options: TrialOptions<unknown>) {
    this.options = options
  }

  async judge(ask: Judge): Promise<void> {
    this.outcome.asked++
    const suspicion = await suspicionOf(ask, this.options.memory)
    if (suspicion) await this.settle(ask, suspicion, { others: 0 })
  }

  async judgeEach<I>(chosen: Chosen<I>): Promise<void> {
    const inputs = this.sampleOf(chosen)
    this.outcome.asked += inputs.length
    if (inputs.length < chosen.inputs.length) this.outcome.sampledFrom = chosen.inputs.length
    const suspects = await this.suspectsAmong(inputs, chosen)
    const others = suspects.length - 1
    for (const { input, text, suspicion } of suspects.slice(0, MOST_CONFIRMATIONS)) {
      if (await this.settle(judgeOf(chosen, input), suspicion, { counterexample: text, others })) return
    }
  }

  async judgeAll<I>(law: Law<I>): Promise<void> {
    const onVanished = (suspicion: Suspicion, reader: Reader) => this.note(vanished(suspicion, reader))
    const { tried, suspects } = await findSuspects(law, { ...this.options, onVanished })
    this.outcome.asked += tried
    for (const { input, path } of suspects) {
      const suspicion = await suspicionOf(judgeOf(law, input), createFreshReader(this.options.session.ask))
      const found = { counterexample: law.textOf(input), ...(path !== undefined && { path }), others: 0 }
      if (suspicion && (await this.settle(judgeOf(law, input), suspicion, found))) return
    }
  }

  async judgeCause({ experiments, expected, actual, demonstrate }: Control): Promise<void> {
    this.outcome.asked++
    if (await showsAsking(experiments)) {
      const violation = new Violation({ expected, actual, shownBy: [] })
      this.outcome.confirmed ??= { violation, exchanges: await demonstrate(), others: 0 }
      return
    }
    // A change was noticed: that no experiment brought it about again does not say that no asking did.
    const why = 'something changed while this suite looked, and not in step with this asking'
    this.outcome.undecided ??= { reason: new Inconclusive('drift', why), exchanges: [] }
  }

  private sampleOf<I>({ inputs, textOf }: Chosen<I>): readonly I[] {
    const { effort, seed } = this.options
    return sample(inputs, effort.inputs, seed, (input) => (typeof input === 'string' ? input : textOf(input)))
  }

  /** The inputs that seem to break a promise, the shortest first. */
  private async suspectsAmong<I>(inputs: readonly I[], chosen: Chosen<I>): Promise<Suspected<I>[]> {
    const judged = await Promise.all(
      inputs.map(async (input) => ({
        input,
        suspicion: await suspicionOf(judgeOf(chosen, input), this.options.memory),
      })),
    )
    const suspects = judged.flatMap(({ input, suspicion }) =>
      suspicion ? [{ input, suspicion, text: chosen.textOf(input) }] : [],
    )
    return suspects.sort((a, b) => a.text.length - b.text.length)
  }

  /** @returns whether the suspicion was confirmed */
  private async settle(judge: Judge, suspicion: Suspicion, found: Omit<Confirmed, keyof Suspicion>): Promise<boolean> {
    const confirmation = await confirm(judge, suspicion, this.options.session)
    if (confirmation.kind !== 'confirmed') {
      this.note(confirmation)
      return false
    }
    const { violation, exchanges } = confirmation
    this.outcome.confirmed ??= { violation, exchanges, ...found }
    return true
  }

  private note(confirmation: Confirmation): void {
    if (confirmation.kind === 'inconclusive') this.outcome.undecided ??= confirmation
  }
}

/** Tries experiments one after the other, until one shows that it is the asking. */
async function showsAsking(experiments: Control['experiments']): Promise<boolean> {
  for (const experiment of experiments) {
    if ((await experiment()) === 'asking') return true
  }
  return false
}
