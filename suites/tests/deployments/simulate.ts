import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type TimedMutant, timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { createFarConditions, NEARBY_CONDITIONS } from '../../../fixtures/simulation/conditions.ts'
import { driftingVariants } from '../../../fixtures/variants/index.ts'
import { type TimedVariant, timedVariants } from '../../../fixtures/variants/time/index.ts'
import { type EffortName, effortNames } from '../../directory/shared/effort.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'
import { describeUnexpectedFailures, describeWrongVariantResult, endingOf, isExpectedEnding } from './endings.ts'
import { judgeInSimulatedTime } from './simulated.ts'

const USAGE = `usage: npm run simulate -- (--as ID[,ID] | --all) [--seed N | --seeds FROM..TO] [--latency MS] [--effort NAME] [--json]

Judges test deployments in simulated time: the same seed gives the same exchanges and the same verdict.
  --as ID[,ID]       test deployments in time, by id
  --all              every test deployment in time, on all cores
  --seeds FROM..TO   how often each ending occurs over these seeds
  --latency MS       round trip to the deployment (about 1 ms if it is left out)
  --effort NAME      ${effortNames.join(', ')} (standard if it is left out)
  --json             a JSON text for each deployment`

type TimedDeployment = TimedVariant | TimedMutant

/** The variants whose data changes during the run, in the form of time-dependent variants. */
const changingVariants: readonly TimedVariant[] = driftingVariants.map((one) => ({
  ...one,
  kind: 'motion',
  expected: 'conformant or inconclusive',
}))

const deployments: readonly TimedDeployment[] = [...changingVariants, ...timedVariants, ...timedMutants]

const isMutant = (one: TimedDeployment): one is TimedMutant => 'isCaughtBy' in one

/** The numbers of runs against one deployment by their endings. */
export interface SimulationRow {
  readonly id: string
  readonly isMutant: boolean
  readonly expected: string
  readonly runs: number
  /** The number of runs with each ending. */
  readonly endings: Readonly<Record<string, number>>
  /** The seeds of runs with unexpected endings, each with the reasons. */
  readonly unexpected: Readonly<Record<string, readonly string[]>>
  readonly requests: number
  readonly simulatedSeconds: number
  readonly seconds: number
}

interface SimulationArguments {
  readonly seeds: readonly number[]
  readonly latencyMs: number | undefined
  readonly effort: EffortName
}

async function rowOf(one: TimedDeployment, { seeds, latencyMs, effort }: SimulationArguments): Promise<SimulationRow> {
  const endings: Record<string, number> = {}
  const unexpected: Record<string, readonly string[]> = {}
  const began = performance.now()
  let [requests, simulatedMs] = [0, 0]
  for (const seed of seeds) {
    const conditions = latencyMs === undefined ? NEARBY_CONDITIONS : createFarConditions(latencyMs)
    const judged = await judgeInSimulatedTime(one, { seed, conditions }, { effort })
    const { result } = judged
    requests += result.requests
    simulatedMs += judged.simulatedMs
    const ending = isMutant(one) ? endingOf(one, result) : result.conclusion
    endings[ending] = (endings[ending] ?? 0) + 1
    const wrong = isMutant(one) ? describeUnexpectedFailures(one, result) : describeWrongVariantResult(one, result)
    const isMissed = isMutant(one) && !isExpectedEnding(one, ending)
    if (isMissed || wrong.length > 0)
      unexpected[seed] = [...(isMissed ? [ending, ...describeVerdicts(result, 'inconclusive')] : []), ...wrong]
  }
  const { id, expected } = one
  const seconds = (performance.now() - began) / 1000
  const simulatedSeconds = simulatedMs / 1000
  const facts = { id, isMutant: isMutant(one), expected, runs: seeds.length }
  return { ...facts, endings, unexpected, requests, simulatedSeconds, seconds }
}

/** Estimates a share with its 95 % confidence interval, by Wilson's method, which is valid near 0 and 1 too. */
export function estimateShare(count: number, runs: number): { share: number; least: number; most: number } {
  const z = 1.96
  const share = count / runs
  const centre = (share + z ** 2 / (2 * runs)) / (1 + z ** 2 / runs)
  const half = (z / (1 + z ** 2 / runs)) * Math.sqrt((share * (1 - share)) / runs + z ** 2 / (4 * runs ** 2))
  return { share, least: Math.max(0, centre - half), most: Math.min(1, centre + half) }
}

const percent = (share: number): string => `${Math.round(100 * share)} %`

