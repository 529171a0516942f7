import { type OperationId, operations, type Version, versions } from '../../../fixtures/contract/operations.ts'
import type { Request } from '../../engine/http/client/exchange.ts'
import type { ControlNameFactory } from './control-names.ts'
import { versionsWithOperation } from './versions.ts'

/** Returns the template of an operation with its variable replaced by a percent-encoded value. */
type TemplateExpander = (value?: string) => string

/** The URI templates (RFC 6570) of all operations, by operation and version. */
const templates: ReadonlyMap<string, TemplateExpander> = new Map(
  operations.flatMap(({ id, path }) =>
    versions.map((version) => {
      const [start = '', after = ''] = path.replace('{version}', version).split(/\{\??\w+\}/)
      const [, query] = /\{\?(\w+)\}/.exec(path) ?? []
      const before = query === undefined ? start : `${start}?${query}=`
      return [`${id} ${version}`, (value = '') => before + value + after] as const
    }),
  ),
)

const templateOf = (operation: OperationId, version: Version): TemplateExpander =>
  templates.get(`${operation} ${version}`) ?? (() => '')

/** Returns the target of an operation below the base URL, e.g. `/v2/search?q=Tom`. `value` is percent-encoded. */
export const requestTargetOf = (operation: OperationId, version: Version, value?: string): string =>
  templateOf(operation, version)(value)

const pathPatterns = operations.flatMap(({ id, path, versions: ownVersions }) =>
  ownVersions.map((version) => {
    const below = path.replace('{version}', version).replace(/\{\?\w+\}$/, '')
    return { operation: id, version, pattern: new RegExp(`^${below.replace(/\{\w+\}/g, '[^/]*')}/?(?:\\?|$)`) }
  }),
)

/** Finds the operation and version of a request target, which may have any query. */
export const findOperationOfTarget = (
  target: string,
): { readonly operation: OperationId; readonly version: Version } | undefined =>
  pathPatterns.find(({ pattern }) => pattern.test(target))

export interface RequestTargets {
  /** Returns a control name, i.e. a name that no cat or breed has. Each value of `round` gives another name. */
  controlName(round?: number): string
  readonly hasLives: boolean
  readonly cats: string
  readonly breeds: string
  catsOf(segment: string): string
  search(value: string): string
  /** @param text the query string, e.g. `q=a&q=b`; `''` for a search without a query string */
  query(text: string): string
  lives(segment: string): string
}

export const createRequestTargets = (version: Version, createControlName: ControlNameFactory): RequestTargets => ({
  controlName: (round) => createControlName(version, round),
  hasLives: versionsWithOperation('getLivesLeft').includes(version),
  cats: requestTargetOf('listCats', version),
  breeds: requestTargetOf('listBreeds', version),
  catsOf: templateOf('listCatsOfBreed', version),
  search: templateOf('searchCats', version),
  query: (text) => requestTargetOf('searchCats', version).replace(/\?.*$/, text === '' ? '' : `?${text}`),
  lives: templateOf('getLivesLeft', version),
})

export const createGetRequest = (target: string): Request => ({ method: 'GET', target, follow: true })
