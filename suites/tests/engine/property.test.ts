import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryQuery, arbitrarySegment } from '../../directory/inputs/arbitraries.ts'
import { queryTroubleStrings } from '../../directory/inputs/trouble-strings.ts'
import { findCounterexample } from '../../engine/property/property.ts'

const names = ['Tom', 'Old Deuteronomy', 'Zoë', '100% Wool', 'たま']
const search = {
  inputs: arbitraryQuery(names),
  examples: queryTroubleStrings,
  maxShrinks: 300,
  seed: 42,
  path: undefined,
  runs: 60,
  prefetch: () => {},
  now: () => 0,
}

describe('generated inputs', () => {
  test.each([1, 42, -7])('a sample with the same seed predicts the generated inputs (%i)', async (seed) => {
    const examples = ['%', 'a']
    const tried: string[] = []
    await fc.check(
      fc.asyncProperty(arbitraryQuery(names), async (query) => void tried.push(query)),
      { seed, numRuns: 80, examples: examples.map((one): [string] => [one]) },
    )
    expect(fc.sample(arbitraryQuery(names), { seed, numRuns: 80, examples })).toEqual(tried)
  })

  test('generated inputs are each sent once before the check, and none is checked twice', async () => {
    const warmed = new Set<string>()
    const cold: string[] = []
    await findCounterexample({
      ...search,
      prefetch: (input) => void warmed.add(input),
      holds: async (input) => {
        if (!warmed.has(input)) cold.push(input)
        return true
      },
    })
    expect(cold).toEqual([])
  })

  // Clause R13.11 of the contract.
  test('generated inputs are valid Unicode, and can be written in a URL', () => {
    for (const input of [
      ...fc.sample(arbitraryQuery(names), { seed: 1, numRuns: 500 }),
      ...fc.sample(arbitrarySegment(names), { seed: 1, numRuns: 500 }),
    ]) {
      expect(decodeURIComponent(encodeURIComponent(input))).toBe(input)
    }
  })

  test('generated inputs always include every troublesome string', async () => {
    const tried = new Set<string>()
    await findCounterexample({
      ...search,
      holds: async (input) => {
        tried.add(input)
        return true
      },
    })
    expect(queryTroubleStrings.filter((trouble) => !tried.has(trouble))).toEqual([])
  })
})

describe('a counterexample', () => {
  test.each([
    ['a percent sign', (text: string) => text.includes('%'), '%'],
    ['a quote', (text: string) => text.includes("'"), "'"],
    ['a character beyond the basic plane', (text: string) => /[\u{10000}-\u{10ffff}]/u.test(text), /^.$/u],
    ['more than 200 characters', (text: string) => [...text].length > 200, /^.{201}$/su],
    ['a blank between two letters', (text: string) => /[a-z] [a-z]/i.test(text), /^[a-z] [a-z]$/i],
  ])('a counterexample is as small as possible: %s', async (_, breaks, smallest) => {
    const { counterexample } = await findCounterexample({ ...search, holds: async (input) => !breaks(input) })
    expect(counterexample?.input).toMatch(typeof smallest === 'string' ? new RegExp(`^${smallest}$`) : smallest)
  })

  test('a counterexample is found with and without warming up, and again by its path with one request', async () => {
    const holds = async (input: string) => !/[a-z] [a-z]/i.test(input)
    const found = await findCounterexample({ ...search, holds })
    const cold = await fc.check(fc.asyncProperty(search.inputs, holds), {
      seed: 42,
      numRuns: search.examples.length + search.runs,
      examples: search.examples.map((one): [string] => [one]),
    })
    expect(found.counterexample).toEqual({ input: cold.counterexample?.[0], path: cold.counterexamplePath })
    let asks = 0
    const again = await findCounterexample({
      ...search,
      path: found.counterexample?.path ?? '',
      holds: async (input) => {
        asks++
        return holds(input)
      },
    })
    expect(again.counterexample?.input).toBe(found.counterexample?.input)
    expect(asks).toBe(1)
  })

  test('a counterexample is not reduced further if requests have become impossible', async () => {
    let asks = 0
    const search5 = findCounterexample({
      ...search,
      holds: async () => {
        if (++asks === 5) throw new Error('the host is gone')
        return true
      },
    })
    await expect(search5).rejects.toThrow('the host is gone')
    expect(asks).toBe(5)
  })
})
