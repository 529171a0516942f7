import type { Deployment } from '../directory/deployment.ts'
import { describeUnrequestableNames } from '../directory/inputs/listed-names.ts'
import type { Check } from '../engine/check/check.ts'
import type { RunResult } from '../engine/check/verdict.ts'
import type { Exchange } from '../engine/http/client/exchange.ts'
import { observeProtocols } from '../engine/http/client/undici-network.ts'
import { systemRuntime } from '../engine/http/runtime.ts'
import { createSession } from '../engine/http/session.ts'
import { validateCatalogue } from '../engine/run/catalogue-rules.ts'
import { createExchangeRecorder } from '../engine/run/exchange-recorder.ts'
import { maskResult } from '../engine/run/masking.ts'
import { runPlan } from '../engine/run/run.ts'
import { observableOpenPoints } from '../open-points/index.ts'
import { catalogue } from './catalogue.ts'
import { createSessionOptions, type JudgeOptions } from './judge-options.ts'
import { observeFinishedRun } from './observe-finished-run.ts'
import { createPinnedChecks } from './profile/pinned.ts'
import { createDeploymentOptionsFactory, createRunPlan, type JudgeDependencies, selectObservers } from './run-plan.ts'
import { createSecretMask } from './sent-headers.ts'

/**
 * Judges one deployment.
 * @returns every verdict, observation and cited exchange; never rejects because of the deployment
 * @param options validated by the command or by the library's entry point
 * @throws {TypeError} if the checks contradict each other
 */
export async function judge(options: JudgeOptions, dependencies: JudgeDependencies = {}): Promise<RunResult> {
  const { checks = catalogue } = dependencies
  validateCatalogue(checks)
  const connections = (options.runtime?.network?.watch ?? observeProtocols)(options.baseUrl)
  const { clock } = options.session ?? options.runtime ?? systemRuntime
  const recorder = createExchangeRecorder(options.record ?? 'cited', clock)
  let requests = 0
  const onExchange = (exchange: Exchange): void => {
    recorder.onExchange(exchange)
    options.onRequest?.(++requests)
  }
  const session = options.session ?? createSession({ ...createSessionOptions(options), onExchange })
  try {
    const optionsOf = createDeploymentOptionsFactory(options, dependencies, session)
    const plan = createRunPlan(options, dependencies, session, optionsOf, recorder.withChangeLog)
    const result = await runPlan(plan)
    const { isObserved, omittedPoints } = selectObservers(options)
    const context = { options, session, connections, optionsOf, checks }
    const observed = isObserved ? await observeFinishedRun(result, context) : result
    const unrequestable = await describeUnrequestableNames(plan.target.judgedDirectories, plan.readings)
    const whole = {
      ...observed,
      ...countSelected(observed.verdicts.length, checks, options),
      ...recorder.recorded(observed.exchanges, session),
      notExercised: [...observed.notExercised, ...omittedPoints, ...unrequestable],
    }
    return maskResult(whole, createSecretMask(options))
  } finally {
    connections.close()
    if (!options.session) await session.close()
  }
}

/**
 * Counts the selected checks and all checks, each once in each version. Returns an empty object if all are selected.
 * @param selected the number of verdicts of the run
 */
function countSelected(
  selected: number,
  checks: readonly Check<Deployment>[],
  { only = [], profile }: JudgeOptions,
): Pick<RunResult, 'selected'> {
  if (only.length === 0) return {}
  const pinned = profile ? createPinnedChecks(profile, observableOpenPoints).length : 0
  const all = checks.flatMap(({ scopes }) => scopes).length + pinned
  return selected < all ? { selected: { checks: selected, of: all } } : {}
}
