import type { CheckContext } from '../check/check.ts'
import { createFreshReader } from '../check/readers.ts'
import type { VerdictScope } from '../check/verdict.ts'
import type { CheckRecord } from '../finding/check-record.ts'
import { FindingRecorder } from '../finding/finding-recorder.ts'
import type { RecorderOptions } from '../finding/recorder-options.ts'
import { pause } from '../http/session.ts'

interface CheckRunOptions<T> extends RecorderOptions {
  readonly target: T
  readonly scope: VerdictScope
  /** A signal that is aborted when the run ends. */
  readonly signal: AbortSignal
}

/**
 * Creates the functions that the probes of a check get, and the record that contains the results while the check runs.
 */
export function createCheckContext<T>(options: CheckRunOptions<T>): { context: CheckContext<T>; record: CheckRecord } {
  const { target, scope, readings, session, seed, signal } = options
  const { clock } = session
  const recorder = new FindingRecorder(options)
  const { record } = recorder
  const context: CheckContext<T> = {
    target,
    scope,
    readings,
    skippedInputs: () => options.skippedInputs().inputs,
    read: readings.read,
    createFreshReader: () => createFreshReader(session.send),
    verify: (assertion) => recorder.verify(assertion),
    verifyEach: (cases) => recorder.verifyEach(cases),
    verifyProperty: (property) => recorder.verifyProperty(property),
    verifySideEffect: (suspected) => recorder.verifySideEffect(suspected),
    clock,
    pause: (ms) => pause(ms, { clock, signal }),
    describeTested: (summary) => void (record.testedSummary = summary),
    reportNoData: () => void (record.hasNoData = true),
    addCaveat: (caveat) => void (record.caveat ??= caveat),
    hasViolation: () => record.confirmed !== undefined,
    isSettled: () => record.confirmed !== undefined || record.undecided !== undefined,
    seed,
  }
  return { context, record }
}
