import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPoints } from '../../../fixtures/contract/open-points.ts'
import { startService } from '../../../fixtures/service/start.ts'
import { NOT_OBSERVED, needsManyTestStrings, variants } from '../../../fixtures/variants/index.ts'
import type { Observation, RunResult, Verdict } from '../../engine/check/verdict.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { judge } from '../../judge/judge.ts'
import {
  compareWithPinnedValues,
  ENVIRONMENT_OPEN_POINTS,
  removeVaryingParts,
} from '../../judge/profile/compare-values.ts'
import { createProfile } from '../../judge/profile/pin.ts'
import { findPin, judgePinnedPoints, pinnedCheckIdOf } from '../../judge/profile/pinned.ts'
import { type Pin, type Profile, parseProfile } from '../../judge/profile/profile.ts'
import { type ObservedOpenPoint, observableOpenPoints } from '../../open-points/index.ts'
import { forEachConcurrently } from '../support/concurrently.ts'
import { quickEffortWithAllOpenPoints, testExtents } from '../support/extent.test.support.ts'
import {
  allObservedOpenPoints,
  compareWithDeclaredObservations,
  compareWithVariant,
  declaredValueFor,
  expectedValueFor,
  formatOpenPoint,
  type JudgedVariant,
  judgeVariant,
  matchesExpectedValue,
  selectVariantsCoveringValues,
} from './expected-observations.test.support.ts'

const isAt = (place: ObservedOpenPoint) => (one: Observation) =>
  one.id === place.id && one.operation === place.operation && one.version === place.version

/**
 * Returns whether some variant declares an observation of this open point. Other tests name the open points without a
 * variant, an observer or a default.
 */
const isShownByVariant = ({ id }: Pick<ObservedOpenPoint, 'id'>): boolean =>
  allObservedOpenPoints.some((place) => place.id === id) &&
  variants.some(({ expectedObservations }) => expectedObservations.some(({ point }) => point === id))

const hasSchema = ({ id }: ObservedOpenPoint): boolean => id === 'O-LIST-SHAPE' || id === 'O-LIVES-SHAPE'

/**
 * Returns the observations with one mistake: the value of one open point of the contract is missing, or is that of
 * another deployment.
 */
const createWrongObservations = (
  { observations }: RunResult,
  place: ObservedOpenPoint,
  other: RunResult,
): Pick<RunResult, 'observations'> => ({
  observations: [...observations.filter((one) => !isAt(place)(one)), ...other.observations.filter(isAt(place))],
})

const { everything } = inject('extent')
/** Few inputs suffice for judging, because observations depend on their number only if there is a single cat. */
const { stringScreening } = testExtents.short
const quickScreening = { ...quickEffortWithAllOpenPoints, requests: 250 }
const AT_ONCE = 4

/**
 * The judged variants. In `npm run test:full` they declare every value of each open point of the contract, in `npm
 * test` two values of each.
 */
const judgedVariants = selectVariantsCoveringValues(everything ? Number.POSITIVE_INFINITY : 2)
let runs: readonly JudgedVariant[] = []

beforeAll(async () => {
  const all: JudgedVariant[] = []
  await forEachConcurrently([...judgedVariants.entries()], AT_ONCE, async ([index, variant]) => {
    const screened = await judgeVariant(variant, needsManyTestStrings(variant) ? stringScreening : quickScreening)
    // Four cats in random order may come twice in the same order. A second run shows that the order is random.
    all[index] = compareWithVariant(variant, screened.result).length === 0 ? screened : await judgeVariant(variant)
  })
  runs = all
})

/** Returns a line for each kind of wrong observation. A wrong default is one kind, although many variants show it. */
function describeWrongObservations(): readonly string[] {
  const variantsByLine = new Map<string, string[]>()
  for (const { variant, result } of runs)
    for (const line of compareWithVariant(variant, result))
      variantsByLine.set(line, [...(variantsByLine.get(line) ?? []), variant.id])
  return [...variantsByLine].map(
    ([line, [first, ...others]]) =>
      `${line} (variant ${first}${others.length > 0 ? ` and ${others.length} more` : ''})`,
  )
}

