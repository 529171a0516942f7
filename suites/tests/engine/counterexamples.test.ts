import { describe, expect, test } from 'vitest'
import type { Finding } from '../../engine/check/verdict.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { conformantDirectory, deploy, deployDirectory, type TargetResponder } from '../command/cli.test.support.ts'

/** Judges a deployment and returns the findings of one check. */
async function findFinding(baseUrl: string, id: string, options?: Partial<JudgeOptions>): Promise<Finding | undefined> {
  const { verdicts } = await judge({ baseUrl, timeoutMs: 3000, only: [id], versions: ['v3'], ...options })
  return verdicts.find(({ check, status }) => check.id === id && status === 'fail')?.finding
}

/** Creates a directory that is conformant, except that requests for the lives of some cats get 404. */
const createDirectoryLackingLives =
  (...names: readonly string[]): TargetResponder =>
  (target) =>
    names.some((name) => target === `/v3/cat/${encodeURIComponent(name)}/lives_left`)
      ? undefined
      : conformantDirectory(target)

/** Returns the finding for a directory that is conformant, except that some searches get 500. */
const findFindingOfFailures = async (breaks: (query: string) => boolean): Promise<string> => {
  const { origin } = await deploy(({ url = '' }, response) => {
    const query = new URL(url, 'http://cats.test').searchParams.get('q') ?? ''
    const value = conformantDirectory(url)
    response.writeHead(breaks(query) ? 500 : value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? {}))
  })
  return origin
}

describe('the smallest input is shown', () => {
  test('the shortest listed name that violates a requirement is shown, wherever it is in the list', async () => {
    const { origin } = await deployDirectory(createDirectoryLackingLives('Luna', 'Salt & Pepper', 'C++', '100% Cat'))
    expect((await findFinding(origin, 'lives/is-served'))?.counterexample).toBe('"C++"')
  })

  test('a failing character is shown before generated strings that contain it', async () => {
    const origin = await findFindingOfFailures((query) => query.includes('%'))
    expect((await findFinding(origin, 'search/survives-every-string'))?.counterexample).toBe('"%"')
  })

  test('an apostrophe is shown before a control character, with the advice that explains both', async () => {
    const origin = await findFindingOfFailures((query) => query === "'" || query.includes('\0'))
    const finding = await findFinding(origin, 'search/survives-every-string')
    expect(finding?.counterexample).toBe('"\'"')
    expect(finding?.inputs).toContain('"\\u{0}"')
    expect(finding?.fix).toContain('SQL injection')
    const { path = '' } = finding ?? {}
    expect((await findFinding(origin, 'search/survives-every-string', { path }))?.counterexample).toBe('"\'"')
  })

  test('a finding has the general advice of its check if its inputs suggest different causes', async () => {
    const origin = await findFindingOfFailures((query) => ["'", '"', '%'].includes(query))
    const finding = await findFinding(origin, 'search/survives-every-string')
    expect(finding?.inputs).toContain('"\'"')
    expect(finding?.fix).toBeUndefined()
  })

  test('a finding about NUL says that some databases refuse NUL', async () => {
    const origin = await findFindingOfFailures((query) => query.includes('\0'))
    const finding = await findFinding(origin, 'search/survives-every-string')
    expect(finding?.fix).toMatch(/U\+0000 with 400\. PostgreSQL/)
  })

  test('a shorter part of a long failing string is shown', async () => {
    const origin = await findFindingOfFailures((query) => query.length > 300)
    const { counterexample } = (await findFinding(origin, 'search/survives-every-string')) ?? {}
    const length = Number(/\((\d+) characters\)/.exec(counterexample ?? '')?.[1])
    expect(length).toBeGreaterThan(300)
    expect(length).toBeLessThan(2000)
  })
})

test('a string that gets no response is shown as it is, because shrinking it could take a deadline for each step', async () => {
  const { origin } = await deploy(({ url = '' }, response) => {
    const query = new URL(url, 'http://cats.test').searchParams.get('q') ?? ''
    if (query === '{"$ne": null}' || query === 'null') return
    const value = conformantDirectory(url)
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? {}))
  })
  const finding = await findFinding(origin, 'search/survives-every-string', { timeoutMs: 1000, bounds: { runs: 0 } })
  expect(finding?.counterexample).toBe('"{\\"$ne\\": null}"')
})

test('known troublesome strings come first with quick effort', async () => {
  const origin = await findFindingOfFailures((query) => query === '_')
  const bounds = { inputs: 1, examples: 40, runs: 0 }
  expect((await findFinding(origin, 'search/survives-every-string', { bounds }))?.counterexample).toBe('"_"')
})
