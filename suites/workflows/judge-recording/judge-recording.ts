import { MASK_TEXT } from '../../engine/http/client/secrets.ts'
import { createRecordedRuntime } from '../../engine/http/recording/recorded-network.ts'
import { exitCodes } from '../../options/exit-code.ts'
import { readJsonFile } from '../../options/files/json-file.ts'
import { type Environment, type Options, parseJudgeRecordingOptions, UsageError } from '../../options/options.ts'
import { parseRecording, RECORDING_FORMAT_TEXT, type Recording } from '../recording/recording-file.ts'
import { type CommandContext, runCommand } from '../run/command.ts'
import { HAR_FORMAT, isHarText, parseHar } from './har.ts'

const RECORDING_HELP = `Usage: cat-directory-conformance judge-recording FILE [options]

Judges a recording that --record-history wrote, or a HAR of any client. It sends no request.
If the file lacks the requests of a check, the check is inconclusive; it does not fail.
Options of a run that send no requests are permitted, e.g. --report-dir, --profile, --known, --strict.
`

/** Judges a recording: responses are taken from the file, and no request is sent. */
export async function judgeRecording(
  [file, ...args]: readonly string[],
  env: Environment,
  context: CommandContext,
): Promise<number> {
  if (file === '--help' || file === '-h') {
    context.write(RECORDING_HELP)
    return exitCodes.conformant.code
  }
  if (file === undefined || file.startsWith('-'))
    throw new UsageError({
      where: 'judge-recording',
      what: 'the file with the recording is missing.',
      expected: 'judge-recording FILE [options]',
      advice: 'cat-directory-conformance judge-recording history.json',
    })
  const own = parseJudgeRecordingOptions(args, env)
  const recording = await readJsonFile(file, 'judge-recording', RECORDING_FORMAT_TEXT, (text) =>
    isHarText(text) ? parseHar(text) : parseRecording(text),
  )
  const { target, startedAt, suite, exchanges } = recording
  const isForeign = suite.name === HAR_FORMAT.name
  const recorder = isForeign ? 'a HAR' : `a recording by ${suite.name} ${suite.version}`
  return runCommand(mergeRecordedOptions(own, recording), {
    ...context,
    recorded: {
      ...createRecordedRuntime(recording, { startWallMs: Date.parse(startedAt), ignoresTimes: isForeign }),
      target,
      note: `no request was sent: the responses are from ${file}, ${recorder} of ${startedAt} with ${exchanges.length} exchanges; requirements without recorded responses were not tested`,
    },
  })
}

/**
 * Combines the options of the command with those of the recorded run. The values of the user's request headers were not
 * recorded: their names suffice to find the responses.
 */
function mergeRecordedOptions(own: Options, { options, target }: Recording): Options {
  const { headers, ...recorded } = options
  const { effort } = recorded
  return {
    ...own,
    ...recorded,
    ...(own.only && { only: own.only }),
    baseUrl: target.baseUrl,
    headers: Object.fromEntries(headers.map((name) => [name, MASK_TEXT])),
    replayOptions: effort === 'standard' ? [] : ['--effort', effort],
  }
}
