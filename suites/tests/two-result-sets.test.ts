import { describe, expect, test } from 'vitest'
import { judge } from '../judge.ts'
import { conformant, type Directory, deployDirectory } from './cli.test.support.ts'

/** The same directory, but a search answers with its best hits and with others. */
const inTwoSets =
  (others: (hits: readonly unknown[]) => readonly unknown[]): Directory =>
  (target) => {
    const found = conformant(target)
    return target.includes('/search') && Array.isArray(found)
      ? { best: found.slice(0, 1), others: others(found.slice(1)) }
      : found
  }

const OF_A_BREED = 'search/finds-every-cat-of-a-breed'

async function said(directory: Directory) {
  const { origin } = await deployDirectory(directory)
  const { verdicts } = await judge({ baseUrl: origin, seed: 7, versions: ['v3'], effort: 'quick' })
  const { status, reason } = verdicts.find(({ check, version }) => check.id === OF_A_BREED && version === 'v3') ?? {}
  return { status, reason, failing: verdicts.filter((one) => one.status === 'fail').map(({ check }) => check.id) }
}

describe('hits in two arrays of one answer', () => {
  test('are one list or two: nobody can tell, and nothing fails', async () => {
    const { status, reason, failing } = await said(inTwoSets((rest) => rest))
    expect([status, failing]).toEqual(['inconclusive', []])
    expect(reason).toContain('stands in another array of the same answer')
  })

  test('excuse none that is in neither', async () => {
    const { status } = await said(inTwoSets(() => []))
    expect(status).toBe('fail')
  })
})
