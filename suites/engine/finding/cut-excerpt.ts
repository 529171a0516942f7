import type { Exchange } from '../http/client/exchange.ts'
import { type BodyExcerpt, pickExcerptMembers } from '../http/decode/excerpt.ts'

/** A range of characters of a text. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** The numbers of characters that are shown before and after a place: if there is one place, and if there are two. */
const [AROUND_ONE, AROUND_TWO] = [
  { before: 160, after: 640 },
  { before: 60, after: 90 },
] as const
/** The maximum length of a place, so that excerpts stay small if a name is long. */
const MAX_PLACE_CHARACTERS = 400

/** Returns the whole body of a response as text; undefined if it was not kept. */
export const receivedTextOf = ({ keptBody, excerpt, bytesAfter }: Exchange): string | undefined =>
  bytesAfter === undefined ? excerpt : keptBody?.text

/** Returns the first ranges of a text that match a pattern. */
export function findRanges(text: string, pattern: RegExp, limit: number): readonly TextRange[] {
  const ranges: TextRange[] = []
  for (const { index, 0: match } of text.matchAll(pattern)) {
    ranges.push({ from: index, to: index + Math.min(match.length, MAX_PLACE_CHARACTERS) })
    if (ranges.length === limit) break
  }
  return ranges
}

/**
 * Cuts the part around one place, or the two parts around two places, out of a JSON text.
 * @param text a body as received, decoded to text
 */
export function cutAround(text: string, place: TextRange, other?: TextRange): BodyExcerpt {
  const around = other ? AROUND_TWO : AROUND_ONE
  const first = { from: findStart(text, place.from, around.before), to: findEnd(text, place.to, around.after) }
  const second = other && {
    from: findStart(text, other.from, around.before),
    to: findEnd(text, other.to, around.after),
  }
  if (second && second.from > first.to) return excerptRanges(text, first, second)
  return excerptRanges(text, { from: first.from, to: second?.to ?? first.to })
}

/** Cuts the parts out of a new response that an earlier excerpt shows. Returns the start if that showed a whole body. */
export function cutSameParts(exchange: Exchange, earlier: BodyExcerpt): BodyExcerpt {
  const { excerpt, bytesBefore = 0, secondExcerpt, bytesAfter } = earlier
  const text = receivedTextOf(exchange)
  if (text === undefined || (bytesBefore === 0 && bytesAfter === undefined && !secondExcerpt))
    return pickExcerptMembers(exchange)
  const body = Buffer.from(text)
  const end = bytesBefore + Buffer.byteLength(excerpt)
  const secondStart = end + (secondExcerpt?.bytesBefore ?? 0)
  const secondEnd = secondStart + Buffer.byteLength(secondExcerpt?.excerpt ?? '')
  return {
    excerpt: body.subarray(bytesBefore, end).toString(),
    ...(bytesBefore > 0 && { bytesBefore }),
    ...(secondExcerpt && {
      secondExcerpt: { ...secondExcerpt, excerpt: body.subarray(secondStart, secondEnd).toString() },
    }),
    ...(body.length > secondEnd && { bytesAfter: body.length - secondEnd }),
  }
}

function excerptRanges(text: string, first: TextRange, second?: TextRange): BodyExcerpt {
  const bytesBefore = Buffer.byteLength(text.slice(0, first.from))
  const bytesAfter = Buffer.byteLength(text.slice((second ?? first).to))
  return {
    excerpt: text.slice(first.from, first.to),
    ...(bytesBefore > 0 && { bytesBefore }),
    ...(second && {
      secondExcerpt: {
        bytesBefore: Buffer.byteLength(text.slice(first.to, second.from)),
        excerpt: text.slice(second.from, second.to),
      },
    }),
    ...(bytesAfter > 0 && { bytesAfter }),
  }
}

/**
 * Returns where an excerpt begins, so that it cuts no string: at the place if it is an object, else at the nearest
 * object or after the first comma of the `before` characters before the place.
 */
function findStart(text: string, place: number, before: number): number {
  if (place <= before) return 0
  if (text[place] === '{') return place
  const earlier = text.slice(place - before, place)
  const start = earlier.lastIndexOf('{')
  const [, comma = ''] = /^([^,]*,\s*)/.exec(earlier) ?? []
  if (start >= 0) return place - before + start
  return comma === '' ? place : place - before + comma.length
}

/** Returns where an excerpt ends, so that it cuts no character of two UTF-16 units. */
function findEnd(text: string, place: number, after: number): number {
  const end = Math.min(text.length, place + after)
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end
}
