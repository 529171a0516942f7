import type { RunResult, Verdict } from '../../engine/check/verdict.ts'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'

const CLIENT_CERTIFICATE = 'it asks for a client certificate that it trusts: give one with --cert FILE and --key FILE'

/** What a reason says, and what to try. The first that fits is told. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/Proxy response \(407\)/, 'the proxy asks for credentials: name them in the URL of the variable that names it'],
  [/Proxy response/, 'the proxy refuses to lead there: NO_PROXY names the hosts that are asked without it'],
  [/ECONNREFUSED/, 'nothing listens there: is the service started, and is the port right? (--wait S waits for it)'],
  [/ENOTFOUND|EAI_AGAIN/, 'no such host: look at its spelling and at the name server'],
  [/CERT_HAS_EXPIRED/, 'its TLS certificate has expired: renew it'],
  [/CERT_NOT_YET_VALID/, 'its TLS certificate is not valid yet: is the clock of this machine right?'],
  [/certificate required|handshake failure|bad certificate|unknown ca|HANDSHAKE|TLSV1\d?_ALERT/i, CLIENT_CERTIFICATE],
  [/UNABLE_TO|SELF_SIGNED|CERT_|DEPTH_ZERO/, 'its TLS certificate is not trusted here: give its CA with --ca FILE'],
  [/ERR_SSL|EPROTO|wrong version number/i, 'it does not speak TLS there: try http:// instead of https://'],
  [/ERR_TLS/, 'its TLS certificate does not fit the host name'],
  [
    /UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    'no way leads there: is a firewall or a VPN in between?',
  ],
  [/credentials/, 'give them with --header or --token'],
  [
    /web page/,
    'the base URL is wrong (below it /v2/cats and /v3/cats must stand), or this is a login page (give credentials with --header or --token)',
  ],
  [
    /other side closed|ECONNRESET|UND_ERR_SOCKET/,
    'it takes connections and drops them: is the port right, and is it still starting? (--wait S waits for it)',
  ],
  [
    /no complete answer/,
    'it takes connections and answers too slowly or not at all: raise --timeout, or look at the service',
  ],
]

/** What is known beside the verdicts. */
export interface Circumstances {
  readonly baseUrl: string
  /** Through which the deployment was asked, and the variable that names it. */
  readonly proxy?: { readonly url: string; readonly variable: string } | undefined
  /** Whether TLS is spoken where http was asked for. */
  readonly speaksTls?: boolean | undefined
}

type Judged = Pick<RunResult, 'verdicts' | 'exchanges' | 'conclusion'>

/** All verdicts, and those that they wait for. */
const told = ({ verdicts }: Pick<RunResult, 'verdicts'>): readonly Verdict[] =>
  verdicts.flatMap((verdict) => [verdict, verdict.cause ?? []].flat())

/** The verdict on whether there is a cat directory at all, wherever it is told. */
export function doorOf({ verdicts }: Pick<RunResult, 'verdicts'>): Verdict | undefined {
  return told({ verdicts }).find(({ check }) => check.id === 'service/answers')
}

/** It was there, and then it was not any more, or would not answer any more. */
function whyNotAll(verdicts: RunResult['verdicts'], baseUrl: string): string | undefined {
  const reasons = verdicts.flatMap(({ status, reason }) => (status === 'inconclusive' && reason ? [reason] : []))
  const left = reasons.find((reason) => /^(unreachable|limited): /.test(reason))
  return left && `Not all could be judged at ${baseUrl}: ${left}.`
}

/**
 * What is probably wrong when nothing could be judged, and what to try: the first line that people see.
 * @returns undefined when the deployment was found, and judged to the end
 */
