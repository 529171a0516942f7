import { isLoginPage, isLoginRedirect } from '../../directory/shared/login-page.ts'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'
import type { RunOptions } from '../../options/run-options.ts'

const CLIENT_CERTIFICATE_ADVICE =
  'The server requires a client certificate that it trusts: give one with --cert FILE and --key FILE'
const CREDENTIALS_ADVICE = 'Give credentials with --header or --token'
const BASE_URL_ADVICE = 'The base URL is probably wrong: /v2/cats and /v3/cats must be below it'

/** Patterns of network faults, each with the advice for the user. The first pattern that matches is used. */
const ADVICE_BY_FAULT: readonly (readonly [RegExp, string])[] = [
  [
    /Proxy response \(407\)/,
    'The proxy requires credentials: add them to the URL in the variable that sets the proxy, as in http://user:password@host:port',
  ],
  [/Proxy response/, 'The proxy refuses this host: to request it without the proxy, add the host to NO_PROXY'],
  [/ECONNREFUSED/, 'Nothing listens at this address: start the service, check the port, or wait for it with --wait 30'],
  [/ENOTFOUND|EAI_AGAIN/, 'This host does not exist: check the spelling of its name, and the name server'],
  [/CERT_HAS_EXPIRED/, 'The TLS certificate of the server has expired: renew the certificate'],
  [/CERT_NOT_YET_VALID/, 'The TLS certificate of the server is not valid yet: check the clock of this machine'],
  [
    /certificate required|handshake failure|bad certificate|unknown ca|HANDSHAKE|TLSV1\d?_ALERT/i,
    CLIENT_CERTIFICATE_ADVICE,
  ],
  [
    /UNABLE_TO|SELF_SIGNED|CERT_|DEPTH_ZERO/,
    'The TLS certificate of the server is not trusted here: give its CA with --ca FILE',
  ],
  [/ERR_SSL|EPROTO|wrong version number/i, 'The port does not use TLS: try http:// instead of https://'],
  [/ERR_TLS/, 'The TLS certificate of the server is for another host name'],
  [
    /UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    'There is no route to the host: check the firewall and the VPN',
  ],
  [
    /ECONNRESET|closed the connection/,
    'The server accepts connections and drops them: check the port, check whether the base URL must begin with https://, or wait with --wait 30 if the service is still starting',
  ],
  [
    /no complete response/,
    'The service responds too slowly or not at all: wait for it with --wait 30, raise --timeout, or look at the logs of the service',
  ],
  [/status 50[234]/, 'Start the service behind the gateway, or wait for it with --wait 30'],
  [/status 429/, 'Wait, and send requests more slowly, with --rate and --concurrency'],
]

/** Facts that a diagnosis needs and verdicts do not contain. */
export interface DiagnosisContext {
  readonly baseUrl: string
  /** The proxy that requests go through, and the environment variable that sets it. */
  readonly proxy?: { readonly url: string; readonly variable: string } | undefined
  /** The options that gave credentials, e.g. `--cert and --key`. */
  readonly credentialOptions?: readonly string[] | undefined
}

/** Matches the names of headers that select a representation or identify a request, e.g. Accept-Language. */
const HEADERS_WITHOUT_CREDENTIALS =
  /^(?:accept(?:-.*)?|user-agent|cache-control|pragma|prefer|traceparent|tracestate|baggage|(?:x-)?(?:request|correlation)-id|x-forwarded-.*)$/i

/** Returns the options that gave credentials. Any header with an unknown name may contain them, e.g. X-Auth. */
export function findCredentialOptions({
  headers = {},
  tokenCommand,
  transport,
}: Pick<RunOptions, 'headers' | 'tokenCommand' | 'transport'>): readonly string[] {
  const hasHeader = Object.keys(headers).some(
    (name) => !HEADERS_WITHOUT_CREDENTIALS.test(name) && (tokenCommand === undefined || !/^authorization$/i.test(name)),
  )
  return [
    ...(hasHeader ? ['--header and --token'] : []),
    ...(tokenCommand === undefined ? [] : ['--token-command']),
    ...(transport?.tls?.cert === undefined ? [] : ['--cert and --key']),
  ]
}

