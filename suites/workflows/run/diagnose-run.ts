import type { Diagnosis } from '../../../reports/report/report.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { findProxy } from '../../engine/http/client/proxy.ts'
import type { Options } from '../../options/options.ts'
import { findCredentialOptions } from './advice.ts'
import { diagnoseInconclusiveRun, findVerdictOfServiceCheck } from './diagnosis.ts'
import { speaksTls } from './tls-probe.ts'

/**
 * Finds the cause if a run could not test everything. If nothing was tested, may connect to find out whether the port
 * uses TLS.
 * @param recorded set if a recording was judged; no connection is opened then
 */
export async function diagnoseRun(
  result: RunResult,
  baseUrl: string,
  options: Pick<Options, 'transport' | 'headers' | 'tokenCommand'> & { readonly signal: AbortSignal },
  recorded: object | undefined,
): Promise<Diagnosis | undefined> {
  const { transport, signal } = options
  const proxy = transport?.proxies && findProxy(baseUrl, transport.proxies)
  const serviceVerdict = findVerdictOfServiceCheck(result)
  // A TLS server closes a plain connection or sends an error. It neither times out nor refuses the connection.
  const isLost =
    serviceVerdict &&
    serviceVerdict.status !== 'pass' &&
    !/no complete response|ECONNREFUSED|ENOTFOUND/.test(serviceVerdict.reason ?? '')
  const isTls = isLost && !recorded && proxy === undefined && (await speaksTls(baseUrl, signal))
  return diagnoseInconclusiveRun(result, {
    baseUrl,
    proxy,
    speaksTls: isTls,
    credentialOptions: findCredentialOptions(options),
  })
}

/**
 * Returns the reason why `--path` selected no input, so that the run does not look like a pass. Undefined if it
 * selected one.
 */
export function describeUnusedCounterexamplePath({ path }: Options, { verdicts }: RunResult): string | undefined {
  const isNowhere = ({ inputsTested, status, cause, reason }: RunResult['verdicts'][number]) =>
    status === 'not-applicable'
      ? reason?.includes('--versions')
      : inputsTested === 0 && status === 'inconclusive' && cause === undefined && reason?.startsWith('nothing to ask')
  if (path === undefined || !verdicts.every(isNowhere)) return undefined
  const id = verdicts[0]?.check.id ?? 'any check'
  return `the path ${path} no longer selects an input of ${id}, because the listed names have changed: remove --path to search for a counterexample again`
}
