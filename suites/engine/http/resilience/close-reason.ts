import { Inconclusive } from '../../inconclusive.ts'
import type { LostResponse } from '../client/lost-response.ts'

const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /status 429/,
    'it was asked too much, by this client or from its address: ask later, and more slowly, with --rate and --concurrency',
  ],
  [/status 403/, 'a firewall seems to ban this client: ask more slowly, with --rate and --concurrency'],
  [/status 50[234]/, 'the gateway is up, the service behind it is not (--wait S waits for it)'],
]

interface Absence {
  readonly isOpen: boolean
  /** The causes, in the order in which they occurred. */
  readonly causes: readonly string[]
  readonly awayMs: number
  /** The number of requests in flight when the service was lost. */
  readonly lost: number
}

/** Describes why no further request is sent: the last failure and what it means. */
export function whyGone({ target }: LostResponse, { isOpen, causes, awayMs, lost }: Absence): Inconclusive {
  const causesText = causes.join(', or ')
  const meaning = MEANINGS.find(([pattern]) => pattern.test(causesText))?.[1]
  const isStatus = causes.every((cause) => cause.startsWith('status '))
  const since = lost > 1 ? `${lost} requests in flight were lost (listed as "in flight")` : `${target} was requested`
  const away = `it answered before, and then nothing for ${(awayMs / 1000).toFixed(1)} s, since ${since}: `
  const before = isOpen ? away : isStatus ? 'every answer is ' : ''
  const kind = isOpen && /status (429|403)/.test(causesText) ? 'limited' : 'unreachable'
  return new Inconclusive(kind, `${before}${causesText}${meaning ? `: ${meaning}` : ''}`)
}
