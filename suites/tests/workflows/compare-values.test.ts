import { expect, test } from 'vitest'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { compareValues, compareWithPinned } from '../../judge/profile/compare-values.ts'
import { findPinDifference } from '../../judge/profile/pin-difference.ts'

const kindOf = (comparison: ReturnType<typeof compareValues>): string =>
  typeof comparison === 'string' ? comparison : 'untold'

const noAccents = 'another case: no; outer blanks: no'
const accents = `${noAccents}; without accents: no`

test.each([
  ['O-NAME-MATCH', noAccents, accents, 'untold'],
  ['O-NAME-MATCH', noAccents, 'another case: yes; outer blanks: no', 'different'],
  ['O-NAME-MATCH', accents, 'another case: yes; outer blanks: no', 'different'],
  [
    'O-SEARCH-QUERY-SYNTAX',
    'first q; unknown parameter ignored',
    '+ is a space; first q; unknown parameter ignored',
    'untold',
  ],
  ['O-SEARCH-QUERY-SYNTAX', '+ is a space; first q', '+ is a plus; first q', 'different'],
  ['O-SEARCH-QUERY-SYNTAX', 'first q', 'last q', 'different'],
  ['O-SEARCH-BLANK', 'blanks: cannot be told; punctuation: no', 'blanks: yes; punctuation: no', 'untold'],
  ['O-SEARCH-RULE', 'substring', 'substring, accent-folding', 'different'],
  ['O-SEARCH-RULE', 'unexplained (most like exact)', 'unexplained (most like fuzzy)', 'same'],
  ['O-MEDIA', 'application/json', 'application/json, gzip', 'different'],
])('a comparison at %s treats %j and %j as %s choices', (id, one, other, expected) => {
  expect(kindOf(compareValues(id, { value: one }, { value: other }))).toBe(expected)
  expect(kindOf(compareValues(id, { value: other }, { value: one }))).toBe(expected)
})

test('a matching rule that the listed names cannot distinguish from the pinned one is undecided', () => {
  const seen = { value: 'substring', alsoFits: ['substring, accent-folding'] }
  expect(kindOf(compareWithPinned('O-SEARCH-RULE', ['substring, accent-folding'], seen))).toBe('untold')
  expect(compareWithPinned('O-SEARCH-RULE', ['substring', 'prefix'], seen)).toBe('same')
  expect(compareWithPinned('O-SEARCH-RULE', ['prefix'], seen)).toBe('different')
})

test('a part that the pin lacks is not pinned, and one that the data does not show is undecided', () => {
  expect(compareWithPinned('O-NAME-MATCH', [noAccents], { value: accents })).toBe('same')
  expect(compareWithPinned('O-NAME-MATCH', [accents], { value: noAccents })).toEqual({
    undecided: 'nothing shows "without accents"',
  })
})

test('a pinned schema without any observed element is undecided', () => {
  const observation = { id: 'O-LIST-SHAPE', version: 'v3', value: 'bare array, strings', evidence: [] }
  const pin = { point: 'O-LIST-SHAPE', schema: { type: 'string' } }
  const difference = findPinDifference(pin, { ...observation, instances: () => [] })
  expect(difference).toBeInstanceOf(Inconclusive)
  expect(difference).toHaveProperty('message', expect.stringContaining('no element of a list was seen'))
})
