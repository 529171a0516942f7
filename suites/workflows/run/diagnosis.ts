import { formatNextStep, suggestNextStep } from '../../../reports/report/next-steps.ts'
import { splitOffAdvice } from '../../../reports/report/reasons.ts'
import type { Diagnosis } from '../../../reports/report/report.ts'
import { isLoginPage, isLoginUrl } from '../../directory/shared/login-page.ts'
import type { RunResult, Verdict } from '../../engine/check/verdict.ts'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'
import { createOperationFinder } from '../report/operation-of-url.ts'

const CLIENT_CERTIFICATE_ADVICE =
  'It asks for a client certificate that it trusts: give one with --cert FILE and --key FILE'
const CREDENTIALS_ADVICE = 'Give credentials with --header or --token'
const CAT_LIST_URL = /\/v\d\/cats$/
const BASE_URL_ADVICE = 'The base URL is probably wrong: /v2/cats and /v3/cats must be below it'

/** Patterns of network faults, each with the advice for the user. The first pattern that matches is used. */
const ADVICE_BY_FAULT: readonly (readonly [RegExp, string])[] = [
  [/Proxy response \(407\)/, 'The proxy asks for credentials: name them in the URL of the variable that names it'],
  [/Proxy response/, 'The proxy refuses this host: NO_PROXY names the hosts that are requested without it'],
  [/ECONNREFUSED/, 'Nothing listens there: start the service, check the port, or wait for it with --wait 30'],
  [/ENOTFOUND|EAI_AGAIN/, 'There is no such host: check its spelling and the name server'],
  [/CERT_HAS_EXPIRED/, 'Its TLS certificate has expired: renew it'],
  [/CERT_NOT_YET_VALID/, 'Its TLS certificate is not valid yet: check the clock of this machine'],
  [
    /certificate required|handshake failure|bad certificate|unknown ca|HANDSHAKE|TLSV1\d?_ALERT/i,
    CLIENT_CERTIFICATE_ADVICE,
  ],
  [/UNABLE_TO|SELF_SIGNED|CERT_|DEPTH_ZERO/, 'Its TLS certificate is not trusted here: give its CA with --ca FILE'],
  [/ERR_SSL|EPROTO|wrong version number/i, 'It does not speak TLS there: try http:// instead of https://'],
  [/ERR_TLS/, 'Its TLS certificate does not fit the host name'],
  [
    /UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    'There is no route to it: check the firewall and the VPN',
  ],
  [
    /ECONNRESET|closed the connection/,
    'It accepts connections and drops them: check the port, or wait with --wait 30 if it is still starting',
  ],
  [
    /no complete response/,
    'It responds too slowly or not at all: wait for it with --wait 30, raise --timeout, or look at the service',
  ],
]

/** Facts that a diagnosis needs and verdicts do not contain. */
interface DiagnosisContext {
  readonly baseUrl: string
  /** The proxy that requests go through, and the environment variable that sets it. */
  readonly proxy?: { readonly url: string; readonly variable: string } | undefined
  /** True if the port of an http URL uses TLS. */
  readonly speaksTls?: boolean | undefined
  /** True if the requests contained credentials. */
  readonly hasCredentials?: boolean | undefined
}

type DiagnosedRun = Pick<RunResult, 'verdicts' | 'exchanges' | 'conclusion'> & Partial<Pick<RunResult, 'opening'>>

/** Returns all verdicts of the run, each followed by the verdict that is its cause, if there is one. */
const verdictsWithCauses = ({ verdicts }: Pick<RunResult, 'verdicts'>): readonly Verdict[] =>
  verdicts.flatMap((verdict) => [verdict, verdict.cause ?? []].flat())

/**
 * Finds the verdict of `service/answers`, the check that the deployment is a cat directory. It may occur only as the
 * cause of another verdict.
 */
export function findVerdictOfServiceCheck({ verdicts }: Pick<RunResult, 'verdicts'>): Verdict | undefined {
  return verdictsWithCauses({ verdicts }).find(({ check }) => check.id === 'service/answers')
}

export const formatDiagnosis = ({ cause, next }: Diagnosis): string => (next === undefined ? cause : `${cause} ${next}`)

/**
 * Diagnoses a run that could not test everything: finds the likely cause, and advice for the user.
 * @returns undefined if no such cause was found
 */
export function diagnoseKnownCause(result: DiagnosedRun, context: DiagnosisContext): Diagnosis | undefined {
  const serviceVerdict = findVerdictOfServiceCheck(result)
  if (serviceVerdict && serviceVerdict.status !== 'pass')
    return addProxy(diagnoseMissingService(serviceVerdict, result, context), context)
  return (
    diagnoseLoss(result, context) ?? diagnoseEmptyDirectory(result, context) ?? diagnoseMissingVersion(result, context)
  )
}

/**
 * Diagnoses a run. If it is inconclusive and no cause is known, the diagnosis is the reason on which most undecided
 * checks depend.
 */
export const diagnoseInconclusiveRun = (result: DiagnosedRun, context: DiagnosisContext): Diagnosis | undefined =>
  diagnoseKnownCause(result, context) ??
  (result.conclusion === 'inconclusive' ? diagnoseMainReason(result, context) : undefined)

