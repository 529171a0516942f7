import { describe, expect, test } from 'vitest'
import {
  describeCommonTrait,
  describeGatewayError,
  findMinimalTraits,
  hasAnyTrait,
} from '../../engine/finding/common-traits.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'

describe('a common property of failing inputs that no passing one has', () => {
  test.each<[failing: string[], passing: string[], expected: string | undefined]>([
    [['AC/DC', 'A/B'], ['Tom', 'Mia'], 'both failing inputs contain a slash; none of the 2 inputs that passed does'],
    [['C++'], ['Tom'], 'the failing input contains a plus sign; the input that passed does not'],
    [
      ["St. Gertrude's"],
      ['Tom Cat', 'Mia'],
      'the failing input contains an apostrophe and a dot; none of the 2 inputs that passed contains any of these',
    ],
    [
      ["A.D.'s"],
      ['Tom'],
      'the failing input contains an apostrophe and a dot; the input that passed contains none of these',
    ],
    [
      ['Zoë', 'たま'],
      ['Tom'],
      'both failing inputs contain a character that is not ASCII; the input that passed does not',
    ],
    [
      ['Bella Donna', 'Mademoiselle'],
      ['Maine Coon', 'Tom'],
      'both failing inputs are longer than 10 characters; none of the 2 inputs that passed is',
    ],
    [['tom', 'mia'], ['たま'], 'both failing inputs are longer than 2 characters; the input that passed is not'],
    [['Tom', 'Mia'], ['Luna'], 'both failing inputs are shorter than 4 characters; the input that passed is not'],
    [
      ['たま', '+'],
      ['Tom', 'mia'],
      'both failing inputs contain no letter from A to Z; none of the 2 inputs that passed does',
    ],
    [
      ['???', '--'],
      ['Tom', 'たま'],
      'both failing inputs contain neither a letter nor a digit; none of the 2 inputs that passed does',
    ],
    [
      ['Rene\u0301e'],
      ['Zoe\u0308'.normalize('NFC'), 'Tom'],
      'the failing input is not in the Unicode normalisation form NFC; none of the 2 inputs that passed is',
    ],
    [
      ['Zo\u00eb', '\u00c9clair'],
      ['Rene\u0301e', 'Tom'],
      'both failing inputs are not in the Unicode normalisation form NFD; none of the 2 inputs that passed is',
    ],
    [
      ['MIA', 'Mia'],
      ['Tom', 'Luna'],
      'both failing inputs differ from another input only by case; none of the 2 inputs that passed does',
    ],
    [
      ['Zo\u00eb'],
      ['Zoe', 'T\u00f6m'],
      'the failing input differs from another input only by case or accents; none of the 2 inputs that passed does',
    ],
    [['MIA', 'Mia'], ['Tom', 'tom', 'TOM', 'たま', 'Nils'], undefined],
    [['AC/DC'], ['A/B'], undefined],
    [['Tom', 'Mia'], [], 'all 2 tested inputs fail'],
    [['Tom'], [], undefined],
  ])('the common property of %j, without %j, is described', (failing, passing, expected) => {
    expect(describeCommonTrait(failing, passing)).toBe(expected)
  })
})

describe('the minimal traits of failing inputs', () => {
  test.each<[failing: string[], passing: string[], expected: string[]]>([
    [['"', '{"$ne": null}'], ['a', '$', '{'], ['contain a quotation mark']],
    [
      ['%', '"', '"%$"'],
      ['a'],
      ['contain a percent sign', 'contain a quotation mark', 'contain no letter from A to Z'],
    ],
    [
      ['%25x', 'é', 'я'],
      ['a'],
      [
        'contain a percent sign',
        'contain a letter with a mark',
        'contain a character that is not ASCII',
        'are percent-encoded',
      ],
    ],
    [['__proto__', 'constructor'], ['_', 'a'], ['are built-in names of JavaScript objects']],
    [['__proto__'], ['_', 'a'], ['are built-in names of JavaScript objects']],
    [['Tom', 'Mia', 'Zoë'], ['Luna', 'Chloé'], ['are shorter than 4 characters']],
    [['Bella Donna', 'Maine Coon cat'], ['Maine Coon'], ['are longer than 10 characters']],
    [['Tom'], ['Luna'], []],
    [['Tom', 'AC/DC'], ['たま'], ['contain a capital letter']],
    [['tom'], ['Mia'], []],
    [['"'], ['"a"'], ['contain a quotation mark']],
    [['"a'], ['"b"'], []],
  ])('the inputs %j have minimal traits that %j lack', (failing, passing, expected) => {
    expect([...findMinimalTraits(failing, passing)].sort()).toEqual(expected.toSorted())
  })

  test('the common property is searched for in passing inputs', () => {
    expect(hasAnyTrait(['contain a slash', 'contain a digit'], 'a/b')).toBe(true)
    expect(hasAnyTrait(['contain a slash'], 'a')).toBe(false)
    expect(hasAnyTrait([], 'a/b')).toBe(false)
  })
})

const createExchange = (status: number, type: string): Exchange => ({
  id: 1,
  request: { method: 'GET', target: '/', follow: true },
  url: 'http://cats.test/',
  outcome: { kind: 'response', status, fields: [['content-type', type]], body: { kind: 'empty' } },
  askedAt: 0,
  ms: 1,
  excerpt: '',
  requestHeaders: {},
  redirectedFrom: [],
})

describe('an error in another format than that of the service', () => {
  const own = createExchange(404, 'application/problem+json')
  test('an error in another format may come from a component in front of the service', () => {
    expect(describeGatewayError(createExchange(403, 'text/html; charset=utf-8'), [own])).toBe(
      'text/html, although the other errors are JSON: a gateway in front of the service may have answered',
    )
  })

  test.each([
    ['is also in JSON', createExchange(500, 'application/json'), [own]],
    ['is the only kind there is', createExchange(500, 'text/html'), [createExchange(404, 'text/html')]],
    ['is the page of a framework', createExchange(500, 'text/html'), [own]],
    ['is no error', createExchange(200, 'text/html'), [own]],
  ])('an error format has no special meaning if it %s', (_, failing, others) => {
    expect(describeGatewayError(failing, others)).toBeUndefined()
  })
})
