import { findCitedExchanges, type Report, type ReportCheck } from '../../../reports/report/report.ts'
import { escapeTerminal } from '../../../reports/text/escape.ts'
import { effortNames } from '../../directory/shared/effort.ts'
import type { Verdict } from '../../engine/check/verdict.ts'
import { cutSameParts } from '../../engine/finding/cut-excerpt.ts'
import { type ExchangeSummary, summariseExchange } from '../../engine/http/client/exchange.ts'
import { createSession, type Session } from '../../engine/http/session.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import { maskExchange, type TextMask } from '../../engine/run/masking.ts'
import { createIdSelector } from '../../judge/catalogue.ts'
import { judge } from '../../judge/judge.ts'
import { createSessionOptions, type JudgeOptions } from '../../judge/judge-options.ts'
import { createSecretMask } from '../../judge/sent-headers.ts'
import { addTokenFromCommand } from '../../judge/token-command.ts'
import { exitCodes } from '../../options/exit-code.ts'
import { type Options, quoteArgument, UsageError } from '../../options/options.ts'
import { readSavedReport } from '../report/saved-report.ts'
import type { CommandContext } from '../run/command-context.ts'
import { createEndSignal } from '../run-limits.ts'
import { waitForDirectory } from '../wait.ts'
import { isResponseUnchanged, type ReplayedFinding, type ReplayOutcome, renderReplay } from './render.ts'

const EXPECTED_CONTENT = 'a report.json with findings'

/** Refuses to send credentials to a host that only the report names, because anyone may have written the report. */
function refuseLeakingCredentials(
  { headers = {}, tokenCommand, transport, baseUrl }: Options,
  { target }: Report,
): void {
  const hasCredentials =
    Object.keys(headers).length > 0 || tokenCommand !== undefined || transport?.tls?.cert !== undefined
  if (!hasCredentials || (target.embedded && baseUrl === undefined)) return
  const reportOrigin = new URL(target.baseUrl).origin
  if (baseUrl !== undefined && new URL(baseUrl).origin === reportOrigin) return
  throw new UsageError({
    where: '--replay',
    what:
      baseUrl === undefined
        ? `credentials are configured, but only the report says where to send them (${quoteArgument(reportOrigin)}).`
        : `credentials are configured for ${new URL(baseUrl).origin}, but the report is about ${quoteArgument(reportOrigin)}.`,
    expected: 'a --base-url with the origin that the report names, or no credentials',
    advice: `look at target.baseUrl in the report; if the credentials are for this deployment: --base-url ${quoteArgument(target.baseUrl)}`,
  })
}

/** Matches a request target (RFC 9112, section 3.2.1) that can be sent unchanged. */
const REQUEST_TARGET = /^\/[\x21-\x7e]*$/

/**
 * Sends a request of the report again, to the same path below the current base URL. Returns undefined if the URL is not
 * below the base URL of the report, or if the run ends.
 */
async function resendRequest(
  stored: ExchangeSummary,
  reportBaseUrl: string,
  { session, mask }: { readonly session: Session; readonly mask: TextMask },
): Promise<ExchangeSummary | undefined> {
  const { method, url } = stored
  const target = url.slice(reportBaseUrl.length)
  if (!url.startsWith(reportBaseUrl) || !REQUEST_TARGET.test(target)) return undefined
  const exchange = await session.send({ method, target, follow: true }).catch(resolveInconclusiveTo(undefined))
  return exchange && maskExchange(summariseExchange({ ...exchange, ...cutSameParts(exchange, stored) }), mask)
}

/**
 * Decides the outcome for one finding. If the check passes although the requests of the report get the same responses
 * as before, the outcome is undecided: the check has tested other inputs.
 */
function outcomeOfReplay(
  verdict: Verdict | undefined,
  exchanges: ReplayedFinding['exchanges'],
): Pick<ReplayedFinding, 'outcome' | 'reason'> {
  const { status, reason = '', caveat } = verdict ?? {}
  if (status === 'fail') return { outcome: 'still failing', reason }
  if (status !== 'pass' && status !== 'warn') return { outcome: 'undecided', reason: reason || 'the check did not run' }
  if (exchanges.length > 0 && exchanges.every(isResponseUnchanged))
    return {
      outcome: 'undecided',
      reason: 'the check passes, but all stored requests get the same responses as before',
    }
  if (caveat !== undefined) return { outcome: 'undecided', reason: caveat }
  return { outcome: 'fixed', reason: 'the check passes' }
}

