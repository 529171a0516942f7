import { describe, expect, test } from 'vitest'
import type { Level, Status, Verdict } from '../../engine/check/verdict.ts'
import { concludeByVersionAndParity, concludeRun } from '../../engine/run/conclusion.ts'

const ended = (status: Status, level: Level = 'must', version = 'v2', id = 'a/b'): Verdict =>
  ({ status, version, check: { id, level } }) as Verdict // the parts of a verdict that a conclusion reads

// Clauses V1.2, V1.3 and V3.2 of the contract.
describe('a run is conformant only if a check passed and no required one is undecided', () => {
  test.each<[string, readonly Verdict[]]>([
    ['nothing ran', []],
    ['no check is applicable', [ended('not-applicable')]],
    ['a check is inconclusive', [ended('pass'), ended('inconclusive')]],
    ['a pinned check is inconclusive', [ended('pass'), ended('inconclusive', 'pinned')]],
    ['the suite failed in a check', [ended('pass'), ended('error')]],
  ])('a run is inconclusive if %s', (_, verdicts) => {
    expect(concludeRun(verdicts)).toBe('inconclusive')
  })

  // Clause V1.1 of the contract.
  test('a run is conformant despite advice, inconclusive advice and checks that are not applicable', () => {
    const otherVerdicts = [ended('warn', 'should'), ended('inconclusive', 'should'), ended('not-applicable')]
    expect(concludeRun([ended('pass'), ...otherVerdicts])).toBe('conformant')
  })
})

// Clause V3.1 of the contract.
test('a run is nonconformant if any required check fails, whatever else is undecided', () => {
  expect(concludeRun([ended('pass'), ended('inconclusive'), ended('fail')])).toBe('nonconformant')
  expect(concludeRun([ended('pass'), ended('fail', 'pinned')])).toBe('nonconformant')
})

// Clause V3.3 of the contract.
test('each class has its own conclusion, and a failure of the whole deployment counts in every class', () => {
  const plan = { checks: [], classes: { v2: ['v2'], v3: ['v3'] } }
  expect(concludeByVersionAndParity([ended('pass'), ended('fail', 'must', 'v3')], plan)).toEqual({
    v2: 'conformant',
    v3: 'nonconformant',
  })
})
