import { formatCount } from '../../../reports/text/wording.ts'
import type { RenewableToken } from '../../engine/http/client/renewable-token.ts'
import { TrafficRecorder } from '../../engine/http/recording/recorder.ts'
import { systemRuntime } from '../../engine/http/runtime.ts'
import { createSecretMask } from '../../judge/sent-headers.ts'
import type { Options } from '../../options/options.ts'
import { type RecordedOptions, type Recording, type RecordingOrigin, RecordingWriter } from './recording-file.ts'

type RecordableOptions = Options & { readonly renewableToken?: RenewableToken }

/**
 * Starts to record the exchanges of a run into a file.
 * @returns the runtime whose exchanges are recorded, and functions that complete the file
 */
export function startRecording(
  path: string,
  options: RecordableOptions,
  context: { readonly suite: RecordingOrigin['suite']; readonly target: Recording['target'] },
) {
  const { suite, target } = context
  const startedAt = new Date(systemRuntime.clock.wallTime()).toISOString()
  const writer = new RecordingWriter(path, { suite, startedAt })
  const { baseUrl } = target
  const currentMask = createCurrentMask(options)
  const recorder = new TrafficRecorder({ runtime: systemRuntime, baseUrl, currentMask, keepBody: writer.keepBody })
  let isFinished = false
  /** Writes the file at the end of the run. Returns lines about the file, for the user. */
  const finish = (): readonly string[] => {
    isFinished = true
    const traffic = recorder.finish()
    writer.finish({ target, options: selectRecordedOptions(options), ...traffic })
    const omitted = recorder.omittedBodies
    return [
      `${formatCount(traffic.exchanges.length, 'exchange')} in ${path}`,
      ...(omitted > 0 ? [`${formatCount(omitted, 'body', 'bodies')} left out of ${path}, because of the size`] : []),
    ]
  }
  /** Writes the file if `finish` was not called, because an error ended the run. */
  const close = (): void => {
    if (!isFinished) finish()
  }
  return { runtime: recorder.runtime, finish, close }
}

/**
 * Creates a function that returns the current mask: it hides the secrets of the options, and all tokens fetched so far.
 */
function createCurrentMask(options: RecordableOptions): () => ((text: string) => string) | undefined {
  const { headers = {}, againstHeaders = {}, renewableToken } = options
  const others = Object.entries(againstHeaders).map(([name, value]) => [`against ${name}`, value] as const)
  const secrets = { ...headers, ...Object.fromEntries(others) }
  if (Object.keys(secrets).length === 0) return () => undefined
  return () => createSecretMask({ headers: secrets, ...(renewableToken && { renewableToken }) })
}

function selectRecordedOptions(options: Options): RecordedOptions {
  const { versions, seed = 1, effort, timeoutMs, concurrency, retries, waitSeconds, headers = {} } = options
  const { path, only, strings, requestsPerSecond, maxRequests, maxFailures } = options
  return {
    ...{ versions, seed, effort, timeoutMs, concurrency, retries, waitSeconds, headers: Object.keys(headers) },
    ...(path !== undefined && { path }),
    ...(only && { only }),
    ...(strings && { strings }),
    ...(requestsPerSecond !== undefined && { requestsPerSecond }),
    ...(maxRequests !== undefined && { maxRequests }),
    ...(maxFailures !== undefined && { maxFailures }),
  }
}