function textOf({ id, expected, runs, endings, unexpected, simulatedSeconds, seconds }: SimulationRow): string {
  const shares = Object.entries(endings).map(([ending, count]) => {
    const { share, least, most } = estimateShare(count, runs)
    return runs === 1 ? ending : `${ending} ${percent(share)} (95 %: ${percent(least)} to ${percent(most)})`
  })
  const reasons = Object.entries(unexpected).map(
    ([seed, why]) => `  seed ${seed}: ${why.map((one) => one.split('\n', 1)[0]).join('; ')}`,
  )
  const took = `${simulatedSeconds.toFixed(1)} s simulated, ${seconds.toFixed(1)} s real`
  return [`${id}: ${shares.join(', ')}; expected: ${expected}; ${took}`, ...reasons].join('\n')
}

/** Judges all deployments on all cores: each process judges some of them. */
async function* judgeAll(rest: readonly string[]): AsyncGenerator<SimulationRow> {
  const ids = deployments.map(({ id }) => id)
  const cores = availableParallelism()
  const children = Array.from({ length: cores }, (_, core) => {
    const own = ids.filter((_, nth) => nth % cores === core).join(',')
    const args = [...process.execArgv, fileURLToPath(import.meta.url), '--as', own, '--json', ...rest]
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  })
  const waiting: SimulationRow[] = []
  let wake = (): void => {}
  let left = children.length
  for (const { stdout } of children)
    createInterface({ input: stdout })
      .on('line', (line) => (waiting.push(JSON.parse(line) as SimulationRow), wake())) // written by another process of this program
      .on('close', () => (left--, wake()))
  while (left > 0 || waiting.length > 0) {
    const row = waiting.shift()
    if (row) yield row
    else await new Promise<void>((resolve) => (wake = resolve))
  }
}

function summarise(rows: readonly SimulationRow[], seconds: number): string {
  const runs = rows.reduce((sum, row) => sum + row.runs, 0)
  const countOf = (some: readonly SimulationRow[], ...endings: readonly string[]): number =>
    some.reduce((sum, row) => sum + endings.reduce((of, ending) => of + (row.endings[ending] ?? 0), 0), 0)
  const [legal, mutants] = [rows.filter((row) => !row.isMutant), rows.filter((row) => row.isMutant)]
  const runsOf = (some: readonly SimulationRow[]): number => some.reduce((sum, row) => sum + row.runs, 0)
  return [
    `permissible deployments failed in ${countOf(legal, 'nonconformant')} of ${runsOf(legal)} runs`,
    `mutants: ${countOf(mutants, 'nonconformant')} nonconformant, ${countOf(mutants, 'unstable', 'undecided')} unstable or undecided, ${countOf(mutants, 'conformant')} conformant, of ${runsOf(mutants)} runs`,
    `${Math.round(runs / (seconds / 60))} judgements per minute`,
  ].join('\n')
}

function seedsOf(seed: string | undefined, range: string | undefined): readonly number[] {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(range ?? `${seed ?? 1}..${seed ?? 1}`) ?? []
  const [first, last] = [Number(from), Number(to)]
  if (!(last >= first)) throw new RangeError('--seeds takes two whole numbers, the smaller one first, e.g. 1..200')
  return Array.from({ length: last - first + 1 }, (_, nth) => first + nth)
}

const OPTIONS = {
  as: { type: 'string' },
  all: { type: 'boolean' },
  seed: { type: 'string' },
  seeds: { type: 'string' },
  latency: { type: 'string' },
  effort: { type: 'string' },
  json: { type: 'boolean' },
} as const

async function* rowsOfSome(ids: readonly string[], asked: SimulationArguments): AsyncGenerator<SimulationRow> {
  for (const id of ids) {
    const one = deployments.find((deployment) => deployment.id === id)
    if (!one) throw new RangeError(`No test deployment in time is called ${JSON.stringify(id)}.`)
    yield rowOf(one, asked)
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS })
  const { as, all = false, seed, seeds, latency, effort = 'standard', json = false } = values
  const name = effortNames.find((one) => one === effort)
  if ((as === undefined) === !all || name === undefined) throw new RangeError(USAGE)
  const asked = {
    seeds: seedsOf(seed, seeds),
    latencyMs: latency === undefined ? undefined : Number(latency),
    effort: name,
  }
  const rest = Object.entries({ seed, seeds, latency, effort }).flatMap(([key, value]) =>
    value === undefined ? [] : [`--${key}`, value],
  )
  const began = performance.now()
  const rows: SimulationRow[] = []
  for await (const row of all ? judgeAll(rest) : rowsOfSome(as?.split(',') ?? [], asked)) {
    rows.push(row)
    console.log(json ? JSON.stringify(row) : textOf(row))
  }
  if (!json) console.log(summarise(rows, (performance.now() - began) / 1000))
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