const addProxy = (diagnosis: Diagnosis, { proxy }: DiagnosisContext): Diagnosis =>
  proxy === undefined
    ? diagnosis
    : {
        ...diagnosis,
        next: [diagnosis.next, `Requests go through the proxy ${new URL(proxy.url).host} (${proxy.variable}).`]
          .filter(Boolean)
          .join(' '),
      }

/** Describes what the user can do so that a check is decided, as a sentence without its full stop. */
function describeNextStep(id: string, reason: string): string | undefined {
  const step = suggestNextStep(id, reason)
  if (step === undefined) return undefined
  const text = formatNextStep(step)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Creates a diagnosis, and adds missing full stops.
 * @param next the advice for the user
 */
const createDiagnosis = (cause: string, next: string | undefined, exchange?: ExchangeSummary): Diagnosis => ({
  cause: endWithFullStop(cause),
  ...(next !== undefined && { next: endWithFullStop(next) }),
  ...(exchange && { exchange: exchange.id }),
})

const endWithFullStop = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

function diagnoseMissingService(
  serviceVerdict: Verdict,
  { exchanges, opening = [] }: DiagnosedRun,
  context: DiagnosisContext,
): Diagnosis {
  const { baseUrl, speaksTls } = context
  const shown = (serviceVerdict.finding?.exchanges ?? []).flatMap((id) => exchanges.get(id) ?? [])
  // Sorts the requests for the lists of cats of both versions, because they are sent concurrently, in any order.
  const catLists = opening.filter(({ url }) => CAT_LIST_URL.test(url)).toSorted((a, b) => (a.url < b.url ? -1 : 1))
  const first = catLists[0] ?? shown[0] ?? opening[0]
  if (speaksTls)
    return createDiagnosis(
      `Nothing could be tested: the port of ${baseUrl} speaks TLS`,
      `Use ${baseUrl.replace(/^http:/, 'https:')}`,
      first,
    )
  const { reason = '' } = serviceVerdict
  if (
    first?.status === undefined ||
    (!/^(prerequisite|unreadable): /.test(`${reason}`) && serviceVerdict.status !== 'fail')
  )
    return diagnoseFault(reason, context, first)
  return createDiagnosis(
    `GET ${first.url} answered ${first.status}${describeResponse(first)}`,
    adviseOnResponse(first, context),
    first,
  )
}

/** Diagnoses a run without any response, or in which a gateway or a rate limit refused all requests. */
function diagnoseFault(reason: string, { baseUrl }: DiagnosisContext, first: ExchangeSummary | undefined): Diagnosis {
  const isCutOff = baseUrl.startsWith('https:') && /closed the connection|ECONNRESET/.test(reason)
  const next = isCutOff ? CLIENT_CERTIFICATE_ADVICE : ADVICE_BY_FAULT.find(([pattern]) => pattern.test(reason))?.[1]
  return createDiagnosis(`Nothing could be tested at ${baseUrl}: ${reason.replace(/^[a-z ]+: /, '')}`, next, first)
}

/** Describes the first response if it is not JSON: its media type and title, or the target of a redirect. */
function describeResponse(exchange: ExchangeSummary): string {
  const { mediaType, excerpt, status = 0 } = exchange
  const location = locationOf(exchange)
  if (location !== undefined) return `, a redirect to ${location}`
  if (status >= 500) return ': the service fails'
  const title =
    /<title>\s*([^<]*?)\s*<\/title>/i.exec(excerpt)?.[1] ?? /^\s*(?:<\?[^>]*>\s*)?<(?!!)([\w:-]+)/.exec(excerpt)?.[1]
  const type = mediaType?.split(';', 1)[0] ?? 'no media type'
  return ` (${type}${title ? `, "${title}"` : ''})`
}

function locationOf({ url, status = 0, responseHeaders = [] }: ExchangeSummary): string | undefined {
  const location = responseHeaders.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, url)) return undefined
  return new URL(location, url).href
}

function adviseOnResponse(exchange: ExchangeSummary, { baseUrl, hasCredentials }: DiagnosisContext): string {
  const { status = 0, excerpt } = exchange
  const location = locationOf(exchange)
  if (location !== undefined) return adviseOnRedirect(exchange.url, location, baseUrl)
  if ([401, 403, 407].includes(status))
    return hasCredentials
      ? 'The credentials given were rejected: check --header and --token'
      : `The deployment requires credentials. ${CREDENTIALS_ADVICE}`
  if (status >= 500) return 'Look at the logs of the service'
  if (isLoginPage(excerpt)) return `This is a login page. ${CREDENTIALS_ADVICE}`
  const version = /\/(v[23])\/?$/.exec(baseUrl)?.[1]
  if (version) return `The base URL ends in /${version}: leave out /${version}`
  return status < 300
    ? `The response is not JSON. ${BASE_URL_ADVICE}. If this is a login page, give credentials with --header or --token`
    : BASE_URL_ADVICE
}