describe('the observations of a run at the open points', () => {
  test('a run observes at each open point what each variant declares', () => {
    expect(runs.length).toBe(judgedVariants.length)
    expect(describeWrongObservations()).toEqual([])
  })

  test.each(allObservedOpenPoints.filter(isShownByVariant).map((place) => [formatOpenPoint(place), place] as const))(
    'a wrong observation at the open point %s is detected',
    (_, place) => {
      const [one] = runs
      const other = runs.find(
        ({ variant }) => one && declaredValueFor(place)(variant) !== declaredValueFor(place)(one.variant),
      )
      if (!one || !other) throw new Error('all variants declare the same value here, so that a wrong one would pass')
      for (const [run, wrong] of [
        [one, other],
        [other, one],
      ] as const) {
        const { variant, result } = run
        const compare = (observed: Pick<RunResult, 'observations'>) =>
          compareWithDeclaredObservations(variant.expectedObservations, observed)
        const before = compare(result)
        const after = compare(createWrongObservations(result, place, wrong.result))
        expect(after.filter((line) => !before.includes(line))).toHaveLength(1)
      }
    },
  )

  test('each open point of the contract has an observer', () => {
    const observed = new Set(observableOpenPoints.map(({ id }) => id))
    const missing = openPoints.map(({ id }) => id).filter((id) => !observed.has(id))
    expect(missing.map((id) => `${id}: add its observer to a file in suites/open-points/`)).toEqual([])
  })

  test('each place at which an open point is observed has a default value', () => {
    const missing = observableOpenPoints.filter((place) => !allObservedOpenPoints.includes(place)).map(formatOpenPoint)
    const advice = 'add the value that most variants show to DEFAULT_OBSERVATIONS in expected-observations.ts'
    expect(missing.map((place) => `${place}: ${advice}`)).toEqual([])
  })
})

/** Maps each value that variants declare for an open point to whether all of these variants show it to the suite. */
function observedByValue(id: string): ReadonlyMap<string, boolean> {
  const wasObserved = new Map<string, boolean>()
  for (const { variant, result } of runs)
    for (const place of allObservedOpenPoints.filter((one) => one.id === id)) {
      const value = declaredValueFor(place)(variant)
      const seen = result.observations.find(isAt(place))
      const isRight =
        value === NOT_OBSERVED ? seen === undefined : seen !== undefined && matchesExpectedValue(value, seen.value)
      wasObserved.set(value, isRight && (wasObserved.get(value) ?? true))
    }
  return wasObserved
}

describe('each open point', () => {
  test.each(openPoints.filter(isShownByVariant))(
    'the open point $id distinguishes every declared value from the others',
    ({ id }) => {
      const values = [...observedByValue(id)]
      expect(values.flatMap(([value, isObserved]) => (isObserved ? [] : [`not always observed: ${value}`]))).toEqual([])
      expect(values.length).toBeGreaterThan(1)
    },
  )

  afterAll(() => {
    const lines = openPoints.map(({ id }) => {
      const values = [...observedByValue(id).values()]
      return `  ${id.padEnd(24)}${values.filter(Boolean).length} / ${values.length}`
    })
    console.log(`values observed, of those that ${runs.length} variants declare:\n${lines.join('\n')}`)
  })
})

/** Compares the observations of a deployment with a profile. Rechecks get the same observations. */
const compareWithProfile = (
  profile: Profile,
  { result: { observations } }: JudgedVariant,
  at = allObservedOpenPoints,
): Promise<Verdict[]> =>
  judgePinnedPoints({
    profile,
    places: at,
    isJudged: () => true,
    observations,
    observeAgain: async () => observations,
    cite: () => [],
  })

const profiles = new Map<JudgedVariant, Profile>()

function pinned(run: JudgedVariant): Profile {
  const nothing = { before: undefined, places: [] }
  const made = () => createProfile(run.result.observations, 'a test', nothing).profile
  const profile = profiles.get(run) ?? parseProfile(JSON.stringify(made()))
  profiles.set(run, profile)
  return profile
}

/**
 * Returns one run for each observed value of an open point of the contract. Runs with the same value are equivalent for
 * this test.
 */
function selectRunPerValue(place: ObservedOpenPoint): ReadonlyMap<string, JudgedVariant> {
  const byValue = new Map<string, JudgedVariant>()
  for (const run of runs) {
    const seen = run.result.observations.find(isAt(place))
    if (seen) byValue.set(removeVaryingParts(seen), run)
  }
  return byValue
}

const POINTS_WITH_UNDECIDED_VALUES: readonly string[] = [
  ...['O-NAME-MATCH', 'O-SEARCH-QUERY-SYNTAX', 'O-SEARCH-BLANK', 'O-SEARCH-RULE', 'O-SEARCH-CASE', 'O-PAGINATION'],
]

/**
 * Returns whether the value of the open point may stay undecided in a deployment with few names (see
 * `compare-values.test.ts`).
 */
