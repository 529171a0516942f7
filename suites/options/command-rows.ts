import { createOptionBuilders } from './option.ts'
import * as values from './values.ts'

/** Options that only the command line has, not the library. */
export interface CommandOptions {
  readonly maxTimeSeconds?: number
  readonly waitSeconds?: number
  /** The number of failed checks after which the run ends early. */
  readonly maxFailures?: number
  readonly reportDir?: string
  /** The file to which events are written during the run. */
  readonly events?: string
  /** True to show all choices of the deployment at open points of the contract. */
  readonly choices?: boolean
  readonly strict?: boolean
  /** True to judge the embedded reference service. */
  readonly embedded?: boolean
  /** True if `.env` was not read. */
  readonly ignoresEnvFile?: boolean
  /** The id to explain, or a prefix of ids. */
  readonly explain?: string
}

export type CommandMode = 'list' | 'plan' | 'service' | 'openapi' | 'explain' | 'help' | 'version'

const { valueOption, switchOption, modeOption } = createOptionBuilders<CommandOptions, CommandMode>()

export const commandOptionTable = {
  embedded: switchOption({
    flag: '--embedded',
    help: 'tests the embedded reference service; in CI, the packaged command needs this option if no --base-url is given',
    becomes: () => ({ embedded: true }),
  }),
  noEnvFile: switchOption({
    flag: '--no-env-file',
    help: 'does not read the file .env',
    becomes: () => ({ ignoresEnvFile: true }),
  }),
  maxTime: valueOption({
    flag: '--max-time',
    placeholder: 'S',
    help: 'the time limit for the whole run, in seconds',
    example: '60',
    defaultText: 'unlimited',
    parse: values.createWholeNumberParser(1, 86_400, 'seconds'),
    bounds: ' s',
    becomes: (maxTimeSeconds) => ({ maxTimeSeconds }),
  }),
  maxFailures: valueOption({
    flag: '--max-failures',
    placeholder: 'N',
    help: 'starts with quick effort, and stops after this many checks failed; the checks that did not run are then inconclusive',
    example: '1',
    defaultText: 'unlimited',
    parse: values.createWholeNumberParser(1, 10_000, 'checks'),
    becomes: (maxFailures) => ({ maxFailures }),
  }),
  wait: valueOption({
    flag: '--wait',
    placeholder: 'S',
    help: 'how many seconds to wait for the service, before the run and whenever it becomes unavailable during the run',
    example: '30',
    default: 0,
    parse: values.createWholeNumberParser(0, 3600, 'seconds'),
    becomes: (waitSeconds) => ({ waitSeconds }),
  }),
  reportDir: valueOption({
    flag: '--report-dir',
    placeholder: 'DIR',
    help: 'the folder to which the reports are written',
    example: 'reports/latest',
    defaultText: 'reports/latest in this repository, cat-directory-report elsewhere',
    parse: values.parseDirectoryPath,
    becomes: (reportDir) => ({ reportDir }),
  }),
  events: valueOption({
    flag: '--events',
    placeholder: 'FILE',
    help: 'writes the events of the run to this file while the run goes on, one JSON text per line',
    example: 'events.ndjson',
    defaultText: 'not written',
    parse: values.parseDirectoryPath,
    becomes: (events) => ({ events }),
  }),
  choices: switchOption({
    flag: '--choices',
    help: 'shows in full what the deployment chose at each open point, by operation and version',
    becomes: () => ({ choices: true }),
  }),
  strict: switchOption({
    flag: '--strict',
    help: 'fails the run also because of advice and inconclusive checks',
    becomes: () => ({ strict: true }),
  }),
  list: modeOption({ flag: '--list', help: 'lists all checks and sends no request', mode: 'list' }),
  plan: modeOption({
    flag: '--plan',
    help: 'shows what the run would test, how many requests it would send, and its limits; sends no request',
    mode: 'plan',
  }),
  service: modeOption({
    flag: '--service',
    help: 'shows the contract for developers of a cat directory service: requirements, open points, rulings',
    mode: 'service',
  }),
  openapi: modeOption({
    flag: '--openapi',
    help: 'shows the interface of the cat directory as OpenAPI 3.1',
    mode: 'openapi',
  }),
  explain: valueOption({
    flag: '--explain',
    placeholder: 'ID',
    help: 'explains a check, a statement (S-…), an open point (O-…), a ruling (8) or a clause (R8.2); for the beginning of an id, lists all ids that begin so',
    example: 'search/finds-every-cat-by-name',
    parse: values.parseExplainedId,
    mode: 'explain',
    becomes: (explain) => ({ explain }),
  }),
  help: modeOption({ flag: '--help', help: 'shows this help', mode: 'help' }),
  version: modeOption({ flag: '--version', help: 'shows the version of the suite', mode: 'version' }),
}
