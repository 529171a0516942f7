import { formatNextStep, suggestNextStep } from '../../../reports/report/next-steps.ts'
import { removeVersionsFromReason } from '../../../reports/report/reasons.ts'
import type { Diagnosis } from '../../../reports/report/report.ts'
import type { RunResult, Verdict } from '../../engine/check/verdict.ts'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'
import { type Advice, formatAdvisedText, type InconclusiveReason } from '../../engine/inconclusive.ts'
import { NO_DATA_REASON } from '../../engine/run/build-verdicts.ts'
import { adviseOnFault, adviseOnResponse, type DiagnosisContext, locationOf } from './advice.ts'

/** Matches the URL of a list of all cats. */
const CAT_LIST_URL = /\/v\d\/cats$/

/** The parts of a result from which a run is diagnosed. */
type DiagnosedRun = Pick<RunResult, 'verdicts' | 'exchanges' | 'conclusion'> &
  Partial<Pick<RunResult, 'opening' | 'traffic' | 'lostRequests'>>

/** Returns all verdicts of the run, each followed by the verdict that is its cause, if there is one. */
const verdictsWithCauses = ({ verdicts }: Pick<RunResult, 'verdicts'>): readonly Verdict[] =>
  verdicts.flatMap((verdict) => [verdict, verdict.cause ?? []].flat())

/**
 * Finds the verdict of the check `service/answers`, which verifies that the deployment is a cat directory. This verdict
 * may occur only as the cause of another one.
 */
function findVerdictOfServiceCheck({ verdicts }: Pick<RunResult, 'verdicts'>): Verdict | undefined {
  return verdictsWithCauses({ verdicts }).find(({ check }) => check.id === 'service/answers')
}

export const formatDiagnosis = ({ cause, next }: Diagnosis): string => (next === undefined ? cause : `${cause} ${next}`)

/**
 * Diagnoses a run that could not test everything: finds the likely cause, and advice for the user.
 * @returns undefined if no such cause was found
 */
export function diagnoseKnownCause(result: DiagnosedRun, context: DiagnosisContext): Diagnosis | undefined {
  if (result.conclusion === 'inconclusive' && result.verdicts.every(({ status }) => status === 'not-applicable'))
    return createDiagnosis(
      `Nothing was tested, because no selected check applies to this run: ${result.verdicts[0]?.reason ?? 'no check was selected'}`,
      'Select other checks, or other versions',
    )
  const serviceVerdict = findVerdictOfServiceCheck(result)
  if (serviceVerdict && serviceVerdict.status !== 'pass')
    return addCheck(addProxy(diagnoseMissingService(serviceVerdict, result, context), context), serviceVerdict)
  return (
    diagnoseLoss(result, context) ?? diagnoseEmptyDirectory(result, context) ?? diagnoseMissingVersion(result, context)
  )
}

/**
 * Diagnoses a run. If it is inconclusive and no cause is known, the diagnosis is the reason on which most undecided
 * checks depend.
 */
export const diagnoseInconclusiveRun = (result: DiagnosedRun, context: DiagnosisContext): Diagnosis | undefined =>
  diagnoseKnownCause(result, context) ?? (result.conclusion === 'inconclusive' ? diagnoseMainReason(result) : undefined)

const addCheck = (diagnosis: Diagnosis, { check, version }: Pick<Verdict, 'check' | 'version'>): Diagnosis => ({
  ...diagnosis,
  check: { id: check.id, version },
})

function addProxy(diagnosis: Diagnosis, { proxy }: DiagnosisContext): Diagnosis {
  if (proxy === undefined) return diagnosis
  const route = `Requests go through the proxy ${new URL(proxy.url).host} (${proxy.variable}).`
  return { ...diagnosis, next: [diagnosis.next, route].filter(Boolean).join(' ') }
}

/**
 * Describes what the user can do so that a check is decided, as a sentence without its full stop; undefined if the
 * check is not inconclusive.
 */
