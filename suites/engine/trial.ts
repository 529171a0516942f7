import type { Chosen, Control, Law, Trial } from './check.ts'
import { type Confirmation, confirm, type Judge, type Suspicion, suspicionOf, vanished } from './confirm.ts'
import type { Cause } from './experiment.ts'
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
  const { context, memory, session, effort, seed } = options
  const outcome: Outcome = { asked: 0 }

  async function settle(judge: Judge, suspicion: Suspicion, found: Omit<Confirmed, keyof Suspicion>): Promise<boolean> {
    const confirmation = await confirm(judge, suspicion, session)
    if (confirmation.kind === 'confirmed') {
      outcome.confirmed ??= { violation: confirmation.violation, exchanges: confirmation.exchanges, ...found }
      return true
    }
    note(confirmation)
    return false
  }

  function note(confirmation: Confirmation) {
    if (confirmation.kind === 'inconclusive') outcome.undecided ??= confirmation
  }

  async function judge(ask: Judge) {
    outcome.asked++
    const suspicion = await suspicionOf(ask, memory)
    if (suspicion) await settle(ask, suspicion, { others: 0 })
  }

  async function judgeEach<I>({ inputs, textOf, ask }: Chosen<I>) {
    const chosen = sample(inputs, effort.inputs, seed, (input) => (typeof input === 'string' ? input : textOf(input)))
    outcome.asked += chosen.length
    if (chosen.length < inputs.length) outcome.sampledFrom = inputs.length
    const judged = await Promise.all(
      chosen.map(async (input) => ({ input, suspicion: await suspicionOf(judgeOf({ ask }, input), memory) })),
    )
    const suspicions = judged.flatMap(({ input, suspicion }) =>
      suspicion ? [{ input, suspicion, text: textOf(input) }] : [],
    )
    suspicions.sort((a, b) => a.text.length - b.text.length)
    for (const { input, suspicion, text } of suspicions.slice(0, MOST_CONFIRMATIONS)) {
      if (await settle(judgeOf({ ask }, input), suspicion, { counterexample: text, others: suspicions.length - 1 }))
        return
    }
  }

  async function judgeAll<I>(law: Law<I>) {
    const onVanished = (suspicion: Suspicion, reader: Reader) => note(vanished(suspicion, reader))
    const { tried, suspects } = await findSuspects(law, { ...options, onVanished })
    outcome.asked += tried
    for (const { input, path } of suspects) {
      const suspicion = await suspicionOf(judgeOf(law, input), createFreshReader(session.ask))
      const found = { counterexample: law.textOf(input), ...(path !== undefined && { path }), others: 0 }
      if (suspicion && (await settle(judgeOf(law, input), suspicion, found))) return
    }
  }

  async function judgeCause({ experiments, expected, actual, demonstrate }: Control) {
    outcome.asked++
    const causes: Cause[] = []
    for (const experiment of experiments) {
      if (!causes.includes('asking')) causes.push(await experiment())
    }
    if (causes.includes('asking'))
      outcome.confirmed ??= {
        violation: new Violation({ expected, actual, shownBy: [] }),
        exchanges: await demonstrate(),
        others: 0,
      }
    // A change was noticed: that no experiment brought it about again does not say that no asking did.
    else
      outcome.undecided ??= {
        reason: new Inconclusive(
          'drift',
          'something changed while this suite looked, and not in step with this asking',
        ),
        exchanges: [],
      }
  }

  const again = () => createFreshReader(session.ask)
  const isBroken = () => outcome.confirmed !== undefined
  const isSettled = () => outcome.confirmed !== undefined || outcome.undecided !== undefined
  return {
    trial: {
      context,
      memory,
      read: memory.read,
      judge,
      judgeEach,
      judgeAll,
      again,
      judgeCause,
      isSettled,
      isBroken,
      seed,
    },
    outcome,
  }
}
