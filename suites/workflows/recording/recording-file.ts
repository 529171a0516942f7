import recordingSchema from '../../../reports/recording.schema.json' with { type: 'json' }
import type { RecordedTraffic } from '../../engine/http/recording/recording.ts'
import { createJsonParser, JsonFileError } from '../../options/files/json-file.ts'
import type { Options } from '../../options/options.ts'

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

export const EXPECTED_RECORDING_CONTENT = 'a recording that --record-history wrote, or a HAR'

const parseBySchema = createJsonParser<Recording>(recordingSchema, EXPECTED_RECORDING_CONTENT)

/**
 * Parses a recording.
 * @throws {JsonFileError} if the text is no recording, or refers to a body or to header names that it does not contain
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
