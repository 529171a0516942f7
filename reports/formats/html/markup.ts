import { escapeXmlAttribute } from '../../text/escape.ts'

/** A piece of HTML in which nothing is left to escape. Made by `html` alone, so that no text gets into a page raw. */
export class Markup {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

export type Value = string | number | Markup | readonly Markup[] | undefined

/** HTML from a template: what is put in is escaped, for texts and for quoted attributes alike, unless it is HTML. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.map((part, index) => part + sourceOf(values[index])).join(''))
}

function sourceOf(value: Value): string {
  if (value === undefined) return ''
  if (value instanceof Markup) return value.source
  if (typeof value === 'object') return value.map(({ source }) => source).join('')
  return escapeXmlAttribute(String(value))
}

/** Nothing, or what is made of a value that is there. */
export const given = <T>(value: T | undefined, make: (value: T) => Markup): Markup =>
  value === undefined ? html`` : make(value)

/** A section with a heading, to be linked to; nothing where there is nothing to show. */
export function section(id: string, title: string, note: string, content: Markup): Markup {
  return html`
<section id="${id}" aria-labelledby="${id}-title">
<div class="title"><h2 id="${id}-title">${title}</h2><p>${note}</p></div>
${content}
</section>`
}
