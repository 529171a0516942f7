import type { ConfirmedViolation, FailedInput } from './check-record.ts'

/** Returns 0 for printable ASCII, 1 for other printable text, 2 for text with control characters. */
const strangenessOf = (text: string): number => (/^[ -~]*$/.test(text) ? 0 : /\p{C}/u.test(text) ? 2 : 1)

/** Returns the most ordinary input, the shortest if there are several, if it is more ordinary than `shown`. */
export function findMoreOrdinaryInput<I extends { readonly input: unknown }>(
  inputs: readonly I[],
  shown: string | undefined,
): I | undefined {
  const texts = inputs.flatMap((one) => (typeof one.input === 'string' ? [{ one, text: one.input }] : []))
  const [best] = texts.sort((a, b) => strangenessOf(a.text) - strangenessOf(b.text) || a.text.length - b.text.length)
  const isBetter = best && shown !== undefined && strangenessOf(best.text) < strangenessOf(shown)
  return isBetter ? best.one : undefined
}

/** Shows another failing input first. */
export function showInputFirst(
  { otherInputs, passedInputs, ...shown }: ConfirmedViolation,
  first: FailedInput & { readonly path: string },
): ConfirmedViolation {
  return {
    ...first,
    otherInputs: [shown, ...otherInputs.filter(({ text }) => text !== first.text)],
    passedInputs,
  }
}
