import { expect } from 'vitest'
import { NEARBY_CONDITIONS, uniformDelay } from '../../../fixtures/simulation/conditions.ts'
import { createSimulation, type Simulation } from '../../../fixtures/simulation/simulation.ts'
import type { WireFault } from '../../../fixtures/variants/deployment.ts'
import type { RequestHandler, TestMachine, WireResponse } from '../../../fixtures/variants/machine.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { conformantDirectory } from '../command/cli.test.support.ts'

/** The fate of one request: a response of the directory, another status, a dropped connection, or no response. */
export type ResponseFate = 'answer' | 'drop' | 'silence' | number

export interface TimedRequest {
  readonly target: string
  /** Counted from 1. */
  readonly nth: number
  /** Milliseconds since the first request. */
  readonly ms: number
}

export interface DisturbedDirectory {
  readonly origin: string
  readonly asked: TimedRequest[]
  /** Number of requests whose fate was not `answer`. */
  readonly lost: () => number
}

export const queryOf = (target: string): string => new URLSearchParams(target.split('?')[1] ?? '').get('q') ?? ''

const respondWith = (status: number, fields: Readonly<Record<string, string>>, body = ''): WireResponse => ({
  status,
  headers: { ...fields, 'content-length': String(Buffer.byteLength(body)) },
  chunks: [Buffer.from(body)],
})

function answerTo(target: string): WireResponse {
  const value = conformantDirectory(target)
  const body = JSON.stringify(value ?? { error: 'not found' })
  return respondWith(value === undefined ? 404 : 200, { 'content-type': 'application/json' }, body)
}

function responseTo(
  fate: ResponseFate,
  target: string,
  fields: Readonly<Record<string, string>>,
): WireResponse | WireFault {
  if (fate === 'answer') return answerTo(target)
  if (fate === 'drop') return { transport: 'reset' }
  if (fate === 'silence') return { transport: 'hang' }
  return respondWith(fate, fields)
}

/** Computing takes so little time that many requests are in flight while each is delayed. */
const QUICK = { ...NEARBY_CONDITIONS, computing: uniformDelay(0.1, 0.3) }

const simulations = new Map<string, Simulation>()

/** Judges a deployment, in simulated time if `troubled` made it. */
export function judgeAt(baseUrl: string, options: Partial<JudgeOptions> = {}): Promise<RunResult> {
  const simulation = simulations.get(baseUrl)
  const asked = { baseUrl, seed: 7, ...options }
  if (!simulation) return judge(asked)
  return simulation.run(() => judge({ ...asked, runtime: simulation.runtime }))
}

/** Lists check, version and reason of the verdicts with these statuses. */
export const describeVerdicts = ({ verdicts }: RunResult, ...statuses: readonly string[]): readonly string[] =>
  verdicts
    .filter(({ status }) => statuses.includes(status))
    .map(({ check, version, reason }) => `${check.id} ${version}: ${reason}`)

export const advisesSlowerRequests = ({ notExercised }: RunResult): boolean =>
  notExercised.some((line) => line.includes('--rate') && line.includes('--concurrency'))

export function expectConformant(result: RunResult): void {
  expect(describeVerdicts(result, 'fail', 'inconclusive', 'error')).toEqual([])
  expect(result.conclusion).toBe('conformant')
}

export interface DisturbanceOptions {
  /** Delay of each response, so that a run takes as long as over a network. */
  readonly lateMs?: number
  /** Header fields of every response with a status in place of the directory's. */
  readonly fields?: Record<string, string>
  /** Called when a request arrives, before the delay. */
  readonly onAsked?: (asked: TimedRequest) => void
}

/** A conformant directory in simulated time, whose responses meet a fate on their way. */
export async function deployDisturbed(
  fateOf: (asked: TimedRequest, machine: TestMachine) => ResponseFate,
  { lateMs = 0, fields = {}, onAsked }: DisturbanceOptions = {},
): Promise<DisturbedDirectory> {
  const asked: TimedRequest[] = []
  let began: number | undefined
  let lost = 0
  const open = (machine: TestMachine): RequestHandler => {
    return ({ target }, respond) => {
      began ??= machine.now()
      const one = { target, nth: asked.length + 1, ms: machine.now() - began }
      asked.push(one)
      onAsked?.(one)
      const settle = () => {
        const fate = fateOf(one, machine)
        if (fate !== 'answer') lost++
        respond(responseTo(fate, target, fields))
      }
      if (lateMs === 0) settle()
      else machine.after(lateMs, settle)
    }
  }
  const name = `troubled-${simulations.size + 1}`
  const simulation = createSimulation({ basePath: '', open }, { seed: 1, name, conditions: QUICK })
  simulations.set(simulation.baseUrl, simulation)
  return { origin: simulation.baseUrl, asked, lost: () => lost }
}
