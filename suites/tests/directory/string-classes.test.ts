import { expect, test } from 'vitest'
import { stringClassOf } from '../../directory/inputs/string-classes.ts'

// Clause R13.7 of the contract.
test('a route has no class of strings, so an outage caused by a string does not stop requests for lives', () => {
  expect(stringClassOf('/v3/cat/Luna/lives_left')).toBeUndefined()
  expect(stringClassOf('/v3/cat/Lu_na/lives_left')).toBe('quotes and special characters of SQL')
})
