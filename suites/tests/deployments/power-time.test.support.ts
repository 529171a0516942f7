import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, type SuiteCollector, type TestContext, test } from 'vitest'
import { type TimedMutant, timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { type TimedVariant, timedVariants } from '../../../fixtures/variants/time/index.ts'
import type { RunResult, Status } from '../../engine/check/verdict.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { fewerStrings, halfOf, oneOfSoMany } from '../support/extent.test.support.ts'

const { timeRuns, timeOneOf, stringScreening, judgedWholeOneOf } = inject('extent')

/** Each run with another seed, of the inputs and of the life. The variable asks for so many runs of every one. */
const wanted = process.env['POWER_TIME_RUNS']
const RUNS = Number(wanted ?? timeRuns)

const some = <T>(all: readonly T[]): readonly T[] => (wanted === undefined ? oneOfSoMany(all, timeOneOf) : all)

const TIMEOUT_MS = 2_000
/** Most of a run is waiting: more at once than vitest runs tests. */
const AT_ONCE = 8

interface Ended {
  readonly id: string
  readonly seed: number
  readonly ending: string
  readonly seconds: number
  readonly requests: number
  /** Every check that did not pass, with its reason. */
  readonly told: readonly string[]
}

async function runOf(
  one: TimedVariant | TimedMutant,
  seed: number,
  bounds: JudgeOptions['bounds'] = {},
): Promise<RunResult> {
  const running = await one.start(seed)
  try {
    return await judge({ baseUrl: running.baseUrl, timeoutMs: TIMEOUT_MS, seed: seed * 7919, bounds })
  } finally {
    await running.close()
  }
}

/** Time tells on whatever is asked: strings that nobody chose are left out of most. */
const boundsOf = (one: TimedVariant): JudgeOptions['bounds'] =>
  stringScreening ?? (timedVariants.indexOf(one) % judgedWholeOneOf === 0 ? {} : fewerStrings)

const told = ({ verdicts }: RunResult, statuses: readonly Status[]): string[] =>
  verdicts
    .filter(({ status }) => statuses.includes(status))
    .map(({ check, version, status, reason }) => `${check.id} ${version}: ${status}, ${reason}`)

function endedWith(id: string, seed: number, ending: string, result: RunResult): Ended {
  const { durationMs, requests } = result
  const seconds = Math.round(durationMs / 100) / 10
  return { id, seed, ending, seconds, requests, told: told(result, ['fail', 'error', 'warn', 'inconclusive']) }
}

let running = 0
const queue: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running === AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else running--
  }
}

/** @returns why this is not what was expected; empty when it is */
function wrongIn({ expected }: TimedVariant, result: RunResult): readonly string[] {
  const wrong = told(result, ['fail', 'error'])
  if (wrong.length > 0 || expected === 'conformant or inconclusive') return wrong
  return result.conclusion === 'conformant' ? [] : [result.conclusion, ...told(result, ['inconclusive'])]
}

/** What is wrong with each that is judged, by its id; and how to judge it once more. */
const outcomes = new Map<string, { readonly first: Promise<readonly string[]>; again(): Promise<readonly string[]> }>()

/** @param tests those of them that have been selected are judged */
function judgeSelected<T extends TimedVariant | TimedMutant>(
  all: readonly T[],
  tests: SuiteCollector,
  wrongWith: (one: T, seed: number) => Promise<readonly string[]>,
): void {
  const selected = new Set(tests.tasks.filter(({ mode }) => mode === 'run').map(({ name }) => name))
  for (const one of all.filter(({ id }) => selected.has(id))) {
    const again = () =>
      inTurn(async () => {
        const wrong: string[] = []
        for (let seed = 1; seed <= RUNS; seed++) wrong.push(...(await wrongWith(one, seed)))
        return wrong
      })
    const first = again()
    first.catch(() => {}) // its test fails of it
    outcomes.set(one.id, { first, again })
  }
}

/** A test that is retried judges again: what it has found once would be found once more. */
const outcomeOf = ({ name, result }: TestContext['task']) =>
  result?.retryCount ? outcomes.get(name)?.again() : outcomes.get(name)?.first

