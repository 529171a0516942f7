import { styleText } from 'node:util'
import type { Conclusion, Status } from '../../../suites/engine/check/verdict.ts'

type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim'

/** A function that colours a text, which must already be escaped. */
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

export const plainStyle: TextStyle = (_, text) => text

/** Returns the text with colour codes. The caller has checked that the output supports colours. */
export const colouredStyle: TextStyle = (colour, text) =>
  text === '' ? '' : styleText(colour, text, { validateStream: false })