export function diagnose(result: Judged, around: Circumstances): string | undefined {
  const { baseUrl } = around
  const door = doorOf(result)
  if (!door || door.status === 'pass')
    return whyNotAll(told(result), baseUrl) ?? ofEmptiness(result, baseUrl) ?? ofOneVersion(result, baseUrl)
  const reason = door.reason ?? ''
  const remedy = remedyOf(door, result, around)
  if (door.status === 'fail') {
    const usual = 'The base URL is probably wrong: below it /v2/cats and /v3/cats must stand'
    return `No cat directory at ${baseUrl}: ${reason}. ${ended(remedy ?? usual)}${through(around)}`
  }
  const isCutOff = baseUrl.startsWith('https:') && /other side closed|ECONNRESET/.test(reason)
  const hint = isCutOff ? CLIENT_CERTIFICATE : HINTS.find(([pattern]) => pattern.test(reason))?.[1]
  const probably = hint && !reason.includes(hint) ? ` ${ended(`Probably ${hint}`)}` : ''
  return `Nothing could be judged at ${baseUrl}: ${reason}.${remedy ? ` ${ended(remedy)}` : probably}${through(around)}`
}

const ended = (sentence: string): string => (sentence.endsWith('?') ? sentence : `${sentence}.`)

function remedyOf(door: Verdict, { exchanges }: Judged, { baseUrl, speaksTls }: Circumstances): string | undefined {
  if (speaksTls) return `It speaks TLS there: use ${baseUrl.replace(/^http:/, 'https:')}`
  const version = /\/(v[23])$/.exec(baseUrl)?.[1]
  if (version && door.status === 'fail')
    return `The base URL ends in /${version}, and is what stands before it: leave out /${version}`
  const shown = (door.finding?.exchanges ?? []).flatMap((id) => exchanges.get(id) ?? [])
  return shown.map((one) => remedyOfRedirect(one, baseUrl)).find((one) => one !== undefined)
}

function remedyOfRedirect(
  { url, status = 0, responseHeaders = [] }: ExchangeSummary,
  baseUrl: string,
): string | undefined {
  const location = responseHeaders.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, url)) return undefined
  const [from, to] = [new URL(url), new URL(location, url)]
  if (/log-?in|sign-?in|sso|oauth|authorize|auth\b/i.test(to.hostname + to.pathname))
    return 'It redirects to a login page: give credentials with --header or --token'
  if (to.origin === from.origin) return undefined
  if (to.protocol === 'https:' && from.protocol === 'http:' && to.hostname === from.hostname)
    return `It redirects to https: use ${baseUrl.replace(from.origin, to.origin)}`
  return `It redirects to ${to.origin}, which is not followed: is that what to judge?`
}

const through = ({ proxy }: Circumstances): string =>
  proxy === undefined ? '' : ` It was asked through the proxy ${new URL(proxy.url).host} (${proxy.variable}).`

/** Who has nothing to ask, where a list is empty. */
const ASK_OF: readonly (readonly [id: string, list: string])[] = [
  ['lives/is-served', 'cats'],
  ['search/finds-every-cat-by-name', 'cats'],
  ['breed-cats/is-served', 'breeds'],
]

/** A directory without cats is found, and little can be tried with it. */
function ofEmptiness({ verdicts, conclusion }: Judged, baseUrl: string): string | undefined {
  if (conclusion !== 'inconclusive') return undefined
  const idle = verdicts.filter(({ reason }) => reason?.startsWith('nothing to ask: there was no input'))
  const list = ASK_OF.find(([id]) => idle.some(({ check }) => check.id === id))?.[1]
  return (
    list &&
    `Too little could be judged at ${baseUrl}: the list of ${list} is empty, or shows no name to ask for. Judge a deployment with some data in it.`
  )
}

/** A version that answers nothing was probably never there. */
function ofOneVersion({ verdicts }: Judged, baseUrl: string): string | undefined {
  const sides = verdicts.filter(({ check }) => check.id === 'versions/side-by-side')
  const there = sides.find(({ status }) => status === 'pass')
  const missing = sides.find(({ status }) => status === 'fail')
  return there && missing
    ? `Only ${there.version} is served at ${baseUrl}; both are promised. To judge it alone: --versions ${there.version}.`
    : undefined
}
