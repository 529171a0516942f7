import { expect } from 'vitest'
import type { WireFault } from '../../../fixtures/deployment/deployment.ts'
import type { RequestHandler, TestMachine, WireResponse } from '../../../fixtures/deployment/machine.ts'
import { NEARBY_CONDITIONS, uniformDelay } from '../../../fixtures/simulation/conditions.ts'
import { createSimulation, type Simulation } from '../../../fixtures/simulation/simulation.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { conformantDirectory } from '../command/cli.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'

/**
 * The treatment of a request. `respond`: the directory responds. `drop`: the connection is closed. `silence`: no
 * response. A number: a response with this status.
 */
export type ResponseFate = 'respond' | 'drop' | 'silence' | number

export interface TimedRequest {
  readonly target: string
  /** The number of the request, from 1. */
  readonly nth: number
  /** The milliseconds since the first request. */
  readonly ms: number
}

export interface DisturbedDirectory {
  readonly origin: string
  readonly asked: TimedRequest[]
  /** Returns how many requests got no response from the directory. */
  readonly lost: () => number
}

export const queryOf = (target: string): string => new URLSearchParams(target.split('?')[1] ?? '').get('q') ?? ''

const respondWith = (status: number, fields: Readonly<Record<string, string>>, body = ''): WireResponse => ({
  status,
  headers: { ...fields, 'content-length': String(Buffer.byteLength(body)) },
  chunks: [Buffer.from(body)],
})

function createDirectoryResponse(target: string): WireResponse {
  const value = conformantDirectory(target)
  const body = JSON.stringify(value ?? { error: 'not found' })
  return respondWith(value === undefined ? 404 : 200, { 'content-type': 'application/json' }, body)
}

function responseTo(
  responseFate: ResponseFate,
  target: string,
  fields: Readonly<Record<string, string>>,
): WireResponse | WireFault {
  if (responseFate === 'respond') return createDirectoryResponse(target)
  if (responseFate === 'drop') return { transport: 'reset' }
  if (responseFate === 'silence') return { transport: 'hang' }
  return respondWith(responseFate, fields)
}

/**
 * The network conditions of a deployment that computes fast. Many requests are then in flight while their responses are
 * delayed.
 */
const QUICK = { ...NEARBY_CONDITIONS, computing: uniformDelay(0.1, 0.3) }

const simulations = new Map<string, Simulation>()

/** Judges a deployment, in simulated time if `deployDisturbedDirectory` created it. */
export function judgeDeploymentAt(baseUrl: string, options: Partial<JudgeOptions> = {}): Promise<RunResult> {
  const simulation = simulations.get(baseUrl)
  const asked = { baseUrl, seed: 7, ...options }
  if (!simulation) return judge(asked)
  return simulation.run(() => judge({ ...asked, runtime: simulation.runtime }))
}

export const advisesSlowerRequests = ({ notExercised }: RunResult): boolean =>
  notExercised.some((line) => line.includes('--rate') && line.includes('--concurrency'))

export function expectConformant(result: RunResult): void {
  expect(describeVerdicts(result, 'fail', 'inconclusive', 'error')).toEqual([])
  expect(result.conclusion).toBe('conformant')
}

export interface DisturbanceOptions {
  /**
   * The delay of each response in milliseconds. Without a delay, a run would take less time than over any real network.
   */
  readonly lateMs?: number
  /** The header fields of responses with a status from `fateOf`. */
  readonly fields?: Record<string, string>
  /** Called when a request arrives, before the delay. */
  readonly onAsked?: (asked: TimedRequest) => void
}

/** Deploys a conformant directory in simulated time. For each request, `fateOf` decides what happens to it. */
export async function deployDisturbedDirectory(
  responseFateOf: (asked: TimedRequest, machine: TestMachine) => ResponseFate,
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
        const responseFate = responseFateOf(one, machine)
        if (responseFate !== 'respond') lost++
        respond(responseTo(responseFate, target, fields))
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
