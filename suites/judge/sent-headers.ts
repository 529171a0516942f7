import { masking } from '../engine/http/client/secrets.ts'

/** What this suite says of itself and of what it reads; a header of the same name replaces it. */
const OWN_HEADERS = {
  accept: 'application/json, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'cat-directory-conformance',
}

/** What goes along with each request. */
export interface SentHeaders {
  readonly all: Readonly<Record<string, string>>
  /** Names, in lower case, of those whose values nobody is shown. */
  readonly secret: ReadonlySet<string>
}

interface GivenHeaders {
  readonly headers?: Readonly<Record<string, string>>
  /** Names of those whose values are masked; all of them, when left out. */
  readonly secretHeaders?: readonly string[]
}

/** The headers of a run: the suite's own and those that are given. */
export function sentHeaders({ headers = {}, secretHeaders = Object.keys(headers) }: GivenHeaders): SentHeaders {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const own = Object.entries(OWN_HEADERS).filter(([name]) => !given.has(name))
  const masked = secretHeaders.map((name) => name.toLowerCase())
  return {
    all: { ...Object.fromEntries(own), ...headers },
    secret: new Set(masked.filter((name) => !Object.hasOwn(OWN_HEADERS, name))),
  }
}

/** Masks what a run must show nobody, in text that came from a deployment. */
export function secretsMasked(given: GivenHeaders): (text: string) => string {
  const { secret } = sentHeaders(given)
  return masking(
    Object.fromEntries(Object.entries(given.headers ?? {}).filter(([name]) => secret.has(name.toLowerCase()))),
  )
}
