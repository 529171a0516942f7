import { describeOptionsFromEnvironment } from '../../../reports/report/headline.ts'
import type { ReportCheck } from '../../../reports/report/report.ts'
import { takeExcerpt } from '../../../reports/text/escape.ts'
import { formatCount } from '../../../reports/text/wording.ts'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'
import type { Options } from '../../options/options.ts'

/** The result of replaying a finding. */
export type ReplayOutcome = 'still failing' | 'fixed' | 'undecided'

/** A finding of the report, with the result of its replay. */
export interface ReplayedFinding {
  readonly check: ReportCheck
  readonly outcome: ReplayOutcome
  readonly reason: string
  /** The exchanges of the finding in the report, each with the new exchange for the same request. */
  readonly exchanges: readonly (readonly [then: ExchangeSummary, now: ExchangeSummary | undefined])[]
}

/** The results of a replay, and other facts that its text contains. */
interface ReplayResult {
  readonly file: string
  readonly baseUrl: string
  readonly replayed: readonly ReplayedFinding[]
  /** The number of findings in the report. */
  readonly findings: number
  readonly outsideOptions: Options['outsideOptions']
  readonly exitCode: number
}

/** The length to which reports shorten bodies. Bodies are compared only up to this length. */
const MAX_BODY_CHARACTERS = 2048

/** Returns whether a request of the report got the same status, media type and body again. */
export const isResponseUnchanged = ([then, now]: ReplayedFinding['exchanges'][number]): boolean =>
  now !== undefined &&
  then.status === now.status &&
  then.mediaType === now.mediaType &&
  then.excerpt === takeExcerpt(now.excerpt, MAX_BODY_CHARACTERS).text &&
  then.secondExcerpt?.excerpt === now.secondExcerpt?.excerpt

/** The numbers of characters that are shown before and after the first difference of two bodies. */
const [CHARACTERS_BEFORE, CHARACTERS_AFTER] = [20, 60]

/** Returns the part of a body around an index, for the end of a line, e.g. ` · …"name":"Tom"…`. */
function excerptAround(characters: readonly string[], at: number): string {
  if (characters.length === 0) return ' · empty body'
  const from = Math.max(0, at - CHARACTERS_BEFORE)
  const end = at + CHARACTERS_AFTER < characters.length ? '…' : ''
  return ` · ${from > 0 ? '…' : ''}${characters.slice(from, at + CHARACTERS_AFTER).join('')}${end}`
}

/** Returns the parts of two bodies around their first difference; two empty strings if the bodies are equal. */
function excerptFirstDifference(then: string, now: string): readonly [then: string, now: string] {
  const [one, other] = [[...then], [...now]]
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at === one.length && at === other.length ? ['', ''] : [excerptAround(one, at), excerptAround(other, at)]
}

const describeResponse = ({ status, mediaType, fault }: ExchangeSummary): string =>
  [status ?? 'no status', fault ?? mediaType ?? 'without a media type'].join(' ')

/** Renders a request with its response in the report and its new response. */
function renderExchange([then, now]: ReplayedFinding['exchanges'][number]): readonly string[] {
  const requestLine = `  request  ${then.method} ${now?.url ?? then.url}`
  if (!now)
    return [
      requestLine,
      `  then     ${describeResponse(then)}`,
      '  now      not sent: the URL is not below the base URL, or the service does not respond',
    ]
  const [bodyThen, bodyNow] = excerptFirstDifference(then.excerpt, takeExcerpt(now.excerpt, MAX_BODY_CHARACTERS).text)
  return [
    requestLine,
    `  then     ${describeResponse(then)}${bodyThen}`,
    `  now      ${describeResponse(now)}${isResponseUnchanged([then, now]) ? ', the same' : bodyNow}`,
  ]
}

function renderReplayedFinding({ check, outcome, reason, exchanges }: ReplayedFinding): readonly string[] {
  return [
    `${outcome === 'fixed' ? '✓' : outcome === 'undecided' ? '?' : '✗'} ${check.id}  ${check.version}  ${outcome}`,
    `  ${reason}`,
    ...exchanges.flatMap(renderExchange),
    '',
  ]
}

const OUTCOMES: readonly ReplayOutcome[] = ['still failing', 'undecided', 'fixed']

/** Describes the outcomes, e.g. `1 of 3 findings selected; 1 fixed`. */
function summariseReplay({ replayed, findings }: ReplayResult): string {
  const selection =
    replayed.length < findings ? `${replayed.length} of ${formatCount(findings, 'finding')} selected; ` : ''
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = replayed.filter((one) => one.outcome === outcome).length
    return count === 0 ? [] : [`${count} ${outcome}`]
  })
  return selection + counts.join(', ')
}

/**
 * Renders a replay as lines. The first and the last line say how many findings are fixed, which determines the exit
 * code.
 */
export function renderReplay(replay: ReplayResult): readonly string[] {
  const { file, baseUrl, replayed, outsideOptions, exitCode } = replay
  const outsideOptionsText = describeOptionsFromEnvironment({ outsideOptions })
  return [
    `replayed from ${file} at ${baseUrl}: ${summariseReplay(replay)}`,
    ...(outsideOptionsText.length === 0 ? [] : [`  not from the command line: ${outsideOptionsText.join('; ')}`]),
    '',
    ...replayed.flatMap(renderReplayedFinding),
    `exit code ${exitCode}: ${summariseReplay(replay)}`,
  ]
}
