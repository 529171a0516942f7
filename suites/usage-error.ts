/** What a person needs to put a mistake right. Never holds a credential, nor a value that could be one. */
export interface Misuse {
  /** The option or variable as it is spelled: `--timeout`, `CATS_TIMEOUT`. */
  readonly where: string
  readonly what: string
  readonly expected: string
  /** What to type or do instead. */
  readonly advice: string
}

/** The command was called wrongly: exit 2, nothing was asked of any deployment. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly misuse: Misuse

  constructor(misuse: Misuse) {
    super(`${misuse.where}: ${misuse.what}\n  expected  ${misuse.expected}\n  hint      ${misuse.advice}`)
    this.misuse = misuse
  }
}

const longestQuote = 60

/**
 * Puts what was typed in quotation marks, short and safe to print on a terminal.
 *
 * @param text anything but a secret
 */
export function quoted(text: string): string {
  const short = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
  return JSON.stringify(short).replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/**
 * Finds what was probably meant by a word that means nothing.
 *
 * @param word as typed
 * @param candidates what would have been understood
 * @returns the closest candidate, or undefined when none is close
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const farthest = Math.max(2, Math.floor(typed.length / 3))
  const begun = candidates.find((candidate) => typed.length > 3 && candidate.toLowerCase().startsWith(typed))
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(typed, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= farthest)
    .toSorted((a, b) => a.distance - b.distance)
  return best?.distance === 1 ? best.candidate : (begun ?? best?.candidate)
}

/** How many characters have to be put in, taken out or replaced to make one word the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(row, column - 1) + (to[column - 1] === character ? 0 : 1)
      next.push(Math.min(replaced, at(row, column) + 1, at(next, column - 1) + 1))
    }
    row = next
  }
  return at(row, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
