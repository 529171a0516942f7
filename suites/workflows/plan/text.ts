import type { EffortName } from '../../directory/shared/effort.ts'
import { quoted } from '../../directory/shared/text.ts'
import type { Request } from '../../engine/http/client/exchange.ts'
import { REQUEST_ID } from '../../engine/http/client/request-ids.ts'
import { MASK } from '../../engine/http/client/secrets.ts'
import type { SentHeaders } from '../../judge/sent-headers.ts'
import { fieldOf, takesValue, type ValueOption } from '../../options/option.ts'
import type { Options } from '../../options/options.ts'
import { optionRows } from '../../options/table.ts'
import { imaginedCatsIn, imaginedDirectories } from './imagined-directory.ts'
import type { PlanRow } from './plan-rows.ts'

/** A check or an open point with its requests. */
export interface PlanEntry {
  readonly id: string
  readonly note: string
  readonly scopes: readonly string[]
  readonly rows: readonly PlanRow[]
  /** The number of generated strings, beside those that are always tested. */
  readonly generated: number
}

export interface PlanPage {
  readonly options: Options
  readonly entries: readonly PlanEntry[]
  readonly requests: readonly Request[]
  /** Open points that are observed in the run as a whole. */
  readonly ofRun: readonly string[]
  readonly headers: SentHeaders
  /** True if the options are the defaults, in every version. */
  readonly isUsual: boolean
}

/** Requests to a directory of 50 cats and 15 breeds, as in the README. */
export const APPROXIMATE_REQUESTS: Readonly<Record<EffortName, string>> = {
  quick: '150',
  standard: '1,000',
  thorough: '4,500',
}

const [{ breeds: imaginedBreeds }] = imaginedDirectories

/** The lines of the page; each is still to be escaped. */
export function renderPlanPage(page: PlanPage): readonly string[] {
  const base = page.options.baseUrl ?? '<base>'
  return [
    'Nothing was sent. This is what would be asked:',
    '',
    ...createSummary(page).map(([name, text]) => `  ${name.padEnd(9)} ${text}`),
    ...(page.entries.length === 0 ? ['', 'Nothing: what is selected concerns no version that is judged.'] : []),
    ...page.entries.flatMap((entry) => ['', ...renderEntry(entry, base)]),
    ...(page.ofRun.length > 0
      ? ['', `${page.ofRun.join(', ')}  the run as a whole: the list of cats once more, with other headers`]
      : []),
  ]
}

function createSummary({ options, requests, headers, isUsual }: PlanPage): readonly (readonly [string, string])[] {
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
    ['requests', describeAmount(requests, effort, isUsual)],
    ['methods', describeMethods(requests)],
    ['headers', [...shown, ...(hasId ? [`${REQUEST_ID} (each its own)`] : [])].join(', ')],
    ['limits', describeLimits(options)],
  ]
}

function describeAmount(requests: readonly Request[], effort: EffortName, isUsual: boolean): string {
  const distinct = new Set(requests.map(({ method, target }) => `${method} ${target}`)).size
  const cats = imaginedCatsIn(imaginedDirectories[0]).length
  const breeds = Object.keys(imaginedBreeds).length
  const least = `${distinct} different ones below, of a directory of ${cats} cats and ${breeds} breeds`
  return isUsual
    ? `about ${APPROXIMATE_REQUESTS[effort]} on a directory of 50 cats and 15 breeds; larger ones are sampled (${least})`
    : `${least}; more where more is listed, and what shapes are told from`
}

function describeMethods(requests: readonly Request[]): string {
  const methods = [...new Set(requests.map(({ method }) => method))]
  const countOf = (method: string) => requests.filter((one) => one.method === method).length
  return methods.map((method) => (method === 'GET' ? method : `${method} (${countOf(method)})`)).join(', ') || 'none'
}

function describeLimits(options: Options): string {
  const bounds = optionRows.filter(takesValue).filter((option) => option.bounds !== undefined)
  return bounds.map((option) => `${option.flag} ${describeLimit(option, options)}`).join(' · ')
}

function describeLimit(option: ValueOption<unknown, object>, options: Options): string {
  const given = options[fieldOf(option) as keyof Options] // The value that a row sets.
  return typeof given === 'number' ? `${given}${option.bounds}` : String(option.defaultText)
}

const MAX_SHOWN_VALUES = 5

function renderEntry({ id, note, scopes, rows, generated }: PlanEntry, base: string): readonly string[] {
  const drawn = generated > 0 ? [`  and ${generated} strings more for each version, drawn by the seed`] : []
  const none = rows.length === 0 ? ['  nothing of its own: read off what the others ask'] : []
  return [`${id}  ${scopes.join(', ')}  ${note}`, ...rows.flatMap((row) => renderPlanRow(row, base)), ...drawn, ...none]
}

function renderPlanRow({ method, path, versions, descriptions, strings }: PlanRow, base: string): readonly string[] {
  const names = [...versions].sort()
  const prefix = names.length > 1 ? `/{${names.join(',')}}` : names.map((name) => `/${name}`).join('')
  const line = (put: string) => `  ${method} ${base}${prefix}${path[0]}${put}${path[1]}`
  if (descriptions.size === 0 && strings.size === 0) return [line('')]
  const shown = [...strings].slice(0, MAX_SHOWN_VALUES).map(quoted).join(' ')
  const more = strings.size > MAX_SHOWN_VALUES ? ` and ${strings.size - MAX_SHOWN_VALUES} more` : ''
  const count = `${strings.size} ${strings.size === 1 ? 'string' : 'strings'}`
  return [
    ...[...descriptions].map((one) => line(`<${one}>`)),
    ...(strings.size > 0 ? [line(`<${count}>`), `      ${shown}${more}`] : []),
  ]
}
