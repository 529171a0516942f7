import type { Transport } from './engine/transport.ts'
import type { JudgeOptions } from './judge.ts'
import type { Environment, Options } from './options.ts'

const present = <T extends object>(values: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T // what is left out was undefined

/** The usual variables, in either case; lower case wins, as with curl. */
const proxiesOf = (env: Environment): NonNullable<Transport['proxies']> => {
  const either = (name: string) => (env[name.toLowerCase()] ?? env[name]) || undefined
  return present({ httpProxy: either('HTTP_PROXY'), httpsProxy: either('HTTPS_PROXY'), noProxy: either('NO_PROXY') })
}

function transportOf({ tls, http2 }: Options, env: Environment): Transport {
  const { ca, cert, key, insecure } = tls
  return {
    http2,
    proxies: proxiesOf(env),
    tls: present({ ca, cert, key, rejectUnauthorized: insecure ? false : undefined }),
  }
}

/** What a judgement is asked with, from the command's options and the environment's proxies. */
export function judgeOptions(options: Options, baseUrl: string, env: Environment, signal: AbortSignal): JudgeOptions {
  const bearer = options.token === undefined ? [] : [{ name: 'Authorization', value: `Bearer ${options.token}` }]
  return {
    baseUrl,
    signal,
    versions: options.versions,
    headers: Object.fromEntries([...options.headers, ...bearer].map(({ name, value }) => [name, value])),
    transport: transportOf(options, env),
    timeoutMs: options.timeoutMs,
    concurrency: options.concurrency,
    requestsPerSecond: options.requestsPerSecond,
    retries: options.retries,
    maxRequests: options.maxRequests,
    effort: options.effort,
    seed: options.seed,
    path: options.path,
    only: options.only,
  }
}
