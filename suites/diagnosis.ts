import type { RunResult } from './engine/verdict.ts'

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens there: is the service started, and is the port right? (--wait S waits for it)'],
  [/ENOTFOUND|EAI_AGAIN/, 'no such host: look at its spelling and at the name server'],
  [/UNABLE_TO|SELF_SIGNED|CERT_|DEPTH_ZERO/, 'its TLS certificate is not trusted here: give its CA with --ca FILE'],
  [/ERR_SSL|EPROTO|wrong version number/i, 'it does not speak TLS there: try http:// instead of https://'],
  [/ERR_TLS/, 'its TLS certificate does not fit the host name'],
  [
    /UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    'no way leads there: is a firewall or a VPN in between?',
  ],
  [/credentials/, 'give them with --header or --token'],
  [/web page/, 'the base URL is wrong: below it /v2/cats and /v3/cats must stand'],
  [/no complete answer/, 'it takes connections and does not answer: raise --timeout, or look at the service'],
]

/**
 * What is probably wrong when nothing could be judged, and what to try: the first line that people see.
 * @returns undefined when the deployment was found and judged
 */
export function diagnose({ verdicts }: Pick<RunResult, 'verdicts'>, baseUrl: string): string | undefined {
  const door = verdicts.find(({ check }) => check.id === 'service/answers')
  if (!door || door.status === 'pass') return undefined
  const reason = door.reason ?? ''
  const hint = HINTS.find(([pattern]) => pattern.test(reason))?.[1]
  if (door.status === 'fail')
    return `No cat directory at ${baseUrl}: ${reason}. The base URL is probably wrong: below it /v2/cats and /v3/cats must stand.`
  return `Nothing could be judged at ${baseUrl}: ${reason}${hint && !reason.includes(hint) ? `. Probably ${hint}` : ''}.`
}
