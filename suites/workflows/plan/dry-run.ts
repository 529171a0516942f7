import { createDeployment, type Deployment } from '../../directory/deployment.ts'
import { alterations } from '../../directory/inputs/alterations.ts'
import { allowances } from '../../directory/matching/allowances.ts'
import type { Effort } from '../../directory/shared/effort.ts'
import type { Check, CheckContext } from '../../engine/check/check.ts'
import { createCachingReader, type Read, type Reader } from '../../engine/check/readers.ts'
import type { Scope } from '../../engine/check/verdict.ts'
import { NotApplicable, Violation } from '../../engine/check/violations.ts'
import type { Request } from '../../engine/http/client/exchange.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { sample } from '../../engine/property/sample.ts'
import type { Observer } from '../../engine/run/plan.ts'
import { createImaginedSender, type ImaginedDirectory, imaginedControlNames } from './imagined-directory.ts'

/** The options that determine how many requests are sent. */
export interface DryRunOptions {
  readonly versions: readonly string[]
  readonly effort: Effort
  readonly seed: number
  readonly strings: readonly string[]
}

/** The requests in order, each once, and the number of generated inputs. */
export interface PlannedRequests {
  readonly requests: readonly Request[]
  readonly generated: number
}

/** Runs checks and observers on a directory one after the other, and records the requests of each. */
export interface DryRun {
  requestsOfCheck(
    check: Pick<Check<Deployment>, 'probesFirst' | 'probesMeanwhile' | 'probes'>,
    scope: Scope,
  ): Promise<PlannedRequests>
  requestsOfObserver(observer: Observer<Deployment>, scope: Scope): Promise<PlannedRequests>
}

const STOPPED_CLOCK = { now: () => 0, wallTime: () => 0 }

const requestKeyOf = ({ method, target }: Request): string => `${method} ${target}`

/** Ignores the result of a check on imagined responses. */
async function ignoreErrors(asking: () => Promise<unknown>): Promise<void> {
  try {
    await asking()
  } catch (error) {
    if (!(error instanceof Violation || error instanceof Inconclusive || error instanceof NotApplicable)) throw error
  }
}

const assertEach = async <I>(inputs: readonly I[], assert: (input: I, read: Read) => Promise<void>, read: Read) => {
  for (const input of inputs) await ignoreErrors(() => assert(input, read))
}

/** Shared readings are recorded for every reader; requests for shape inference for none. */
function createRequestLog(directory: ImaginedDirectory) {
  let requests = new Map<string, Request>()
  const note = (request: Request): void => void requests.set(requestKeyOf(request), request)
  const ask = createImaginedSender(directory, note)
  const remembered = createCachingReader(createImaginedSender(directory))
  const readings: Reader = {
    ...remembered,
    async read(subject) {
      const fact = await remembered.read(subject)
      for (const { request } of remembered.exchangesFor(subject)) note(request)
      return fact
    },
  }
  const taken = (): readonly Request[] => {
    const all = [...requests.values()]
    requests = new Map()
    return all
  }
  return { ask, readings, taken }
}

/** A dry run on an imagined directory: nothing is sent. */
export function createDryRun(directory: ImaginedDirectory, { versions, ...options }: DryRunOptions): DryRun {
  const { ask, readings, taken } = createRequestLog(directory)
  const { effort, seed } = options
  const recall = createImaginedSender(directory)
  const target = createDeployment({
    ...{ ...options, alterations, readings, allowances, judgedVersions: versions },
    ...{ sendOnce: recall, send: ask, sendPastCaches: ask, pause: async () => {} },
    ...{ clock: STOPPED_CLOCK, createUniqueValue: () => 'a new value', controlNames: imaginedControlNames },
  })
  const { read } = readings
  const looking = { target, readings, read, createFreshReader: () => createCachingReader(ask) }
  return {
    async requestsOfCheck({ probesFirst, probesMeanwhile, probes }, scope) {
      let generated = 0
      const context: CheckContext<Deployment> = {
        ...looking,
        scope,
        seed,
        skippedInputs: () => new Set(),
        verify: (assertion) => ignoreErrors(() => assertion(read)),
        verifyEach: ({ inputs, textOf, assert }) =>
          assertEach(sample(inputs, effort.inputs, seed, textOf), assert, read),
        async verifyProperty({ examples, assert }) {
          generated += effort.runs
          await assertEach(examples.slice(0, effort.examples), assert, read)
        },
        verifySideEffect: async () => {},
        pause: async () => {},
        clock: STOPPED_CLOCK,
        describeTested: () => {},
        addCaveat: () => {},
        isSettled: () => false,
        hasViolation: () => false,
      }
      for (const one of [...probesFirst, ...probesMeanwhile, ...probes]) await ignoreErrors(() => one(context))
      return { requests: taken(), generated }
    },
    async requestsOfObserver({ observe }, scope) {
      await ignoreErrors(() => observe({ ...looking, scope }))
      return { requests: taken(), generated: 0 }
    },
  }
}
