import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createNonce } from '../../engine/entropy.ts'
import type { StoredBody } from '../../engine/http/recording/stored-body.ts'
import { errorCodeOf } from '../../options/files/files.ts'
import { UsageError } from '../../options/options.ts'
import type { Recording, RecordingOrigin } from './recording-file.ts'

/** The maximum size of the file in bytes. A larger file could not be read into one string. */
const MAX_FILE_BYTES = 256 << 20

/**
 * Writes a recording. A temporary file is renamed when it is complete. Each body is written when it arrives, so that it
 * need not stay in memory.
 */
export class RecordingWriter {
  private readonly path: string
  private readonly temporary: string
  private readonly file: number
  private bytes = 0
  private bodies = 0
  private failure: Error | undefined

  /** @throws {UsageError} if the file cannot be written */
  constructor(path: string, { suite, startedAt }: RecordingOrigin) {
    this.path = path
    this.temporary = join(dirname(path), `.${basename(path)}.${createNonce()}.tmp`)
    this.file = this.orRefuse(() => openSync(this.temporary, 'wx'))
    this.write(`{"recordingVersion":1,"suite":${JSON.stringify(suite)},"startedAt":"${startedAt}",\n"bodies":{`)
  }

  /**
   * Writes a body to the file.
   * @returns false if the file has no room for the body
   */
  readonly keepBody = (key: string, body: StoredBody): boolean => {
    const text = `${this.bodies > 0 ? ',' : ''}\n"${key}":${JSON.stringify(body)}`
    if (this.failure !== undefined || this.bytes + text.length > MAX_FILE_BYTES) return false
    this.write(text)
    this.bodies++
    return true
  }

  /**
   * Writes everything except the bodies, and renames the temporary file.
   * @throws {UsageError} if the file cannot be written
   */
  finish({ exchanges, ...rest }: Omit<Recording, 'bodies' | keyof RecordingOrigin>): void {
    const members = Object.entries(rest).map(([name, value]) => `,\n"${name}":${JSON.stringify(value)}`)
    this.write(`\n}${members.join('')},\n"exchanges":[`)
    for (const [index, one] of exchanges.entries()) this.write(`${index > 0 ? ',' : ''}\n${JSON.stringify(one)}`)
    this.write('\n]}\n')
    closeSync(this.file)
    this.orRefuse(() => {
      if (this.failure !== undefined) throw this.failure
      renameSync(this.temporary, this.path)
    })
  }

  /**
   * Writes text to the file. After an error nothing more is written, but the run continues: `finish` throws the error.
   */
  private write(text: string): void {
    if (this.failure !== undefined) return
    try {
      this.bytes += writeSync(this.file, text)
    } catch (error) {
      this.failure = error as Error // The file system throws nothing else.
    }
  }

  private orRefuse<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      rmSync(this.temporary, { force: true })
      const what = `${JSON.stringify(this.path)} cannot be written (${errorCodeOf(error)}).`
      const expected = 'a file that can be written'
      throw new UsageError({ where: '--record-history', what, expected, advice: 'give another one' })
    }
  }
}
