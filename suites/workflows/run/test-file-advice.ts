const START_IN_HOOK = 'start it in the hook `beforeAll` and give `baseUrl` as a function'

/**
 * The options of the command that advice names, each with what a test file has instead. There is no `wait` option,
 * because the hooks of vitest start the service.
 */
const REPLACEMENTS: readonly (readonly [option: RegExp, replacement: string])[] = [
  [/wait(?: for it)?(?: with|:) --wait \d+(?: \(cost: [^)]*\))?/, START_IN_HOOK],
  [/--(?:header|token) (and|or) --(?:header|token)/, '`headers`'],
  [/--cert FILE and --key FILE/, '`transport.tls.cert` and `transport.tls.key`'],
  [/--cert and --key/, '`transport.tls.cert` and `transport.tls.key`'],
  [/--token-command/, '`tokenCommand`'],
  [/--ca FILE/, '`transport.tls.ca`'],
  [/--rate and --concurrency/, '`requestsPerSecond` and `concurrency`'],
  [/--rate (\d+)\/s --concurrency (\d+)/, '`requestsPerSecond: $1` and `concurrency: $2`'],
  [/--timeout/, '`timeoutMs`'],
  [/--versions (v\d)/, "`versions: ['$1']`"],
  [/--base-url URL/, '`baseUrl`'],
]

/** Replaces the options of the command in advice by the options of `conformance` in a test file. */
export const adviseInTestFile = (advice: string): string =>
  REPLACEMENTS.reduce((text, [option, replacement]) => text.replace(option, replacement), advice)
