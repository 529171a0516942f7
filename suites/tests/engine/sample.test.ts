import { describe, expect, test } from 'vitest'
import { drawEncodedNames } from '../../directory/inputs/listed-names.ts'
import { encodeSegment } from '../../directory/shared/encodings.ts'
import { CHARACTER_CLASSES, drawSample, featuresOf } from '../../engine/property/sample.ts'
import { createReadingCases, testLookupTables } from '../layout/tables.test.support.ts'

const areAlike = ([one, other]: readonly [string, string]): boolean => featuresOf(one) === featuresOf(other)

/**
 * Pairs of texts. The first text belongs to one class of characters more than the second, otherwise to the same
 * classes.
 */
const pairs: readonly (readonly [string, string])[] = [
  ['たまma', 'たまたま'],
  ['たまко', 'たまたま'],
  ['たまγα', 'たまたま'],
  ['たま猫猫', 'たまたま'],
  ['猫猫たま', '猫猫猫猫'],
  ['Zoe\u0301', 'Zoé'],
  ['Zoë!', 'Zoe!'],
  ['𠀀猫猫', '猫猫猫'],
  ['Tom!7', 'Tom!x'],
  [' Tom!', 'T om!'],
  ['T om!', 'Tom!'],
  ['Tom\u0007!', 'Tom!'],
  ['Tom©', 'Tom§'],
  ['é!', 'éé!'],
  ['é'.repeat(40), 'é'.repeat(39)],
  ...[...'%+&#?/\\\'";*.,:=@!()[]{}<>|^$~`_-'].map((char) => [`Zoë¨${char}`, 'Zoë¨x'] as const),
]

describe('the classes of texts', () => {
  testLookupTables(
    { classes: CHARACTER_CLASSES },
    {
      classes: createReadingCases(
        areAlike,
        pairs.map((pair) => [pair, false]),
      ),
    },
  )

  test.each([
    ['Tom', 'Old Deuteronomy 2'],
    ['Zoë', 'Léa'],
    ['100%', '7%8'],
  ])('the texts %s and %s are of one class, because they differ in no listed property', (one, other) => {
    expect(areAlike([one, other])).toBe(true)
  })
})

describe('a sample', () => {
  const plain = Array.from({ length: 1000 }, (_, index) => `Cat ${index}`)
  const names = [...plain.slice(0, 700), 'Zoë', ...plain.slice(700), '100%']
  const chosen = (limit: number, seed: number) => drawSample(names, limit, seed, (name) => name)

  test('a sample contains a member of every class, however small', () => {
    expect(chosen(6, 1)).toEqual(expect.arrayContaining(['Zoë', '100%']))
  })

  test('half of a sample is drawn at random, also from classes already covered', () => {
    const kinds = [...'%+&#?/"\';*'].flatMap((char) => [`a${char}`, `b${char}`, `c${char}`])
    const drawn = Array.from({ length: 60 }, (_, seed) => drawSample(kinds, 10, seed, (name) => name))
    const tried = new Set(drawn.flat())
    expect(kinds.filter((name) => !tried.has(name))).toEqual([])
    expect(drawn.every((some) => some.length === 10)).toBe(true)
  })

  test('a sample has the maximum size, without repetition, in the original order', () => {
    const some = chosen(50, 1)
    expect(new Set(some).size).toBe(50)
    expect(some).toEqual(names.filter((name) => some.includes(name)))
  })

  test('a large sample contains the first and the last, the shortest and the longest', () => {
    const some = ['Tom 1', ...plain.slice(1, 500), 'Al', 'Tom the Great the Second', ...plain.slice(500), 'Tom 2']
    for (let seed = 0; seed < 20; seed++)
      expect(drawSample(some, 40, seed, String)).toEqual(
        expect.arrayContaining(['Tom 1', 'Al', 'Tom the Great the Second', 'Tom 2']),
      )
  })

  test('a sample depends on the seed only', () => {
    expect(chosen(50, 1)).toEqual(chosen(50, 1))
    expect(chosen(50, 1)).not.toEqual(chosen(50, 2))
  })

  test('a sample contains everything if there is little', () => {
    expect(chosen(names.length, 1)).toEqual(names)
  })

  test('a sample prefers no position', () => {
    const drawn = Array.from({ length: 200 }, (_, seed) => drawSample(plain, 10, seed, (name) => name)).flat()
    const late = drawn.filter((name) => plain.indexOf(name) >= 500).length
    expect(late / drawn.length).toBeGreaterThan(0.4)
    expect(late / drawn.length).toBeLessThan(0.6)
  })

  test('a sample of very many names contains a member of every class, and prefers no position', () => {
    const many = Array.from({ length: 12_000 }, (_, index) => `Cat ${index}`)
    const unusualNames = [
      'Zoë',
      'Мурка',
      'Мурка 7',
      'Мурка !',
      '猫',
      '𠀀',
      '😺',
      '\u0627\u0644',
      ' x ',
      'C++',
      'é'.repeat(40),
    ]
    const all = [...many.slice(0, 9000), ...unusualNames, ...many.slice(9000)]
    const some = drawSample(all, 1000, 1, String)
    expect(some).toEqual(expect.arrayContaining(unusualNames))
    expect(new Set(some).size).toBe(1000)
    expect(some).toEqual(all.filter((name) => some.includes(name)))
    expect(some.filter((name) => all.indexOf(name) >= 6000).length / 1000).toBeCloseTo(0.5, 1)
  })
})

test('a name with characters that some clients encode is requested with every octet encoded, in any sample', () => {
  const names = ["O'Malley", 'Zoë', 'Tiger + Lily', '100% Wool', 'AC/DC', 'たま', 'Мурка', 'Smiley 😺', 'Tom', 'A.B.C']
  for (let seed = 0; seed < 30; seed++) {
    const { inputs } = drawEncodedNames(names, encodeSegment, { effort: { namesPerEncoding: 2 }, seed })
    expect(inputs).toContainEqual({ name: "O'Malley", encoding: 'every octet' })
  }
})
