import { expect, onTestFinished, test } from 'vitest'
import { createSimulatableDeployment } from '../../../fixtures/deployment/deploy.ts'
import { createFixtureDirectory } from '../../../fixtures/deployment/directory.ts'
import { dataEnvelope } from '../../../fixtures/deployment/lists.ts'
import { editCats } from '../../../fixtures/mutants/defects.ts'
import { applyDefectWhen } from '../../../fixtures/mutants/mutant.ts'
import { createCacheLayer, createOperationFilter } from '../../../fixtures/variants/time/cache.ts'
import { passThroughLayer, type ServiceLayer, stackLayers } from '../../../fixtures/variants/time/layer.ts'
import { createVariant } from '../../../fixtures/variants/variant.ts'
import { broken, check, checks, judge, type OwnPromise } from '../../index.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'

const facts = { title: 'a promise', operation: 'searchCats', fix: 'Look at it.' } as const

/**
 * A cat that is removed right after the suite checked whether the data changed, and a layer around the service, e.g. a
 * cache, that hides the removal from some responses.
 */
interface CatRemoval {
  readonly leaves: string
  readonly layer: ServiceLayer
}

/**
 * Tests that a search for Felix finds Felix, in a run in which a cat is removed.
 * @returns the status of the verdict
 */
async function judgeDuringRemoval({ leaves, layer }: CatRemoval): Promise<string | undefined> {
  let haveLeft = false
  const leaving: ServiceLayer = (service, { createInstance, world }) => {
    const serviceWithoutCat = createInstance({ ...world, cats: world.cats.filter(({ name }) => name !== leaves) })
    return (asked) => (haveLeft ? serviceWithoutCat : service)(asked)
  }
  const { baseUrl, close } = await createSimulatableDeployment(
    'leaving',
    '',
    {},
    undefined,
    stackLayers(leaving, layer),
  ).start()
  onTestFinished(close)
  let leave = () => {}
  const whenLeft = new Promise<void>((resolve) => (leave = resolve)).then(() => void (haveLeft = true))
  const detectsDrift: OwnPromise = {
    ...facts,
    id: 'zoo/advice',
    level: 'should',
    probes: [
      async ({ verify, target: { directory } }) => {
        await verify(async (read) => {
          await read(directory.cats)
          broken({ expected: 'no list', actual: 'a list', shownBy: [directory.cats] })
        })
        leave()
      },
    ],
  }
  const findsFelix: OwnPromise = {
    ...facts,
    id: 'zoo/finds-felix',
    probes: [
      async ({ verify, read, target: { directory } }) => {
        await read(directory.cats)
        await whenLeft
        await verify(async (readNow) => {
          const [list, hits] = [await readNow(directory.cats), await readNow(directory.search('Felix'))]
          if (list.kind !== 'list' || !list.has('Felix') || hits.kind !== 'list' || hits.has('Felix')) return
          const shownBy = [directory.cats, directory.search('Felix')]
          broken({ expected: 'Felix, who is listed', actual: 'nobody', shownBy, names: { atFault: ['Felix'] } })
        })
      },
    ],
  }
  const own = { checks: [...checks, check(detectsDrift), check(findsFelix)] }
  const { verdicts } = await judge({ baseUrl, seed: 1, versions: ['v3'], only: ['zoo/'] }, own)
  return verdicts.find(({ check: { id }, version }) => id === 'zoo/finds-felix' && version === 'v3')?.status
}

const keepsTheList = createCacheLayer({ ttl: 1000, isCacheable: createOperationFilter('listCats') })

/** Leaves out Felix from the first search for "Felix", and from no other response. */
const missesFelixOnce: ServiceLayer = (service, { createInstance, world }) => {
  const serviceWithoutCat = createInstance({ ...world, cats: world.cats.filter(({ name }) => name !== 'Felix') })
  let asked = 0
  return (request) => (request.rawTarget.endsWith('?q=Felix') && asked++ === 0 ? serviceWithoutCat : service)(request)
}

