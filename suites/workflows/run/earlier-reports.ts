import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Patterns that match the first characters of reports that this suite has written. */
const OWN_REPORT_PATTERNS = [
  /cat-directory-conformance/,
  /"label": "cat directory"/,
  /^# Sends the requests of each finding again, with curl|with curl, what showed each finding/m,
  /^# \S (conformant|nonconformant|inconclusive|partial): /,
  /<title>(conformant|nonconformant|inconclusive|partial): /,
]
const READ_BYTES = 1 << 16

/**
 * Returns whether a file is a report of this suite, which may be overwritten.
 * @param beginning the first characters of the file
 */
export const isReportOfThisSuite = (beginning: string): boolean =>
  OWN_REPORT_PATTERNS.some((sign) => sign.test(beginning.slice(0, READ_BYTES)))

/** Thrown if a file has the name of a report, but was not written by this suite. */
export class UnrecognisedFileError extends Error {
  override readonly name = 'UnrecognisedFileError'

  constructor(file: string) {
    super(`the file ${file} exists, but this suite did not write it.`)
  }
}

/** Returns the first characters of a file; undefined if the file does not exist. */
export async function readFileStart(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/**
 * Removes the reports of an earlier run, so that they are not taken for those of the current run.
 * @param names the names of the files that this run will write
 * @throws {UnrecognisedFileError} if this suite did not write one of the files
 */
export async function removeEarlierReports(directory: string, names: readonly string[]): Promise<void> {
  const found: string[] = []
  for (const name of names) {
    const beginning = await readFileStart(join(directory, name))
    if (beginning === undefined) continue
    if (beginning !== '' && !isReportOfThisSuite(beginning)) throw new UnrecognisedFileError(name)
    found.push(name)
  }
  await Promise.all(found.map((name) => rm(join(directory, name), { force: true })))
}
