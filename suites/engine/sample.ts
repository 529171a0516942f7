/** A small deterministic generator (mulberry32): equal seeds choose equal samples. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const CLASSES: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Han}/u,
  /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\P{L}]/u,
  /\p{M}/u,
  /[\u0080-\uffff]/,
  /[\u{10000}-\u{10ffff}]/u,
  /\p{Nd}/u,
  /^\s|\s$/,
  /\s/,
  /\p{Cc}|\p{Cf}/u,
  /\p{Sk}|\p{So}/u,
  ...[...'%+&#?/\\\'";*.,:=@!()[]{}<>|^$~`_-'].map((char) => new RegExp(`[\\${char}]`)),
  /^.{1,2}$/su,
  /^.{40,}$/su,
]

/** Nothing about these is unusual: most names are so, and need no closer look. */
const isPlain = (text: string): boolean => /^[A-Za-z][A-Za-z0-9 ]{2,38}$/.test(text) && !text.endsWith(' ')

/** What is unusual about a text: texts of one signature are likely to be treated alike. */
export const signature = (text: string): string =>
  isPlain(text) ? 'plain' : CLASSES.map((oneClass) => (oneClass.test(text) ? '1' : '0')).join('')

/**
 * Chooses so many inputs: first one of every signature, the rest by lot; in their own order.
 * @param textOf what an input looks like when it is sent
 */
export function sample<I>(
  inputs: readonly I[],
  limit: number,
  seed: number,
  textOf: (input: I) => string,
): readonly I[] {
  if (inputs.length <= limit) return inputs
  const random = randomFrom(seed)
  const seen = new Set<string>()
  const first: number[] = []
  const lots: number[] = []
  let passed = 0
  for (const [index, input] of inputs.entries()) {
    const kind = signature(textOf(input))
    if (!seen.has(kind)) {
      seen.add(kind)
      first.push(index)
      continue
    }
    // Reservoir sampling: every one passed so far is among the lots with the same chance.
    const place = passed++ < limit ? lots.length : Math.floor(random() * passed)
    if (place < limit) lots[place] = index
  }
  const chosen = new Set([...first, ...lots].slice(0, limit))
  return inputs.filter((_, index) => chosen.has(index))
}
