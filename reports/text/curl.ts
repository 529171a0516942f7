import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { withoutUserinfo } from './escape.ts'
import { headerWord, shellQuoted } from './shell.ts'

// curl has its own for these, and a replay is about the target and what is accepted.
const notRepeated = new Set(['accept', 'accept-encoding', 'host', 'connection', 'x-request-id'])
const OWN_USER_AGENT = 'cat-directory-conformance'

type Asked = Pick<ExchangeSummary, 'method' | 'url' | 'redirects' | 'requestHeaders'>

const methodOptions: Readonly<Record<ExchangeSummary['method'], readonly string[]>> = {
  GET: ['-i'],
  HEAD: ['-I'],
  OPTIONS: ['-i', '-X', 'OPTIONS'],
}

/**
 * A request as a line to paste into a shell; it sends the same target, byte for byte.
 * @param exchange what was asked; its masked headers become shell variables to fill in
 * @returns one line of printable ASCII
 */
export function curlLine(exchange: Asked): string {
  const url = withoutUserinfo(exchange.url)
  const options = ['-sS', '-g', ...methodOptions[exchange.method], ...optionsOf(exchange)]
  return ['curl', ...options, ...targetOption(url), shellQuoted(url)].join(' ')
}

function optionsOf(exchange: Asked): string[] {
  // As many redirects as were followed within the origin: headers of one's own go along to wherever another leads.
  const follow = exchange.redirects === undefined ? [] : ['-L', '--max-redirs', String(exchange.redirects)]
  return [...follow, '--path-as-is', '--compressed', ...headerOptions(exchange)]
}

/** So often together: each meets another now and then. */
const TIMES_IN_FLIGHT = 8

/**
 * Requests that show nothing alone, as one line that keeps them in flight together, several times each.
 * @param exchanges what was asked, all in the same way
 * @returns no line where nothing was
 */
export function curlLineInFlight(exchanges: readonly Asked[]): readonly string[] {
  const [first] = exchanges
  if (!first) return []
  const urls = exchanges.map(({ url }) => shellQuoted(withoutUserinfo(url)))
  const all = Array.from({ length: TIMES_IN_FLIGHT }, () => urls).flat()
  // Answers come in any order, and their heads apart from their bodies: each body is followed by what it answers.
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
    // Without a value curl sends no Accept of its own.
    ...['-H', accept === undefined ? "'Accept:'" : headerWord('Accept', accept)],
    ...others.flatMap(([name, value]) => ['-H', value === '' ? shellQuoted(`${name};`) : headerWord(name, value)]),
  ]
}

/** curl takes a bare # for the start of a fragment, and percent-encodes octets beyond ASCII: there it is told. */
function targetOption(url: string): string[] {
  if (/^[\x21-\x7e]*$/.test(url) && !url.includes('#')) return []
  const afterAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0
  return ['--request-target', shellQuoted(url.slice(afterAuthority))]
}
