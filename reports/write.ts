import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCodeOf } from './text/error-code.ts'

const ADVICE_BY_ERROR_CODE: Readonly<Record<string, readonly [why: string, whatToDo: string]>> = {
  EACCES: ['this user may not write there', 'Give it write access, or choose another place with --report-dir.'],
  EPERM: ['this user may not write there', 'Give it write access, or choose another place with --report-dir.'],
  EROFS: ['the file system is read-only there', 'Choose another place with --report-dir.'],
  ENOSPC: ['the disk is full', 'Make room, or choose another disk with --report-dir.'],
  EDQUOT: ['the quota of this user is used up', 'Make room, or choose another disk with --report-dir.'],
  ENOENT: ['a directory cannot be created there', 'Choose another place with --report-dir.'],
  ENOTDIR: ['a part of the path is a file, not a directory', 'Choose another place with --report-dir.'],
  EEXIST: ['a file has the name of the directory', 'Remove it, or choose another place with --report-dir.'],
  EFBIG: ['the file would be larger than permitted there', 'Choose another place with --report-dir.'],
  EISDIR: ['a directory has the name of a report', 'Remove it, or choose another place with --report-dir.'],
  ENAMETOOLONG: ['the path is too long', 'Choose a shorter one with --report-dir.'],
}

/** Thrown if reports could not be written. The message says what happened, where, why, and what to do. */
export class ReportWriteError extends Error {
  override readonly name = 'ReportWriteError'
  readonly directory: string
  /** The error code of the operating system, e.g. `EACCES`. */
  readonly code: string

  constructor(directory: string, what: string, cause: unknown) {
    const code = errorCodeOf(cause)
    const [why, whatToDo] = ADVICE_BY_ERROR_CODE[code] ?? [String(cause), 'Choose another place with --report-dir.']
    super(`Cannot write ${what} to ${JSON.stringify(directory)}: ${why} (${code}). ${whatToDo}`, { cause })
    this.directory = directory
    this.code = code
  }
}

/**
 * Writes reports: first all into temporary files, which are then renamed, so that no report is ever incomplete.
 * @param directory the directory, which is created if it does not exist
 * @param files the texts by file name
 * @param nonce a text that makes the names of the temporary files unique
 */
export async function writeReports(directory: string, files: Record<string, string>, nonce: string): Promise<void> {
  const paths = Object.keys(files).map((name) => {
    const file = basename(name)
    return { name, temporary: join(directory, `.${file}.${nonce}.tmp`), final: join(directory, file) }
  })
  let what = 'the reports'
  try {
    await makeDirectory(resolve(directory))
    for (const { name, temporary } of paths) {
      what = name
      await writeFile(temporary, files[name] ?? '', { flag: 'wx' })
    }
    for (const { name, temporary, final } of paths) {
      what = name
      await rename(temporary, final)
    }
  } catch (cause) {
    await Promise.all(paths.map(({ temporary }) => rm(temporary, { force: true }).catch(() => undefined)))
    throw new ReportWriteError(directory, what, cause)
  }
}

// Creates a directory level by level: `mkdir` with `recursive: true` never ends for a path below /proc.
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (cause) {
    if (errorCodeOf(cause) === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (errorCodeOf(cause) !== 'ENOENT' || dirname(path) === path) throw cause
    await makeDirectory(dirname(path))
    await mkdir(path).catch(async (error: unknown) => {
      // Accepts a directory that another run has created meanwhile.
      if (errorCodeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
    })
  }
}
