import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { RunResult } from '../../engine/check/verdict.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { conformant } from '../command/cli.test.support.ts'

/** What happens to one request: an answer of the directory, a status instead, a dropped connection, or nothing at all. */
export type Fate = 'answer' | 'drop' | 'silence' | number

export interface Asked {
  readonly target: string
  /** Counted from 1. */
  readonly nth: number
  /** Milliseconds since the first request. */
  readonly ms: number
}

export interface Troubled {
  readonly origin: string
  readonly asked: Asked[]
  /** How often the fate was other than an answer. */
  readonly lost: () => number
}

export const queryOf = (target: string): string => new URLSearchParams(target.split('?')[1] ?? '').get('q') ?? ''

function answer(target: string, response: ServerResponse): void {
  const value = conformant(target)
  response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value ?? { error: 'not found' }))
}

function meet(
  fate: Fate,
  { url = '', socket }: IncomingMessage,
  response: ServerResponse,
  fields: Record<string, string>,
) {
  if (fate === 'answer') answer(url, response)
  else if (fate === 'drop') socket.destroy()
  else if (typeof fate === 'number') response.writeHead(fate, fields).end()
}

export const runOn = (baseUrl: string, options: Partial<JudgeOptions> = {}): Promise<RunResult> =>
  judge({ baseUrl, seed: 7, ...options })

/** Check, version and reason of the verdicts with these statuses. */
export const told = ({ verdicts }: RunResult, ...statuses: readonly string[]): readonly string[] =>
  verdicts
    .filter(({ status }) => statuses.includes(status))
    .map(({ check, version, reason }) => `${check.id} ${version}: ${reason}`)

export const saysSlower = ({ notExercised }: RunResult): boolean =>
  notExercised.some((line) => line.includes('--rate') && line.includes('--concurrency'))

export function expectConformant(result: RunResult): void {
  expect(told(result, 'fail', 'inconclusive', 'error')).toEqual([])
  expect(result.conclusion).toBe('conformant')
}

export interface Trouble {
  /** How late everything comes, so that a run takes as long as it does over a network. */
  readonly lateMs?: number
  /** Sent with every status that stands for an answer. */
  readonly fields?: Record<string, string>
  /** Told when a request comes, before it is late. */
  readonly onAsked?: (asked: Asked) => void
}

const servers = new Set<Server>()

/** For after all tests of a file, which may run beside each other. */
export function closeAll(): void {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
}

/** A directory that keeps every promise, on a real socket, whose answers meet a fate on their way. */
export async function troubled(
  fateOf: (asked: Asked) => Fate,
  { lateMs = 0, fields = {}, onAsked }: Trouble = {},
): Promise<Troubled> {
  const asked: Asked[] = []
  let began: number | undefined
  let lost = 0
  const server = createServer((request, response) => {
    began ??= performance.now()
    const one = { target: request.url ?? '', nth: asked.length + 1, ms: performance.now() - began }
    asked.push(one)
    onAsked?.(one)
    const settle = () => {
      const fate = fateOf(one)
      if (fate !== 'answer') lost++
      meet(fate, request, response, fields)
    }
    if (lateMs === 0) settle()
    else setTimeout(settle, lateMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.add(server)
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return { origin: `http://127.0.0.1:${port}`, asked, lost: () => lost }
}