/**
 * Returns what the user can do if no response arrived, or if a gateway or a rate limit refused all requests. Returns
 * undefined if the reason says nothing about the cause.
 */
export function adviseOnFault(reason: string, baseUrl: string): string | undefined {
  const isCutOff = baseUrl.startsWith('https:') && /closed the connection|ECONNRESET/.test(reason)
  return isCutOff ? CLIENT_CERTIFICATE_ADVICE : ADVICE_BY_FAULT.find(([pattern]) => pattern.test(reason))?.[1]
}

/** Returns the URL to which a response redirects; undefined if it is no redirect. */
export function locationOf({ url, status = 0, responseHeaders = [] }: ExchangeSummary): string | undefined {
  const location = responseHeaders.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, url)) return undefined
  return new URL(location, url).href
}

/** Describes how a response shows that the deployment requires credentials. */
const describeMissingCredentials = (isLogin: boolean, location: string | undefined): string => {
  if (!isLogin) return 'The deployment requires credentials'
  return location === undefined ? 'This is a login page' : 'The redirect leads to a login page'
}

/** Returns what the user can do if the first response is no list. */
export function adviseOnResponse(exchange: ExchangeSummary, context: DiagnosisContext): string {
  const { baseUrl, credentialOptions = [] } = context
  const { status = 0, excerpt } = exchange
  const location = locationOf(exchange)
  const isLogin = location === undefined ? isLoginPage(excerpt) : isLoginRedirect(exchange.url, location)
  if (isLogin || [401, 403, 407].includes(status)) {
    if (credentialOptions.length > 0)
      return `The credentials given were rejected: check ${credentialOptions.join(', ')}`
    return `${describeMissingCredentials(isLogin, location)}. ${CREDENTIALS_ADVICE}`
  }
  if (location !== undefined) return adviseOnRedirect(exchange.url, location, baseUrl)
  if (status >= 500) return 'Look at the logs of the service'
  const version = /\/(v[23])\/?$/.exec(baseUrl)?.[1]
  if (version) return `The base URL ends in /${version}: leave out /${version}`
  return status < 300 ? `The response is not JSON. ${BASE_URL_ADVICE}` : BASE_URL_ADVICE
}

function adviseOnRedirect(url: string, location: string, baseUrl: string): string {
  const [from, to] = [new URL(url), new URL(location)]
  if (to.origin === from.origin) return BASE_URL_ADVICE
  if (to.protocol === 'https:' && from.protocol === 'http:' && to.hostname === from.hostname)
    return `The server redirects to https: use ${baseUrl.replace(from.origin, to.origin)}`
  return `Redirects to another origin are not followed: if ${to.origin} is the deployment, give it as the base URL`
}

const START_IN_HOOK = 'start it in the hook `beforeAll` and give `baseUrl` as a function'

/**
 * The options of the command that advice names, each with what a test file has instead. There is no `wait` option,
 * because the hooks of vitest start the service.
 */
const REPLACEMENTS: readonly (readonly [option: RegExp, replacement: string])[] = [
  [/wait(?: for it)?(?: with|:) --wait \d+(?: \(cost: [^)]*\))?/, START_IN_HOOK],
  [/--(?:header|token) (and|or) --(?:header|token)/, '`headers`'],
  [/--cert FILE and --key FILE/, '`transport.tls.cert` and `transport.tls.key`'],
  [/--cert and --key/, '`transport.tls.cert` and `transport.tls.key`'],
  [/--token-command/, '`tokenCommand`'],
  [/--ca FILE/, '`transport.tls.ca`'],
  [/--rate and --concurrency/, '`requestsPerSecond` and `concurrency`'],
  [/--rate (\d+)\/s --concurrency (\d+)/, '`requestsPerSecond: $1` and `concurrency: $2`'],
  [/--timeout/, '`timeoutMs`'],
  [/--versions (v\d)/, "`versions: ['$1']`"],
  [/--base-url URL/, '`baseUrl`'],
]

/** Replaces the options of the command in advice by the options of `conformance` in a test file. */
export const adviseInTestFile = (advice: string): string =>
  REPLACEMENTS.reduce((text, [option, replacement]) => text.replace(option, replacement), advice)
