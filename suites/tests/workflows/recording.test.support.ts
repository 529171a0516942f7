import type { SimulatableDeployment } from '../../../fixtures/deployment/simulatable-deployment.ts'
import { createSimulation, type SimulationOptions } from '../../../fixtures/simulation/simulation.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { createRecordedRuntime } from '../../engine/http/recording/recorded-network.ts'
import { TrafficRecorder } from '../../engine/http/recording/recorder.ts'
import type { RecordedTraffic } from '../../engine/http/recording/recording.ts'
import type { StoredBody } from '../../engine/http/recording/stored-body.ts'
import { type Runtime, systemRuntime } from '../../engine/http/runtime.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'

export type JudgeOptionsWithSeed = JudgeOptions & { readonly seed: number }

export interface RecordedRun {
  readonly options: JudgeOptionsWithSeed
  readonly result: RunResult
  readonly traffic: RecordedTraffic
  readonly startWallMs: number
}

/** Judges a deployment, and records its traffic in memory. */
export async function recordJudgement(
  options: JudgeOptionsWithSeed,
  runtime: Runtime = systemRuntime,
  run: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): Promise<RecordedRun> {
  const bodies: Record<string, StoredBody> = {}
  const recorder = new TrafficRecorder({
    runtime,
    baseUrl: options.baseUrl,
    currentMask: () => undefined,
    keepBody: (key, body) => {
      bodies[key] = body
      return true
    },
  })
  const startWallMs = runtime.clock.wallTime()
  const result = await run(() => judge({ ...options, runtime: recorder.runtime }))
  return { options, result, traffic: { ...recorder.finish(), bodies }, startWallMs }
}

export function recordSimulatedRun(
  deployment: SimulatableDeployment,
  simulated: SimulationOptions,
  options: Partial<JudgeOptions> = {},
): Promise<RecordedRun> {
  const { baseUrl, runtime, run } = createSimulation(deployment, simulated)
  return recordJudgement({ baseUrl, timeoutMs: 2_000, seed: 7, ...options }, runtime, run)
}

export function judgeRecordedRun({ options, traffic, startWallMs }: RecordedRun): Promise<RunResult> {
  const { runtime, run } = createRecordedRuntime(traffic, { startWallMs })
  return run(() => judge({ ...options, runtime }))
}

/** Returns a comparable text for each verdict. */
export const formatVerdicts = ({ verdicts }: RunResult): readonly string[] =>
  verdicts.map(({ check, version, status, reason = '' }) => `${check.id} ${version}: ${status} ${reason}`)
