import type { SimulatableDeployment } from '../../../fixtures/deployment/simulatable-deployment.ts'
import { createSimulation, type SimulationOptions } from '../../../fixtures/simulation/simulation.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import type { JudgeDependencies } from '../../judge/run-plan.ts'

/** The deadline of a request. Only missing responses reach it, because no test deployment takes as long. */
export const TIMEOUT_MS = 2_000

export interface SimulatedRun {
  readonly result: RunResult
  readonly baseUrl: string
  readonly simulatedMs: number
}

/**
 * Judges a test deployment in simulated time. The seed decides the inputs, the network and the changes of the
 * deployment.
 */
export async function judgeInSimulatedTime(
  deployment: SimulatableDeployment,
  { seed, conditions, around }: SimulationOptions,
  options: Omit<Partial<JudgeOptions>, 'runtime'> = {},
  dependencies: JudgeDependencies = {},
): Promise<SimulatedRun> {
  const { baseUrl, runtime, run, elapsedMs } = createSimulation(deployment, {
    seed,
    around,
    ...(conditions && { conditions }),
  })
  const result = await run(() =>
    judge({ baseUrl, timeoutMs: TIMEOUT_MS, seed: (seed * 7919) | 0, ...options, runtime }, dependencies),
  )
  return { result, baseUrl, simulatedMs: elapsedMs() }
}
