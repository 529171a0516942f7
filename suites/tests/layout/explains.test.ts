import { describe, expect, test } from 'vitest'
import { type Contradiction, Violation } from '../../engine/check/violations.ts'
import {
  type ConfirmedViolation,
  causeTraitsOf,
  explainsFailedInput,
  type FailedInput,
} from '../../engine/finding/check-record.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'

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

const broken = ({ input, fails = false, ...more }: Given): FailedInput => ({
  violation: new Violation({ expected: 'this', actual: 'that', shownBy: [], ...more }),
  exchanges: fails ? [failure] : [],
  shownExchanges: [],
  ...(input !== undefined && { input }),
})

const confirmed = (given: readonly Given[], kept: readonly string[] = ['k']): ConfirmedViolation => {
  const [first, ...also] = given.map(broken)
  if (!first) throw new Error('the violation has no input')
  return { ...first, otherInputs: also, passedInputs: kept }
}

describe('a failure elsewhere explains a violation', () => {
  test.each<[string, Given[], Given, boolean]>([
    ['for the same input', [{ input: 'a' }], { input: 'a' }, true],
    ['for another', [{ input: 'a' }], { input: 'b' }, false],
    ['for one that holds what is misread there', [{ input: '"' }, { input: '"x' }], { input: 'a"b' }, true],
    ['for a name that is wrong there', [{ input: 'q', namesAtFault: ['Tom'] }], { input: 'Tom' }, true],
    ['with a name that is wrong there', [{ namesAtFault: ['Tom'] }], { otherNames: ['Tom', 'Mia'] }, true],
    ['with a name that is an input there', [{ input: 'Tom', namesAtFault: ['Tommy'] }], { otherNames: ['Tom'] }, false],
    [
      'where each name that is lacking is wrong there',
      [{ namesAtFault: ['Tom', 'Mia'] }],
      { missingNames: ['Tom', 'Mia'] },
      true,
    ],
    ['where one of them is not', [{ namesAtFault: ['Tom'] }], { missingNames: ['Tom', 'Mia'] }, false],
    ['with no name at all, where anything may be wrong', [{}], { input: 'a' }, true],
    ['with no name at all, where something is', [{ input: 'a' }], {}, false],
    ['whatever it is, where that says so', [{ input: 'a', explainsEverything: true }], { input: 'b' }, true],
    ['by the same cause', [{ input: 'a', causes: ['x'] }], { input: 'b', causes: ['x'] }, true],
    [
      'by a cause that not all have there',
      [{ input: 'a', causes: ['x'] }, { input: 'c' }],
      { input: 'b', causes: ['x'] },
      false,
    ],
    ['by the same misreading', [{ input: 'a', misreadTraits: ['x'] }], { input: 'b', misreadTraits: ['x'] }, true],
    ['by failing, where nothing fails', [{ input: 'a' }], { input: 'a', fails: true }, false],
    ['by failing, where that fails', [{ input: 'a', fails: true }], { input: 'a', fails: true }, true],
  ])('%s', (_, there, here, isExplained) => {
    expect(explainsFailedInput(causeTraitsOf(confirmed(there)), broken(here))).toBe(isExplained)
  })

  test('a failure explains any input if no input got a correct response', () => {
    expect(
      explainsFailedInput(causeTraitsOf(confirmed([{ input: 'a', namesAtFault: ['a'] }], [])), broken({ input: 'b' })),
    ).toBe(true)
  })
})
