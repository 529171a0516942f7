import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Serves a cat directory of any size in a process of its own: `bench-directory.ts CATS BREEDS LATENCY_MS WRAPPED`. If
 * WRAPPED is 1, v3 wraps its lists in objects, and v2 does not. Prints its base URL at the start. Creates its responses
 * in advance, so that the benchmark measures only the client. On SIGTERM, prints how many bytes it sent in response to
 * requests with a request id: the suite sends ids, the bare client does not.
 */

const [catCount = 50, breedCount = 15, latencyMs = 0, isWrappedInV3 = 0] = process.argv.slice(2).map(Number)

const breedName = (nth: number): string => `Breed ${nth.toString(36)}`
const catName = (nth: number): string => `${['Tom', 'Félix', 'Mr. ', 'Luna-'][nth % 4]}${nth.toString(36)}`
const breeds = Array.from({ length: breedCount }, (_, nth) => breedName(nth))
const byBreed = new Map<string, string[]>(breeds.map((name) => [name, []]))
const cats = new Map<string, { readonly element: string; readonly lives: number }>()
for (let nth = 0; nth < catCount; nth++) {
  const [name, breed] = [catName(nth), breedName(nth % breedCount)]
  const element = JSON.stringify({ name, breed })
  cats.set(name, { element, lives: nth % 10 })
  byBreed.get(breed)?.push(element)
}

const listOf = (elements: readonly string[]): Buffer => Buffer.from(`[${elements.join()}]`)
const all = listOf([...cats.values()].map(({ element }) => element))
const allBreeds = listOf(breeds.map((name) => JSON.stringify(name)))
const catListByBreed = new Map([...byBreed].map(([name, elements]) => [name, listOf(elements)]))
const none = Buffer.from('[]')

/** Returns the cats whose name or breed equals the query. */
const found = (q: string | null): Buffer =>
  catListByBreed.get(q ?? '') ?? (cats.has(q ?? '') ? listOf([cats.get(q ?? '')?.element ?? '']) : none)

function routeTarget(target: string): Buffer | undefined {
  const [path = '', query = ''] = target.split('?')
  const searchParams = new URLSearchParams(query)
  const [, version, kind, name, rest, more] = path.split('/').map(decodeURIComponent)
  if ((version !== 'v2' && version !== 'v3') || more !== undefined) return undefined
  if (name === undefined) {
    if (kind === 'cats') return all
    if (kind === 'breeds') return allBreeds
    return kind === 'search' ? found(searchParams.get('q')) : undefined
  }
  if (kind === 'breeds' && rest === 'cats') return catListByBreed.get(name)
  if (version === 'v2' || kind !== 'cat' || rest !== 'lives_left') return undefined
  const cat = cats.get(name)
  return cat && Buffer.from(String(cat.lives))
}

function findBody(target: string): Buffer | undefined {
  try {
    return routeTarget(target)
  } catch {
    return undefined // a malformed path
  }
}

let sentBytes = 0
process.on('SIGTERM', () => {
  process.stdout.write(`${sentBytes}\n`)
  process.exit()
})

const wrap = (list: Buffer): Buffer => Buffer.concat([Buffer.from('{"items":'), list, Buffer.from('}')])

const isWrapped = (url: string): boolean => isWrappedInV3 === 1 && url.startsWith('/v3/') && !url.startsWith('/v3/cat/')

const server = createServer({ keepAliveTimeout: 60_000 }, ({ method, url = '/', headers: sent }, response) => {
  if (method === 'OPTIONS') return void response.writeHead(204, { allow: 'GET, HEAD' }).end()
  const list = findBody(url)
  const body = list && isWrapped(url) ? wrap(list) : list
  const send = (): void => {
    const headers = { 'content-type': 'application/json', 'content-length': String(body?.length ?? none.length) }
    if (method !== 'HEAD' && sent['x-request-id'] !== undefined) sentBytes += (body ?? none).length
    response.writeHead(body ? 200 : 404, headers).end(body ?? none)
  }
  if (latencyMs > 0) setTimeout(send, latencyMs)
  else send()
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`) // an object, because the server listens on a port
})
