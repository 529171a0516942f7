import { expect, test } from 'vitest'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { variants } from '../../../fixtures/variants/index.ts'
import { NO_DATA_REASON } from '../../engine/run/build-verdicts.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'
import { effortWithFewNames } from '../support/extent.test.support.ts'

const judgeDeployment = async (id: string) => {
  const one = [...timedMutants, ...variants].find((candidate) => candidate.id === id)
  if (!one) throw new Error(`the test deployment ${id} does not exist`)
  return (await judgeInSimulatedTime(one, { seed: 1 }, { bounds: effortWithFewNames })).result
}

test('a list of breeds that is empty only in the first response leaves no other check untested', async () => {
  const { verdicts, notExercised } = await judgeDeployment('time-breeds-are-empty-at-first')
  const inconclusive = verdicts.filter(({ status }) => status === 'inconclusive')
  expect(inconclusive.map(({ check, version }) => `${check.id} ${version}`)).toEqual(['breeds/do-not-come-and-go v3'])
  expect(notExercised).toContainEqual(
    expect.stringMatching(/^the first response to GET \S+\/v3\/breeds was an empty list, but the second was not/),
  )
})

test('a directory without cats and breeds is read once more, and its checks have no data', async () => {
  const { verdicts, notExercised } = await judgeDeployment('directory-empty')
  expect(verdicts.filter(({ reason }) => reason?.endsWith(NO_DATA_REASON)).length).toBeGreaterThan(10)
  expect(notExercised.join()).not.toContain('the first response to')
})

test.each(['cats/have-names', 'cats/names-stand-once', 'breeds/have-names', 'breeds/names-stand-once'])(
  'the check %s is inconclusive without cats and breeds, but the checks that require it run',
  async (id) => {
    const { verdicts } = await judgeDeployment('directory-empty')
    const statusesOf = (wanted: string) =>
      verdicts.flatMap(({ check, status }) => (check.id === wanted ? [status] : []))
    expect(statusesOf(id)).toEqual(['inconclusive', 'inconclusive'])
    const reasons = verdicts.flatMap(({ check, inconclusiveReason }) => (check.id === id ? [inconclusiveReason] : []))
    expect(reasons.map((reason) => reason?.kind)).toEqual(['nothing to ask', 'nothing to ask'])
    expect([...statusesOf('parity/cats'), ...statusesOf('parity/breeds')]).toEqual(['pass', 'pass'])
  },
)
