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
    help: 'the base URL of the deployment to test, below which /v2 and /v3 are',
    example: 'https://cats.example.org/api',
    defaultText: 'the embedded reference service',
    parse: values.parseBaseUrl,
    becomes: (baseUrl) => ({ baseUrl }),
    decides: true,
  }),
  versions: valueOption({
    flag: '--versions',
    placeholder: 'LIST',
    help: 'the versions to test, separated by commas',
    default: versions,
    parse: values.parseVersions,
    becomes: (versions) => ({ versions }),
  }),
  header: valueOption({
    flag: '--header',
    placeholder: "'Name: value'",
    help: 'a header to send with every request; reports mask its value; may be given several times (in CATS_HEADER, one header per line)',
    example: 'X-Api-Key: KEY',
    repeatable: true,
    parse: values.parseHeader,
    becomes: ({ name, value }) => ({ headers: { [name]: value } }),
    isSecret: true,
  }),
  token: valueOption({
    flag: '--token',
    placeholder: 'TOKEN',
    help: 'a bearer token to send with every request; reports mask it',
    example: 'my-token',
    parse: values.parseBearerToken,
    becomes: (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
    isSecret: true,
  }),
  tokenCommand: valueOption({
    flag: '--token-command',
    placeholder: 'CMD',
    help: 'a shell command that prints the bearer token; it is run again if the deployment responds with 401 during the run',
    example: 'vault read -field=token cats',
    parse: values.parseShellCommand,
    becomes: (tokenCommand) => ({ tokenCommand }),
    isSecret: true,
  }),
  ca: valueOption({
    flag: '--ca',
    placeholder: 'FILE',
    help: 'a PEM file with CA certificates to trust when the certificate of the deployment is verified',
    example: 'ca.pem',
    parse: values.createPemFileParser('certificate'),
    becomes: (ca) => ({ transport: { tls: { ca } } }),
  }),
  cert: valueOption({
    flag: '--cert',
    placeholder: 'FILE',
    help: 'a PEM file with the client certificate to send',
    example: 'client.pem',
    parse: values.createPemFileParser('certificate'),
    becomes: (cert) => ({ transport: { tls: { cert } } }),
  }),
  key: valueOption({
    flag: '--key',
    placeholder: 'FILE',
    help: 'a PEM file with the private key of the client certificate',
    example: 'client-key.pem',
    parse: values.createPemFileParser('private key'),
    becomes: (key) => ({ transport: { tls: { key } } }),
  }),
  insecure: switchOption({
    flag: '--insecure',
    help: 'does not verify the TLS certificate of the deployment; the report says so',
    becomes: () => ({ transport: { tls: { rejectUnauthorized: false } } }),
  }),
  http2: switchOption({
    flag: '--http2',
    help: 'uses HTTP/2 if the deployment offers it over TLS',
    becomes: () => ({ transport: { http2: true } }),
  }),
  timeout: valueOption({
    flag: '--timeout',
    placeholder: 'MS',
    help: 'the time limit for each response, in milliseconds',
    default: 10_000,
    parse: values.createWholeNumberParser(50, 600_000, 'milliseconds'),
    bounds: ' ms',
    becomes: (timeoutMs) => ({ timeoutMs }),
    isReplayed: true,
  }),
  concurrency: valueOption({
    flag: '--concurrency',
    placeholder: 'N',
    help: 'the maximum number of requests in flight at the same time',
    default: 16,
    parse: values.createWholeNumberParser(1, 256, 'requests'),
    bounds: '',
    becomes: (concurrency) => ({ concurrency }),
  }),
  rate: valueOption({
    flag: '--rate',
    placeholder: 'N/s',
    help: 'the maximum number of requests per second',
    example: '20/s',
    defaultText: 'unlimited',
    parse: values.parseRate,
    bounds: '/s',
    becomes: (requestsPerSecond) => ({ requestsPerSecond }),
  }),
  retries: valueOption({
    flag: '--retries',
    placeholder: 'N',
    help: 'how often a request that got no response is sent again at once; later retries follow after a pause; 0 disables all retries',
    default: 1,
    parse: values.createWholeNumberParser(0, 10, 'attempts'),
    bounds: '',
    becomes: (retries) => ({ retries }),
  }),
  only: valueOption({
    flag: '--only',
    placeholder: 'ID[,ID]',
    help: 'runs only the checks whose ids are given, or begin with a given text, e.g. search/',
    example: 'search/',
    defaultText: 'every check',
    parse: values.parseCheckIds,
    becomes: (only) => ({ only }),
    decides: true,
  }),
  seed: valueOption({
    flag: '--seed',
    placeholder: 'N',
    help: 'generates the same inputs as an earlier run that had this seed',
    example: '42',
    defaultText: 'drawn at random, and printed',
    draw: createSeed,
    parse: values.createWholeNumberParser(-(2 ** 31), 2 ** 31 - 1, 'the seed'),
    becomes: (seed) => ({ seed }),
  }),
  path: valueOption({
    flag: '--path',
    placeholder: 'P',
    help: 'tests only the counterexample that a finding names by this path; needs --only and --seed',
    example: '3:0:1',
    parse: values.parseCounterexamplePath,
    becomes: (path) => ({ path }),
  }),
  effort: valueOption({
    flag: '--effort',
    placeholder: 'LEVEL',
    help: 'how much the run tests: quick, standard or thorough',
    default: 'standard',
    parse: values.parseEffort,
    becomes: (effort) => ({ effort }),
    isReplayed: true,
  }),
  strings: valueOption({
    flag: '--strings',
    placeholder: 'FILE',
    help: 'a file with your own strings, one per line, which are tested first as queries, breed names and cat names; a line in quotes is a JSON string',
    example: 'strings.txt',
    defaultText: 'only the strings of the suite are tested',
    parse: parseStringsFile,
    becomes: ({ strings }) => ({ strings }),
    isReplayed: true,
  }),
  maxRequests: valueOption({
    flag: '--max-requests',
    placeholder: 'N',
    help: 'the maximum number of requests in the whole run',
    example: '1000',
    defaultText: 'unlimited',
    parse: values.createWholeNumberParser(1, 100_000_000, 'requests'),
    bounds: '',
    becomes: (maxRequests) => ({ maxRequests }),
  }),
  record: valueOption({
    flag: '--record',
    placeholder: 'WHICH',
    help: 'which requests and responses the reports contain: cited (only those that a finding or a choice at an open point refers to), or all',
    default: 'cited',
    parse: values.parseRecordedExchanges,
    becomes: (record) => ({ record }),
  }),
  noRequestId: switchOption({
    flag: '--no-request-id',
    help: 'sends no X-Request-Id header; by default, each request has its own id, so that you can find it in the logs of the deployment',
    becomes: () => ({ requestIds: false }),
  }),
}
