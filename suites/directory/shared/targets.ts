import { type OperationId, operations, type Version } from '../../../fixtures/contract/operations.ts'
import type { Request } from '../../engine/http/client/exchange.ts'
import type { ControlNameFactory } from './control-names.ts'
import { versionsWithOperation } from './versions.ts'

const pathTemplates: ReadonlyMap<OperationId, string> = new Map(operations.map(({ id, path }) => [id, path]))

/**
 * Returns the target of an operation below the base URL, e.g. `/v2/search?q=Tom`. `value` is the segment or query
 * value, already percent-encoded.
 */
export const requestTargetOf = (operation: OperationId, version: Version, value = ''): string =>
  (pathTemplates.get(operation) ?? '')
    .replace('{version}', version)
    .replace(/\{(\??)(\w+)\}/, (_, query, name) => (query === '' ? value : `?${name}=${value}`))

const pathPatterns = operations.flatMap(({ id, path, versions: ownVersions }) =>
  ownVersions.map((version) => {
    const below = path.replace('{version}', version).replace(/\{\?\w+\}$/, '')
    return { operation: id, version, pattern: new RegExp(`^${below.replace(/\{\w+\}/g, '[^/]*')}/?(?:\\?|$)`) }
  }),
)

/**
 * Finds the operation and version of a request target, which may have any query; undefined if it is of no operation.
 */
export const findOperationOfTarget = (
  target: string,
): { readonly operation: OperationId; readonly version: Version } | undefined =>
  pathPatterns.find(({ pattern }) => pattern.test(target))

/** Creates the request targets of one version. Segments and values must be percent-encoded already. */
export interface RequestTargets {
  /** Returns a control name, i.e. a name that no cat or breed has. Each value of `round` gives another name. */
  controlName(round?: number): string
  /** True if the version has the operation for lives. */
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
  catsOf: (segment) => requestTargetOf('listCatsOfBreed', version, segment),
  search: (value) => requestTargetOf('searchCats', version, value),
  query: (text) => requestTargetOf('searchCats', version).replace(/\?.*$/, text === '' ? '' : `?${text}`),
  lives: (segment) => requestTargetOf('getLivesLeft', version, segment),
})

export const createGetRequest = (target: string): Request => ({ method: 'GET', target, follow: true })
