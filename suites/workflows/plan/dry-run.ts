import { createDeployment, type Deployment } from '../../directory/deployment.ts'
import { alterations } from '../../directory/inputs/alterations.ts'
import { leniencies } from '../../directory/matching/allowances.ts'
import type { Effort } from '../../directory/shared/effort.ts'
import type { Check, CheckContext } from '../../engine/check/check.ts'
import { createCachingReader, type Read, type Reader } from '../../engine/check/readers.ts'
import type { Scope } from '../../engine/check/verdict.ts'
import { NotApplicable, Violation } from '../../engine/check/violations.ts'
import type { Request } from '../../engine/http/client/exchange.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { sample } from '../../engine/property/sample.ts'
import type { Observer } from '../../engine/run/plan.ts'
import { askerOf, type Imagined, imaginedControlNames } from './imagined.ts'

/** The options that determine how many requests are sent. */
export interface Asking {
  readonly versions: readonly string[]
  readonly effort: Effort
  readonly seed: number
  readonly strings: readonly string[]
}

/** The requests in order, each once, and the number of generated inputs. */
export interface Asked {
  readonly requests: readonly Request[]
  readonly generated: number
}

/** Runs checks and observers on a directory one after the other, and records the requests of each. */
export interface DryRun {
  askedBy(check: Pick<Check<Deployment>, 'triesFirst' | 'triesMeanwhile' | 'tries'>, scope: Scope): Promise<Asked>
  askedByObserver(observer: Observer<Deployment>, scope: Scope): Promise<Asked>
}

const stopped = { now: () => 0, wallTime: () => 0 }

const keyOf = ({ method, target }: Request): string => `${method} ${target}`

/** Ignores the result of a check on imagined responses. */
async function regardless(asking: () => Promise<unknown>): Promise<void> {
  try {
    await asking()
  } catch (error) {
    if (!(error instanceof Violation || error instanceof Inconclusive || error instanceof NotApplicable)) throw error
  }
}

const onEach = async <I>(inputs: readonly I[], assert: (input: I, read: Read) => Promise<void>, read: Read) => {
  for (const input of inputs) await regardless(() => assert(input, read))
}

/** Shared readings are recorded for every reader; requests for shape inference for none. */
function createNotes(directory: Imagined) {
  let requests = new Map<string, Request>()
  const note = (request: Request): void => void requests.set(keyOf(request), request)
  const ask = askerOf(directory, note)
  const remembered = createCachingReader(askerOf(directory))
  const readings: Reader = {
    ...remembered,
    async read(subject) {
      const fact = await remembered.read(subject)
      for (const { request } of remembered.evidence(subject)) note(request)
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
export function dryRunOn(directory: Imagined, { versions, ...asking }: Asking): DryRun {
  const { ask, readings, taken } = createNotes(directory)
  const { effort, seed } = asking
  const recall = askerOf(directory)
  const target = createDeployment({
    ...{ ...asking, alterations, readings, excuses: leniencies, judged: versions },
    ...{ recall, ask, askPastCaches: ask, pause: async () => {} },
    ...{ clock: stopped, newValue: () => 'a new value', controlNames: imaginedControlNames },
  })
  const { read } = readings
  const looking = { target, readings, read, fresh: () => createCachingReader(ask) }
  return {
    async askedBy({ triesFirst, triesMeanwhile, tries }, scope) {
      let generated = 0
      const context: CheckContext<Deployment> = {
        ...looking,
        scope,
        seed,
        spoilt: () => new Set(),
        verify: (assertion) => regardless(() => assertion(read)),
        verifyEach: ({ inputs, textOf, assert }) => onEach(sample(inputs, effort.inputs, seed, textOf), assert, read),
        async verifyLaw({ examples, assert }) {
          generated += effort.runs
          await onEach(examples.slice(0, effort.examples), assert, read)
        },
        verifyCause: async () => {},
        pause: async () => {},
        clock: stopped,
        tell: () => {},
        qualify: () => {},
        isSettled: () => false,
        isBroken: () => false,
      }
      for (const one of [...triesFirst, ...triesMeanwhile, ...tries]) await regardless(() => one(context))
      return { requests: taken(), generated }
    },
    async askedByObserver({ observe }, scope) {
      await regardless(() => observe({ ...looking, scope }))
      return { requests: taken(), generated: 0 }
    },
  }
}
