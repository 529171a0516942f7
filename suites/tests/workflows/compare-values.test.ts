import { expect, test } from 'vitest'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { compareOpenPointValues, compareWithPinnedValues } from '../../judge/profile/compare-values.ts'
import { findPinDifference } from '../../judge/profile/pin-difference.ts'

const kindOf = (comparison: ReturnType<typeof compareOpenPointValues>): string =>
  typeof comparison === 'string' ? comparison : 'undecided'

const noAccents = 'another case: no; outer blanks: no'
const accents = `${noAccents}; without accents: no`

test.each([
  ['O-NAME-MATCH', noAccents, accents, 'undecided'],
  ['O-NAME-MATCH', noAccents, 'another case: yes; outer blanks: no', 'different'],
  ['O-NAME-MATCH', accents, 'another case: yes; outer blanks: no', 'different'],
  [
    'O-SEARCH-QUERY-SYNTAX',
    'first q; unknown parameter ignored',
    '+ is a space; first q; unknown parameter ignored',
    'undecided',
  ],
  ['O-SEARCH-QUERY-SYNTAX', '+ is a space; first q', '+ is a plus; first q', 'different'],
  ['O-SEARCH-QUERY-SYNTAX', 'first q', 'last q', 'different'],
  ['O-SEARCH-BLANK', 'blanks: cannot be told; punctuation: no', 'blanks: yes; punctuation: no', 'undecided'],
  ['O-SEARCH-RULE', 'substring', 'substring, accent-folding', 'different'],
  ['O-SEARCH-RULE', 'unexplained (most like exact)', 'unexplained (most like fuzzy)', 'same'],
  ['O-MEDIA', 'application/json', 'application/json, gzip', 'different'],
])('a comparison of the values of %s finds %j and %j to be %s', (id, one, other, expected) => {
  expect(kindOf(compareOpenPointValues(id, { value: one }, { value: other }))).toBe(expected)
  expect(kindOf(compareOpenPointValues(id, { value: other }, { value: one }))).toBe(expected)
})

const whole = (count: number) => ({ value: 'none', alsoFits: [`pages of ${count} or more`] })
const pagesOf = (size: number) => ({ value: `Link rel=next; pages of ${size}` })

test.each([
  ['pages of 50 and of 50', pagesOf(50), pagesOf(50), 'same'],
  ['pages of 50 and of 20', pagesOf(50), pagesOf(20), 'different'],
  ['pages of 50, and a whole list of 51', pagesOf(50), whole(51), 'different'],
  ['pages of 50, and a whole list of 50, which fits into one page', pagesOf(50), whole(50), 'undecided'],
  ['whole lists of any length', whole(3), whole(5000), 'same'],
  ['pages of 50, and pages of various sizes', pagesOf(50), { value: 'Link rel=next' }, 'undecided'],
  ['pages of 50 by other ways', pagesOf(50), { value: 'a header; pages of 50' }, 'different'],
])('a comparison of %s decides whether the page sizes are the same', (_, one, other, expected) => {
  expect(kindOf(compareOpenPointValues('O-PAGINATION', one, other))).toBe(expected)
  expect(kindOf(compareOpenPointValues('O-PAGINATION', other, one))).toBe(expected)
})

test('a page size is held to a pin that has one', () => {
  const pinned = (...allowed: string[]) => kindOf(compareWithPinnedValues('O-PAGINATION', allowed, pagesOf(50)))
  expect(pinned('Link rel=next')).toBe('same')
  expect(pinned('none', 'pages of 37 or more')).toBe('same')
  expect(pinned('none', 'pages of 51 or more')).toBe('different')
  expect(pinned('none')).toBe('different')
})

test('a matching rule that the listed names cannot distinguish from the pinned one is undecided', () => {
  const seen = { value: 'substring', alsoFits: ['substring, accent-folding'] }
  expect(kindOf(compareWithPinnedValues('O-SEARCH-RULE', ['substring, accent-folding'], seen))).toBe('undecided')
  expect(compareWithPinnedValues('O-SEARCH-RULE', ['substring', 'prefix'], seen)).toBe('same')
  expect(compareWithPinnedValues('O-SEARCH-RULE', ['prefix'], seen)).toBe('different')
})

test('a part that the pin lacks is not pinned, and one that the data does not show is undecided', () => {
  expect(compareWithPinnedValues('O-NAME-MATCH', [noAccents], { value: accents })).toBe('same')
  expect(compareWithPinnedValues('O-NAME-MATCH', [accents], { value: noAccents })).toEqual({
    undecided: 'no response shows "without accents"',
  })
})

test('a pinned schema without any observed element is undecided', () => {
  const observation = { id: 'O-LIST-SHAPE', version: 'v3', value: 'bare array, strings', evidence: [] }
  const pin = { point: 'O-LIST-SHAPE', schema: { type: 'string' } }
  const difference = findPinDifference(pin, { ...observation, instances: () => [] })
  expect(difference).toBeInstanceOf(Inconclusive)
  expect(difference).toHaveProperty('message', expect.stringContaining('a schema is pinned, but no '))
})
