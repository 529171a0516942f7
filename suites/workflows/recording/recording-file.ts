import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import recordingSchema from '../../../reports/recording.schema.json' with { type: 'json' }
import { errorCodeOf } from '../../../reports/text/error-code.ts'
import { createNonce } from '../../engine/entropy.ts'
import type { RecordedTraffic } from '../../engine/http/recording/recording.ts'
import type { StoredBody } from '../../engine/http/recording/stored-body.ts'
import { createJsonParser, JsonFileError } from '../../options/files/json-file.ts'
import { type Options, UsageError } from '../../options/options.ts'

/** The options of a run that decide which requests are sent. */
export type RecordedOptions = Pick<
  Options,
  'versions' | 'seed' | 'effort' | 'timeoutMs' | 'concurrency' | 'retries' | 'waitSeconds'
> &
  Partial<Pick<Options, 'path' | 'only' | 'strings' | 'requestsPerSecond' | 'maxRequests' | 'maxFailures'>> & {
    /** The names of the header fields that the user configured. Their values are not recorded. */
    readonly headers: readonly string[]
  }

/** The name and version of the suite that recorded a run, and the start of that run. */
export interface RecordingOrigin {
  readonly suite: { readonly name: string; readonly version: string }
  /** The start of the run, in UTC (RFC 3339). */
  readonly startedAt: string
}

/** A recorded run, as stored in a file. */
export interface Recording extends RecordingOrigin, RecordedTraffic {
  readonly target: { readonly baseUrl: string; readonly embedded: boolean }
  readonly options: RecordedOptions
}

export const RECORDING_FORMAT_TEXT = 'a recording that --record-history wrote, or a HAR'

const parseBySchema = createJsonParser<Recording>(recordingSchema, RECORDING_FORMAT_TEXT)

/**
 * Parses the text of a recording.
 * @throws {JsonFileError} if it is invalid
 */
export function parseRecording(text: string): Recording {
  const recording = parseBySchema(text)
  const { bodies, headerNames, exchanges, target } = recording
  if (!URL.canParse(target.baseUrl))
    throw new JsonFileError('/target/baseUrl', 'the value is not a URL.', 'allowed: an http or https URL')
  for (const [index, { body, headers, sentAt, doneAt }] of exchanges.entries()) {
    const place = `/exchanges/${index}`
    if (body !== undefined && !Object.hasOwn(bodies, body))
      throw new JsonFileError(
        `${place}/body`,
        'the recording has no body with this key.',
        'allowed: a key of the object /bodies',
      )
    if (headerNames[headers] === undefined)
      throw new JsonFileError(
        `${place}/headers`,
        'headerNames has no entry with this index.',
        'allowed: the index of an entry of headerNames',
      )
    if (doneAt < sentAt)
      throw new JsonFileError(`${place}/doneAt`, 'the time is before sentAt.', 'allowed: a later time')
  }
  return recording
}

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
    this.file = this.runOrRefuse(() => openSync(this.temporary, 'wx'))
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

  /** Writes everything except the bodies, and renames the temporary file. */
  finish({ exchanges, ...rest }: Omit<Recording, 'bodies' | keyof RecordingOrigin>): void {
    const members = Object.entries(rest).map(([name, value]) => `,\n"${name}":${JSON.stringify(value)}`)
    this.write(`\n}${members.join('')},\n"exchanges":[`)
    for (const [index, one] of exchanges.entries()) this.write(`${index > 0 ? ',' : ''}\n${JSON.stringify(one)}`)
    this.write('\n]}\n')
    closeSync(this.file)
    this.runOrRefuse(() => {
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

  /** Calls `work`. If it throws, removes the temporary file and throws a usage error. */
  private runOrRefuse<T>(work: () => T): T {
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
