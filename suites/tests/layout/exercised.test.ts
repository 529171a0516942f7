import { expect, test } from 'vitest'
import { judge } from '../../judge/judge.ts'
import { exitCodeOf } from '../../options/exit-code.ts'
import { conformantDirectory, createDirectoryResponder, deploy, deployDirectory } from '../command/cli.test.support.ts'

const withLives = (url: string, lives: number) => (conformantDirectory(url) === undefined ? undefined : lives)

const robust = ['breed-cats/survives-every-string', 'search/survives-every-string', 'lives/survives-every-string']

async function robustness(baseUrl: string) {
  const result = await judge({ baseUrl, seed: 7, only: robust })
  return { result, verdicts: result.verdicts.filter(({ check }) => robust.includes(check.id)) }
}

test('a check of strange strings reports how many were served and refused, with the status', async () => {
  const { origin } = await deployDirectory(conformantDirectory)
  const { verdicts } = await robustness(origin)
  expect(verdicts).toHaveLength(5)
  for (const { status, testedSummary, caveat } of verdicts) {
    expect([status, caveat]).toEqual(['pass', undefined])
    const [all = 0, ...parts] = (testedSummary?.match(/\d+(?= (?:strings|served|refused|failed))/g) ?? []).map(Number)
    expect(
      parts.reduce((sum, count) => sum + count, 0),
      testedSummary,
    ).toBe(all)
    expect(all).toBeGreaterThan(50)
  }
})

test('a check of strange strings reports that a component in front of the service refused most, which --strict makes undecided', async () => {
  const { origin } = await deploy(({ url = '' }, response) => {
    const isOdd = /%(?![C-F89AB]|20)|[^\w%/?=.-]/.test(url)
    const value = isOdd ? undefined : conformantDirectory(url)
    response.writeHead(isOdd ? 403 : value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(isOdd ? '"no"' : JSON.stringify(value ?? {}))
  })
  const { result, verdicts } = await robustness(origin)
  for (const { caveat } of verdicts)
    expect(caveat).toMatch(/^\d+ of \d+ strings with special characters were refused with 403, perhaps by a firewall/)
  const passed = { conclusion: 'conformant', verdicts } as const
  expect(exitCodeOf(passed, { strict: false, isInterrupted: false })).toBe(0)
  expect(exitCodeOf(passed, { strict: true, isInterrupted: false })).toBe(1)
  expect(result.verdicts.some(({ status }) => status === 'error')).toBe(false)
})

test('a check of names in paths reports the listed names that no path can contain', async () => {
  const cat = (name: string) => ({ name, breed: 'Korat', lives: 7 })
  const { origin } = await deployDirectory(
    createDirectoryResponder(['Tom', 'Mia', '', '.', '..', 'x'.repeat(2001)].map(cat)),
  )
  const { notExercised } = await judge({ baseUrl: origin, seed: 7 })
  expect(notExercised.filter((line) => line.includes('in a path'))).toEqual([
    'some listed names cannot be sent in a path and were not tested there: "", ".", ".." and 1 more',
  ])
})

test('an overlong name is not requested, and changes no verdict', async () => {
  const cat = (name: string) => ({ name, breed: 'Korat', lives: 7 })
  const { origin } = await deployDirectory(createDirectoryResponder(['Tom', 'Mia', 'x'.repeat(5000)].map(cat)))
  const { conclusion, verdicts } = await judge({ baseUrl: origin, seed: 7 })
  expect(verdicts.filter(({ status }) => status === 'fail').map(({ reason }) => reason)).toEqual([])
  expect(conclusion).toBe('conformant')
})

test.each([
  ['every count is 0', 0, /^every count of lives is 0/],
  ['a count may fall', 3, undefined],
])('a check of side effects on lives reports whether reading could cost any: %s', async (_, lives, expected) => {
  const { origin } = await deployDirectory((url) =>
    url.endsWith('/lives_left') ? withLives(url, lives) : conformantDirectory(url),
  )
  const { conclusion, verdicts } = await judge({ baseUrl: origin, seed: 7 })
  const { caveat } = verdicts.find(({ check }) => check.id === 'lives/reading-changes-nothing') ?? {}
  expect(conclusion).toBe('conformant')
  if (expected) expect(caveat).toMatch(expected)
  else expect(caveat).toBeUndefined()
})
