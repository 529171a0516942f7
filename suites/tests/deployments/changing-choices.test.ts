import { expect, test } from 'vitest'
import { driftingVariants } from '../../../fixtures/variants/index.ts'
import { judgeInSimulatedTime } from './simulated.ts'

// Clause T1.1 of the contract.
test('responses that differ because the data changed are not observed as a choice of the deployment', async () => {
  const variant = driftingVariants.find(({ id }) => id === 'drift-60-ms')
  if (!variant) throw new Error('no such variant')
  const { result } = await judgeInSimulatedTime(variant, { seed: 1 })
  const values = result.observations.map(({ value }) => value)
  expect(values.filter((value) => /unexplained|\+ is a plus|two q|unknown parameter:/.test(value))).toEqual([])
})
