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
    help: 'a profile, which pins open points; each pinned point becomes a check that fails if the deployment behaves differently',
    example: 'profile.json',
    defaultText: 'open points are reported, but not judged',
    parse: values.parseFilePath,
    becomes: (profileFile) => ({ profileFile }),
    decides: true,
    isReplayed: true,
  }),
  pin: valueOption({
    flag: '--pin',
    placeholder: 'FILE',
    help: 'writes the observed choices at open points to this file, as a profile that you can edit',
    example: 'profile.json',
    defaultText: 'not written',
    parse: values.parseFilePath,
    becomes: (pinFile) => ({ pinFile }),
  }),
  against: valueOption({
    flag: '--against',
    placeholder: 'URL|FILE',
    help: 'compares the deployment with another one, which gets the same inputs, or with a saved report.json',
    example: 'https://cats.example.org/api',
    defaultText: 'nothing is compared',
    parse: values.parseBaseUrlOrFile,
    becomes: (against) => ({ against }),
    decides: true,
  }),
  againstHeader: valueOption({
    flag: '--against-header',
    placeholder: "'Name: value'",
    help: 'a header to send with every request to the deployment that --against names; may be given several times (in CATS_AGAINST_HEADER, one header per line)',
    example: 'X-Api-Key: KEY',
    repeatable: true,
    parse: values.parseHeader,
    becomes: ({ name, value }) => ({ againstHeaders: { [name]: value } }),
    isSecret: true,
  }),
  replay: valueOption({
    flag: '--replay',
    placeholder: 'FILE',
    help: 'tests the findings of a saved report.json again: the exit code is 0 if all are fixed, 1 if one still fails, 3 if one is undecided; an id after FILE, or --only, selects some of the findings',
    example: 'report.json',
    defaultText: 'no report is replayed',
    parse: values.parseFilePath,
    becomes: (replayFile) => ({ replayFile }),
  }),
  known: valueOption({
    flag: '--known',
    placeholder: 'FILE',
    help: 'a baseline, which lists known violations; the exit code is 0 if nothing else fails, but the verdict stays the same',
    example: 'known.json',
    defaultText: 'no violations are known',
    parse: values.parseFilePath,
    becomes: (knownFile) => ({ knownFile }),
    decides: true,
  }),
  writeKnown: valueOption({
    flag: '--write-known',
    placeholder: 'FILE',
    help: 'writes the failed checks to this baseline as known violations, keeps existing entries, and leaves the reasons for you to fill in',
    example: 'known.json',
    defaultText: 'not written',
    parse: values.parseFilePath,
    becomes: (writeKnownFile) => ({ writeKnownFile }),
  }),
  recordHistory: valueOption({
    flag: '--record-history',
    placeholder: 'FILE',
    help: 'writes every request and response of the run to this file, which judge-recording FILE can judge again without sending a request',
    example: 'history.json',
    defaultText: 'not written',
    parse: values.parseFilePath,
    becomes: (recordHistoryFile) => ({ recordHistoryFile }),
  }),
  watch: valueOption({
    flag: '--watch',
    placeholder: 'PATH',
    help: 'tests again whenever a file below this path changes or the deployment restarts; starts with the checks that failed, and shows what changed',
    example: 'src',
    defaultText: 'the deployment is tested once',
    parse: values.parseFilePath,
    becomes: (watch) => ({ watch }),
  }),
}
