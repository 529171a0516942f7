import { type OperationId, operations, type Version, versions } from '../../../fixtures/contract/operations.ts'
import type { Request } from '../../engine/http/client/exchange.ts'
import type { ControlNameFactory } from './control-names.ts'
import { versionsWithOperation } from './versions.ts'

/** Inserts a value into the template of an operation, unencoded. */
type TemplateExpander = (value?: string) => string

/** RFC 6570 templates, parsed once. */
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

/**
 * Returns the request target of an operation below the base URL: its RFC 6570 template, expanded.
 * @param value the value of its parameter, already percent-encoded; undefined if it has none
 */
export const requestTargetOf = (operation: OperationId, version: Version, value?: string): string =>
  templateOf(operation, version)(value)

/** The paths of the operations as patterns. */
const pathPatterns = operations.flatMap(({ id, path, versions: its }) =>
  its.map((version) => {
    const below = path.replace('{version}', version).replace(/\{\?\w+\}$/, '')
    return { operation: id, version, pattern: new RegExp(`^${below.replace(/\{\w+\}/g, '[^/]*')}/?(?:\\?|$)`) }
  }),
)

/** Finds the operation and version of a request target below the base URL, with any query. */
export const findOperationOfTarget = (
  target: string,
): { readonly operation: OperationId; readonly version: Version } | undefined =>
  pathPatterns.find(({ pattern }) => pattern.test(target))

/** The targets of one version. */
export interface RequestTargets {
  /** Returns a name that nothing in the deployment has; another one for each round of requests. */
  controlName(round?: number): string
  readonly hasLives: boolean
  readonly cats: string
  readonly breeds: string
  catsOf(segment: string): string
  search(value: string): string
  /** Returns the target of a search with the given query string; an empty one is omitted. */
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
