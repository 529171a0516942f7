import { createOptionBuilders } from './option.ts'
import * as values from './values.ts'

/** Options of the command that name files and folders. */
export interface FileOptions {
  /** The file or folder whose changes start a new run. */
  readonly watch?: string
  /** The profile to judge by, and the file to which a new profile is written. */
  readonly profileFile?: string
  readonly pinFile?: string
  /** The deployment or saved report to compare with, and the headers for requests to that deployment. */
  readonly against?: string
  readonly againstHeaders?: Readonly<Record<string, string>>
  /** The saved report whose findings are requested again. */
  readonly replayFile?: string
  /** The file of known violations to read, and the file to which one is written. */
  readonly knownFile?: string
  readonly writeKnownFile?: string
  /** The file to which all exchanges of the run are written. */
  readonly recordHistoryFile?: string
}

const { valueOption } = createOptionBuilders<FileOptions>()

export const fileOptionTable = {
  profile: valueOption({
    flag: '--profile',
    placeholder: 'FILE',
    help: 'profile with pinned open points: each becomes a check that fails if the deployment differs',
    example: 'profile.json',
    defaultText: 'open points are reported, never judged',
    parse: values.parseFilePath,
    becomes: (profileFile) => ({ profileFile }),
    decides: true,
    isReplayed: true,
  }),
  pin: valueOption({
    flag: '--pin',
    placeholder: 'FILE',
    help: 'writes the observed choices as a profile, to be read, edited and reviewed',
    example: 'profile.json',
    defaultText: 'not written',
    parse: values.parseFilePath,
    becomes: (pinFile) => ({ pinFile }),
  }),
  against: valueOption({
    flag: '--against',
    placeholder: 'URL|FILE',
    help: 'compares with another deployment on the same inputs, or with its saved report.json',
    example: 'https://cats.example.org/api',
    defaultText: 'nothing is compared',
    parse: values.parseBaseUrlOrFile,
    becomes: (against) => ({ against }),
    decides: true,
  }),
  againstHeader: valueOption({
    flag: '--against-header',
    placeholder: "'Name: value'",
    help: 'header for every request to the --against deployment; repeatable, in CATS_AGAINST_HEADER one per line',
    example: 'X-Api-Key: KEY',
    repeatable: true,
    parse: values.parseHeader,
    becomes: ({ name, value }) => ({ againstHeaders: { [name]: value } }),
    isSecret: true,
  }),
  replay: valueOption({
    flag: '--replay',
    placeholder: 'FILE',
    help: 'tests the findings of a saved report.json again: exit 1 still failing, 0 fixed, 3 undecided; an id after FILE, or --only, selects some',
    example: 'report.json',
    defaultText: 'everything is tested',
    parse: values.parseFilePath,
    becomes: (replayFile) => ({ replayFile }),
  }),
  known: valueOption({
    flag: '--known',
    placeholder: 'FILE',
    help: 'baseline of known violations: exit 0 if nothing else fails; the verdict does not change',
    example: 'known.json',
    defaultText: 'none are known',
    parse: values.parseFilePath,
    becomes: (knownFile) => ({ knownFile }),
    decides: true,
  }),
  writeKnown: valueOption({
    flag: '--write-known',
    placeholder: 'FILE',
    help: 'writes the failed checks as known violations; reasons are to be filled in, and existing entries are kept',
    example: 'known.json',
    defaultText: 'not written',
    parse: values.parseFilePath,
    becomes: (writeKnownFile) => ({ writeKnownFile }),
  }),
  recordHistory: valueOption({
    flag: '--record-history',
    placeholder: 'FILE',
    help: 'writes every exchange of the run there, with each body once; judge-recording FILE judges it again without a request',
    example: 'history.json',
    defaultText: 'not written',
    parse: values.parseFilePath,
    becomes: (recordHistoryFile) => ({ recordHistoryFile }),
  }),
  watch: valueOption({
    flag: '--watch',
    placeholder: 'PATH',
    help: 'tests again when a file changes there or the deployment restarts; starts with the failed checks, shows what changed',
    example: 'src',
    defaultText: 'judged once',
    parse: values.parseFilePath,
    becomes: (watch) => ({ watch }),
  }),
}
