import { closeSync, openSync, writeSync } from 'node:fs'
import type { Report } from '../../../reports/report/report.ts'
import { errorCodeOf } from '../../../reports/text/error-code.ts'
import { escapeJson } from '../../../reports/text/escape.ts'
import { systemClock } from '../../engine/clock.ts'
import { UsageError } from '../../options/options.ts'

/**
 * The version of the event format. It is increased if programs that read the previous version would misread the events.
 */
const SCHEMA_VERSION = 1

/** Returns whether an error means that the reader has closed the pipe, and so needs no more events. */
const isClosedPipe = (code: string): boolean => code === 'EPIPE'

/** Opens the file for the events of a run (`--events`): one JSON text per line, as `events.schema.json` describes. */
export function openEventStream(file: string | undefined, stderr: (text: string) => void) {
  const descriptor = file === undefined ? undefined : openFile(file)
  let writeError: string | undefined
  const writeEvent = (event: string, fields: object): void => {
    if (descriptor === undefined || writeError !== undefined) return
    try {
      const text = JSON.stringify({
        event,
        schemaVersion: SCHEMA_VERSION,
        at: new Date(systemClock.wallTime()).toISOString(),
        ...fields,
      })
      writeSync(descriptor, `${escapeJson(text)}\n`)
    } catch (error) {
      writeError = errorCodeOf(error)
      if (!isClosedPipe(writeError))
        stderr(`The events could not be written (${writeError}): the file is incomplete.\n`)
    }
  }
  return {
    writeStart: (run: Pick<Report, 'suite' | 'target' | 'seed' | 'effort'>) => writeEvent('start', run),
    /** Writes that a check has sent its first requests. Its verdict is not known yet. */
    writeCheck: (check: string, version: string, counts: { done: number; total: number; requests: number }) =>
      writeEvent('asked', { check, version, ...counts }),
    /** Writes the verdicts of all checks, and the end of the run. */
    writeEnd(report: Report, exitCode: number) {
      for (const { id, version, status, reason } of report.checks)
        writeEvent('verdict', { check: id, version, status, ...(reason !== undefined && { reason }) })
      const { verdict, classes, requests, durationMs } = report
      writeEvent('end', { verdict, classes, requests, durationMs, exitCode })
    },
    /** Returns whether an event could not be written although a reader may be waiting for it. */
    hasLostEvents: () => writeError !== undefined && !isClosedPipe(writeError),
    close: () => void (descriptor !== undefined && closeSync(descriptor)),
  }
}

function openFile(file: string): number {
  try {
    return openSync(file, 'w')
  } catch (error) {
    throw new UsageError({
      where: '--events',
      what: `${JSON.stringify(file)} cannot be written (${errorCodeOf(error)}).`,
      expected: 'a file that can be written, in an existing directory',
      advice: 'choose another file with --events FILE',
    })
  }
}
