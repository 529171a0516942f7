import { systemClock } from '../engine/clock.ts'
import type { Exchange } from '../engine/http/client/exchange.ts'
import { createSession } from '../engine/http/session.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import { createSessionOptions, healthRequestsOf, type JudgeOptions } from '../judge/judge-options.ts'

const POLL_INTERVAL_MS = 200
/** The statuses of responses from a directory that is available but requires credentials. */
const CREDENTIAL_STATUSES: readonly number[] = [401, 403]

/**
 * Waits until a request for the list of cats succeeds or is refused for lack of credentials, or the time is over. Other
 * responses do not count: a gateway may start before its service.
 */
export async function waitForDirectory(options: JudgeOptions, seconds: number, signal: AbortSignal): Promise<void> {
  const ends = systemClock.now() + seconds * 1000
  while (!signal.aborted && systemClock.now() < ends) {
    if (await isDirectoryAvailable(options, ends - systemClock.now(), signal)) return
    await systemClock.sleep(POLL_INTERVAL_MS, signal)
  }
}

/**
 * Requests the lists of cats, on a new connection and with a short deadline. Returns whether the directory is
 * available.
 */
async function isDirectoryAvailable(options: JudgeOptions, leftMs: number, signal: AbortSignal): Promise<boolean> {
  const { deadlineMs, ...others } = createSessionOptions(options)
  const session = createSession({
    ...others,
    signal,
    deadlineMs: Math.min(deadlineMs, Math.max(POLL_INTERVAL_MS, leftMs)),
    retries: 0,
    healthTargets: [],
  })
  try {
    const responses = await Promise.all(
      healthRequestsOf(options).map((request) => session.send(request).catch(ignoreInconclusive)),
    )
    return responses.some((response) => response !== undefined && isDirectoryResponse(response))
  } finally {
    await session.close()
  }
}

function ignoreInconclusive(error: unknown): undefined {
  if (!(error instanceof Inconclusive)) throw error
}

const isDirectoryResponse = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'response' &&
  ((outcome.status >= 200 && outcome.status < 300) || CREDENTIAL_STATUSES.includes(outcome.status))
