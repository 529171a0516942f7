import { expect, test } from 'vitest'
import { createFreshReader, type Subject } from '../../engine/check/readers.ts'
import { Violation } from '../../engine/check/violations.ts'
import { findCandidate } from '../../engine/finding/candidate.ts'
import { reproduceCandidate } from '../../engine/finding/reproduce.ts'
import { createSession } from '../../engine/http/session.ts'
import { createSessionOptions } from '../../judge/judge-options.ts'

const session = createSession(createSessionOptions({ baseUrl: 'http://127.0.0.1:9' }))

const says = (key: string, names: () => readonly string[]): Subject<readonly string[]> => ({
  key,
  readWith: async () => names(),
})

/**
 * Tries to reproduce a violation: a search always finds the kitten, and the list has the given contents, one at each
 * reading.
 */
async function provoked(list: readonly (readonly string[])[]) {
  let reading = 0
  const [cats, search] = [says('cats', () => list[reading++ % list.length] ?? []), says('search', () => ['Kitten'])]
  const assertion = async (read: <T>(subject: Subject<T>) => Promise<T>) => {
    const listed = await read(cats)
    if (!(await read(search)).every((name) => listed.includes(name)))
      throw new Violation({ expected: 'listed', actual: 'not listed', shownBy: [cats, search] })
  }
  const now = createFreshReader(session.send)
  const first = await findCandidate(assertion, now)
  return first && (await reproduceCandidate(assertion, first, now, { session, reproductionBudget: { left: 1 } })).kind
}

// Clause T1.3 of the contract.
test('a violation that is reproduced with unchanged premises is confirmed', async () => {
  expect(await provoked([[]])).toBe('confirmed')
})

// Clauses T1.1 and T1.2 of the contract.
test('a cat that is added between the list and the search, repeatedly, is in the next list: nothing is confirmed', async () => {
  expect(await provoked([[], ['Kitten']])).toBe('inconclusive')
})
