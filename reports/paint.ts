import type { Conclusion, Status } from '../suites/engine/verdict.ts'

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim'

/** Puts one colour on a text that is already escaped. */
export type Paint = (colour: Colour, text: string) => string

const codes: Readonly<Record<Colour, readonly [on: number, off: number]>> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  bold: [1, 22],
  dim: [2, 22],
}

export const statusColours: Readonly<Record<Status, Colour>> = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  inconclusive: 'yellow',
  'not-applicable': 'dim',
  error: 'red',
}

export const conclusionColours: Readonly<Record<Conclusion, Colour>> = {
  conformant: 'green',
  nonconformant: 'red',
  inconclusive: 'yellow',
}

/**
 * @param colour whether to paint at all
 * @returns a painter; without colour it hands every text back untouched
 */
export function painter(colour: boolean): Paint {
  if (!colour) return (_, text) => text
  return (name, text) => {
    const [on, off] = codes[name]
    return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`
  }
}
