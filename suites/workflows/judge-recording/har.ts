import { createHash } from 'node:crypto'
import { type Version, versions } from '../../../fixtures/contract/operations.ts'
import { type RecordedExchange, sortedHeaderNames } from '../../engine/http/recording/recording.ts'
import { bytesOfStoredBody, type StoredBody } from '../../engine/http/recording/stored-body.ts'
import { createSentHeaders } from '../../judge/sent-headers.ts'
import { createJsonParser, JsonFileError } from '../../options/files/json-file.ts'
import { defaultOptions } from '../../options/table.ts'
import { RECORDING_FORMAT_TEXT, type Recording } from '../recording/recording-file.ts'

interface HarHeader {
  readonly name: string
  readonly value: string
}

/** An exchange in a HAR. */
interface HarEntry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: { readonly method: string; readonly url: string; readonly headers?: readonly HarHeader[] }
  readonly response: {
    readonly status: number
    readonly headers: readonly HarHeader[]
    readonly content: { readonly size?: number; readonly text?: string; readonly encoding?: string }
  }
  /** Present if a browser took the response from its cache. */
  readonly _fromCache?: unknown
}

/** Creates the schema of an object with these keys. */
const requires = (...required: string[]) => ({ type: 'object', required })
const text = { type: 'string' }
const headers = { type: 'array', items: { ...requires('name', 'value'), properties: { name: text, value: text } } }

/** The JSON Schema of those parts of a HAR (HTTP Archive 1.2) that are read. */
const harSchema = {
  ...requires('log'),
  properties: {
    log: { ...requires('entries'), properties: { entries: { type: 'array', items: { $ref: '#/$defs/entry' } } } },
  },
  $defs: {
    entry: {
      description: 'Allowed: an entry of a HAR 1.2 file, with startedDateTime, time, request and response.',
      ...requires('startedDateTime', 'time', 'request', 'response'),
      properties: {
        startedDateTime: text,
        time: { type: 'number' },
        request: { ...requires('method', 'url'), properties: { method: text, url: text, headers } },
        response: {
          ...requires('status', 'headers', 'content'),
          properties: {
            status: { type: 'integer' },
            headers,
            content: { type: 'object', properties: { size: { type: 'number' }, text, encoding: text } },
          },
        },
      },
    },
  },
}

const parseBySchema = createJsonParser<{ readonly log: { readonly entries: readonly HarEntry[] } }>(
  harSchema,
  RECORDING_FORMAT_TEXT,
)

/** The value that a recording made from a HAR has in place of the name and version of the suite. */
export const HAR_FORMAT = { name: 'HAR', version: '1.2' }

/** Returns whether a text is a HAR. Looks at its beginning only. */
export const isHarText = (text: string): boolean => /^\s*\{\s*"log"\s*:/.test(text)

/** Matches a URL below a version. Its groups are the base URL and the version. */
const VERSION_PATH = /^(https?:\/\/[^/?#]+(?:\/[^?#]*?)?)\/(v[23])\/[^#]*/

/** Converts a HAR (traffic that another program recorded) into a recording. */
export function parseHar(text: string): Recording {
  const { entries } = parseBySchema(text).log
  const baseUrl = findBaseUrl(entries)
  const usable = entries.filter((one) => isUsable(one) && one.request.url.startsWith(`${baseUrl}/v`))
  const times = usable.map(({ startedDateTime }) => Date.parse(startedDateTime)).filter(Number.isFinite)
  const startMs = times.length > 0 ? Math.min(...times) : 0
  const bodies: Record<string, StoredBody> = {}
  const exchanges = usable
    .toSorted((one, other) => (one.startedDateTime < other.startedDateTime ? -1 : 1))
    .map((entry) => createExchange(entry, startMs, bodies))
  return {
    suite: HAR_FORMAT,
    startedAt: new Date(startMs).toISOString(),
    bodies,
    exchanges,
    target: { baseUrl, embedded: false },
    options: { ...defaultOptions, versions: findVersions(exchanges, baseUrl), seed: 1, headers: [] },
    headerNames: [sortedHeaderNames(createSentHeaders({}).all)],
    tokens: [],
    protocols: [],
  }
}

/**
 * Finds the base URL of most requests.
 * @throws {JsonFileError} if no request has a path with /v2 or /v3
 */
function findBaseUrl(entries: readonly HarEntry[]): string {
  const counts = new Map<string, number>()
  for (const { request } of entries) {
    const [, base] = VERSION_PATH.exec(request.url) ?? []
    if (base !== undefined) counts.set(base, (counts.get(base) ?? 0) + 1)
  }
  const [[most] = []] = [...counts].toSorted(([, one], [, other]) => other - one)
  if (most === undefined || !URL.canParse(most))
    throw new JsonFileError(
      '/log/entries',
      'no request has a path with /v2 or /v3.',
      'allowed: the requests of a client of the cat directory',
    )
  return most
}

/**
 * Returns whether an exchange has a complete response of the deployment: it is not conditional, not from a cache of the
 * browser, and was not aborted.
 */
function isUsable({ request, response, _fromCache }: HarEntry): boolean {
  const names = (request.headers ?? []).map(({ name }) => name.toLowerCase())
  const isConditional = names.some((name) => name === 'range' || name.startsWith('if-'))
  const isReadOnly = ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
  return isReadOnly && !isConditional && _fromCache === undefined && response.status >= 200 && response.status !== 304
}

/** Returns the versions that were requested; both if none was. */
function findVersions(exchanges: readonly RecordedExchange[], baseUrl: string): readonly Version[] {
  const { pathname } = new URL(`${baseUrl}/`)
  const found = versions.filter((version) =>
    exchanges.some(({ target }) => target.startsWith(`${pathname}${version}/`)),
  )
  return found.length > 0 ? found : versions
}

/**
 * The length to which reports of this suite shorten bodies. If this suite wrote the HAR, a body of this length may be
 * incomplete. In a HAR of a browser, incomplete bodies are recognised by the size of the whole body.
 */
const REPORT_EXCERPT_BYTES = 2048

/** Converts an entry of the HAR, and adds its body to `bodies`. A body that may be incomplete counts as omitted. */
function createExchange(
  { startedDateTime, time, request, response }: HarEntry,
  startMs: number,
  bodies: Record<string, StoredBody>,
): RecordedExchange {
  const { size = 0, text = '', encoding } = response.content
  const stored: StoredBody = encoding === 'base64' ? { base64: text } : { text }
  const bytes = bytesOfStoredBody(stored)
  const isCut =
    bytes.length < size || (bytes.length <= REPORT_EXCERPT_BYTES && bytes.length >= REPORT_EXCERPT_BYTES - 3)
  const key = createHash('sha256').update(bytes).digest('hex')
  if (bytes.length > 0 && !isCut) bodies[key] = stored
  const sentAt = Math.max(0, Math.round(1000 * (Date.parse(startedDateTime) - startMs))) || 0
  const [, target = ''] = /^https?:\/\/[^/]+(\/[^#]*)/.exec(request.url) ?? []
  return {
    method: request.method as RecordedExchange['method'], // `isUsable` accepts only these methods.
    target,
    headers: 0,
    sentAt,
    doneAt: sentAt + Math.max(0, Math.round(1000 * time)),
    status: response.status,
    // Removes the header fields about codings, because the bodies in a HAR are already decoded.
    fields: response.headers
      .filter(({ name }) => !/^(content-encoding|transfer-encoding|content-length)$/i.test(name))
      .map(({ name, value }) => [name, value] as const),
    ...(isCut ? { omittedBytes: Math.max(size, 1) } : bytes.length > 0 && { body: key }),
  }
}
