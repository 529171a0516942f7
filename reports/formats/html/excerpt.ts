import { partWith, piecesOf } from '../../report/highlight.ts'
import { excerpt as cut, shorten } from '../../text/escape.ts'
import { html, type Markup } from './markup.ts'

const LONGEST = 700

/** The part of a body that contains the first of some terms, all of them marked. */
export function markedBody(body: string, terms: readonly string[]): Markup {
  return html`${marked(partWith(terms, body, LONGEST), terms)}`
}

const marked = (text: string, terms: readonly string[]): Markup[] =>
  piecesOf(text, terms).map((piece) => (piece.isTerm ? html`<mark>${piece.text}</mark>` : html`${piece.text}`))

/** Shortens a text from or about the deployment for display. */
export const shortened = (text: string, limit: number): string =>
  cut(text, limit).omitted === 0 ? text : shorten(text, limit)
