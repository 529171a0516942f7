import { expect, test } from 'vitest'
import { findConfusedCats } from '../../checks/shared/time/similar-names.ts'

/** Returns the recorded counts of lives: each cat was read once. */
const recordCounts = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([name, count]) => ({
    name,
    contents: [String(count)],
    contentsInOrder: [String(count)],
  }))

test('two cats whose names differ only in case are suspected to share a cached count if their counts are equal', () => {
  expect(findConfusedCats(recordCounts({ MIA: 6, Mia: 6, Tom: 9, Leo: 6, Max: 6, Kiki: 3 }))).toEqual(['Mia'])
})

test('two cats whose names differ only in case and whose counts differ are not suspected', () => {
  expect(findConfusedCats(recordCounts({ MIA: 6, Mia: 9, Tom: 9, Leo: 6, Max: 6, Kiki: 3 }))).toEqual([])
})
