import { type Version, versions } from '../../fixtures/contract/operations.ts'
import type { EffortName } from '../directory/shared/effort.ts'
import { createSeed } from '../engine/entropy.ts'
import type { Transport } from '../engine/http/client/transport.ts'
import { createRowBuilders } from './option.ts'
import { parseStringsFile } from './strings-file.ts'
import * as values from './values.ts'

/** The options of a judgement. */
export interface RunOptions {
  /** An http(s) URL without query, fragment or credentials. It may have a path. */
  readonly baseUrl?: string
  readonly versions?: readonly Version[]
  /** Headers of every request to the origin of the base URL. */
  readonly headers?: Readonly<Record<string, string>>
  /** A shell command that prints a bearer token. It runs again if the deployment responds with 401 during the run. */
  readonly tokenCommand?: string
  /** TLS, HTTP/2 and proxies. */
  readonly transport?: Transport
  readonly timeoutMs?: number
  readonly concurrency?: number
  readonly requestsPerSecond?: number | undefined
  readonly retries?: number
  /** Ids, or prefixes of ids, of the checks to report; all if empty. */
  readonly only?: readonly string[]
  /** An int32. */
  readonly seed?: number
  readonly path?: string | undefined
  readonly effort?: EffortName
  /** Strings in valid Unicode that are tested before all others, in searches and as names of breeds and cats. */
  readonly strings?: readonly string[]
  readonly maxRequests?: number | undefined
  /** True if each request carries an `X-Request-Id`; true by default. */
  readonly requestIds?: boolean
  /** The exchanges to keep: all, or only those that a finding or observation cites. */
  readonly record?: 'cited' | 'all'
}

const { valueOption, switchOption } = createRowBuilders<RunOptions>()

export const runRows = {
  baseUrl: valueOption({
    flag: '--base-url',
    placeholder: 'URL',
    help: 'the deployment to judge: what stands before /v2 and /v3',
    example: 'https://cats.example.org/api',
    defaultText: 'the embedded reference service',
    parse: values.parseBaseUrl,
    becomes: (baseUrl) => ({ baseUrl }),
    decides: true,
  }),
  versions: valueOption({
    flag: '--versions',
    placeholder: 'LIST',
    help: 'which versions to judge',
    default: versions,
    parse: values.parseVersions,
    becomes: (versions) => ({ versions }),
  }),
  header: valueOption({
    flag: '--header',
    placeholder: "'Name: value'",
    help: 'sent with every request and masked in every report; repeatable, in CATS_HEADER one a line',
    example: 'X-Api-Key: KEY',
    repeatable: true,
    parse: values.parseHeader,
    becomes: ({ name, value }) => ({ headers: { [name]: value } }),
    isSecret: true,
  }),
  token: valueOption({
    flag: '--token',
    placeholder: 'TOKEN',
    help: 'sent as bearer token with every request and masked in every report',
    example: 'my-token',
    parse: values.parseBearerToken,
    becomes: (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
    isSecret: true,
  }),
  tokenCommand: valueOption({
    flag: '--token-command',
    placeholder: 'CMD',
    help: 'a shell command that writes the bearer token; run again when the deployment answers 401 in mid-run',
    example: 'vault read -field=token cats',
    parse: values.parseShellCommand,
    becomes: (tokenCommand) => ({ tokenCommand }),
    isSecret: true,
  }),
  ca: valueOption({
    flag: '--ca',
    placeholder: 'FILE',
    help: 'certificates (PEM) of the authority that the deployment is trusted by',
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
    help: 'milliseconds that one answer may take',
    default: 10_000,
    parse: values.createWholeNumberParser(50, 600_000, 'milliseconds'),
    bounds: ' ms',
    becomes: (timeoutMs) => ({ timeoutMs }),
    isReplayed: true,
  }),
  concurrency: valueOption({
    flag: '--concurrency',
    placeholder: 'N',
    help: 'requests in flight at once',
    default: 16,
    parse: values.createWholeNumberParser(1, 256, 'requests'),
    bounds: '',
    becomes: (concurrency) => ({ concurrency }),
  }),
  rate: valueOption({
    flag: '--rate',
    placeholder: 'N/s',
    help: 'requests per second at most',
    example: '20/s',
    defaultText: 'unlimited',
    parse: values.parseRate,
    bounds: '/s',
    becomes: (requestsPerSecond) => ({ requestsPerSecond }),
  }),
  retries: valueOption({
    flag: '--retries',
    placeholder: 'N',
    help: 'attempts at once for an answer that is lost, before there is a pause; with 0 there is none after it either',
    default: 1,
    parse: values.createWholeNumberParser(0, 10, 'attempts'),
    bounds: '',
    becomes: (retries) => ({ retries }),
  }),
  only: valueOption({
    flag: '--only',
    placeholder: 'ID[,ID]',
    help: 'only the checks with these ids, or with ids that begin so',
    example: 'search/',
    defaultText: 'every check',
    parse: values.parseCheckIds,
    becomes: (only) => ({ only }),
    decides: true,
  }),
  seed: valueOption({
    flag: '--seed',
    placeholder: 'N',
    help: 'makes the generated inputs the same again',
    example: '42',
    defaultText: 'random, and printed',
    draw: createSeed,
    parse: values.createWholeNumberParser(-(2 ** 31), 2 ** 31 - 1, 'the seed'),
    becomes: (seed) => ({ seed }),
  }),
  path: valueOption({
    flag: '--path',
    placeholder: 'P',
    help: 'goes straight to one counterexample; needs --only and --seed',
    example: '3:0:1',
    parse: values.parseCounterexamplePath,
    becomes: (path) => ({ path }),
  }),
  effort: valueOption({
    flag: '--effort',
    placeholder: 'LEVEL',
    help: 'how much is asked: quick, standard or thorough',
    default: 'standard',
    parse: values.parseEffort,
    becomes: (effort) => ({ effort }),
    isReplayed: true,
  }),
  strings: valueOption({
    flag: '--strings',
    placeholder: 'FILE',
    help: 'strings of your own, one a line, tried first in searches and in names of breeds and cats; in quotation marks as JSON has them',
    example: 'strings.txt',
    defaultText: 'those of the suite',
    parse: parseStringsFile,
    becomes: ({ strings }) => ({ strings }),
    isReplayed: true,
  }),
  maxRequests: valueOption({
    flag: '--max-requests',
    placeholder: 'N',
    help: 'requests in the whole run at most',
    example: '1000',
    defaultText: 'unlimited',
    parse: values.createWholeNumberParser(1, 100_000_000, 'requests'),
    bounds: '',
    becomes: (maxRequests) => ({ maxRequests }),
  }),
  record: valueOption({
    flag: '--record',
    placeholder: 'WHICH',
    help: 'exchanges that the reports hold: cited, those that show something, or all',
    default: 'cited',
    parse: values.parseRecordedExchanges,
    becomes: (record) => ({ record }),
  }),
  noRequestId: switchOption({
    flag: '--no-request-id',
    help: 'requests carry no X-Request-Id; else each has one of its own, to be found by in the logs of the deployment',
    becomes: () => ({ requestIds: false }),
  }),
}
