import { expect, test } from 'vitest'
import { createCachingReader, type Subject } from '../engine/judging/readers.ts'
import type { Directory } from '../vocabulary/reading/directory.ts'
import { type ListReading, listOf } from '../vocabulary/reading/list-reading.ts'
import { readMembership } from '../vocabulary/reading/membership.ts'
import { answered } from './tables.test.support.ts'

const subjectOf = (key: string, names: readonly string[]): Subject<ListReading> => ({
  key,
  take: async () => listOf({ names }),
})

/** Each cat is a breed of its own. */
function directoryOf(count: number) {
  const breeds = Array.from({ length: count }, (_, nth) => `Breed ${nth}`)
  const cats = breeds.map((breed) => `Cat of ${breed}`)
  const parts = { cats: subjectOf('cats', cats), breeds: subjectOf('breeds', breeds) }
  const catsOf = (breed: string) => subjectOf(breed, [`Cat of ${breed}`])
  return { cats, directory: { ...parts, catsOf } as Directory } // all that is read here
}

/** What it takes of this process, which no other takes from it, to know the breeds of all cats, again and again. */
async function busyMs(count: number): Promise<number> {
  const { cats, directory } = directoryOf(count)
  const { read } = createCachingReader(async () => answered([]))
  const began = process.cpuUsage()
  for (let time = 0; time < 3; time++) {
    const { breedsOf } = await readMembership(directory, new Set(), read)
    expect(cats.every((cat) => breedsOf(cat).length === 1)).toBe(true)
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

test('twenty times as many breeds take twenty times as long to go through, and not four hundred times', async () => {
  await busyMs(1000)
  expect((await busyMs(20_000)) / (await busyMs(1000))).toBeLessThan(100)
})
