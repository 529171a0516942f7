import { expect, onTestFinished, test } from 'vitest'
import { createSession } from '../engine/http/session.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import { createFreshReader } from '../engine/judging/readers.ts'
import { SecondLooks } from '../engine/judging/second-looks.ts'
import { Violation } from '../engine/judging/throwables.ts'
import { sessionOptions } from '../judge.ts'

/** Settles one thing that looked broken, in a run that ends as told before anything can be asked again. */
async function settledWhere(ends: (run: AbortController) => Promise<never>): Promise<readonly string[]> {
  const run = new AbortController()
  const session = createSession(sessionOptions({ baseUrl: 'http://127.0.0.1', signal: run.signal }))
  onTestFinished(() => session.close())
  const violation = new Violation({ expected: 'a cat', actual: 'a dog', shownBy: [] })
  const told: string[] = []
  const looks = new SecondLooks(run.signal)
  looks.add({
    assertion: () => Promise.reject(violation),
    suspicion: { violation, exchanges: [], reader: createFreshReader(session.ask) },
    onBroken: () => told.push('broken'),
    onUndecided: ({ message }) => told.push(message),
  })
  await looks.settle({ session, lookForMotion: () => ends(run) })
  return told
}

const spent = new Inconclusive('budget', 'the 100 requests allowed are spent')

test.each([
  ['the requests allowed are spent', () => Promise.reject(spent)],
  ['the time allowed is over', (run: AbortController) => (run.abort(spent), Promise.reject(spent))],
])('a second look that does not come about, because %s, decides nothing', async (_, ends) => {
  expect(await settledWhere(ends)).toEqual(['a dog, while the directory moved: the run ended before a second look'])
})
