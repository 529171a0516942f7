import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { removeUserinfo } from './escape.ts'
import { quoteForShell, quoteHeader } from './shell.ts'

// Headers that the curl line omits: curl sends its own values, which do not affect the result.
const OMITTED_HEADERS = new Set(['accept', 'accept-encoding', 'host', 'connection', 'x-request-id'])
const OWN_USER_AGENT = 'cat-directory-conformance'

/** The parts of an exchange from which a curl line is built. */
type CurlRequest = Pick<ExchangeSummary, 'method' | 'url' | 'redirects' | 'requestHeaders'>

const CURL_METHOD_OPTIONS: Readonly<Record<ExchangeSummary['method'], readonly string[]>> = {
  GET: ['-i'],
  HEAD: ['-I'],
  OPTIONS: ['-i', '-X', 'OPTIONS'],
}

/**
 * Builds a curl line that sends the same request target, byte for byte.
 * @param exchange the request; its masked headers become shell variables
 * @returns one line of printable ASCII
 */
export function buildCurlLine(exchange: CurlRequest): string {
  const url = removeUserinfo(exchange.url)
  const options = ['-sS', '-g', ...CURL_METHOD_OPTIONS[exchange.method], ...curlOptionsOf(exchange)]
  return ['curl', ...options, ...buildTargetOption(url), quoteForShell(url)].join(' ')
}

/**
 * The wait between equal requests, in seconds: a cache may keep a response for 5 s. The suite waits as long before it
 * sends these requests.
 */
const WAIT_S = 6

/**
 * Builds the curl lines of a finding: one for each request. If a request occurs twice, only the order of the requests
 * shows the defect, and one line sends all of them. If other requests stand between the two, they change the response:
 * then the line waits after the first, because a cache may still have its response.
 */
export function buildCurlLines(exchanges: readonly CurlRequest[]): readonly string[] {
  const lines = exchanges.map(buildCurlLine)
  if (new Set(lines).size === lines.length) return lines
  const [first = '', ...others] = lines
  const hasRequestsBetween = others.length > 1 && first === others.at(-1)
  return [`${first}; echo; ${hasRequestsBetween ? `sleep ${WAIT_S}; ` : ''}${others.join('; echo; ')}`]
}

/** Returns whether a URL has a segment `.` or `..`, which curl would remove. */
const hasDotSegment = (url: string): boolean => /\/\.{1,2}(?:[/?]|$)/.test(url)

/** Returns the options with which curl sends the same request as the suite: redirects, path and headers. */
function curlOptionsOf(exchange: CurlRequest): string[] {
  // Follows no more redirects than the suite did, so that curl sends the headers to no further server.
  const follow = exchange.redirects === undefined ? [] : ['-L', '--max-redirs', String(exchange.redirects)]
  // curl would also leave dot segments in the target of a redirect, which the suite removes (RFC 3986, section 5.2.4).
  const asIs = exchange.redirects === undefined || hasDotSegment(exchange.url) ? ['--path-as-is'] : []
  return [...follow, ...asIs, '--compressed', ...buildHeaderOptions(exchange)]
}

/** The number of times that each request is sent, so that the requests overlap in time. */
const CONCURRENT_REPEATS = 8

/**
 * Builds a curl line that sends requests concurrently, each several times.
 * @param exchanges requests with the same method and headers
 * @returns an array with the line; empty if there are no requests
 */
export function buildConcurrentCurlLine(exchanges: readonly CurlRequest[]): readonly string[] {
  const [first] = exchanges
  if (!first) return []
  const urls = exchanges.map(({ url }) => quoteForShell(removeUserinfo(url)))
  const all = Array.from({ length: CONCURRENT_REPEATS }, () => urls).flat()
  // Prints the status and the URL after each body, because responses arrive in any order.
  const options = ['-Z', '--parallel-immediate', '-sS', '-g', '-w', "'\\n%{http_code} %{url_effective}\\n'"]
  return [['curl', ...options, ...curlOptionsOf(first), ...all].join(' ')]
}

function buildHeaderOptions(exchange: CurlRequest): string[] {
  const headers = Object.entries(exchange.requestHeaders)
  const accept = headers.find(([name]) => name.toLowerCase() === 'accept')?.[1]
  const others = headers.filter(
    ([name, value]) => !OMITTED_HEADERS.has(name.toLowerCase()) && !name.startsWith(':') && value !== OWN_USER_AGENT,
  )
  return [
    // An empty value prevents curl from sending its own Accept.
    ...['-H', accept === undefined ? "'Accept:'" : quoteHeader('Accept', accept)],
    ...others.flatMap(([name, value]) => ['-H', value === '' ? quoteForShell(`${name};`) : quoteHeader(name, value)]),
  ]
}

/**
 * Builds the option that passes the request target separately from the URL. In a URL, curl would take `#` as the start
 * of a fragment, and encode octets beyond ASCII.
 */
function buildTargetOption(url: string): string[] {
  if (/^[\x21-\x7e]*$/.test(url) && !url.includes('#')) return []
  const afterAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0
  return ['--request-target', quoteForShell(url.slice(afterAuthority))]
}