function describeNextStep({ check, inconclusiveReason }: UndecidedCheck): string | undefined {
  if (inconclusiveReason === undefined) return undefined
  const text = formatNextStep(suggestNextStep(check.id, inconclusiveReason))
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const isReasonOfKind = (
  reason: InconclusiveReason | undefined,
  kinds: readonly InconclusiveReason['kind'][],
): boolean => reason !== undefined && kinds.includes(reason.kind)

const textOfReason = ({ reason = '', inconclusiveReason }: Verdict): string =>
  inconclusiveReason ? formatAdvisedText(inconclusiveReason) : reason

const createDiagnosis = (cause: string, next: string | undefined, exchange?: ExchangeSummary): Diagnosis => ({
  cause: endWithFullStop(cause),
  ...(next !== undefined && { next: endWithFullStop(next) }),
  ...(exchange && { exchange: exchange.id }),
})

const endWithFullStop = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

function diagnoseMissingService(
  serviceVerdict: Verdict,
  { exchanges, opening = [], traffic }: DiagnosedRun,
  context: DiagnosisContext,
): Diagnosis {
  const shown = (serviceVerdict.finding?.exchanges ?? []).flatMap((id) => exchanges.get(id) ?? [])
  // Sorts the requests for the lists of cats of both versions, because they are sent concurrently, in any order.
  const catLists = opening.filter(({ url }) => CAT_LIST_URL.test(url)).toSorted((a, b) => (a.url < b.url ? -1 : 1))
  const first = catLists[0] ?? shown[0] ?? opening[0]
  const { inconclusiveReason, status } = serviceVerdict
  const isAboutResponse = status === 'fail' || isReasonOfKind(inconclusiveReason, ['prerequisite', 'unreadable'])
  if (first?.status === undefined || !isAboutResponse) return diagnoseFault(serviceVerdict, context, first, traffic)
  return createDiagnosis(
    `GET ${first.url} answered ${first.status}${describeResponse(first)}`,
    adviseOnResponse(first, context),
    first,
  )
}

/** Diagnoses a run without any response, or in which a gateway or a rate limit refused all requests. */
function diagnoseFault(
  serviceVerdict: Verdict,
  { baseUrl }: DiagnosisContext,
  first: ExchangeSummary | undefined,
  traffic: DiagnosedRun['traffic'],
): Diagnosis {
  const text = textOfReason(serviceVerdict)
  const diagnosis = createDiagnosis(
    `Nothing could be tested at ${baseUrl}: ${text}`,
    adviseOnFault(text, baseUrl) ?? describeNextStep(serviceVerdict),
    first,
  )
  const sent = traffic?.sent.find(({ target }) => CAT_LIST_URL.test(target))
  if (first || !sent) return diagnosis
  const response = sent.status === 0 ? 'none' : `status ${sent.status}`
  return { ...diagnosis, request: `GET ${new URL(baseUrl).origin}${sent.target}`, response }
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

/**
 * Diagnoses a deployment that stopped responding during the run, or refused requests because of a rate limit. Returns
 * undefined if neither happened.
 */
function diagnoseLoss(result: DiagnosedRun, { baseUrl }: DiagnosisContext): Diagnosis | undefined {
  const lost = verdictsWithCauses(result).find((one) =>
    isReasonOfKind(one.inconclusiveReason, ['unreachable', 'limited']),
  )
  if (lost === undefined) return undefined
  const cause = `Not everything could be tested at ${baseUrl}: ${textOfReason(lost)}`
  const diagnosis = addCheck(createDiagnosis(cause, describeNextStep(lost)), lost)
  const { lostRequests: [first, ...others] = [] } = result
  if (first === undefined) return diagnosis
  const request = others.length > 0 ? `${first} (one of ${others.length + 1} in flight)` : first
  return { ...diagnosis, request, response: 'none' }
}

/** Checks that have no input if a list is empty, each with the name of that list. */
const INPUT_LISTS_BY_CHECK: readonly (readonly [id: string, list: string])[] = [
  ['lives/is-served', 'cats'],
  ['search/finds-every-cat-by-name', 'cats'],
  ['breed-cats/is-served', 'breeds'],
]

/**
 * Diagnoses a directory without cats or breeds, in which little can be tested. Returns undefined if data was found, or
 * the run is not inconclusive.
 */
function diagnoseEmptyDirectory(
  { verdicts, conclusion, opening = [] }: DiagnosedRun,
  { baseUrl }: DiagnosisContext,
): Diagnosis | undefined {
  if (conclusion !== 'inconclusive') return undefined
  const untested = verdicts.filter(({ inconclusiveReason }) => inconclusiveReason?.text === NO_DATA_REASON)
  const [id, list] = INPUT_LISTS_BY_CHECK.find(([one]) => untested.some(({ check }) => check.id === one)) ?? []
  const untestedVerdict = untested.find(({ check }) => check.id === id)
  if (untestedVerdict === undefined) return undefined
  const exchange = opening.find(({ url }) => url.endsWith(`/${list}`))
  const isEmpty = exchange?.excerpt?.trim() === '[]'
  const cause = `Too little could be tested at ${baseUrl}: the list of ${list} ${isEmpty ? 'is empty' : 'is empty, or contains no name to test with'}`
  const next =
    'If the list should not be empty, check which database the deployment uses. Otherwise, load cats and breeds into it, or test another deployment'
  return addCheck(createDiagnosis(cause, next, exchange), untestedVerdict)
}

/** Diagnoses a version that is missing although the other one is served; returns undefined if none is missing. */
function diagnoseMissingVersion({ verdicts }: DiagnosedRun, { baseUrl }: DiagnosisContext): Diagnosis | undefined {
  const versionVerdicts = verdicts.filter(({ check }) => check.id === 'versions/side-by-side')
  const served = versionVerdicts.find(({ status }) => status === 'pass')
  const missing = versionVerdicts.find(({ status }) => status === 'fail')
  return served && missing
    ? createDiagnosis(
        `Only ${served.version} is served at ${baseUrl}; both versions are required`,
        `To test it alone: --versions ${served.version}`,
      )
    : undefined
}

type UndecidedCheck = Pick<Verdict, 'check' | 'version' | 'reason' | 'inconclusiveReason'>

/** Diagnoses a run by the reason of the undecided check on which most other undecided checks depend. */
function diagnoseMainReason(result: DiagnosedRun): Diagnosis | undefined {
  const { verdicts } = result
  const undecided = verdicts.filter(({ status, check }) => status === 'inconclusive' && check.level !== 'should')
  const roots = undecided.map(({ cause, ...own }) => cause ?? own)
  const countDependents = (root: Pick<Verdict, 'check' | 'version'>) =>
    roots.filter(({ check, version }) => check.id === root.check.id && version === root.version).length
  const [main] = roots.toSorted((one, other) => countDependents(other) - countDependents(one))
  if (main === undefined) return undefined
  const [cause = ''] = (main.inconclusiveReason?.text ?? main.reason ?? '').split('\n', 1)
  const versions = describeVersionsWithReason(main, roots)
  const subject = `${main.check.id} (${versions})`
  // A cause that begins with a request may be about another operation than the check.
  const diagnosis = createDiagnosis(
    cause.startsWith('GET ') ? `In ${versions}: ${cause}` : `${subject} could not be decided: ${cause}`,
    explainPin(main.inconclusiveReason?.advice) ?? describeNextStep(main),
    findExchangeInReason(main, result),
  )
  return addCheck(diagnosis, main)
}

/**
 * Completes advice to pin open points: with the whole profile if there is one entry, else with the way to write it.
 * Returns other advice unchanged.
 */
function explainPin(advice: Advice | undefined): string | undefined {
  if (advice?.pins === undefined) return advice?.text
  const [entry, ...others] = advice.pins
  const isComplete = entry !== undefined && others.length === 0
  const saved = isComplete ? 'Save this profile' : 'To pin an entry, save {"profileVersion":1,"pins":[ENTRY]}'
  const shown = isComplete ? advice.text.replace(entry, () => `{"profileVersion":1,"pins":[${entry}]}`) : advice.text
  return `${endWithFullStop(shown)} ${saved} as profile.json, and run again with --profile profile.json.`
}

/** Describes the versions in which a check is undecided for the same reason, e.g. `v2 and v3`. */
function describeVersionsWithReason(main: UndecidedCheck, roots: readonly UndecidedCheck[]): string {
  const reasonOf = ({ reason = '' }: UndecidedCheck) => removeVersionsFromReason(reason)
  const same = roots.filter((root) => root.check.id === main.check.id && reasonOf(root) === reasonOf(main))
  return [...new Set(same.map(({ version }) => version))].toSorted().join(' and ')
}

/** Finds the exchange that the reason of an undecided check speaks of. */
function findExchangeInReason(
  { check, version }: UndecidedCheck,
  { verdicts, exchanges }: DiagnosedRun,
): ExchangeSummary | undefined {
  const own = verdicts.find((one) => one.check.id === check.id && one.version === version)
  return exchanges.get(own?.exchangeInReason ?? Number.NaN)
}
