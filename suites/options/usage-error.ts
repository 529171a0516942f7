import leven, { closestMatch } from 'leven'

/** The facts that help to correct a mistake. They contain neither a credential nor a value that could be one. */
export interface UsageProblem {
  /** The option or variable as written, e.g. `--timeout` or `CATS_TIMEOUT`. */
  readonly where: string
  readonly what: string
  readonly expected: string
  /** The instruction to correct it. */
  readonly advice: string
}

/** A wrong call of the command: it exits with 2 and sends no request. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly misuse: UsageProblem

  constructor(misuse: UsageProblem) {
    const [where, what, expected, advice] = [misuse.where, misuse.what, misuse.expected, misuse.advice].map(
      escapeForTerminal,
    )
    const hint = advice === expected ? '' : `\n  hint      ${advice}`
    super(`${where}: ${what}\n  expected  ${expected}${hint}`)
    this.misuse = misuse
  }
}

/** The source of a value, with a valid example. */
export interface ValueSource {
  /** The option or variable, e.g. `--timeout`, `CATS_TIMEOUT` or `--header (number 2)`. */
  readonly name: string
  /** A complete valid example. */
  readonly example: string
  readonly withValue: (value: string) => string
}

/** @throws UsageError always */
export function throwUsageError(source: ValueSource, what: string, expected: string, advice = source.example): never {
  throw new UsageError({ where: source.name, what, expected, advice })
}

/** Escapes text for a terminal, on one line. Arguments may contain any character. */
const escapeForTerminal = (text: string): string =>
  text.replace(/(?! )[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

const MAX_SHOWN_CHARACTERS = 60

/**
 * Quotes an argument so that it is short and safe to print on a terminal.
 *
 * @param text anything but a secret
 */
export function quoteArgument(text: string): string {
  const short = text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
  return JSON.stringify(short).replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/**
 * Finds the most similar candidate for an unknown word.
 *
 * @param word as typed
 * @param candidates the known words
 * @returns the closest candidate, or undefined if none is close
 */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const spelled = new Map(candidates.map((candidate) => [candidate.toLowerCase(), candidate]))
  const all = [...spelled.keys()]
  const begun = typed.length > 3 ? all.find((candidate) => candidate.startsWith(typed)) : undefined
  const best = closestMatch(typed, all, { maxDistance: Math.max(2, Math.floor(typed.length / 3)) })
  const isOneOff = best !== undefined && leven(typed, best) <= 1
  return spelled.get((isOneOff ? best : (begun ?? best)) ?? '')
}
