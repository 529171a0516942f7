import type { BodyExcerpt } from '../../../suites/engine/http/decode/excerpt.ts'
import { excerptWithTerm, splitByTerms } from '../../report/highlight.ts'
import { html, type Markup } from './markup.ts'

const BODY_LIMITS = { characters: 700 }

/** Renders the part of a response body around the first term, with every term highlighted. */
export function renderHighlightedBody(body: BodyExcerpt, terms: readonly string[]): Markup {
  return html`${markTerms(excerptWithTerm(terms, body, BODY_LIMITS), terms)}`
}

const markTerms = (text: string, terms: readonly string[]): Markup[] =>
  splitByTerms(text, terms).map((piece) => (piece.isTerm ? html`<mark>${piece.text}</mark>` : html`${piece.text}`))

/** Renders a text. Parts between backticks become `<code>` elements. */
export const renderInlineCode = (text: string): Markup =>
  html`${text.split(/`([^`]+)`/).map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}`