/** Returns the checks of a report that have a finding, except those that passed. */
const selectChecksWithFinding = ({ checks }: Report): readonly ReportCheck[] =>
  checks.filter(({ finding, status }) => finding !== undefined && status !== 'pass')

/**
 * Selects the findings whose ids `only` selects; all if it is undefined.
 * @throws {UsageError} if there are none
 */
function selectFindings(findings: readonly ReportCheck[], file: string, only: Options['only']): readonly ReportCheck[] {
  const found = findings.filter(({ id }) => createIdSelector(only ?? [])(id))
  if (found.length > 0) return found
  throw new UsageError({
    where: '--replay',
    what: `${JSON.stringify(file)} contains no ${only ? 'finding with this id' : 'findings'}.`,
    expected: EXPECTED_CONTENT,
    advice: only ? 'remove the id to replay all findings' : 'there is nothing to replay',
  })
}

/** Sends each request that a finding cites again. Returns pairs of the exchange in the report and the new one. */
const resendRequests = (
  { finding }: ReportCheck,
  report: Report,
  how: Parameters<typeof resendRequest>[2],
): Promise<ReplayedFinding['exchanges']> =>
  Promise.all(
    findCitedExchanges(finding?.exchanges ?? [], report).map(
      async (then) => [then, await resendRequest(then, report.target.baseUrl, how)] as const,
    ),
  )

function exitCodeOfReplay(replayed: readonly ReplayedFinding[]): number {
  const has = (wanted: ReplayOutcome) => replayed.some(({ outcome }) => outcome === wanted)
  if (has('still failing')) return exitCodes.nonconformant.code
  return has('undecided') ? exitCodes.inconclusive.code : exitCodes.conformant.code
}

/**
 * Replays the findings of a saved report: runs each check with the same inputs, and sends each cited request again.
 * @returns the exit code: 1 if anything still fails, else 3 if anything is undecided, else 0
 */
export async function replayFindings(
  file: string,
  options: Options,
  context: Pick<CommandContext, 'write' | 'interruption' | 'startEmbedded'>,
): Promise<number> {
  const report = await readSavedReport(file, '--replay', EXPECTED_CONTENT)
  const findings = selectChecksWithFinding(report)
  const selected = selectFindings(findings, file, options.only)
  refuseLeakingCredentials(options, report)
  const optionsWithToken = await addTokenFromCommand(options)
  const embedded = !options.baseUrl && report.target.embedded ? await context.startEmbedded() : undefined
  const baseUrl = options.baseUrl ?? embedded?.baseUrl ?? report.target.baseUrl
  const end = createEndSignal(options, context.interruption)
  const judgeOptions: JudgeOptions = {
    ...optionsWithToken,
    baseUrl,
    seed: report.seed,
    effort: effortNames.find((name) => name === report.effort) ?? options.effort,
    signal: end.signal,
  }
  const session = createSession(createSessionOptions(judgeOptions))
  // Creates the mask anew each time, so that it also hides a token that was renewed during the replay.
  const mask: TextMask = (text) => createSecretMask(judgeOptions)(text)
  try {
    if (options.waitSeconds > 0) await waitForDirectory(judgeOptions, options.waitSeconds, end.signal)
    const exchanges = await Promise.all(selected.map((check) => resendRequests(check, report, { session, mask })))
    const { verdicts } = await judge({ ...judgeOptions, only: [...new Set(selected.map(({ id }) => id))] })
    const replayed = selected.map((check, index): ReplayedFinding => {
      const verdict = verdicts.find((one) => one.check.id === check.id && one.version === check.version)
      return { check, exchanges: exchanges[index] ?? [], ...outcomeOfReplay(verdict, exchanges[index] ?? []) }
    })
    const exitCode = exitCodeOfReplay(replayed)
    const text = renderReplay({
      file,
      baseUrl,
      replayed,
      findings: findings.length,
      outsideOptions: options.outsideOptions,
      exitCode,
    })
    context.write(`${text.map(escapeTerminal).join('\n')}\n`)
    return exitCode
  } finally {
    end.release()
    await session.close()
    await embedded?.close()
  }
}
