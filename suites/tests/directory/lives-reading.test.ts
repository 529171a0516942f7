import { describe, expect, test } from 'vitest'
import { areKeyedByCat, findUsualPlace } from '../../directory/lives/count-places.ts'
import { knownLivesKeys, readLives } from '../../directory/lives/lives-reading.ts'
import { isWholeNumeral, numeralAt } from '../../directory/lives/numerals.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { parseBody } from '../../engine/http/decode/decode.ts'
import { createExchange, createReadingCases, testLookupTables } from '../layout/tables.test.support.ts'

const receiveText = (text: string): Exchange => ({
  ...createExchange(undefined),
  outcome: { kind: 'response', status: 200, fields: [], body: parseBody(Buffer.from(text)) },
})

const placeOf = (response: unknown): unknown => {
  const reading = readLives(createExchange(response))
  return reading.kind === 'count' ? reading.place : reading.kind
}

// Clauses R9.6 and R9.8 of the contract.
describe('a count of lives is recognised by common keys', () => {
  testLookupTables(knownLivesKeys, {
    left: createReadingCases(
      placeOf,
      ['left', 'Remaining', 'current', 'now'].map((key) => [{ lives: { [key]: 7, initial: 9 } }, `/lives/${key}`]),
    ),
    notLives: createReadingCases(
      placeOf,
      `status_code status errno error_count id cat_id version took elapsedMs duration_s latency_ms time timestamp ts
      as_of uptime_seconds age ttl page pages maximum minimum total limit of`
        .split(/\s+/)
        .map((key) => [{ [key]: 1, tally: 7 }, '/tally']),
    ),
  })
})

test.each([
  ['a bare number is the count', 7, ''],
  ['lives_left, despite other members named lives', { lives: 9, cat: { livesLeft: 7 } }, '/cat/livesLeft'],
  ['the only key that holds lives, a number or not', { lives: 'seven', age: 3 }, 'no-count'],
  ['the only number under a key that holds lives', { nine_lives: true, lives: 7, age: 3 }, '/lives'],
  ['the only number below lives', { lives: { tally: 7 }, weight: 3 }, '/lives/tally'],
  ['the only number there is', { id: 7 }, '/id'],
  ['a row that comes alone', [{ tally: 7 }], '/0/tally'],
  ['no place, if several numbers could be it', { tally: 7, weight: 3 }, 'ambiguous'],
  ['no place, if a response is too long to find all numbers', { tally: 7, history: Array(300).fill('') }, 'ambiguous'],
  ['lives_left in a response of any length', { notes: Array(300).fill(''), lives_left: 7 }, '/lives_left'],
  ['the only number, however deep it is', JSON.parse(`${'['.repeat(200)}7${']'.repeat(200)}`), '/0'.repeat(200)],
  ['no place, if there is no number', { tally: 'seven' }, 'no-count'],
])('the count of lives is found: %s', (_, response, place) => {
  expect(placeOf(response)).toBe(place)
})

describe('the JSON text decides whether a count is whole and at least 0', () => {
  test.each(['0', '-0', '-0.0e5', '7', '7.0', '70e-1', '1e999', '12.5e1', '123456789012345678901234567890'])(
    'the JSON text %s is a count of lives',
    (numeral) => expect(isWholeNumeral(numeral)).toBe(true),
  )
  test.each(['-1', '-1e-400', '1e-400', '7.5', '7.00000000000000000001', '75e-1', '-1e999'])(
    'the JSON text %s is not a count of lives',
    (numeral) => expect(isWholeNumeral(numeral)).toBe(false),
  )

  test('the number of lives is found at its place next to any strings', () => {
    const text = '{"note": "\\"-1e-400\\": 3", "lives": [{"left": -1e-400}]}'
    expect(numeralAt(text, ['lives', '0', 'left'])).toBe('-1e-400')
    expect(numeralAt('-1e-400', [])).toBe('-1e-400')
    expect(numeralAt('{"lives": "1e-400"}', ['lives', '0'])).toBeUndefined()
  })

  test.each(['-1e-400', '1e999', '7.00000000000000000001', '10000000000000000.5', `0.${'0'.repeat(400)}1`, '1e-0400'])(
    'the number %s is read as it is written behind a long text',
    (numeral) => {
      const text = `{"note": "\\"1e999\\" ${'x'.repeat(100_000)}", "lives": ${numeral}}`
      expect(readLives(receiveText(text))).toMatchObject({ kind: 'count', numeral })
    },
  )

  test.each(['{"note": "1e999", "lives": 7.0}', '[0.9162907318741551, 12345678901234567890, 1e21, 0e999]'])(
    'the text %s is not kept, because no number in it becomes a wrong whole number',
    (text) => expect(parseBody(Buffer.from(text))).not.toHaveProperty('text'),
  )
})

// Clause R9.3 of the contract.
test('the usual place of counts has a placeholder only where it stands for the name of every cat', () => {
  const placesOf = (...cats: string[]) => cats.map((cat) => ({ cat, place: `/data/0/${cat}` }))
  expect(findUsualPlace(placesOf('data', '0', 'Tom'))).toBe('/data/0/{input}')
  expect(findUsualPlace(placesOf('data', '0'))).toBe('/data/0/{input}')
  expect(findUsualPlace(placesOf('Tom'))).toBe('/data/0/Tom')
  expect(findUsualPlace([{ cat: 'lives', place: '/lives' }, ...placesOf('Tom', 'Mia')])).toBe('/data/0/{input}')
})

// Clause R9.3 of the contract.
test.each([
  [['/entities/Q1/lives', '/entities/Q2/lives', '/entities/Q3/lives'], true],
  [['/entities/Q1/lives', '/entities/Q2/lives'], true],
  [['/data/Q1', '/data/Q2'], false],
  [['/lives_left', '/lives_left', '/left'], false],
  [['/data/Q1', '/data/Q2', '/data/Q3/lives'], false],
])('counts at %j are at one place, in which a key identifies the cat: %s', (places, areOne) => {
  expect(areKeyedByCat(new Map(places.map((place, nth) => [`Cat ${nth}`, place])))).toBe(areOne)
})

test('a count at a pinned place below the name of the cat is read from the JSON text', () => {
  expect(readLives(receiveText('{"Tom": -1e-400}'), ['{input}'], 'Tom')).toMatchObject({
    kind: 'count',
    place: '/{input}',
    numeral: '-1e-400',
  })
})