const canBeUndecided = ({ id }: ObservedOpenPoint): boolean => POINTS_WITH_UNDECIDED_VALUES.includes(id)

/**
 * Returns whether a profile made from this run pins the open point of the contract. A profile does not pin values that
 * depend on the environment.
 */
const isPinned = (place: ObservedOpenPoint, run: JudgedVariant): boolean => findPin(pinned(run), place) !== undefined

function statusOfPart(pin: Pin | undefined, { result }: JudgedVariant, place: ObservedOpenPoint): Verdict['status'] {
  const seen = result.observations.find(isAt(place))
  const comparison = seen && compareWithPinnedValues(place.id, [pin?.value ?? []].flat(), seen)
  return comparison === 'same' ? 'pass' : comparison === 'different' ? 'fail' : 'inconclusive'
}

describe('a pinned deployment', () => {
  test('a pinned deployment conforms to its own profile at every observed place', async () => {
    for (const run of runs) {
      const verdicts = await compareWithProfile(pinned(run), run)
      const seen = allObservedOpenPoints.filter(
        (place) => expectedValueFor(place, run.variant.expectedObservations) !== NOT_OBSERVED && isPinned(place, run),
      )
      const unpinned = allObservedOpenPoints.filter(
        (place) => run.result.observations.some(isAt(place)) && !isPinned(place, run),
      )
      expect(unpinned.filter(({ id }) => !ENVIRONMENT_OPEN_POINTS.includes(id))).toEqual([])
      expect(
        verdicts.map(({ check, version, status }) => `${check.id} ${version} ${status}`),
        run.variant.id,
      ).toEqual(seen.map((place) => `${pinnedCheckIdOf(place)} ${place.version} pass`))
    }
  })

  test('a pinned deployment fails exactly at the points in which it differs from the deployment of the profile', async () => {
    let pairs = 0
    for (const place of allObservedOpenPoints) {
      const each = selectRunPerValue(place)
      for (const [pinnedValue, one] of each)
        for (const [value, other] of each) {
          // Skips values with a schema: elements may differ although their descriptions are equal.
          if (pinnedValue === value && hasSchema(place)) continue
          if (!isPinned(place, one)) continue
          pairs++
          const [verdict, ...more] = await compareWithProfile(pinned(one), other, [place])
          const title = `${formatOpenPoint(place)} of ${other.variant.id}, pinned as ${one.variant.id}`
          const expected = canBeUndecided(place) ? statusOfPart(findPin(pinned(one), place), other, place) : 'fail'
          // If no list element was seen, the check of a pinned schema is inconclusive.
          const permitted = pinnedValue === value ? ['pass'] : hasSchema(place) ? ['fail', 'inconclusive'] : [expected]
          expect(permitted, title).toContain(verdict?.status)
          expect(more, title).toEqual([])
        }
    }
    console.log(
      `${runs.length} variants held to each other's profiles: ${pairs} pairs of values, at ${allObservedOpenPoints.length} places`,
    )
  })
})

test.each(everything ? (['standard', 'thorough'] as const) : [])(
  'the open points together take at most 120 requests, with %s effort',
  async (effort) => {
    const service = await startService()
    const asked = async (only: readonly string[]) => (await judge({ baseUrl: service.baseUrl, effort, only })).requests
    // A run of selected checks observes no open points of the contract, even if all checks are selected.
    const [whole, unobserved] = [await asked([]), await asked([...new Set(catalogue.map(({ id }) => id))])]
    await service.close()
    console.log(`observing all open points took ${whole - unobserved} of ${whole} requests, with ${effort} effort`)
    expect(whole - unobserved).toBeGreaterThan(0)
    expect(whole - unobserved).toBeLessThanOrEqual(120)
  },
)

test('a declared value without an observation is detected', () => {
  const declared = [{ point: 'O-LIVES-SHAPE', operation: 'listCats', value: 'bare number' }] as const
  expect(compareWithDeclaredObservations(declared, { observations: [] })).toContainEqual(
    expect.stringContaining('nothing is observed where this is declared'),
  )
})

test('each piece of advice is given to some variant', () => {
  const advised = new Set(variants.flatMap((variant) => variant.advised))
  const advice = catalogue.filter(({ level }) => level === 'should')
  const idle = advice
    .flatMap(({ id, scopes }) => scopes.map((scope) => `${id} ${scope}`))
    .filter((one) => !advised.has(one))
    .map((one) => `add a variant with \`advised: ['${one}']\``)
  expect(advice.length).toBeGreaterThan(0)
  expect(idle).toEqual([])
})
