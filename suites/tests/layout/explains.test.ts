import { describe, expect, test } from 'vitest'
import { type Contradiction, Violation } from '../../engine/check/violations.ts'
import {
  type ConfirmedViolation,
  causeTraitsOf,
  explainsFailedInput,
  type FailedInput,
} from '../../engine/finding/check-record.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { createListResource } from './tables.test.support.ts'

const failure: Exchange = {
  id: 1,
  request: { method: 'GET', target: '/', follow: true },
  url: 'http://cats.test/',
  outcome: { kind: 'response', status: 500, fields: [], body: { kind: 'empty' } },
  askedAt: 0,
  ms: 1,
  excerpt: '',
  requestHeaders: {},
  redirectedFrom: [],
}

interface Given extends Partial<Contradiction> {
  readonly input?: string
  readonly fails?: boolean
}

/** The part of a violation that names the resources that show it. */
const shownBy = (...keys: readonly string[]): Pick<Contradiction, 'shownBy'> => ({
  shownBy: keys.map((key) => createListResource(key, [])),
})

const createFailedInput = ({ input, fails = false, ...more }: Given): FailedInput => ({
  violation: new Violation({ expected: 'this', actual: 'that', shownBy: [], ...more }),
  exchanges: fails ? [failure] : [],
  shownExchanges: [],
  ...(input !== undefined && { input }),
})

const createConfirmedViolation = (
  given: readonly Given[],
  passedInputs: readonly string[] = ['k'],
): ConfirmedViolation => {
  const [first, ...also] = given.map(createFailedInput)
  if (!first) throw new Error('the violation has no input')
  return { ...first, otherInputs: also, passedInputs }
}

describe('a failure elsewhere explains a violation', () => {
  test.each<[string, Given[], Given, boolean]>([
    ['the same input', [{ input: 'a' }], { input: 'a' }, true],
    ['another input', [{ input: 'a' }], { input: 'b' }, false],
    ['an input that contains the misread character', [{ input: '"' }, { input: '"x' }], { input: 'a"b' }, true],
    ['an input that is a name at fault there', [{ input: 'q', names: { atFault: ['Tom'] } }], { input: 'Tom' }, true],
    [
      'a violation that rests on a name at fault there',
      [{ names: { atFault: ['Tom'] } }],
      { names: { others: ['Tom', 'Mia'] } },
      true,
    ],
    [
      'a violation that rests on a name that is an input there',
      [{ input: 'Tom', names: { atFault: ['Tommy'] } }],
      { names: { others: ['Tom'] } },
      false,
    ],
    [
      'each missing name is at fault there',
      [{ names: { atFault: ['Tom', 'Mia'] } }],
      { names: { missing: ['Tom', 'Mia'] } },
      true,
    ],
    [
      'one of the missing names is not at fault there',
      [{ names: { atFault: ['Tom'] } }],
      { names: { missing: ['Tom', 'Mia'] } },
      false,
    ],
    ['neither violation names an input', [{}], { input: 'a' }, true],
    ['only the other violation names an input', [{ input: 'a' }], {}, false],
    ['a failure that explains everything', [{ input: 'a', relation: 'explains all' }], { input: 'b' }, true],
    ['the same cause', [{ input: 'a', causes: ['x'] }], { input: 'b', causes: ['x'] }, true],
    [
      'a cause that not all inputs have there',
      [{ input: 'a', causes: ['x'] }, { input: 'c' }],
      { input: 'b', causes: ['x'] },
      false,
    ],
    ['the same misread trait', [{ input: 'a', misreadTraits: ['x'] }], { input: 'b', misreadTraits: ['x'] }, true],
    [
      'one missing name, in a list in which one name cannot be read',
      [{ ...shownBy('cats'), names: { unreadableCount: 1 } }],
      { ...shownBy('cats', 'search'), names: { missing: ['Tom', 'Tom'] } },
      true,
    ],
    [
      'two missing names, in a list in which one name cannot be read',
      [{ ...shownBy('cats'), names: { unreadableCount: 1 } }],
      { ...shownBy('cats', 'search'), names: { missing: ['Tom', 'Mia'] } },
      false,
    ],
    [
      'one missing name in another list',
      [{ ...shownBy('cats'), names: { unreadableCount: 1 } }],
      { ...shownBy('breeds'), names: { missing: ['Tom'] } },
      false,
    ],
    [
      'a wrong response to an input, with a list in which one name cannot be read',
      [{ ...shownBy('cats'), names: { unreadableCount: 1 } }],
      { ...shownBy('cats', 'search'), input: 'a' },
      false,
    ],
    ['a failing request, but none failed there', [{ input: 'a' }], { input: 'a', fails: true }, false],
    ['a failing request, as there', [{ input: 'a', fails: true }], { input: 'a', fails: true }, true],
  ])('a failure elsewhere explains a violation or not: %s', (_, there, here, isExplained) => {
    expect(explainsFailedInput(causeTraitsOf(createConfirmedViolation(there)), createFailedInput(here))).toBe(
      isExplained,
    )
  })

  test('intermittent server errors with the same body have one cause, whatever the requests have in common', () => {
    const traits = causeTraitsOf(
      createConfirmedViolation([{ input: 'a', fails: true, intermittent: 'yes', crossOperationCause: 'hex digits' }]),
    )
    expect(traits.crossOperationCause).toBe('status 500: ')
  })

  test('a failure explains any input if no input got a correct response', () => {
    expect(
      explainsFailedInput(
        causeTraitsOf(createConfirmedViolation([{ input: 'a', names: { atFault: ['a'] } }], [])),
        createFailedInput({ input: 'b' }),
      ),
    ).toBe(true)
  })
})
