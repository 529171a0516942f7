import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { errorCodeOf } from '../../../reports/text/error-code.ts'
import { ReportWriteError, writeReports } from '../../../reports/write.ts'
import { createNonce } from '../../engine/entropy.ts'
import { UsageError } from '../options.ts'

/** An option whose value is the path of a file. */
interface FileOption {
  /** The flag, e.g. `--profile`. */
  readonly flag: string
  /** The content that is expected in the file, e.g. `a report.json`. */
  readonly expected: string
}

/** Describes the place of the first octets that are not UTF-8, e.g. `line 3, octet 7`; undefined if there are none. */
function findInvalidUtf8(bytes: Buffer): string | undefined {
  if (isUtf8(bytes)) return undefined
  const repaired = Buffer.from(bytes.toString())
  const place = bytes.findIndex((byte, index) => byte !== repaired[index])
  const lines = bytes.subarray(0, place).toString('latin1').split('\n')
  return `line ${lines.length}, octet ${(lines.at(-1)?.length ?? 0) + 1}`
}

/**
 * Reads the file that an option names.
 * @throws {UsageError} if the file cannot be read or is not UTF-8
 */
export async function readOptionFile(path: string, { flag, expected }: FileOption): Promise<string> {
  const bytes = await readBytes(path, { flag, expected })
  const place = findInvalidUtf8(bytes)
  if (place === undefined) return bytes.toString()
  const what = `${JSON.stringify(path)} is not UTF-8 (${place}).`
  throw new UsageError({ where: flag, what, expected, advice: 'save the file in UTF-8' })
}

async function readBytes(path: string, { flag, expected }: FileOption): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const what = `${JSON.stringify(path)} cannot be read (${errorCodeOf(error)}).`
    throw new UsageError({
      where: flag,
      what,
      expected,
      advice: 'check the name of the file and the current directory',
    })
  }
}

export const isNonEmptyFile = async (path: string): Promise<boolean> =>
  ((await stat(path).catch(() => undefined))?.size ?? 0) > 0

async function writeFiles(path: string, files: Readonly<Record<string, string>>, flag: string): Promise<void> {
  try {
    await writeReports(dirname(path), files, createNonce())
  } catch (error) {
    if (!(error instanceof ReportWriteError)) throw error
    const what = `${JSON.stringify(path)} cannot be written (${error.code}).`
    throw new UsageError({ where: flag, what, expected: 'a file that can be written', advice: 'choose another file' })
  }
}

/** Creates the folder of a file if it does not exist. */
export const createFolderOfFile = (path: string, flag: string): Promise<void> => writeFiles(path, {}, flag)

/** Writes the file that an option names. An error leaves no incomplete file. */
export const writeOptionFile = (path: string, text: string, flag: string): Promise<void> =>
  writeFiles(path, { [basename(path)]: text }, flag)
