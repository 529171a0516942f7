import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { withoutUserinfo } from './escape.ts'
import { headerWord, shellQuoted } from './shell.ts'

// curl sends its own values of these, and a replay concerns target and accepted types.
const notRepeated = new Set(['accept', 'accept-encoding', 'host', 'connection', 'x-request-id'])
const OWN_USER_AGENT = 'cat-directory-conformance'

type Asked = Pick<ExchangeSummary, 'method' | 'url' | 'redirects' | 'requestHeaders'>

const methodOptions: Readonly<Record<ExchangeSummary['method'], readonly string[]>> = {
  GET: ['-i'],
  HEAD: ['-I'],
  OPTIONS: ['-i', '-X', 'OPTIONS'],
}

/**
 * A request as a shell line that sends the same target byte for byte.
 * @param exchange the request; its masked headers become shell variables
 * @returns one line of printable ASCII
 */
export function curlLine(exchange: Asked): string {
  const url = withoutUserinfo(exchange.url)
  const options = ['-sS', '-g', ...methodOptions[exchange.method], ...optionsOf(exchange)]
  return ['curl', ...options, ...targetOption(url), shellQuoted(url)].join(' ')
}

function optionsOf(exchange: Asked): string[] {
  // Follows as many redirects as the suite did, so that headers go no further.
  const follow = exchange.redirects === undefined ? [] : ['-L', '--max-redirs', String(exchange.redirects)]
  return [...follow, '--path-as-is', '--compressed', ...headerOptions(exchange)]
}

/** Enough repetitions to make requests overlap. */
const TIMES_IN_FLIGHT = 8

/**
 * A shell line that sends requests concurrently, several times each.
 * @param exchanges requests of the same kind
 * @returns no line without requests
 */
export function curlLineInFlight(exchanges: readonly Asked[]): readonly string[] {
  const [first] = exchanges
  if (!first) return []
  const urls = exchanges.map(({ url }) => shellQuoted(withoutUserinfo(url)))
  const all = Array.from({ length: TIMES_IN_FLIGHT }, () => urls).flat()
  // Responses arrive in any order, so each body is followed by its URL and status.
  const options = ['-Z', '--parallel-immediate', '-sS', '-g', '-w', "'\\n%{http_code} %{url_effective}\\n'"]
  return [['curl', ...options, ...optionsOf(first), ...all].join(' ')]
}

function headerOptions(exchange: Asked): string[] {
  const headers = Object.entries(exchange.requestHeaders)
  const accept = headers.find(([name]) => name.toLowerCase() === 'accept')?.[1]
  const others = headers.filter(
    ([name, value]) => !notRepeated.has(name.toLowerCase()) && !name.startsWith(':') && value !== OWN_USER_AGENT,
  )
  return [
    // An empty value stops curl from sending its own Accept.
    ...['-H', accept === undefined ? "'Accept:'" : headerWord('Accept', accept)],
    ...others.flatMap(([name, value]) => ['-H', value === '' ? shellQuoted(`${name};`) : headerWord(name, value)]),
  ]
}

/** curl treats # as the start of a fragment and encodes octets beyond ASCII, so the target is passed separately. */
function targetOption(url: string): string[] {
  if (/^[\x21-\x7e]*$/.test(url) && !url.includes('#')) return []
  const afterAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0
  return ['--request-target', shellQuoted(url.slice(afterAuthority))]
}
