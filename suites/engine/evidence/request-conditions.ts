import type { Resource, SendRequest } from '../check/readers.ts'
import { WAIT_BEYOND_UNDECLARED_COPIES_MS } from '../history/fewest-changes.ts'
import { maxCopyAgeMsOf } from '../http/client/freshness.ts'
import { bypassCaches } from '../http/client/past-caches.ts'
import { type ComparedResource, type Condition, readComparedResource, refreshCopy } from './compare-conditions.ts'

/**
 * Creates the condition that another resource is requested directly before the tested one. It reveals a cache with an
 * incomplete key, which returns the response to the other request.
 * @param restMs the wait before each of the requests, after which caches have dropped their copies
 */
export const createPrecedingRequestCondition = <T>(
  other: Resource<unknown>,
  name: string,
  restMs = 0,
): Condition<T> => ({
  circumstance: `right after a request for ${name}`,
  restMs,
  settleMs: WAIT_BEYOND_UNDECLARED_COPIES_MS,
  async read(compared, context) {
    if (restMs > 0) {
      await context.pause(restMs)
      await refreshCopy(other, context)
    }
    const reader = context.createFreshReader()
    await reader.read(other)
    return { own: [await readComparedResource(compared, context)], before: reader.exchangesFor(other).slice(0, 1) }
  },
})

/** Returns the resource with a query parameter in its URLs that bypasses caches. */
const withUniqueParameter = <T>({ resource, contentOf }: ComparedResource<T>, value: string): ComparedResource<T> => ({
  contentOf,
  resource: {
    ...resource,
    key: bypassCaches(resource.key, value),
    readWith: (send: SendRequest) =>
      resource.readWith((request) => send({ ...request, target: bypassCaches(request.target, value) })),
  },
})

/**
 * Creates the condition that a URL is requested for the first time. It reveals e.g. a cache or an index that is filled
 * by the first request and gives all later requests another response.
 */
export const createFirstRequestCondition = <T>(createUniqueValue: () => string): Condition<T> => ({
  circumstance: 'when its URL is requested for the first time',
  async read(compared, context, alone) {
    const atNewUrl = withUniqueParameter(compared, createUniqueValue())
    const first = await readComparedResource(atNewUrl, context)
    const again = await readComparedResource(atNewUrl, context)
    return { own: again.content === alone ? [first] : [] }
  },
})

/**
 * Creates the condition that the URL of the resource is new. It reveals e.g. a cache that keeps an empty response for
 * the usual URL.
 * @param isLost returns whether a content lacks what the resource should have, e.g. a name
 */
export const createNewUrlCondition = <T>(
  createUniqueValue: () => string,
  isLost: (content: string | undefined) => boolean,
): Condition<T> => ({
  circumstance: 'with a new query parameter',
  async read(compared, context, alone) {
    if (!isLost(alone)) return { own: [] }
    // If the usual response declares an age, it may be an old copy that outlasts this run: a difference proves nothing.
    const usual = await readComparedResource(compared, context)
    if (usual.exchanges.some((exchange) => maxCopyAgeMsOf(exchange) !== undefined)) return { own: [] }
    const other = await readComparedResource(withUniqueParameter(compared, createUniqueValue()), context)
    return { own: isLost(other.content) ? [] : [other] }
  },
})

/** Returns a resource whose reading is the response to a HEAD request for the same URL. */
export const headOf = ({ key }: Resource<unknown>): Resource<unknown> => ({
  key: `HEAD ${key}`,
  readWith: (send) => send({ method: 'HEAD', target: key, follow: true }),
})

/**
 * Creates the condition that a new URL was only requested by HEAD. It reveals a cache that responds to GET with the
 * response to HEAD, which has no body.
 * @param isLost returns whether a content lacks what the resource should have, e.g. a name
 */
export const createHeadOfNewUrlCondition = <T>(
  createUniqueValue: () => string,
  isLost: (content: string | undefined) => boolean,
): Condition<T> => ({
  circumstance: 'right after a HEAD request for the same URL, if the URL is new',
  async read(compared, context) {
    const [url, otherUrl] = [
      withUniqueParameter(compared, createUniqueValue()),
      withUniqueParameter(compared, createUniqueValue()),
    ]
    const head = headOf(url.resource)
    const reader = context.createFreshReader()
    await reader.read(head)
    const own = await readComparedResource(url, context)
    if (!isLost(own.content)) return { own: [] }
    // If another new URL lacks the content without HEAD too, HEAD is not the cause: perhaps the parameter is refused.
    const usual = await readComparedResource(otherUrl, context)
    return { own: isLost(usual.content) ? [] : [own], before: reader.exchangesFor(head).slice(0, 1) }
  },
})
