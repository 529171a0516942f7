import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** By one of which each format is known, near its beginning. */
const OURS = [
  /cat-directory-conformance/,
  /"label": "cat directory"/,
  /with curl, what showed each finding/,
  /^# \S (conformant|nonconformant|inconclusive|partial): /,
  /<title>(conformant|nonconformant|inconclusive|partial): /,
]
const READ_BYTES = 1 << 16

/** Whether a report begins so: a file that begins otherwise is somebody else's, and not written over. */
export const isOurs = (beginning: string): boolean => OURS.some((sign) => sign.test(beginning.slice(0, READ_BYTES)))

/** A file stands where one of this suite belongs, and is none. */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError'

  constructor(file: string) {
    super(`there is a ${file} that this suite did not write.`)
  }
}

/** As much of a file as tells whose it is; undefined where there is none. */
export async function beginningOf(file: string): Promise<string | undefined> {
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
 * Removes the reports of an earlier run: whatever becomes of this one, nobody takes them for its own.
 * @param names of the files that are to be written
 * @throws {ForeignFileError} when one of them is somebody else's; then nothing is removed
 */
export async function removeEarlierReports(directory: string, names: readonly string[]): Promise<void> {
  const found: string[] = []
  for (const name of names) {
    const beginning = await beginningOf(join(directory, name))
    if (beginning === undefined) continue
    if (beginning !== '' && !isOurs(beginning)) throw new ForeignFileError(name)
    found.push(name)
  }
  await Promise.all(found.map((name) => rm(join(directory, name), { force: true })))
}
