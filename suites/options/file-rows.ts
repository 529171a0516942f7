import { createRowBuilders } from './option.ts'
import * as values from './values.ts'

/** The files and folders of a run. */
export interface FileOptions {
  /** A file or folder whose changes start a new judgement. */
  readonly watch?: string
  /** The profile to judge by, and the file to write a new one to. */
  readonly profileFile?: string
  readonly pinFile?: string
  /** A deployment or saved report to compare with, and the headers for it. */
  readonly against?: string
  readonly againstHeaders?: Readonly<Record<string, string>>
  /** A saved report whose findings are replayed. */
  readonly replayFile?: string
  /** The baselines of known violations to read, and the file to write one to. */
  readonly knownFile?: string
  readonly writeKnownFile?: string
}

const { valueOption } = createRowBuilders<FileOptions>()

export const fileRows = {
  profile: valueOption({
    flag: '--profile',
    placeholder: 'FILE',
    help: 'holds the open points to what this file pins: each is a check, and one that differs fails',
    example: 'profile.json',
    defaultText: 'open points are told, not judged',
    parse: values.parseFilePath,
    becomes: (profileFile) => ({ profileFile }),
    decides: true,
    isReplayed: true,
  }),
  pin: valueOption({
    flag: '--pin',
    placeholder: 'FILE',
    help: 'writes what was observed at the open points as a profile, to be read, edited and reviewed',
    example: 'profile.json',
    defaultText: 'not written',
    parse: values.parseFilePath,
    becomes: (pinFile) => ({ pinFile }),
  }),
  against: valueOption({
    flag: '--against',
    placeholder: 'URL|FILE',
    help: 'compares with another deployment on the same inputs, or with a saved report.json of one',
    example: 'https://cats.example.org/api',
    defaultText: 'nothing is compared',
    parse: values.parseBaseUrlOrFile,
    becomes: (against) => ({ against }),
    decides: true,
  }),
  againstHeader: valueOption({
    flag: '--against-header',
    placeholder: "'Name: value'",
    help: 'sent with every request to the deployment that is compared with; repeatable, in CATS_AGAINST_HEADER one a line',
    example: 'X-Api-Key: KEY',
    repeatable: true,
    parse: values.parseHeader,
    becomes: ({ name, value }) => ({ againstHeaders: { [name]: value } }),
    isSecret: true,
  }),
  replay: valueOption({
    flag: '--replay',
    placeholder: 'FILE',
    help: 'asks again for what a saved report.json found: exit 1 still broken, 0 mended, 3 undecided; an id after FILE, or --only, for some of it',
    example: 'report.json',
    defaultText: 'everything is judged',
    parse: values.parseFilePath,
    becomes: (replayFile) => ({ replayFile }),
  }),
  known: valueOption({
    flag: '--known',
    placeholder: 'FILE',
    help: 'violations that are known: exit 0 when nothing else fails; the verdict stays what it is',
    example: 'known.json',
    defaultText: 'none are known',
    parse: values.parseFilePath,
    becomes: (knownFile) => ({ knownFile }),
    decides: true,
  }),
  writeKnown: valueOption({
    flag: '--write-known',
    placeholder: 'FILE',
    help: 'writes what fails as known violations, for reasons to be filled in; keeps what the file says of them already',
    example: 'known.json',
    defaultText: 'not written',
    parse: values.parseFilePath,
    becomes: (writeKnownFile) => ({ writeKnownFile }),
  }),
  watch: valueOption({
    flag: '--watch',
    placeholder: 'PATH',
    help: 'judges again when a file changes there, or the deployment restarts; asks first for what failed, shows what changed',
    example: 'src',
    defaultText: 'judged once',
    parse: values.parseFilePath,
    becomes: (watch) => ({ watch }),
  }),
}
