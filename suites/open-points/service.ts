import { versions } from '../../fixtures/contract/operations.ts'
import type { Directory } from '../directory/facts/directory.ts'
import { requestTargetOf } from '../directory/shared/targets.ts'
import type { Reader, Resource } from '../engine/check/readers.ts'
import type { Exchange } from '../engine/http/client/exchange.ts'
import {
  createRawResponseResource,
  describeResponse,
  errorFormatOf,
  headerFieldOf,
} from './shared/describe-response.ts'
import { createObserver } from './shared/observe.ts'

const catsTargetOf = ({ version }: Directory): string => requestTargetOf('listCats', version)

/** A name that is longer than most services accept. Checks request it too, so that it costs no further request. */
const VERY_LONG_NAME = 'a'.repeat(1024)
/** A path segment with malformed percent-encoding. */
const MALFORMED_SEGMENT = '%zz'

const unknownRouteResource = ({ version, controlName }: Directory): Resource<Exchange> =>
  createRawResponseResource(`/${version}/${controlName()}`, { follow: true })

/**
 * Creates requests that most deployments refuse, each for a different reason. Checks send all of them too, except the
 * one for an unknown path.
 */
function createRefusedRequests(directory: Directory): readonly Resource<unknown>[] {
  const { catsOf, lives, search, raw, controlName } = directory
  const unlistedName = controlName()
  return [
    catsOf(unlistedName),
    lives(unlistedName),
    search(unlistedName),
    search(''),
    raw.query(''),
    raw.search(MALFORMED_SEGMENT),
    raw.catsOf(MALFORMED_SEGMENT),
    search(VERY_LONG_NAME),
    catsOf(VERY_LONG_NAME),
    unknownRouteResource(directory),
  ]
}

/** Requests resources. Returns the first exchange of each one that could be requested. */
async function fetchExchanges(
  resources: readonly Resource<unknown>[],
  { read, exchangesFor }: Reader,
): Promise<Exchange[]> {
  await Promise.allSettled(resources.map(read))
  return resources.flatMap((resource) => exchangesFor(resource).slice(0, 1))
}

/** Returns the methods in the Allow header field, in alphabetical order. */
const allowedMethodsOf = (exchange: Exchange): string =>
  (headerFieldOf(exchange, 'allow') ?? '')
    .split(',')
    .map((method) => method.trim().toUpperCase())
    .filter(Boolean)
    .sort()
    .join(', ')

/** Describes the response to a method, e.g. `204 (Allow: GET, HEAD)`. */
const describeMethod = (exchange: Exchange): string => {
  const { outcome } = exchange
  const result = outcome.kind === 'fault' ? 'no answer' : String(outcome.status)
  const allow = allowedMethodsOf(exchange)
  return allow === '' ? result : `${result} (Allow: ${allow})`
}

/**
 * Describes the response to a path with a trailing slash. Only JSON counts as "served": some servers return a page with
 * status 200 for any path.
 */
const describeTrailingSlash = (exchange: Exchange): string => {
  const { outcome } = exchange
  const isServed = outcome.kind === 'response' && outcome.status < 300 && outcome.body.kind === 'json'
  return isServed ? 'served' : describeResponse(exchange)
}

export const serviceObservers = [
  createObserver({ id: 'O-UNKNOWN-ROUTE', sendsOwnRequests: true }, async ({ target: { directory }, readings }) => {
    const resource = unknownRouteResource(directory)
    return { value: describeResponse(await readings.read(resource)), shownBy: [resource] }
  }),

  createObserver({ id: 'O-ERROR-BODY', sendsOwnRequests: true }, async ({ target: { directory }, readings }) => {
    const resources = createRefusedRequests(directory)
    const kinds = (await fetchExchanges(resources, readings)).flatMap((exchange) => errorFormatOf(exchange) ?? [])
    if (kinds.length === 0) return undefined
    return { value: [...new Set(kinds)].sort().join(', '), shownBy: resources }
  }),

  createObserver({ id: 'O-METHODS', sendsOwnRequests: true }, async ({ target: { directory }, read }) => {
    const target = catsTargetOf(directory)
    const resources = [
      createRawResponseResource(target, { method: 'HEAD', follow: true }),
      createRawResponseResource(target, { method: 'OPTIONS' }),
    ]
    const [head, options] = await Promise.all(resources.map(read))
    return (
      head &&
      options && { value: `HEAD ${describeMethod(head)}; OPTIONS ${describeMethod(options)}`, shownBy: resources }
    )
  }),

  createObserver({ id: 'O-SLASH', sendsOwnRequests: true }, async ({ target: { directory }, readings }) => {
    const target = catsTargetOf(directory)
    const resources = [
      createRawResponseResource(`${target}/`),
      createRawResponseResource(target.replace(/\/(?=[^/]*$)/, '//')),
    ]
    const [trailing, doubled] = await Promise.all(resources.map(readings.read))
    await readings.read(directory.cats)
    const isRedirected = readings.exchangesFor(directory.cats)[0]?.redirectedFrom.length !== 0
    if (!trailing || !doubled) return undefined
    const texts = [`trailing: ${describeTrailingSlash(trailing)}`, `doubled: ${describeTrailingSlash(doubled)}`]
    return { value: [...(isRedirected ? ['without: redirected'] : []), ...texts].join('; '), shownBy: resources }
  }),

  createObserver(
    { id: 'O-V2-DEPRECATION', scopes: versions.slice(0, -1) },
    async ({ target: { directory }, readings }) => {
      await readings.read(directory.cats)
      const [exchange] = readings.exchangesFor(directory.cats)
      if (!exchange) return undefined
      const fields = ['Deprecation', 'Sunset'].flatMap((name) => {
        const value = headerFieldOf(exchange, name.toLowerCase())
        return value === undefined ? [] : [`${name}: ${value}`]
      })
      return { value: fields.join('; ') || 'absent', shownBy: [directory.cats] }
    },
  ),
]
