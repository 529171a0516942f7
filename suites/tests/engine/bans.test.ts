import { expect, test } from 'vitest'
import { createSimulatableDeployment } from '../../../fixtures/deployment/deploy.ts'
import { createProblemResponse } from '../../../fixtures/deployment/responses.ts'
import type { ServiceLayer } from '../../../fixtures/variants/time/layer.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'

/** Creates a firewall that responds with 403 to each request with an apostrophe, and to all requests for a while after it. */
const banFor =
  (banMs: number): ServiceLayer =>
  (service, { machine }) => {
    let bannedUntil = Number.NEGATIVE_INFINITY
    return (request) => {
      if (/%27|'/.test(request.rawTarget)) bannedUntil = machine.now() + banMs
      return machine.now() <= bannedUntil ? createProblemResponse(403) : service(request)
    }
  }

test('a firewall that bans the client again and again makes the run inconclusive, and the reason says so', async () => {
  const deployment = createSimulatableDeployment('bans', 'a firewall bans the client', {}, undefined, banFor(3000))
  const { result } = await judgeInSimulatedTime(deployment, { seed: 1 })
  expect(result.conclusion).toBe('inconclusive')
  expect(result.verdicts.map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(
      /no request succeeded in several outages, [\d.]+ s in all; the last one began after \S+ was requested: status 403: a firewall seems to have banned this client/,
    ),
  )
})
