import { escapeXmlAttribute } from '../../text/escape.ts'

/** Escaped HTML. Only `html` creates it, so that no raw text gets into a page. */
export class Markup {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type TemplateValue = string | number | Markup | readonly Markup[] | undefined

/** Creates HTML from a template: values are escaped for text and quoted attributes, unless they are Markup. */
export function html(parts: TemplateStringsArray, ...values: readonly TemplateValue[]): Markup {
  return new Markup(parts.map((part, index) => part + renderValue(values[index])).join(''))
}

function renderValue(value: TemplateValue): string {
  if (value === undefined) return ''
  if (value instanceof Markup) return value.source
  if (typeof value === 'object') return value.map(({ source }) => source).join('')
  return escapeXmlAttribute(String(value))
}

/** Renders a text. Parts between backticks become `<code>` elements. */
export const renderInlineCode = (text: string): Markup =>
  html`${text.split(/`([^`]+)`/).map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}`

/** Renders a value with `make`. Returns empty markup if the value is undefined. */
export const renderIfDefined = <T>(value: T | undefined, make: (value: T) => Markup): Markup =>
  value === undefined ? html`` : make(value)

/** Renders a section with a heading, a note, and the anchor `id`. */
export function renderSection(id: string, title: string, note: string, content: Markup): Markup {
  return html`
<section id="${id}" aria-labelledby="${id}-title">
<div class="title"><h2 id="${id}-title">${title}</h2><p>${note}</p></div>
${content}
</section>`
}
