import { type OperationId, operations, type Version, versions } from '../../../fixtures/contract/operations.ts'
import type { Request } from '../../engine/http/exchange.ts'
import { versionsWith } from '../versions.ts'

/** What stands before the value in a target, and behind it: RFC 6570 templates, taken apart once. */
const parts = new Map(
  operations.flatMap(({ id, path }) =>
    versions.map((version) => {
      const [before = '', after = ''] = path.replace('{version}', version).split(/\{\??\w+\}/)
      const [, query] = /\{\?(\w+)\}/.exec(path) ?? []
      return [`${id} ${version}`, { before: query === undefined ? before : `${before}?${query}=`, after }] as const
    }),
  ),
)

/**
 * The request target of an operation, below the base URL: its RFC 6570 template, expanded.
 * @param value of its one parameter, percent-encoded already and put in as it is; none where it has none
 */
export function targetOf(operation: OperationId, version: Version, value = ''): string {
  const { before = '', after = '' } = parts.get(`${operation} ${version}`) ?? {}
  return before + value + after
}

/** The targets of one version. */
export interface Targets {
  readonly version: Version
  readonly hasLives: boolean
  readonly cats: string
  readonly breeds: string
  catsOf(segment: string): string
  search(value: string): string
  /** A search with a whole query string, or with none at all where it is empty. */
  query(text: string): string
  lives(segment: string): string
}

export const targetsIn = (version: Version): Targets => ({
  version,
  hasLives: versionsWith('getLivesLeft').includes(version),
  cats: targetOf('listCats', version),
  breeds: targetOf('listBreeds', version),
  catsOf: (segment) => targetOf('listCatsOfBreed', version, segment),
  search: (value) => targetOf('searchCats', version, value),
  query: (text) => targetOf('searchCats', version).replace(/\?.*$/, text === '' ? '' : `?${text}`),
  lives: (segment) => targetOf('getLivesLeft', version, segment),
})

export const get = (target: string): Request => ({ method: 'GET', target, follow: true })