function adviseOnRedirect(url: string, location: string, baseUrl: string): string {
  const [from, to] = [new URL(url), new URL(location)]
  if (isLoginUrl(location)) return `This is a login page. ${CREDENTIALS_ADVICE}`
  if (to.origin === from.origin) return BASE_URL_ADVICE
  if (to.protocol === 'https:' && from.protocol === 'http:' && to.hostname === from.hostname)
    return `It redirects to https: use ${baseUrl.replace(from.origin, to.origin)}`
  return `Redirects to another origin are not followed: if ${to.origin} is the deployment, give it as the base URL`
}

/** Diagnoses a deployment that stopped responding during the run, or refused requests because of a rate limit. */
function diagnoseLoss(result: DiagnosedRun, { baseUrl }: DiagnosisContext): Diagnosis | undefined {
  const lost = verdictsWithCauses(result).find(
    ({ status, reason = '' }) => status === 'inconclusive' && /^(unreachable|limited): /.test(reason),
  )
  if (lost === undefined) return undefined
  const { reason = '', check } = lost
  return createDiagnosis(
    `Not everything could be tested at ${baseUrl}: ${reason.replace(/^[a-z]+: /, '')}`,
    describeNextStep(check.id, reason),
  )
}

/** Checks that have no input if a list is empty, each with the name of that list. */
const INPUT_LISTS_BY_CHECK: readonly (readonly [id: string, list: string])[] = [
  ['lives/is-served', 'cats'],
  ['search/finds-every-cat-by-name', 'cats'],
  ['breed-cats/is-served', 'breeds'],
]

/** Diagnoses a directory without cats or breeds, in which little can be tested. */
function diagnoseEmptyDirectory(
  { verdicts, conclusion, opening = [] }: DiagnosedRun,
  { baseUrl }: DiagnosisContext,
): Diagnosis | undefined {
  if (conclusion !== 'inconclusive') return undefined
  const idle = verdicts.filter(({ reason }) => reason?.startsWith('nothing to ask: there was no input'))
  const list = INPUT_LISTS_BY_CHECK.find(([id]) => idle.some(({ check }) => check.id === id))?.[1]
  if (list === undefined) return undefined
  const cause = `Too little could be tested at ${baseUrl}: the list of ${list} is empty, or shows no name to test with`
  const exchange = opening.find(({ url }) => url.endsWith(`/${list}`))
  return createDiagnosis(cause, 'Test a deployment with some data in it', exchange)
}

/** Diagnoses a version that is missing although the other one is served. */
function diagnoseMissingVersion({ verdicts }: DiagnosedRun, { baseUrl }: DiagnosisContext): Diagnosis | undefined {
  const sides = verdicts.filter(({ check }) => check.id === 'versions/side-by-side')
  const served = sides.find(({ status }) => status === 'pass')
  const missing = sides.find(({ status }) => status === 'fail')
  return served && missing
    ? createDiagnosis(
        `Only ${served.version} is served at ${baseUrl}; both versions are required`,
        `To test it alone: --versions ${served.version}`,
      )
    : undefined
}

/** Diagnoses a run by the reason of the undecided check on which most other undecided checks depend. */
function diagnoseMainReason(result: DiagnosedRun, { baseUrl }: DiagnosisContext): Diagnosis | undefined {
  const { verdicts } = result
  const undecided = verdicts.filter(({ status, check }) => status === 'inconclusive' && check.level !== 'should')
  const roots = undecided.map(({ cause, ...own }) => cause ?? own)
  const waiting = (root: Pick<Verdict, 'check' | 'version'>) =>
    roots.filter(({ check, version }) => check.id === root.check.id && version === root.version).length
  const [main] = roots.toSorted((one, other) => waiting(other) - waiting(one))
  if (main === undefined) return undefined
  const [reason = ''] = (main.reason ?? '').split('\n', 1)
  const { cause, advice } = splitOffAdvice(reason.replace(/^[a-z ]+: /, ''))
  return createDiagnosis(
    `${main.check.id} (${main.version}) could not be decided: ${cause}`,
    advice ?? describeNextStep(main.check.id, reason),
    findExchangeInReason(main, result, baseUrl),
  )
}

/**
 * The operations with a single list. Other operations have a list for each input, and only the check knows which of
 * these lists its reason is about.
 */
const OPERATIONS_WITH_ONE_LIST: readonly string[] = ['listCats', 'listBreeds']

/** Finds the exchange that the reason of an undecided check speaks of. */
function findExchangeInReason(
  { check, version }: Pick<Verdict, 'check' | 'version'>,
  { verdicts, exchanges, opening = [] }: DiagnosedRun,
  baseUrl: string,
): ExchangeSummary | undefined {
  const own = verdicts.find((one) => one.check.id === check.id && one.version === version)
  const exchange = exchanges.get(own?.exchangeInReason ?? Number.NaN)
  if (exchange || !OPERATIONS_WITH_ONE_LIST.includes(check.operation)) return exchange
  const placeOf = createOperationFinder(baseUrl)
  return opening.find(({ url }) => {
    const place = placeOf(url.slice(new URL(url).origin.length))
    return place.operation === check.operation && version.split('+').includes(place.version)
  })
}
