import { type Version, versions } from '../../fixtures/contract/operations.ts'
import type { EffortName } from '../directory/shared/effort.ts'
import { createSeed } from '../engine/entropy.ts'
import type { TransportOptions } from '../engine/http/client/transport.ts'
import { createOptionBuilders } from './option.ts'
import { parseStringsFile } from './strings-file.ts'
import * as values from './values.ts'

/** Options of a run that decide what is requested and how. The command line and the library have them in common. */
export interface RunOptions {
  /** The URL above `/v2` and `/v3`: http(s), without query, fragment or credentials. It may have a path. */
  readonly baseUrl?: string
  readonly versions?: readonly Version[]
  /** Headers for every request to the origin of the base URL. */
  readonly headers?: Readonly<Record<string, string>>
  /** A shell command that prints a bearer token. It runs again if the deployment responds with 401 during the run. */
  readonly tokenCommand?: string
  /** TLS, HTTP/2 and proxies. */
  readonly transport?: TransportOptions
  readonly timeoutMs?: number
  readonly concurrency?: number
  readonly requestsPerSecond?: number | undefined
  readonly retries?: number
  /** The ids, or beginnings of ids, of the checks to run; all checks if empty. */
  readonly only?: readonly string[]
  /** The seed of all random choices, a signed 32-bit integer. */
  readonly seed?: number
  readonly path?: string | undefined
  readonly effort?: EffortName
  /** Strings (valid Unicode) that are tested before all others, in searches and as names of breeds and cats. */
  readonly strings?: readonly string[]
  readonly maxRequests?: number | undefined
  /** Whether each request has the header `X-Request-Id`; true by default. */
  readonly requestIds?: boolean
  /** The exchanges that reports contain: all, or only those that a finding or an observation cites. */
  readonly record?: 'cited' | 'all'
}

const { valueOption, switchOption } = createOptionBuilders<RunOptions>()

