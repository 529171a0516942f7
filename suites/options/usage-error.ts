import leven, { closestMatch } from 'leven'
import { escapeTerminal } from '../../reports/text/escape.ts'

/** The facts about a mistake of the user, for the message. They never contain a value that may be a credential. */
interface UsageProblem {
  /** The option or variable as written, e.g. `--timeout` or `CATS_TIMEOUT`. */
  readonly where: string
  /** A sentence about the mistake, e.g. `the value is missing.` */
  readonly what: string
  readonly expected: string
  /** An instruction that says how to correct the mistake. */
  readonly advice: string
}

/**
 * Thrown if the command is used wrongly. The command then exits with 2 and sends no request. Functions throw it whose
 * names begin with `refuse`, `parse` or `read`.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly misuse: UsageProblem

  constructor(misuse: UsageProblem) {
    const [where, what, expected, advice] = [misuse.where, misuse.what, misuse.expected, misuse.advice].map(
      escapeTerminal,
    )
    const hint = advice === expected ? '' : `\n  hint      ${advice}`
    super(`${where}: ${what}\n  expected  ${expected}${hint}`)
    this.misuse = misuse
  }
}

/** The option or variable that has a value, and an example of how to give it. */
export interface ValueSource {
  /** The option or variable, e.g. `--timeout`, `CATS_TIMEOUT` or `--header (number 2)`. */
  readonly name: string
  /** A complete valid example, e.g. `--timeout 5000`. */
  readonly example: string
  /** Returns an example with another value, e.g. `--timeout 100`. */
  readonly withValue: (value: string) => string
}

/** Throws a usage error. The advice is the example of the source if no other is given. */
export function throwUsageError(source: ValueSource, what: string, expected: string, advice = source.example): never {
  throw new UsageError({ where: source.name, what, expected, advice })
}

const MAX_SHOWN_CHARACTERS = 60

/** Quotes an argument of the user, shortened and escaped for a terminal. */
export function quoteArgument(text: string): string {
  const short = text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
  return escapeTerminal(JSON.stringify(short))
}

/**
 * Returns the candidate that the user probably meant: one with few different characters, or one that begins with the
 * word. Returns undefined if no candidate is similar.
 */
export function findMostSimilarWord(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const spelled = new Map(candidates.map((candidate) => [candidate.toLowerCase(), candidate]))
  const all = [...spelled.keys()]
  const begun = typed.length > 3 ? all.find((candidate) => candidate.startsWith(typed)) : undefined
  const best = closestMatch(typed, all, { maxDistance: Math.max(2, Math.floor(typed.length / 3)) })
  const isOneOff = best !== undefined && leven(typed, best) <= 1
  return spelled.get((isOneOff ? best : (begun ?? best)) ?? '')
}
