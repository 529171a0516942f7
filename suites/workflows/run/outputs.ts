import { basename, join, resolve } from 'node:path'
import { formats } from '../../../reports/formats.ts'
import { ensureWritable, isNonEmptyFile } from '../../options/files/files.ts'
import { type Options, quoteArgument, UsageError } from '../../options/options.ts'
import { readFileStart, UnrecognisedFileError } from './earlier-reports.ts'

type OutputOptions = Pick<Options, 'events' | 'pinFile' | 'writeKnownFile' | 'recordHistoryFile'>

/** A file that a run writes besides its reports. */
interface OutputFile {
  /** The flag, e.g. `--pin`. */
  readonly flag: string
  readonly path: string
}

/** For each option, a pattern that matches the first characters of a file that an earlier run wrote. */
const OWN_FILE_PATTERNS: Readonly<Record<string, RegExp>> = {
  '--events': /^\{"event":"start",/,
  '--pin': /"profileVersion":\s*\d/,
  '--write-known': /"knownVersion":\s*\d/,
  '--record-history': /^\{\s*"recordingVersion":\s*\d/,
}

function listOutputFiles(options: OutputOptions): readonly OutputFile[] {
  const { events, pinFile, writeKnownFile, recordHistoryFile } = options
  const given = {
    '--events': events,
    '--pin': pinFile,
    '--write-known': writeKnownFile,
    '--record-history': recordHistoryFile,
  }
  return Object.entries(given).flatMap(([flag, path]) => (path === undefined ? [] : [{ flag, path }]))
}

/**
 * Checks that all output files can be written. Called before any request.
 * @throws {UsageError} if a file cannot be written, or would overwrite another output or a file that this suite did not
 * write
 */
export async function ensureOutputsAreWritable(options: OutputOptions, directory: string): Promise<void> {
  const outputs = listOutputFiles(options)
  refuseSharedPath(outputs, directory)
  for (const output of outputs) await refuseUnknownFile(output)
  for (const { flag, path } of outputs) if (flag !== '--events') await ensureWritable(path, flag)
}

function refuseSharedPath(outputs: readonly OutputFile[], directory: string): void {
  const reports = ['', 'comparison.json', ...Object.keys(formats)].map((name) => join(directory, name))
  const all = [...outputs, ...reports.map((path) => ({ flag: '--report-dir', path }))]
  for (const [index, { flag, path }] of outputs.entries()) {
    const other = all.slice(index + 1).find((one) => resolve(one.path) === resolve(path))
    if (other)
      throw new UsageError({
        where: `${flag}, ${other.flag}`,
        what: `both options write to ${quoteArgument(path)}.`,
        expected: 'a different file for each',
        advice: `choose another file with ${flag} FILE`,
      })
  }
}

async function refuseUnknownFile({ flag, path }: OutputFile): Promise<void> {
  if (!(await isNonEmptyFile(path))) return
  const beginning = await readFileStart(path).catch(() => undefined)
  if (beginning !== undefined && OWN_FILE_PATTERNS[flag]?.test(beginning)) return
  throw new UsageError({
    where: flag,
    what: new UnrecognisedFileError(basename(path)).message,
    expected: `a new file, or one that ${flag} wrote`,
    advice: `choose another file with ${flag} FILE`,
  })
}
