import type { ExchangeSummary } from '../suites/engine/verdict.ts'
import { withoutUserinfo } from './escape.ts'
import { headerWord, quoted } from './shell.ts'

// curl has its own for these, and a replay is about the target and what is accepted.
const notRepeated = new Set(['accept', 'user-agent', 'accept-encoding', 'host', 'connection'])

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
export function curlLine(exchange: ExchangeSummary): string {
  const url = withoutUserinfo(exchange.url)
  const follow = exchange.redirects === undefined ? [] : ['-L']
  const options = [...methodOptions[exchange.method], ...follow, '--path-as-is', '--compressed']
  return ['curl', '-sS', '-g', ...options, ...headerOptions(exchange), ...targetOption(url), quoted(url)].join(' ')
}

function headerOptions(exchange: ExchangeSummary): string[] {
  const headers = Object.entries(exchange.requestHeaders)
  const accept = headers.find(([name]) => name.toLowerCase() === 'accept')?.[1]
  const others = headers.filter(([name]) => !notRepeated.has(name.toLowerCase()) && !name.startsWith(':'))
  return [
    // Without a value curl sends no Accept of its own.
    ...['-H', accept === undefined ? "'Accept:'" : headerWord('Accept', accept)],
    ...others.flatMap(([name, value]) => ['-H', value === '' ? quoted(`${name};`) : headerWord(name, value)]),
  ]
}

/** curl takes a bare # for the start of a fragment, and percent-encodes octets beyond ASCII: there it is told. */
function targetOption(url: string): string[] {
  if (/^[\x21-\x7e]*$/.test(url) && !url.includes('#')) return []
  const afterAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0
  return ['--request-target', quoted(url.slice(afterAuthority))]
}
