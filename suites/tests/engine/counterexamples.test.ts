import { describe, expect, test } from 'vitest'
import type { Finding } from '../../engine/check/verdict.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { conformant, type Directory, deploy, deployDirectory } from '../command/cli.test.support.ts'

/** Returns the findings of a check at a deployment. */
async function found(baseUrl: string, id: string, options?: Partial<JudgeOptions>): Promise<Finding | undefined> {
  const { verdicts } = await judge({ baseUrl, timeoutMs: 3000, only: [id], versions: ['v3'], ...options })
  return verdicts.find(({ check, status }) => check.id === id && status === 'fail')?.finding
}

/** The same directory, but the lives of some cats respond 404. */
const lacksLivesOf =
  (...names: readonly string[]): Directory =>
  (target) =>
    names.some((name) => target === `/v3/cat/${encodeURIComponent(name)}/lives_left`) ? undefined : conformant(target)

/** The same directory, but some searches respond 500. */
const failsFor = async (breaks: (query: string) => boolean): Promise<string> => {
  const { origin } = await deploy(({ url = '' }, response) => {
    const query = new URL(url, 'http://cats.test').searchParams.get('q') ?? ''
    const value = conformant(url)
    response.writeHead(breaks(query) ? 500 : value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? {}))
  })
  return origin
}

describe('the smallest input is shown', () => {
  test('of the listed names that break a promise, wherever they stand in the list', async () => {
    const { origin } = await deployDirectory(lacksLivesOf('Luna', 'Salt & Pepper', 'C++', '100% Cat'))
    expect((await found(origin, 'lives/is-served'))?.counterexample).toBe('"C++"')
  })

  test('of the strings that nobody chose: a character that breaks alone, before what holds it', async () => {
    const origin = await failsFor((query) => query.includes('%'))
    expect((await found(origin, 'search/survives-every-string'))?.counterexample).toBe('"%"')
  })

  test('of the strings that nobody chose: less of a long one than was tried', async () => {
    const origin = await failsFor((query) => query.length > 300)
    const { counterexample } = (await found(origin, 'search/survives-every-string')) ?? {}
    const length = Number(/\((\d+) characters\)/.exec(counterexample ?? '')?.[1])
    expect(length).toBeGreaterThan(300)
    expect(length).toBeLessThan(2000)
  })
})

test('silence is waited for once or twice, and yet the shortest that meets it is shown', async () => {
  const { origin } = await deploy(({ url = '' }, response) => {
    const query = new URL(url, 'http://cats.test').searchParams.get('q') ?? ''
    if (query === '{"$ne": null}' || query === 'null') return
    const value = conformant(url)
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? {}))
  })
  const finding = await found(origin, 'search/survives-every-string', { timeoutMs: 1000, bounds: { runs: 0 } })
  expect(finding?.counterexample).toBe('"null"')
  expect(finding?.inputs).toEqual(['"null"', '"{\\"$ne\\": null}"'])
})

test('where little is to be tried, the first trouble-makers are', async () => {
  const origin = await failsFor((query) => query === '_')
  const bounds = { inputs: 1, examples: 40, runs: 0 }
  expect((await found(origin, 'search/survives-every-string', { bounds }))?.counterexample).toBe('"_"')
})
