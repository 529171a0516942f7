import { expect, test } from 'vitest'
import { variants } from '../../../fixtures/variants/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { listLimitations } from '../../../reports/report/grouping.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'
import { reportContext } from './reports.test.support.ts'

test('a report says which listed names were refused for their form', async () => {
  const variant = variants.find(({ id }) => id === 'short-q-400') ?? expect.fail('the variant does not exist')
  const { result } = await judgeInSimulatedTime(variant, { seed: 1 }, { only: ['search/finds-every-cat-by-name'] })
  const limitations = listLimitations(buildReport(result, reportContext))
  expect(limitations).toContainEqual(
    'search/finds-every-cat-by-name (v2, v3): 1 of 14 queries did not count as tested: "たま" was refused with 400 for its length or its characters',
  )
  expect(result.verdicts.map(({ caveat }) => caveat)).toEqual(result.verdicts.map(() => undefined))
})
