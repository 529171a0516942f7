import { expect, test } from 'vitest'
import { createRandomGenerator } from '../../engine/property/sample.ts'
import type { ChangeCause } from '../../engine/side-effects/other-requests.ts'
import { findCauseByRandomTargets } from '../../engine/side-effects/random-targets.ts'

const INITIAL_TARGET_COUNT = 4
const namesOf = (count: number) => Array.from({ length: count }, (_, nth) => `name ${nth}`)

interface World {
  readonly count: number
  readonly seed: number
  /**
   * Returns the names that disappear because the names in `requested` were requested. `left` are all names that have
   * not disappeared yet.
   */
  readonly removes: (requested: readonly string[], left: readonly string[], random: () => number) => readonly string[]
}

async function causeIn({ count, seed, removes }: World): Promise<{ cause: ChangeCause; requests: number }> {
  const random = createRandomGenerator(seed + 1)
  let left: readonly string[] = namesOf(count)
  let requests = 0
  const cause = await findCauseByRandomTargets(
    {
      names: left,
      firstCount: INITIAL_TARGET_COUNT,
      request: async (names) => void (requests += names.length),
      readLosses: async (requested) => {
        const gone = removes(requested, left, random)
        left = left.filter((name) => !gone.includes(name))
        return {
          names: requested.filter((name) => gone.includes(name)),
          others: gone.some((name) => !requested.includes(name)),
        }
      },
    },
    seed,
  )
  return { cause, requests }
}

const seeds = Array.from({ length: 500 }, (_, nth) => nth)

test('requests that remove what they ask for are found in a directory of thirteen names', async () => {
  for (const seed of seeds.slice(0, 50))
    expect((await causeIn({ count: 13, seed, removes: (requested) => requested })).cause).toBe('requests')
})

test('requests that remove every second of their names are found in a directory of sixty names', async () => {
  const removes: World['removes'] = (requested) => requested.filter((_, nth) => nth % 2 === 0)
  for (const seed of seeds.slice(0, 50)) expect((await causeIn({ count: 60, seed, removes })).cause).toBe('requests')
})

test('a directory that does not change costs the first requests only', async () => {
  expect(await causeIn({ count: 13, seed: 1, removes: () => [] })).toEqual({
    cause: 'nothing',
    requests: INITIAL_TARGET_COUNT,
  })
})

test('names that go by themselves, one or several at a time, never count as removed by requests', async () => {
  const goByThemselves: World['removes'] = (_, left, random) =>
    left.filter(() => random() < 1 / 12).slice(0, 1 + Math.floor(3 * random()))
  for (const count of [3, 7, 13, 60])
    for (const seed of seeds)
      expect((await causeIn({ count, seed, removes: goByThemselves })).cause, `${count} names, seed ${seed}`).not.toBe(
        'requests',
      )
})

test('too few names leave it unclear whether requests remove them', async () => {
  expect((await causeIn({ count: 5, seed: 1, removes: (requested) => requested })).cause).toBe('time')
})
