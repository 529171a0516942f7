import { expect, test } from 'vitest'
import { createFreshReader, type Resource } from '../../engine/check/readers.ts'
import { Violation } from '../../engine/check/violations.ts'
import type { CandidateViolation } from '../../engine/finding/candidate.ts'
import { findRecurringFailures } from '../../engine/finding/tested-inputs.ts'

const resource: Resource<string> = { key: '/v3/cat/Tom/lives_left', readWith: async () => '' }
const reader = createFreshReader(() => Promise.reject(new Error('no request is sent')))

const createCandidate = (defectKind: string, isWrongByItself = true): CandidateViolation => ({
  violation: new Violation({ expected: 'a count', actual: 'null', defectKind, isWrongByItself, shownBy: [resource] }),
  exchanges: [],
  reader,
})
const countRecurring = (candidates: readonly CandidateViolation[]): number =>
  findRecurringFailures(candidates.map((candidate, nth) => ({ input: String(nth), candidate }))).length

// Clauses T2.8 and T2.9 of the contract.
test('a response that is wrong by itself recurs if it is the same for three inputs', () => {
  expect(countRecurring(['null', 'null', 'null'].map((kind) => createCandidate(kind)))).toBe(3)
})

test('a response that is wrong by itself does not recur if it is different for each input, or for two inputs only', () => {
  expect(countRecurring(['null', '-1', 'null', '-2'].map((kind) => createCandidate(kind)))).toBe(0)
})

test('a response that is wrong only in comparison with others does not recur with several inputs', () => {
  expect(countRecurring(['404', '404', '404'].map((kind) => createCandidate(kind, false)))).toBe(0)
})
