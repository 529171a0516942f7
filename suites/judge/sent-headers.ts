import type { RenewableToken } from '../engine/http/client/renewable-token.ts'
import { createSecretMasker } from '../engine/http/client/secrets.ts'

/** The default headers. A header of the user with the same name replaces a default one. */
const DEFAULT_HEADERS = {
  accept: 'application/json, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'cat-directory-conformance',
}

/** The headers of each request, and which of them are secret. */
interface SentHeaders {
  readonly all: Readonly<Record<string, string>>
  /** Lower-case names of headers whose values are masked. */
  readonly secret: ReadonlySet<string>
}

/** The options that say which headers are sent, and which of them are secret. */
interface HeaderOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Names of headers whose values are masked; by default all headers of the user. */
  readonly secretHeaders?: readonly string[]
  readonly renewableToken?: Pick<RenewableToken, 'all'>
}

/** Combines the default headers with those of the user. */
export function createSentHeaders({ headers = {}, secretHeaders = Object.keys(headers) }: HeaderOptions): SentHeaders {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const defaults = Object.entries(DEFAULT_HEADERS).filter(([name]) => !names.has(name))
  const masked = secretHeaders.map((name) => name.toLowerCase())
  return {
    all: { ...Object.fromEntries(defaults), ...headers },
    secret: new Set(masked.filter((name) => !Object.hasOwn(DEFAULT_HEADERS, name))),
  }
}

/** Creates a function that masks the secrets of a run in texts that come from the deployment. */
export function createSecretMask(options: HeaderOptions): (text: string) => string {
  const { secret } = createSentHeaders(options)
  const headers = Object.entries(options.headers ?? {}).filter(([name]) => secret.has(name.toLowerCase()))
  const tokens = options.renewableToken?.all ?? []
  return createSecretMasker(
    Object.fromEntries([...headers, ...tokens.map((token, nth) => [`token ${nth}`, token] as const)]),
  )
}
