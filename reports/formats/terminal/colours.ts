import { styleText } from 'node:util'
import type { Conclusion, Status } from '../../../suites/engine/check/verdict.ts'

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim'

/** Colours a text that is already escaped. */
export type TextStyle = (colour: Colour, text: string) => string

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
  partial: 'cyan',
  inconclusive: 'yellow',
}

/** Returns the text unchanged. */
export const plainStyle: TextStyle = (_, text) => text

/** Returns the text with colour codes. It does not check the stream, because the caller has decided. */
export const colouredStyle: TextStyle = (colour, text) =>
  text === '' ? '' : styleText(colour, text, { validateStream: false })
