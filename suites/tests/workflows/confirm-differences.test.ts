import { expect, test } from 'vitest'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { compareDeployments } from '../../workflows/compare/against.ts'
import { confirmDifferences, type DifferenceRechecker } from '../../workflows/compare/confirm-differences.ts'
import { isRegression } from '../../workflows/compare/difference.ts'
import { catNames, conformantDirectory, deployDirectory, type TargetResponder } from '../command/cli.test.support.ts'
import { createExchange } from '../layout/tables.test.support.ts'

/**
 * Creates simulated differences between two deployments. They no longer occur after `until` rechecks. `asked` lists the
 * calls. With `isMoving`, the data of a deployment changes.
 */
function createDifferingDeployments(until: number, isMoving: boolean) {
  const asked: string[] = []
  let requests = 0
  const one: DifferenceRechecker = {
    get hasDifferences() {
      return requests < until
    },
    cacheableExchanges: [],
    async hasChanged() {
      asked.push('moves?')
      return isMoving
    },
    onChange: () => void asked.push('motion'),
    async readAgain() {
      requests++
      asked.push('again')
    },
    dropAll() {
      requests = until
      asked.push('given up')
    },
  }
  return { one, asked }
}

const standing = { haveListsChanged: async () => false, pause: async () => {} }

test('values without a difference or a change are not requested again', async () => {
  const equalDeployments = createDifferingDeployments(0, true)
  const unchangingDeployments = createDifferingDeployments(1, false)
  expect(await confirmDifferences([equalDeployments.one], standing)).toBe(true)
  expect(await confirmDifferences([unchangingDeployments.one], standing)).toBe(true)
  expect([equalDeployments.asked, unchangingDeployments.asked, unchangingDeployments.one.hasDifferences]).toEqual([
    [],
    ['moves?'],
    true,
  ])
})

test('all differences are requested again if anything changes, until a side changes, at most eight times', async () => {
  const [noise, lasting] = [
    createDifferingDeployments(2, true),
    createDifferingDeployments(Number.POSITIVE_INFINITY, false),
  ]
  expect(await confirmDifferences([noise.one, lasting.one], standing)).toBe(true)
  expect([noise.one.hasDifferences, lasting.one.hasDifferences]).toEqual([false, true])
  expect(noise.asked.filter((one) => one === 'again')).toHaveLength(2)
  expect(lasting.asked.filter((one) => one === 'again')).toHaveLength(8)
})

test('lists that came or went count as a change', async () => {
  const { one, asked } = createDifferingDeployments(1, false)
  await confirmDifferences([one], { ...standing, haveListsChanged: async () => true })
  expect(asked).toEqual(['moves?', 'motion', 'again'])
})

test.each([
  ['no-store', 12_000],
  ['max-age=30', 31_100],
])('rechecks take as long as copies with %s are kept', async (kept, wait) => {
  const pauses: number[] = []
  const { one } = createDifferingDeployments(Number.POSITIVE_INFINITY, true)
  const cacheableExchanges = [createExchange([], { 'cache-control': kept })]
  await confirmDifferences([Object.defineProperty(one, 'cacheableExchanges', { value: cacheableExchanges })], {
    ...standing,
    pause: async (ms) => void pauses.push(ms),
  })
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(wait)
})

test('a value that cannot be rechecked before the run ends is no difference', async () => {
  const { one, asked } = createDifferingDeployments(Number.POSITIVE_INFINITY, true)
  const pause = () => Promise.reject(new Inconclusive('budget', 'the time is over'))
  expect(await confirmDifferences([one], { ...standing, pause })).toBe(false)
  expect(asked.at(-1)).toBe('given up')
})

const little: JudgeOptions['bounds'] = { inputs: 4, examples: 8, runs: 0, strings: 'few' }

/** Responds to one search as if from a cached copy that was made before Luna was added. */
const respondFromCopy: TargetResponder = (target) => (/q=Lun(&|$)/.test(target) ? [] : conformantDirectory(target))

/** Responds with the current state if the request bypasses caches, else with an earlier state. */
const respondThroughCache: TargetResponder = (target) => {
  if (!target.includes('_=')) return respondFromCopy(target)
  return /^\/v\d\/cats\?/.test(target) ? [...catNames, 'Nova'] : conformantDirectory(target.replace(/[?&]_=.*/, ''))
}

test.each([
  ['are noise if the directory changes behind it', respondThroughCache, 0],
  ['are reported if nothing changes', respondFromCopy, 1],
])('responses of a copy %s', async (_, directory, count) => {
  const [there, here] = await Promise.all([deployDirectory(conformantDirectory), deployDirectory(directory)])
  const options = { baseUrl: here.origin, bounds: little }
  const { differences } = await compareDeployments(options, await judge(options), there.origin)
  expect(differences.filter(isRegression).map(({ kind, what }) => `${kind} ${what}`)).toHaveLength(count)
})
