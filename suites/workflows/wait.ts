import { systemClock } from '../engine/clock.ts'
import type { Exchange } from '../engine/http/client/exchange.ts'
import { createSession } from '../engine/http/session.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import { doorsOf, type JudgeOptions, sessionOptions } from '../judge/judge-options.ts'

const BETWEEN_MS = 200
/** The directory is available, but requires credentials. */
const ASKS_FOR_CREDENTIALS: readonly number[] = [401, 403]

/**
 * Polls until a list of cats is returned or the time is over. Other responses, e.g. of a gateway that starts before its
 * service, do not count.
 */
export async function waitForDirectory(options: JudgeOptions, seconds: number, signal: AbortSignal): Promise<void> {
  const ends = systemClock.now() + seconds * 1000
  while (!signal.aborted && systemClock.now() < ends) {
    if (await isThere(options, ends - systemClock.now(), signal)) return
    await systemClock.sleep(BETWEEN_MS, signal)
  }
}

/** Uses new connections and a short deadline each time. */
async function isThere(options: JudgeOptions, leftMs: number, signal: AbortSignal): Promise<boolean> {
  const { deadlineMs, ...others } = sessionOptions(options)
  const session = createSession({
    ...others,
    signal,
    deadlineMs: Math.min(deadlineMs, Math.max(BETWEEN_MS, leftMs)),
    retries: 0,
    doors: [],
  })
  try {
    const answers = await Promise.all(doorsOf(options).map((door) => session.ask(door).catch(asNoAnswer)))
    return answers.some((answer) => answer !== undefined && isOfDirectory(answer))
  } finally {
    await session.close()
  }
}

function asNoAnswer(error: unknown): undefined {
  if (!(error instanceof Inconclusive)) throw error
}

const isOfDirectory = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'response' &&
  ((outcome.status >= 200 && outcome.status < 300) || ASKS_FOR_CREDENTIALS.includes(outcome.status))
