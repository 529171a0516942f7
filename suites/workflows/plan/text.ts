import type { EffortName } from '../../directory/shared/effort.ts'
import { quoted } from '../../directory/shared/text.ts'
import type { Request } from '../../engine/http/client/exchange.ts'
import { REQUEST_ID } from '../../engine/http/client/request-ids.ts'
import { MASK } from '../../engine/http/client/secrets.ts'
import type { SentHeaders } from '../../judge/sent-headers.ts'
import { fieldOf, takesValue, type ValueOption } from '../../options/option.ts'
import type { Options } from '../../options/options.ts'
import { rows } from '../../options/table.ts'
import { catsIn, imagined } from './imagined.ts'
import type { Row } from './rows.ts'

/** A check or an open point with its requests. */
export interface Entry {
  readonly id: string
  readonly note: string
  readonly scopes: readonly string[]
  readonly rows: readonly Row[]
  /** The number of generated strings, beside those that are always tested. */
  readonly generated: number
}

export interface Page {
  readonly options: Options
  readonly entries: readonly Entry[]
  readonly requests: readonly Request[]
  /** Open points that are observed in the run as a whole. */
  readonly ofRun: readonly string[]
  readonly headers: SentHeaders
  /** True if the options are the defaults, in every version. */
  readonly isUsual: boolean
}

/** Requests to a directory of 50 cats and 15 breeds, as in the README. */
export const aboutSoMany: Readonly<Record<EffortName, string>> = { quick: '150', standard: '1,000', thorough: '4,500' }

const [{ breeds: imaginedBreeds }] = imagined

/** The lines of the page; each is still to be escaped. */
export function planPage(page: Page): readonly string[] {
  const base = page.options.baseUrl ?? '<base>'
  return [
    'Nothing was sent. This is what would be asked:',
    '',
    ...summary(page).map(([name, text]) => `  ${name.padEnd(9)} ${text}`),
    ...(page.entries.length === 0 ? ['', 'Nothing: what is selected concerns no version that is judged.'] : []),
    ...page.entries.flatMap((entry) => ['', ...entryLines(entry, base)]),
    ...(page.ofRun.length > 0
      ? ['', `${page.ofRun.join(', ')}  the run as a whole: the list of cats once more, with other headers`]
      : []),
  ]
}

function summary({ options, requests, headers, isUsual }: Page): readonly (readonly [string, string])[] {
  const { baseUrl, versions, effort, seed, only = [], against } = options
  const names = Object.keys(headers.all)
  const shown = names.map((name) => (headers.secret.has(name.toLowerCase()) ? `${name}: ${MASK}` : name))
  const hasId = (options.requestIds ?? true) && !names.some((name) => name.toLowerCase() === REQUEST_ID)
  return [
    ['target', baseUrl ?? 'the embedded reference service (give another one with --base-url)'],
    ...(against === undefined ? [] : [['against', `${against}, asked the same where it is a URL`] as const]),
    ['versions', versions.join(', ')],
    ['checks', only.length === 0 ? 'all' : only.join(', ')],
    ['effort', `${effort}; seed ${seed ?? 1}`],
    ['requests', amountOf(requests, effort, isUsual)],
    ['methods', methodsIn(requests)],
    ['headers', [...shown, ...(hasId ? [`${REQUEST_ID} (each its own)`] : [])].join(', ')],
    ['limits', limitsOf(options)],
  ]
}

function amountOf(requests: readonly Request[], effort: EffortName, isUsual: boolean): string {
  const distinct = new Set(requests.map(({ method, target }) => `${method} ${target}`)).size
  const cats = catsIn(imagined[0]).length
  const breeds = Object.keys(imaginedBreeds).length
  const least = `${distinct} different ones below, of a directory of ${cats} cats and ${breeds} breeds`
  return isUsual
    ? `about ${aboutSoMany[effort]} on a directory of 50 cats and 15 breeds; larger ones are sampled (${least})`
    : `${least}; more where more is listed, and what shapes are told from`
}

function methodsIn(requests: readonly Request[]): string {
  const methods = [...new Set(requests.map(({ method }) => method))]
  const countOf = (method: string) => requests.filter((one) => one.method === method).length
  return methods.map((method) => (method === 'GET' ? method : `${method} (${countOf(method)})`)).join(', ') || 'none'
}

function limitsOf(options: Options): string {
  const bounds = rows.filter(takesValue).filter((option) => option.bounds !== undefined)
  return bounds.map((option) => `${option.flag} ${boundOf(option, options)}`).join(' · ')
}

function boundOf(option: ValueOption<unknown, object>, options: Options): string {
  const given = options[fieldOf(option) as keyof Options] // The value that a row sets.
  return typeof given === 'number' ? `${given}${option.bounds}` : String(option.otherwise)
}

const MOST_SHOWN = 5

function entryLines({ id, note, scopes, rows, generated }: Entry, base: string): readonly string[] {
  const drawn = generated > 0 ? [`  and ${generated} strings more for each version, drawn by the seed`] : []
  const none = rows.length === 0 ? ['  nothing of its own: read off what the others ask'] : []
  return [`${id}  ${scopes.join(', ')}  ${note}`, ...rows.flatMap((row) => rowLines(row, base)), ...drawn, ...none]
}

function rowLines({ method, path, versions, told, strings }: Row, base: string): readonly string[] {
  const names = [...versions].sort()
  const prefix = names.length > 1 ? `/{${names.join(',')}}` : names.map((name) => `/${name}`).join('')
  const line = (put: string) => `  ${method} ${base}${prefix}${path[0]}${put}${path[1]}`
  if (told.size === 0 && strings.size === 0) return [line('')]
  const shown = [...strings].slice(0, MOST_SHOWN).map(quoted).join(' ')
  const more = strings.size > MOST_SHOWN ? ` and ${strings.size - MOST_SHOWN} more` : ''
  const count = `${strings.size} ${strings.size === 1 ? 'string' : 'strings'}`
  return [
    ...[...told].map((one) => line(`<${one}>`)),
    ...(strings.size > 0 ? [line(`<${count}>`), `      ${shown}${more}`] : []),
  ]
}
