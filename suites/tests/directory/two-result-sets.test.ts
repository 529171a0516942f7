import { describe, expect, test } from 'vitest'
import { readList } from '../../directory/readings/list-reading.ts'
import { judge } from '../../judge/judge.ts'
import { parseProfile } from '../../judge/profile/profile.ts'
import { conformantDirectory, deployDirectory, type TargetResponder } from '../command/cli.test.support.ts'
import { createExchange } from '../layout/tables.test.support.ts'

/** Creates a directory whose searches return two arrays: one with the best hit, and one with the other hits. */
const createTwoArraySearch =
  (others: (hits: readonly unknown[]) => readonly unknown[]): TargetResponder =>
  (target) => {
    const found = conformantDirectory(target)
    return target.includes('/search') && Array.isArray(found)
      ? { best: found.slice(0, 1), others: others(found.slice(1)) }
      : found
  }

const BREED_SEARCH_CHECK = 'search/finds-every-cat-of-a-breed'

async function judgeSearch(directory: TargetResponder, ...pins: readonly string[]) {
  const { origin } = await deployDirectory(directory)
  const profile = pins.length > 0 && { profile: parseProfile(`{"profileVersion":1,"pins":[${pins.join()}]}`) }
  const { verdicts } = await judge({ baseUrl: origin, seed: 7, versions: ['v3'], effort: 'quick', ...profile })
  const { status, reason } =
    verdicts.find(({ check, version }) => check.id === BREED_SEARCH_CHECK && version === 'v3') ?? {}
  return { status, reason, failing: verdicts.filter((one) => one.status === 'fail').map(({ check }) => check.id) }
}

describe('hits in two arrays of one response', () => {
  test('hits in two arrays may be one list or two, so that nothing fails', async () => {
    const { status, reason, failing } = await judgeSearch(createTwoArraySearch((rest) => rest))
    expect([status, failing]).toEqual(['inconclusive', []])
    expect(reason).toContain('is in another array of the same response')
    const [both = '', one = ''] = reason?.match(/\{"point".*?\}/g) ?? []
    const results = [both, one].map((pin) =>
      judgeSearch(
        createTwoArraySearch((rest) => rest),
        pin,
      ),
    )
    expect((await Promise.all(results)).map((result) => result.status)).toEqual(['pass', 'fail'])
  })

  test('hits in two arrays do not allow a cat that is in neither', async () => {
    const { status } = await judgeSearch(createTwoArraySearch(() => []))
    expect(status).toBe('fail')
  })
})

/**
 * Creates a directory in which the response for a breed's cats has two arrays, each nested in an object. For one breed,
 * the first array is empty.
 */
const createTwoArrayBreeds =
  (others: (cats: readonly unknown[]) => readonly unknown[]): TargetResponder =>
  (target) => {
    const found = conformantDirectory(target)
    if (!target.includes('/breeds/') || !Array.isArray(found)) return found
    const best = target.includes('Manx') ? 0 : 1
    return { exact: { items: found.slice(0, best) }, fuzzy: { items: others(found.slice(best)) } }
  }

describe('cats of a breed in two arrays of one response', () => {
  test.each<[string, TargetResponder, string]>([
    ['are one list or two', createTwoArrayBreeds((rest) => rest), 'inconclusive'],
    ['do not allow a cat that is in neither', createTwoArrayBreeds((rest) => rest.slice(1)), 'fail'],
  ])('cats of a breed in two arrays of one response %s', async (_, directory, status) => {
    const { origin } = await deployDirectory(directory)
    const only = ['membership/every-cat-has-a-breed', 'membership/breed-cats-are-listed']
    const { verdicts } = await judge({ baseUrl: origin, seed: 7, versions: ['v3'], effort: 'quick', only })
    const tested = verdicts.filter(({ check, version }) => only.includes(check.id) && version === 'v3')
    expect(tested.map((one) => one.status)).toEqual([status, status === 'fail' ? expect.anything() : 'pass'])
  })
})

test('names beside a list are those of all other arrays of its envelope', () => {
  const shape = { list: ['exact', 'items'], name: [], breed: undefined }
  const besideIn = (value: unknown) => {
    const reading = readList(createExchange(value), 'cat', shape)
    return reading.kind === 'list' && reading.namesInOtherArrays
  }
  expect(besideIn({ exact: { items: [] }, fuzzy: { items: ['Tom'] }, all: ['Kit'] })).toEqual(['Kit', 'Tom'])
  expect(besideIn({ exact: { items: ['Tom'] } })).toBeUndefined()
})
