import { access, constants, open, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { formats } from '../../../reports/formats.ts'
import { ReportWriteError, writeReports } from '../../../reports/write.ts'
import { createNonce } from '../../engine/entropy.ts'
import { createFolderOfFile, isNonEmptyFile } from '../../options/files/files.ts'
import { type Options, quoteArgument, UsageError } from '../../options/options.ts'

type OutputOptions = Pick<Options, 'events' | 'pinFile' | 'writeKnownFile' | 'recordHistoryFile'>

/** A file that a run writes in addition to its reports. */
interface OutputFile {
  /** The flag, e.g. `--pin`. */
  readonly flag: string
  readonly path: string
  /** Matches the first characters of a file that an earlier run wrote. */
  readonly ownPattern: RegExp
}

/** Patterns that match the first characters of reports that this suite has written. */
const OWN_REPORT_PATTERNS = [
  /cat-directory-conformance/,
  /"label": "cat directory"/,
  /^# Sends the requests of each finding again, with curl/m,
  /^# \S (conformant|nonconformant|inconclusive|partial): /,
  /<title>(conformant|nonconformant|inconclusive|partial): /,
]
/** The number of bytes that are read from a file, to recognise whether this suite wrote it. */
const MAX_START_BYTES = 1 << 16

/** Returns whether a file is a report of this suite, which may be overwritten. */
export const isReportOfThisSuite = (beginning: string): boolean =>
  OWN_REPORT_PATTERNS.some((pattern) => pattern.test(beginning.slice(0, MAX_START_BYTES)))

/** Returns the first characters of a file; undefined if the file does not exist. */
async function readFileStart(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_START_BYTES), 0, MAX_START_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

const describeForeignFile = (file: string): string => `the file ${file} exists, but this suite did not write it.`

function createDirectoryError(what: string): UsageError {
  const expected = 'a directory that can be written to, without other files that have the names of reports'
  return new UsageError({
    where: '--report-dir',
    what,
    expected,
    advice: 'choose another directory with --report-dir DIR',
  })
}

/**
 * Checks that reports can be written, and removes those of an earlier run, so that they are not taken for those of the
 * current run. Called before any request.
 */
export async function prepareReportDirectory(directory: string): Promise<void> {
  try {
    await writeReports(directory, {}, createNonce())
    await access(directory, constants.W_OK)
    const found: string[] = []
    for (const name of Object.keys(formats)) {
      const beginning = await readFileStart(join(directory, name))
      if (beginning === undefined) continue
      if (beginning !== '' && !isReportOfThisSuite(beginning)) throw createDirectoryError(describeForeignFile(name))
      found.push(name)
    }
    await Promise.all(found.map((name) => rm(join(directory, name), { force: true })))
  } catch (error) {
    if (error instanceof UsageError) throw error
    const isKnown = error instanceof ReportWriteError
    throw createDirectoryError(isKnown ? error.message : `this user may not write to ${quoteArgument(directory)}.`)
  }
}

function listOutputFiles({ events, pinFile, writeKnownFile, recordHistoryFile }: OutputOptions): readonly OutputFile[] {
  const files = [
    { flag: '--events', path: events, ownPattern: /^\{"event":"start",/ },
    { flag: '--pin', path: pinFile, ownPattern: /"profileVersion":\s*\d/ },
    { flag: '--write-known', path: writeKnownFile, ownPattern: /"knownVersion":\s*\d/ },
    { flag: '--record-history', path: recordHistoryFile, ownPattern: /^\{\s*"recordingVersion":\s*\d/ },
  ]
  return files.flatMap(({ path, ...file }) => (path === undefined ? [] : [{ ...file, path }]))
}

/**
 * Refuses output files that two options name, or that another program wrote. Creates their folders. Called before any
 * request.
 */
export async function refuseUnusableOutputs(options: OutputOptions, directory: string): Promise<void> {
  const outputs = listOutputFiles(options)
  refuseSharedPath(outputs, directory)
  for (const output of outputs) await refuseForeignFile(output)
  for (const { flag, path } of outputs) if (flag !== '--events') await createFolderOfFile(path, flag)
}

/** Refuses two options that name the same file, or a file with the path of a report. */
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

/** Refuses a file that exists, is not empty, and was not written with the same option. */
async function refuseForeignFile({ flag, path, ownPattern }: OutputFile): Promise<void> {
  if (!(await isNonEmptyFile(path))) return
  const beginning = await readFileStart(path).catch(() => undefined)
  if (beginning !== undefined && ownPattern.test(beginning)) return
  throw new UsageError({
    where: flag,
    what: describeForeignFile(basename(path)),
    expected: `a new file, or one that ${flag} wrote`,
    advice: `choose another file with ${flag} FILE`,
  })
}
