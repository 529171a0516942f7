import { expect, test } from 'vitest'
import type { Reader } from '../../engine/check/readers.ts'
import { findSlowAlternation } from '../../engine/evidence/slow-alternation.ts'
import { assertForTwoChanges, createTimedResources } from './timed-resources.test.support.ts'

/**
 * Visits a list, in simulated time.
 * @param isListedAt returns whether the list contains the name at a time in ms
 * @param isShownElsewhereAt returns whether another list contains the name
 */
async function visit(isListedAt: (ms: number) => boolean, isShownElsewhereAt: (ms: number) => boolean) {
  const { context, countRequests, resourceAt } = createTimedResources()
  const other = resourceAt('/search', isShownElsewhereAt)
  const fact = {
    resource: resourceAt('/cats', isListedAt),
    isShownIn: (isShown: boolean) => isShown,
    text: 'Mia',
    otherSources: [({ read }: Reader) => read(other)],
  }
  return { found: await findSlowAlternation(fact, context), readings: countRequests() }
}

const always = () => true
const isInFirstHalfOfPeriod = (ms: number) => ms % 3000 < 1500

test('a name that a list lacks for half of every 3 s is found if another list always shows it', async () => {
  expect((await visit(isInFirstHalfOfPeriod, always)).found).toMatchObject({ readingCount: 12 })
})

test('a name that comes and goes in all lists is not found', async () => {
  expect((await visit(isInFirstHalfOfPeriod, isInFirstHalfOfPeriod)).found).toBeUndefined()
})

test('a name that stays is visited twice', async () => {
  expect(await visit(always, always)).toEqual({ found: undefined, readings: 16 })
})

test('the visits end soon if a name was removed from one list once', async () => {
  const { found, readings } = await visit((ms) => ms < 3000, always)
  expect(found).toBeUndefined()
  expect(readings).toBe(24)
})

test('a name that changes twice is never found, whatever copies are served', async () => {
  await assertForTwoChanges(40_000, async (isListedAt) => {
    expect((await visit(isListedAt, always)).found).toBeUndefined()
  })
})