export const runOptionTable = {
  baseUrl: valueOption({
    flag: '--base-url',
    placeholder: 'URL',
    help: 'the deployment to test: the URL above /v2 and /v3',
    example: 'https://cats.example.org/api',
    defaultText: 'the embedded reference service',
    parse: values.parseBaseUrl,
    becomes: (baseUrl) => ({ baseUrl }),
    decides: true,
  }),
  versions: valueOption({
    flag: '--versions',
    placeholder: 'LIST',
    help: 'which versions to test',
    default: versions,
    parse: values.parseVersions,
    becomes: (versions) => ({ versions }),
  }),
  header: valueOption({
    flag: '--header',
    placeholder: "'Name: value'",
    help: 'header for every request, masked in every report; repeatable, in CATS_HEADER one per line',
    example: 'X-Api-Key: KEY',
    repeatable: true,
    parse: values.parseHeader,
    becomes: ({ name, value }) => ({ headers: { [name]: value } }),
    isSecret: true,
  }),
  token: valueOption({
    flag: '--token',
    placeholder: 'TOKEN',
    help: 'bearer token for every request, masked in every report',
    example: 'my-token',
    parse: values.parseBearerToken,
    becomes: (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
    isSecret: true,
  }),
  tokenCommand: valueOption({
    flag: '--token-command',
    placeholder: 'CMD',
    help: 'shell command that prints the bearer token; run again if the deployment responds with 401 during the run',
    example: 'vault read -field=token cats',
    parse: values.parseShellCommand,
    becomes: (tokenCommand) => ({ tokenCommand }),
    isSecret: true,
  }),
  ca: valueOption({
    flag: '--ca',
    placeholder: 'FILE',
    help: 'CA certificates (PEM) that the certificate of the deployment is checked against',
    example: 'ca.pem',
    parse: values.createPemFileParser('certificate'),
    becomes: (ca) => ({ transport: { tls: { ca } } }),
  }),
  cert: valueOption({
    flag: '--cert',
    placeholder: 'FILE',
    help: 'client certificate (PEM)',
    example: 'client.pem',
    parse: values.createPemFileParser('certificate'),
    becomes: (cert) => ({ transport: { tls: { cert } } }),
  }),
  key: valueOption({
    flag: '--key',
    placeholder: 'FILE',
    help: 'private key (PEM) of the client certificate',
    example: 'client-key.pem',
    parse: values.createPemFileParser('private key'),
    becomes: (key) => ({ transport: { tls: { key } } }),
  }),
  insecure: switchOption({
    flag: '--insecure',
    help: 'trust any TLS certificate; the report says so',
    becomes: () => ({ transport: { tls: { rejectUnauthorized: false } } }),
  }),
  http2: switchOption({
    flag: '--http2',
    help: 'speak HTTP/2 where TLS offers it',
    becomes: () => ({ transport: { http2: true } }),
  }),
  timeout: valueOption({
    flag: '--timeout',
    placeholder: 'MS',
    help: 'time limit of a response in milliseconds',
    default: 10_000,
    parse: values.createWholeNumberParser(50, 600_000, 'milliseconds'),
    bounds: ' ms',
    becomes: (timeoutMs) => ({ timeoutMs }),
    isReplayed: true,
  }),
  concurrency: valueOption({
    flag: '--concurrency',
    placeholder: 'N',
    help: 'maximum number of requests in flight',
    default: 16,
    parse: values.createWholeNumberParser(1, 256, 'requests'),
    bounds: '',
    becomes: (concurrency) => ({ concurrency }),
  }),
  rate: valueOption({
    flag: '--rate',
    placeholder: 'N/s',
    help: 'maximum number of requests per second',
    example: '20/s',
    defaultText: 'unlimited',
    parse: values.parseRate,
    bounds: '/s',
    becomes: (requestsPerSecond) => ({ requestsPerSecond }),
  }),
  retries: valueOption({
    flag: '--retries',
    placeholder: 'N',
    help: 'immediate retries of a request without a response, before a pause; 0 disables later retries too',
    default: 1,
    parse: values.createWholeNumberParser(0, 10, 'attempts'),
    bounds: '',
    becomes: (retries) => ({ retries }),
  }),
  only: valueOption({
    flag: '--only',
    placeholder: 'ID[,ID]',
    help: 'only the checks with these ids, or with ids that begin with them',
    example: 'search/',
    defaultText: 'every check',
    parse: values.parseCheckIds,
    becomes: (only) => ({ only }),
    decides: true,
  }),
  seed: valueOption({
    flag: '--seed',
    placeholder: 'N',
    help: 'repeats the generated inputs of an earlier run',
    example: '42',
    defaultText: 'random, and printed',
    draw: createSeed,
    parse: values.createWholeNumberParser(-(2 ** 31), 2 ** 31 - 1, 'the seed'),
    becomes: (seed) => ({ seed }),
  }),
  path: valueOption({
    flag: '--path',
    placeholder: 'P',
    help: 'tests one counterexample only; needs --only and --seed',
    example: '3:0:1',
    parse: values.parseCounterexamplePath,
    becomes: (path) => ({ path }),
  }),
  effort: valueOption({
    flag: '--effort',
    placeholder: 'LEVEL',
    help: 'how much is tested: quick, standard or thorough',
    default: 'standard',
    parse: values.parseEffort,
    becomes: (effort) => ({ effort }),
    isReplayed: true,
  }),
  strings: valueOption({
    flag: '--strings',
    placeholder: 'FILE',
    help: 'strings of your own, one per line, tested first as queries, breed names and cat names; quoted lines are JSON strings',
    example: 'strings.txt',
    defaultText: 'the strings of the suite',
    parse: parseStringsFile,
    becomes: ({ strings }) => ({ strings }),
    isReplayed: true,
  }),
  maxRequests: valueOption({
    flag: '--max-requests',
    placeholder: 'N',
    help: 'maximum number of requests in the run',
    example: '1000',
    defaultText: 'unlimited',
    parse: values.createWholeNumberParser(1, 100_000_000, 'requests'),
    bounds: '',
    becomes: (maxRequests) => ({ maxRequests }),
  }),
  record: valueOption({
    flag: '--record',
    placeholder: 'WHICH',
    help: 'exchanges in the reports: cited (those of findings and choices), or all',
    default: 'cited',
    parse: values.parseRecordedExchanges,
    becomes: (record) => ({ record }),
  }),
  noRequestId: switchOption({
    flag: '--no-request-id',
    help: 'sends no X-Request-Id; by default each request has its own, so that you find it in the logs of the deployment',
    becomes: () => ({ requestIds: false }),
  }),
}
