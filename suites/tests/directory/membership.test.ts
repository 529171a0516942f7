import { expect, test } from 'vitest'
import type { Directory } from '../../directory/facts/directory.ts'
import { readMembership } from '../../directory/facts/membership.ts'
import { allowances } from '../../directory/matching/allowances.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { createCachingReader, type Resource } from '../../engine/check/readers.ts'
import { createExchange, createListResource } from '../layout/tables.test.support.ts'

/** Selects all breeds, as with standard effort. */
const sampleBreeds = (breeds: readonly string[]): readonly string[] => breeds

/** Creates a directory of `count` cats, each with a breed of its own. */
function createDirectory(count: number) {
  const breeds = Array.from({ length: count }, (_, nth) => `Breed ${nth}`)
  const cats = breeds.map((breed) => `Cat of ${breed}`)
  const parts = { cats: createListResource('cats', cats), breeds: createListResource('breeds', breeds) }
  const catsOf = (breed: string) => createListResource(breed, [`Cat of ${breed}`])
  return { cats, directory: { ...parts, catsOf, sampleBreeds } as Directory } // has the only members that this test reads
}

/** Returns the CPU time that this process needs to find the breeds of all cats, several times. */
async function measureCpuMs(count: number): Promise<number> {
  const { cats, directory } = createDirectory(count)
  const { read } = createCachingReader(async () => createExchange([]))
  const began = process.cpuUsage()
  for (let time = 0; time < 3; time++) {
    const { breedsOf } = await readMembership({ directory, skippedInputs: () => new Set(), allowances }, read)
    expect(cats.every((cat) => breedsOf(cat).length === 1)).toBe(true)
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

test('twenty times as many breeds take twenty times as long to compare, not four hundred times', async () => {
  await measureCpuMs(1000)
  const manyMs = await measureCpuMs(20_000)
  // Measures few breeds twenty times, because a single measurement takes only some milliseconds.
  let fewMs = 0
  for (let time = 0; time < 20; time++) fewMs += await measureCpuMs(1000)
  expect(manyMs / (fewMs / 20)).toBeLessThan(100)
})

interface Standing {
  readonly what: string
  readonly cats: string[]
  readonly lists: Record<string, string[]>
  readonly says: Record<string, unknown>
}

test.each<Standing>([
  {
    what: 'each cat is in one list',
    cats: ['Tom', 'Zoë'],
    lists: { Manx: ['Zoë'], Persian: ['Tom'] },
    says: { catsWithoutBreed: [], catsInSeveralBreeds: [], unlistedMembers: [] },
  },
  {
    what: 'one cat is in no list, and one in two',
    cats: ['Tom', 'Zoë', 'Ada'],
    lists: { Manx: ['Zoë', 'Ada'], Persian: ['Zoë'] },
    says: { catsWithoutBreed: ['Tom'], catsInSeveralBreeds: ['Zoë'], unlistedMembers: [] },
  },
  {
    what: 'a cat that is twice in one list has one breed',
    cats: ['Tom', 'Tom'],
    lists: { Manx: ['Tom', 'Tom'] },
    says: { catsWithoutBreed: [], catsInSeveralBreeds: [], unlistedMembers: [] },
  },
  {
    what: 'an unlisted cat is in two lists',
    cats: ['Tom'],
    lists: { Manx: ['Tom', 'Ada', 'Ada'], Persian: ['Ada'] },
    says: {
      catsWithoutBreed: [],
      catsInSeveralBreeds: ['Ada'],
      unlistedMembers: [
        { cat: 'Ada', breed: 'Manx' },
        { cat: 'Ada', breed: 'Manx' },
        { cat: 'Ada', breed: 'Persian' },
      ],
    },
  },
])('the members of lists of breeds are compared: $what', async ({ cats, lists, says }) => {
  const parts = { cats: createListResource('cats', cats), breeds: createListResource('breeds', Object.keys(lists)) }
  const catsOf = (breed: string) => createListResource(breed, lists[breed] ?? [])
  const directory = { ...parts, catsOf, sampleBreeds } as Directory // has the only members that this test reads
  const { catsWithoutBreed, catsInSeveralBreeds, unlistedMembers, breedsOf } = await readMembership(
    { directory, skippedInputs: () => new Set(), allowances },
    createCachingReader(async () => createExchange([])).read,
  )
  expect({ catsWithoutBreed, catsInSeveralBreeds, unlistedMembers }).toEqual(says)
  for (const cat of new Set([...cats, ...Object.values(lists).flat()]))
    expect(breedsOf(cat)).toEqual(Object.keys(lists).filter((breed) => lists[breed]?.includes(cat)))
})

test('the comparison is incomplete if a breed has no name: the cats in no list may belong to it', async () => {
  const breeds = createListResource('breeds', ['Manx'])
  const withNamelessBreed: Resource<ListReading> = {
    key: 'breeds',
    readWith: async (send) => ({
      ...(await breeds.readWith(send)),
      namelessElement: { shown: '7', namePlace: '' },
    }),
  }
  const directory = {
    cats: createListResource('cats', ['Tom', 'Zoë']),
    breeds: withNamelessBreed,
    catsOf: (breed: string) => createListResource(breed, ['Zoë']),
    sampleBreeds,
  } as Directory // has the only members that this test reads
  const { read } = createCachingReader(async () => createExchange([]))
  expect(await readMembership({ directory, skippedInputs: () => new Set(), allowances }, read)).toMatchObject({
    catsWithoutBreed: ['Tom'],
    isComplete: false,
  })
})

const refusing = (key: string, status: number): Resource<ListReading> => ({
  key,
  readWith: async () => ({ kind: 'refused', status }),
})

test.each([
  ['is not there any more', 'Siamese', 404],
  ['is refused for its length', 'Siamese '.repeat(20), 414],
])('a breed that %s does not prevent the comparison of the others', async (_, breed, status) => {
  const parts = {
    cats: createListResource('cats', ['Tom', 'Zoë']),
    breeds: createListResource('breeds', ['Manx', breed]),
  }
  const catsOf = (name: string) => (name === breed ? refusing(name, status) : createListResource(name, ['Zoë']))
  const membership = await readMembership(
    { directory: { ...parts, catsOf, sampleBreeds } as Directory, skippedInputs: () => new Set(), allowances }, // has the only members that this test reads
    createCachingReader(async () => createExchange([])).read,
  )
  expect(membership).toMatchObject({ catsWithoutBreed: ['Tom'], isComplete: false })
  expect(membership.breedsOf('Zoë')).toEqual(['Manx'])
})
