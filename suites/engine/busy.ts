import { field, type Response } from './answer.ts'
import { Inconclusive } from './throwables.ts'

const MAX_WAITS = 8
const LONGEST_WAIT_S = 30

const saysBusy = (response: Response): boolean =>
  response.status === 429 || (response.status === 503 && field(response, 'retry-after') !== undefined)

/** Retry-After in seconds or as a date (RFC 9110 section 10.2.3); without it, a pause that doubles. */
function secondsAsked(response: Response, attempt: number): number {
  const value = field(response, 'retry-after')
  if (value === undefined) return 0.25 * 2 ** attempt
  const seconds = /^\s*\d+\s*$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? 1 : Math.max(0, seconds)
}

/**
 * How long to wait before the same is asked again.
 * @param attempt how many waits there were for it already
 * @returns seconds; undefined when the answer is to be taken as it is
 * @throws {Inconclusive} when the deployment wants more patience than this suite has
 */
export function secondsToWait(response: Response, attempt: number): number | undefined {
  if (!saysBusy(response)) return undefined
  const { status } = response
  const seconds = secondsAsked(response, attempt)
  if (seconds > LONGEST_WAIT_S)
    throw new Inconclusive(
      'limited',
      `status ${status} asks to wait ${Math.round(seconds)} s, longer than this suite waits (${LONGEST_WAIT_S} s)`,
    )
  if (attempt < MAX_WAITS) return seconds
  if (status === 503) return undefined
  throw new Inconclusive('limited', `still status ${status} after ${MAX_WAITS} waits; ask more slowly with --rate`)
}