test.each<[string, CatRemoval]>([
  ['a copy of a list shows a cat that was removed since', { leaves: 'Felix', layer: keepsTheList }],
  ['another has left since', { leaves: 'Tom', layer: stackLayers(missesFelixOnce, keepsTheList) }],
])('a check for drift before the violation does not dismiss it, and a new one is made: %s', async (_, leaving) => {
  expect(await judgeDuringRemoval(leaving)).toBe('pass')
})

// Clause T2.3 of the contract.
test('a cat that is not found once is not dismissed if no cat was removed', async () => {
  expect(await judgeDuringRemoval({ leaves: 'nobody', layer: missesFelixOnce })).toBe('inconclusive')
  expect(await judgeDuringRemoval({ leaves: 'nobody', layer: passThroughLayer })).toBe('pass')
})

/** The number of searches until the violation is confirmed. */
const SEARCHES_UNTIL_CONFIRMED = 7
/**
 * The number of further requests before another cat is removed. They are more than the suite sends until it next tests
 * whether the data changed.
 */
const REQUESTS_UNTIL_REMOVAL = 50

/** Leaves out Felix from searches until the violation is confirmed. Some requests later, removes another cat. */
const laggingIndex =
  (leaves: string): ServiceLayer =>
  (service, { createInstance, world }) => {
    const but = (name: string) => createInstance({ ...world, cats: world.cats.filter((cat) => cat.name !== name) })
    const [index, left] = [but('Felix'), but(leaves)]
    let [asked, since] = [0, 0]
    return (request) => {
      if (asked >= SEARCHES_UNTIL_CONFIRMED && since++ > REQUESTS_UNTIL_REMOVAL) return left(request)
      if (request.rawTarget.endsWith('?q=Felix')) asked++
      return (request.operation === 'searchCats' ? index : service)(request)
    }
  }

test.each([
  ['is withdrawn if a later change in the run explains it', 'Tom', []],
  ['remains if nothing changes', 'nobody', ['search/finds-every-cat-by-name v3']],
])('an assumption of no drift %s', async (_, leaves, failed) => {
  const { baseUrl, close } = await createSimulatableDeployment(
    'lagging',
    '',
    {},
    undefined,
    laggingIndex(leaves),
  ).start()
  onTestFinished(close)
  const { verdicts } = await judge({ baseUrl, seed: 1, versions: ['v3'] })
  const failing = verdicts.filter(({ status }) => status === 'fail')
  expect(failing.map(({ check: { id }, version }) => `${id} ${version}`)).toEqual(failed)
})

test('different shapes in v2 and v3 are advice, although the data changes', async () => {
  const variant = createVariant('drift-shapes', 'v3 has an envelope, and cats come and go', 'O-CACHE absent', {
    drift: 300,
    v3: { envelope: dataEnvelope },
  })
  const { result } = await judgeInSimulatedTime(variant, { seed: 1 }, { seed: 1 })
  expect(result.verdicts.find(({ check }) => check.id === 'parity/shapes')?.status).toBe('warn')
})

test('a cat that is removed does not hide the breed of the same name', async () => {
  const directory = createFixtureDirectory({
    Siamese: ['Tom', 'Bengal', 'Manx', 'Persian', 'Siamese', 'Mia', 'Zoë'],
    Bengal: ['Hugo', 'Salem', 'Felix'],
    Manx: ['Luna', 'Lily', 'Oscar'],
    Persian: ['Max', 'Leo'],
  })
  const omitOscar = applyDefectWhen(
    ({ operation }) => operation === 'listCatsOfBreed',
    editCats((cats) => cats.filter(({ name }) => name !== 'Oscar')),
  )
  const deployment = createSimulatableDeployment('namesakes', '', { drift: 600, directory }, omitOscar)
  const { result } = await judgeInSimulatedTime(deployment, { seed: 1 })
  const failures = result.verdicts.filter(({ status, cause }) => status === 'fail' && !cause)
  expect(failures.map(({ finding }) => finding?.actual)).toEqual(['no list of cats of the 4 breeds contains "Oscar"'])
})
