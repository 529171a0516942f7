import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const command = fileURLToPath(new URL('./simulate.ts', import.meta.url))

const simulated = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, ['--import', 'tsx', command, '--effort', 'quick', ...args])).stdout

test('npm run simulate counts the endings of a deployment over seeds, and the same seeds give the same counts', async () => {
  const args = ['--as', 'time-replica-has-lives-in-v2', '--seeds', '1..3', '--json']
  const [first, again] = (await Promise.all([simulated(...args), simulated(...args)])).map((line) => {
    const facts = JSON.parse(line) as Record<string, unknown>
    return { ...facts, seconds: undefined }
  })
  expect(first).toMatchObject({ id: 'time-replica-has-lives-in-v2', isMutant: true, runs: 3 })
  expect(first).toMatchObject({ endings: { nonconformant: 3 }, unexpected: {} })
  expect(again).toEqual(first)
})

test('npm run simulate prints each share with its confidence interval', async () => {
  const text = await simulated('--as', 'time-replica-has-lives-in-v2', '--seeds', '1..3')
  expect(text).toContain('nonconformant 100 % (95 %: 44 % to 100 %)')
  expect(text).toMatch(/[\d.]+ s simulated, [\d.]+ s real/)
})

test.each([
  [['--as', 'no-such-deployment'], 'No test deployment in time is called "no-such-deployment"'],
  [['--as', 'drift-60-ms', '--seeds', '3..1'], '--seeds takes two whole numbers, the smaller one first'],
  [[], 'usage: npm run simulate'],
])('npm run simulate refuses %j and says why', async (args, why) => {
  await expect(simulated(...args)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
})