/** How a run ended, in the words of `Ending`. */
function endingOf({ tells }: TimedMutant, { conclusion, verdicts }: RunResult): string {
  if (conclusion !== 'inconclusive') return conclusion
  const reasons = verdicts
    .filter(({ status, check, version }) => status === 'inconclusive' && tells(check.id, version))
    .map(({ reason = '' }) => reason.replace(/:.*/s, ''))
  if (reasons.includes('unstable')) return 'unstable'
  return reasons.includes('drift') ? 'undecided' : 'inconclusive for another reason'
}

const ALLOWED: Readonly<Record<TimedMutant['expected'], readonly string[]>> = {
  nonconformant: ['nonconformant'],
  'nonconformant or unstable': ['nonconformant', 'unstable'],
  'nonconformant or undecided': ['nonconformant', 'unstable', 'undecided'],
}

/** @returns why this is not what was expected; empty when it is */
function forgottenIn({ expected, tells }: TimedMutant, ending: string, result: RunResult): readonly string[] {
  const others = result.verdicts.filter(
    ({ status, check, version }) => status === 'error' || (status === 'fail' && !tells(check.id, version)),
  )
  const accused = others.map(({ check, version, reason }) => `beside it ${check.id} ${version}: ${reason}`)
  if (ALLOWED[expected].includes(ending)) return accused
  return [...accused, `${ending}, not ${expected}`, ...told(result, ['fail', 'inconclusive'])]
}

/**
 * Judges every second deployment in time: two halves run side by side.
 * @param part 0 or 1
 */
export function testInTime(part: 0 | 1): void {
  const [variants, mutants] = [halfOf(some(timedVariants), part), halfOf(some(timedMutants), part)]
  const ended: Ended[] = []

  const legal = describe.concurrent('a deployment in time is never failed', () => {
    test.for(variants.map((one) => [one.id, one] as const))('%s', async ([, { describes }], { task }) => {
      expect(await outcomeOf(task), describes).toEqual([])
    })
  })

  // In the short extent there is one, which is in one half.
  const defects = describe
    .runIf(mutants.length > 0)
    .concurrent('a defect that comes and goes is never forgotten', () => {
      test.for(mutants.map((one) => [one.id, one] as const))('%s', async ([, { describes }], { task }) => {
        expect(await outcomeOf(task), describes).toEqual([])
      })
    })

  beforeAll(() => {
    judgeSelected(variants, legal, async (one, seed) => {
      const result = await runOf(one, seed, boundsOf(one))
      ended.push(endedWith(one.id, seed, result.conclusion, result))
      return wrongIn(one, result)
    })
    judgeSelected(mutants, defects, async (one, seed) => {
      const result = await runOf(one, seed)
      const ending = endingOf(one, result)
      ended.push(endedWith(one.id, seed, ending, result))
      return forgottenIn(one, ending, result)
    })
  })

  afterAll(() => write(part, ended))
}

const count = (runs: readonly Ended[], ...endings: readonly string[]): number =>
  runs.filter(({ ending }) => endings.includes(ending)).length

function write(part: 0 | 1, ended: readonly Ended[]): void {
  mkdirSync('reports/power', { recursive: true })
  writeFileSync(`reports/power/time-${part + 1}.json`, `${JSON.stringify(ended, null, 2)}\n`)
  const runsOf = (group: readonly { readonly id: string }[]) => {
    const ids = new Set(group.map(({ id }) => id))
    return ended.filter(({ id }) => ids.has(id))
  }
  const ofLegal = runsOf(timedVariants)
  const slow = runsOf(timedVariants.filter(({ kind, every }) => kind === 'motion' && every === 5000))
  const ofDefects = runsOf(timedMutants)
  console.log(`timed variants falsely failed: ${count(ofLegal, 'nonconformant')} / ${ofLegal.length} runs
  ended conformant: ${count(ofLegal, 'conformant')}; of those with an event every 5 s alone: ${count(slow, 'conformant')} / ${slow.length}
timed mutants ending 1: ${count(ofDefects, 'nonconformant')}, 3 unstable: ${count(ofDefects, 'unstable')}, 3 for motion: ${count(ofDefects, 'undecided')}, 3 for another reason: ${count(ofDefects, 'inconclusive for another reason')}, 0: ${count(ofDefects, 'conformant')} of ${ofDefects.length} runs`)
}
