import { describe, expect, test } from 'vitest'
import { clauses } from '../../../fixtures/contract/rulings.ts'
import {
  clausesByDeployment,
  collectClauseEvidence,
  describeMissingEvidence,
  hasClauseEvidence,
  isReportedByItsCheck,
  unknownTableEntries,
} from './clauses.ts'

describe('the clauses of the contract', () => {
  // The kind of a clause decides which deployment it needs, e.g. a mutant if the clause is about a violation.
  test('each clause has a test deployment of its kind, or a test with its id in the title or in the comment before it', () => {
    const bare = collectClauseEvidence().filter((one) => !hasClauseEvidence(one))
    expect(bare.map(describeMissingEvidence)).toEqual([])
  })

  test('each clause of section 3 that judges a deployment has a check or an allowance', () => {
    const unchecked = collectClauseEvidence().filter(
      ({ id, checks, allowances }) =>
        id.startsWith('R') && clauses.get(id)?.kind !== 'procedure' && checks.length === 0 && allowances.length === 0,
    )
    expect(unchecked.map(({ id }) => `${id}: add it to the \`clauses\` of the check that verifies it`)).toEqual([])
  })

  test('each clause of section 3 about a violation or advice has a deployment that a check of this clause reports, or a test', () => {
    const unreported = collectClauseEvidence().filter(
      (one) =>
        one.id.startsWith('R') &&
        ['violation', 'advice'].includes(clauses.get(one.id)?.kind ?? '') &&
        !isReportedByItsCheck(one),
    )
    expect(unreported.map(describeMissingEvidence)).toEqual([])
  })
})

describe('each test deployment', () => {
  test('each test deployment exercises a clause: else name one in fixtures/mutants/exercises.ts or fixtures/variants/exercises.ts', () => {
    const without = [...clausesByDeployment].filter(([, ids]) => ids.length === 0)
    expect(without.map(([id]) => `${id}: add it to a clause in exercises.ts of its folder`)).toEqual([])
  })

  test('each test deployment in the tables of exercised clauses exists', () => {
    expect(unknownTableEntries).toEqual([])
  })
})
