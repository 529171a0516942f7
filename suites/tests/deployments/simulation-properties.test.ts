import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { createSimulatableDeployment } from '../../../fixtures/deployment/deploy.ts'
import { createManyCats } from '../../../fixtures/deployment/directory.ts'
import { breedWithManyMembers, catWithBreed, dataEnvelope } from '../../../fixtures/deployment/lists.ts'
import { linkHeaderPages } from '../../../fixtures/deployment/pages/pages.ts'
import type { SimulatableDeployment } from '../../../fixtures/deployment/simulatable-deployment.ts'
import { mutants } from '../../../fixtures/mutants/index.ts'
import type { Mutant } from '../../../fixtures/mutants/mutant.ts'
import {
  createFarConditions,
  NEARBY_CONDITIONS,
  type NetworkConditions,
} from '../../../fixtures/simulation/conditions.ts'
import { createCacheLayer } from '../../../fixtures/variants/time/cache.ts'
import { passThroughLayer, type ServiceLayer, stackLayers } from '../../../fixtures/variants/time/layer.ts'
import { createRateLimit } from '../../../fixtures/variants/time/limits.ts'
import { createLossOfEveryNthResponse } from '../../../fixtures/variants/time/outages.ts'
import {
  chooseByConnection,
  chooseByVersion,
  chooseInTurn,
  createPeriodicSearchIndex,
  createReplicas,
} from '../../../fixtures/variants/time/replicas.ts'
import { quickEffort } from '../support/extent.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'
import { judgeInSimulatedTime } from './simulated.ts'

const { everything } = inject('extent')
const RUNS = everything ? 40 : 8

/** A layer around a service, e.g. a cache, and its description for failure messages. */
type Named = readonly [what: string, layer: ServiceLayer]

const caches: readonly Named[] = [
  ['no cache', passThroughLayer],
  ['a silent cache of 1 s', createCacheLayer({ ttl: 1000 })],
  ['a silent cache of 5 s', createCacheLayer({ ttl: 5000 })],
  ['a cache of 5 s with max-age', createCacheLayer({ ttl: 5000, freshness: 'max-age' })],
  ['a cache of 10 s with Age', createCacheLayer({ ttl: 10_000, freshness: 'age' })],
]

const copies: readonly Named[] = [
  ['one server', passThroughLayer],
  ['replicas by turns, 300 ms behind', createReplicas([0, 300], chooseInTurn)],
  ['replicas by connection, 1 s behind', createReplicas([0, 1000], chooseByConnection)],
  ['replicas by version, 1 s behind', createReplicas([0, 1000], chooseByVersion)],
  ['a search index of 1 s', createPeriodicSearchIndex(1000)],
]

const troubles: readonly Named[] = [
  ['no trouble', passThroughLayer],
  ['every 200th response lost by 502', createLossOfEveryNthResponse(200, 502)],
  ['every 150th response lost by a reset', createLossOfEveryNthResponse(150, 'reset')],
  ['429 over 400 requests a second', createRateLimit(400, 100, { status: 429, retryAfter: '0' })],
]

const networks: readonly (readonly [what: string, conditions: NetworkConditions])[] = [
  ['nearby', NEARBY_CONDITIONS],
  ['30 ms away', createFarConditions(30)],
  ['1 in 500 responses lost', { ...NEARBY_CONDITIONS, losses: { responses: 0.002, connections: 0 } }],
  ['away for 1 s after 0.2 s', { ...NEARBY_CONDITIONS, outages: [{ from: 200, ms: 1000 }] }],
]

const drifts = [undefined, 300, 1000, 5000] as const

const permissible: readonly SimulatableDeployment[] = drifts.flatMap((drift) => {
  const age = Math.min(10_000, 20 * (drift ?? 0))
  return [
    createSimulatableDeployment(`plain, drift ${drift}`, '', { drift, age }),
    createSimulatableDeployment(`breeds shown, drift ${drift}`, '', {
      drift,
      age,
      cat: catWithBreed,
      breed: breedWithManyMembers,
      envelope: dataEnvelope,
    }),
    createSimulatableDeployment(`sixty cats in pages, drift ${drift}`, '', {
      drift,
      age,
      directory: createManyCats(60),
      paging: linkHeaderPages,
    }),
  ]
})

const worlds = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  cached: fc.constantFrom(...caches),
  copied: fc.constantFrom(...copies),
  troubled: fc.constantFrom(...troubles),
  network: fc.constantFrom(...networks),
})

type GeneratedWorld = typeof worlds extends fc.Arbitrary<infer W> ? W : never

const hasSideEffect = ({ caughtBy }: Mutant): boolean =>
  caughtBy.some(({ check }) => check.endsWith('/reading-changes-nothing'))

const describes = ({ seed, ...layers }: GeneratedWorld): string =>
  [`seed ${seed}`, ...Object.values(layers).map(([what]) => what)].join(', ')

const judgeIn = async (one: SimulatableDeployment, { seed, cached, copied, troubled, network }: GeneratedWorld) => {
  const around = stackLayers(copied[1], cached[1], troubled[1])
  return (await judgeInSimulatedTime(one, { seed, conditions: network[1], around }, { bounds: quickEffort })).result
}

describe('random compositions of layers', () => {
  test('random compositions of layers around a permissible deployment never fail it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...permissible), worlds, async (one, world) => {
        const result = await judgeIn(one, world)
        expect(describeVerdicts(result, 'fail', 'error'), `${one.id}: ${describes(world)}`).toEqual([])
      }),
      { numRuns: RUNS, seed: 43, endOnFailure: true },
    )
  })

  test('random compositions of layers around a mutant never let it pass if it is caught without them', async () => {
    const judged = mutants.filter((_, nth) => nth % 5 === 0)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...judged), worlds, async (one, { seed, cached, troubled, network }) => {
        // Leaves out the cache for mutants with side effects: it would hide the changes from every client.
        const around = hasSideEffect(one) ? troubled[1] : stackLayers(cached[1], troubled[1])
        const { result } = await judgeInSimulatedTime(one, { seed, conditions: network[1], around })
        const world = [`seed ${seed}`, cached[0], troubled[0], network[0]].join(', ')
        if (result.conclusion !== 'conformant') return
        // A miss is no failure if it occurs without the layers too: some mutants need a string that is rarely drawn.
        const without = await judgeInSimulatedTime(one, { seed })
        expect(without.result.conclusion, `${one.id}: ${world}`).toBe('conformant')
      }),
      { numRuns: RUNS / 2, seed: 43, endOnFailure: true },
    )
  })
})

test.each([
  ['outages', { ...NEARBY_CONDITIONS, outages: [0, 1, 2].map((nth) => ({ from: 100 + 2_000 * nth, ms: 800 })) }],
  ['a slow network', createFarConditions(80)],
  ['lost responses and connections', { ...NEARBY_CONDITIONS, losses: { responses: 0.005, connections: 0.01 } }],
] as const)('a permissible deployment is conformant after its recovery from %s', async (_, conditions) => {
  for (const seed of everything ? [1, 2, 3, 4, 5] : [1]) {
    const { result } = await judgeInSimulatedTime(createSimulatableDeployment('healing', ''), { seed, conditions })
    expect(describeVerdicts(result, 'fail', 'error', 'inconclusive')).toEqual([])
    expect(result.conclusion).toBe('conformant')
  }
})
