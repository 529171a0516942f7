import type { Parse } from './options-values.ts'
import {
  baseUrl,
  bearerToken,
  checkId,
  checkIds,
  counterexamplePath,
  directory,
  header,
  oneOf,
  pemFile,
  rate,
  versions,
  wholeNumber,
} from './options-values.ts'

/** An option that is there or not. */
export interface Switch {
  readonly flag: `--${string}`
  readonly variable: `CATS_${string}`
  /** One line, without a full stop. */
  readonly help: string
}

/** An option that takes a value. */
export interface ValueOption<T> extends Switch {
  readonly placeholder: string
  /** A right value, for error messages. */
  readonly example: string
  readonly parse: Parse<T>
  /** As people would type it. */
  readonly default?: string
  /** What happens without the option, where that is not a value. */
  readonly otherwise?: string
  /** May be given several times; in the environment one a line. */
  readonly repeatable?: true
}

export type Row = Switch | ValueOption<unknown>

/** Every option there is: the command line, the environment, the help and `.env.example` are read off here. */
export const table = {
  baseUrl: {
    flag: '--base-url',
    variable: 'CATS_BASE_URL',
    placeholder: 'URL',
    help: 'the deployment to judge: what stands before /v2 and /v3',
    example: 'https://cats.example.org/api',
    otherwise: 'the embedded reference service',
    parse: baseUrl,
  },
  versions: {
    flag: '--versions',
    variable: 'CATS_VERSIONS',
    placeholder: 'LIST',
    help: 'which versions to judge',
    example: 'v2,v3',
    default: 'v2,v3',
    parse: versions,
  },
  header: {
    flag: '--header',
    variable: 'CATS_HEADER',
    placeholder: "'Name: value'",
    help: 'sent with every request and masked in every report; repeatable, in CATS_HEADER one a line',
    example: 'X-Api-Key: KEY',
    repeatable: true,
    parse: header,
  },
  token: {
    flag: '--token',
    variable: 'CATS_TOKEN',
    placeholder: 'TOKEN',
    help: 'sent as bearer token with every request and masked in every report',
    example: 'TOKEN',
    parse: bearerToken,
  },
  ca: {
    flag: '--ca',
    variable: 'CATS_CA',
    placeholder: 'FILE',
    help: 'certificates (PEM) of the authority that the deployment is trusted by',
    example: 'ca.pem',
    parse: pemFile,
  },
  cert: {
    flag: '--cert',
    variable: 'CATS_CERT',
    placeholder: 'FILE',
    help: 'client certificate (PEM)',
    example: 'client.pem',
    parse: pemFile,
  },
  key: {
    flag: '--key',
    variable: 'CATS_KEY',
    placeholder: 'FILE',
    help: 'private key (PEM) of the client certificate',
    example: 'client-key.pem',
    parse: pemFile,
  },
  insecure: {
    flag: '--insecure',
    variable: 'CATS_INSECURE',
    help: 'trust any TLS certificate; the report says so',
  },
  http2: {
    flag: '--http2',
    variable: 'CATS_HTTP2',
    help: 'speak HTTP/2 where TLS offers it',
  },
  timeout: {
    flag: '--timeout',
    variable: 'CATS_TIMEOUT',
    placeholder: 'MS',
    help: 'milliseconds that one answer may take',
    example: '10000',
    default: '10000',
    parse: wholeNumber(50, 600_000, 'milliseconds'),
  },
  concurrency: {
    flag: '--concurrency',
    variable: 'CATS_CONCURRENCY',
    placeholder: 'N',
    help: 'requests in flight at once',
    example: '16',
    default: '16',
    parse: wholeNumber(1, 256, 'requests'),
  },
  rate: {
    flag: '--rate',
    variable: 'CATS_RATE',
    placeholder: 'N/s',
    help: 'requests per second at most',
    example: '20/s',
    otherwise: 'unlimited',
    parse: rate,
  },
  retries: {
    flag: '--retries',
    variable: 'CATS_RETRIES',
    placeholder: 'N',
    help: 'further attempts after a transport fault; an answer is never asked for again',
    example: '1',
    default: '1',
    parse: wholeNumber(0, 10, 'attempts'),
  },
  only: {
    flag: '--only',
    variable: 'CATS_ONLY',
    placeholder: 'ID[,ID]',
    help: 'only the checks with these ids, or with ids that begin so',
    example: 'search/',
    otherwise: 'every check',
    parse: checkIds,
  },
  seed: {
    flag: '--seed',
    variable: 'CATS_SEED',
    placeholder: 'N',
    help: 'makes the generated inputs the same again',
    example: '42',
    otherwise: 'random, and printed',
    parse: wholeNumber(-(2 ** 31), 2 ** 31 - 1, 'the seed'),
  },
  path: {
    flag: '--path',
    variable: 'CATS_PATH',
    placeholder: 'P',
    help: 'goes straight to one counterexample; needs --only and --seed',
    example: '3:0:1',
    parse: counterexamplePath,
  },
  effort: {
    flag: '--effort',
    variable: 'CATS_EFFORT',
    placeholder: 'LEVEL',
    help: 'how much is asked: quick, standard or thorough',
    example: 'standard',
    default: 'standard',
    parse: oneOf('quick', 'standard', 'thorough'),
  },
  maxRequests: {
    flag: '--max-requests',
    variable: 'CATS_MAX_REQUESTS',
    placeholder: 'N',
    help: 'requests in the whole run at most',
    example: '1000',
    otherwise: 'unlimited',
    parse: wholeNumber(1, 100_000_000, 'requests'),
  },
  maxTime: {
    flag: '--max-time',
    variable: 'CATS_MAX_TIME',
    placeholder: 'S',
    help: 'seconds that the whole run may take',
    example: '60',
    otherwise: 'unlimited',
    parse: wholeNumber(1, 86_400, 'seconds'),
  },
  wait: {
    flag: '--wait',
    variable: 'CATS_WAIT',
    placeholder: 'S',
    help: 'seconds to wait until the deployment answers at all',
    example: '30',
    default: '0',
    parse: wholeNumber(0, 3600, 'seconds'),
  },
  reportDir: {
    flag: '--report-dir',
    variable: 'CATS_REPORT_DIR',
    placeholder: 'DIR',
    help: 'where the reports are written',
    example: 'reports/latest',
    otherwise: 'reports/latest in this repository, cat-directory-report elsewhere',
    parse: directory,
  },
  strict: { flag: '--strict', variable: 'CATS_STRICT', help: 'advice and inconclusive checks fail too' },
  list: { flag: '--list', variable: 'CATS_LIST', help: 'shows every check and asks nothing' },
  explain: {
    flag: '--explain',
    variable: 'CATS_EXPLAIN',
    placeholder: 'ID',
    help: 'shows one check: its statement, why, how it is asked, how to fix what it finds',
    example: 'search/finds-every-cat-by-name',
    parse: checkId,
  },
  help: { flag: '--help', variable: 'CATS_HELP', help: 'shows this text' },
  version: { flag: '--version', variable: 'CATS_VERSION', help: 'shows the version of the suite' },
} as const satisfies Record<string, Row>

export const rows: readonly Row[] = Object.values(table)

export function takesValue(row: Row): row is ValueOption<unknown> {
  return 'parse' in row
}

/** What an option does, and what happens without it: the one line for help and `.env.example`. */
export function described(row: Row): string {
  const absent = takesValue(row) ? (row.default ?? row.otherwise) : undefined
  return absent === undefined ? row.help : `${row.help} (default: ${absent})`
}
