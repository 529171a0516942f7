import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryCodePoint } from '../../directory/inputs/arbitraries.ts'
import { NamedEntries } from '../../directory/readings/entries.ts'
import { createHashedNameLookup, HashedEntries } from '../../directory/readings/hashed-entries.ts'

const breed = fc.constantFrom('', 'Manx', 'Korat')
const listed = fc.uniqueArray(fc.tuple(fc.string({ unit: arbitraryCodePoint, maxLength: 3 }), breed), {
  maxLength: 40,
  selector: ([name]) => name,
})
const named = (pairs: readonly (readonly [string, string])[]) => new NamedEntries(new Map(pairs))
const hashed = (pairs: readonly (readonly [string, string])[]) =>
  new HashedEntries(
    pairs.map(([name]) => name),
    (place) => pairs[place]?.[1] ?? '',
  )

test('changes between two lists are the same by hashes as by names, also if one list is large', () => {
  fc.assert(
    fc.property(listed, listed, (before, after) => {
      const distance = named(before).countDifferences(named(after))
      const difference = named(before).describeDifference(named(after))
      for (const [one, other] of [
        [hashed(before), hashed(after)],
        [named(before), hashed(after)],
        [hashed(before), named(after)],
      ] as const) {
        expect(one.countDifferences(other)).toBe(distance)
        expect(one.describeDifference(other)).toBe(difference)
      }
    }),
  )
})

test('two hundred thousand names have no hash collision, and a moved one is detected anywhere', () => {
  const names = Array.from({ length: 200_000 }, (_, nth) => [`Tom ${nth}`, ''] as const)
  const without = (place: number) => names.filter((_, nth) => nth !== place)
  for (const place of [0, 777, 150_000, 199_999]) {
    expect(hashed(names).countDifferences(hashed(without(place)))).toBe(1)
    expect(hashed(without(place)).countDifferences(hashed(names))).toBe(1)
  }
  expect(hashed(names).countDifferences(named([]))).toBe(200_000)
  expect(hashed(names).describeDifference(hashed(without(777)))).toBe(
    '"Tom 777" was listed earlier and is no longer listed',
  )
  expect(hashed(names).describeDifference(hashed(without(150_000)))).toMatch(
    /^some of 200000 names were added, removed or moved/,
  )
  expect(hashed(names).describeDifference(hashed(names.toReversed()))).toBeUndefined()
})

test('names that are listed twice count once', () => {
  const pairs = [
    ['Tom', 'Manx'],
    ['Tim', ''],
  ] as const
  expect(hashed([...pairs, ...pairs]).countDifferences(named(pairs))).toBe(0)
})

test('membership in a list is the same by hashes as by names', () => {
  const name = fc.string({ unit: arbitraryCodePoint, maxLength: 2 })
  fc.assert(
    fc.property(fc.array(name), fc.array(name), (names, others) => {
      expect(others.map(createHashedNameLookup(names))).toEqual(others.map((one) => names.includes(one)))
    }),
  )
})
