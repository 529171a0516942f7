import { afterAll, describe, expect, inject, test } from 'vitest'
import { versions as allVersions, type Version } from '../../../fixtures/contract/operations.ts'
import { createSimulation } from '../../../fixtures/simulation/simulation.ts'
import { needsManyTestStrings, type Variant, variants } from '../../../fixtures/variants/index.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { createSession } from '../../engine/http/session.ts'
import { judge } from '../../judge/judge.ts'
import { createSessionOptions, type JudgeOptions } from '../../judge/judge-options.ts'
import { type ObservedOpenPoint, openPointObservers, quickEffortObservers } from '../../open-points/index.ts'
import { quickEffortWithAllOpenPoints, selectEveryNth, selectHalf } from '../support/extent.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'
import {
  allObservedOpenPoints,
  compareWithVariant,
  selectVariantsCoveringValues,
} from './expected-observations.test.support.ts'

const { stringScreening, variantsOneOf, judgedWholeOneOf, seeds, shapeSeeds, everything } = inject('extent')

/**
 * The variants to test. `npm run test:full` tests all of them. `npm test` selects variants that together declare every
 * value of each open point, and tests one in five of these.
 */
const testedVariants =
  variantsOneOf === 1 ? variants : selectEveryNth(selectVariantsCoveringValues(Number.POSITIVE_INFINITY), variantsOneOf)

/**
 * The beginnings of the ids of checks that generate inputs. Other checks have the same inputs with every seed, so only
 * these run with further seeds.
 */
const CHECKS_WITH_GENERATED_INPUTS = [
  'breed-cats/is-json',
  'breed-cats/unknown',
  'breed-cats/survives',
  'lives/survives',
  'parity/breed-cats-of',
  'parity/search-of',
  'search/is-json',
  'search/names-stand-once',
  'search/finds-only',
  'search/hits',
  'search/survives',
]

/** The open points of the contract for which the suite sends additional requests. */
const costlyOpenPoints = new Set<string>(openPointObservers.map(({ id }) => id))
for (const { id } of quickEffortObservers.observers) costlyOpenPoints.delete(id)

/** Returns whether a variant is judged in both versions, and observed at all open points of the contract. */
const isJudgedCompletely = (variant: Variant): boolean => variants.indexOf(variant) % judgedWholeOneOf === 0

/**
 * Returns whether a variant is observed also at open points of the contract that take additional requests, e.g. because
 * it chooses an unusual value there.
 */
const isObservedCompletely = (variant: Variant): boolean =>
  needsManyTestStrings(variant) ||
  isJudgedCompletely(variant) ||
  variant.expectedObservations.some(({ point }) => costlyOpenPoints.has(point))

/**
 * Returns whether a variant must be judged in both versions, e.g. because its versions differ, or because a run against
 * it is not expected to be conformant.
 */
const needsBothVersions = (variant: Variant): boolean =>
  isJudgedCompletely(variant) ||
  variant.verdict !== 'conformant' ||
  variant.advised.length > 0 ||
  variant.expectedObservations.some(({ point, version }) => version !== undefined || /V2|ORDER|RATE/.test(point))

interface Screening {
  readonly bounds?: JudgeOptions['bounds']
  readonly versions: readonly Version[]
  /** The open points of the contract, with operation and version, that the run observes. */
  readonly seen: readonly ObservedOpenPoint[]
}

/**
 * Returns how a variant is judged first. If its versions are alike, only one of them is judged: v2 for every second
 * variant, v3 for the others.
 */
function selectScreening(variant: Variant): Screening {
  const screening = needsManyTestStrings(variant) ? stringScreening : quickEffortWithAllOpenPoints
  if (!screening || (everything && isJudgedCompletely(variant)))
    return { versions: allVersions, seen: allObservedOpenPoints }
  const inTurn = allVersions.filter((_, index) => variants.indexOf(variant) % 2 === index)
  const versions = needsBothVersions(variant) ? allVersions : inTurn
  const seen = allObservedOpenPoints.filter(({ version }) =>
    version.split('+').every((one) => versions.some((other) => other === one)),
  )
  if (isObservedCompletely(variant)) return { bounds: screening, versions, seen }
  const requests = ((screening.requests ?? Number.POSITIVE_INFINITY) * versions.length) / allVersions.length
  const bounds = { ...screening, requests, openPoints: 'few' as const }
  return { bounds, versions, seen: seen.filter(({ id }) => !costlyOpenPoints.has(id)) }
}

/**
 * Returns the versions to judge with a further seed. If the versions of the variant are alike, these are v2, v3 and both
 * in turn: each seed generates other strings, so that two versions need not be sent the same ones each time.
 */
function versionsForSeed(variant: Variant, seed: number): readonly Version[] {
  if (needsBothVersions(variant)) return allVersions
  return [allVersions.slice(0, 1), allVersions.slice(1), allVersions][seed % 3] ?? allVersions
}

/**
 * Compares the observations with those that the variant declares. If they differ, judges the variant once more with
 * standard effort, because few inputs may not show a value. Failures are not judged once more.
 */
async function describeDifferences(
  variant: Variant,
  screened: RunResult,
  options: JudgeOptions,
): Promise<readonly string[]> {
  const differences = compareWithVariant(variant, screened, selectScreening(variant).seen)
  if (differences.length === 0 || !selectScreening(variant).bounds) return differences
  const result = await judge({ ...options, seed: screened.seed })
  return [...describeVerdicts(result, 'fail', 'error'), ...compareWithVariant(variant, result)]
}

/**
 * Tests one half of the variants. Two test files run side by side.
 * @param part the half, 0 or 1
 */
export function testVariants(part: 0 | 1): void {
  const half = selectHalf(testedVariants, part)
  let falselyFailed = 0
  let judged = 0

  describe('no permissible deployment fails', () => {
    test.each(half.map((variant) => [variant.id, variant] as const))(
      'the permissible deployment %s does not fail',
      async (_, variant) => {
        const { baseUrl, runtime, run } = createSimulation(variant, { seed: 1 })
        const options = { baseUrl, runtime, timeoutMs: 60_000, headers: variant.headers }
        // Shares one session among all seeds: it caches responses, so further seeds send only newly generated inputs.
        const session = createSession(createSessionOptions(options))
        try {
          for (let seed = 1; seed <= (needsManyTestStrings(variant) ? seeds : shapeSeeds); seed++) {
            judged++
            const { bounds, versions } = selectScreening(variant)
            const first = bounds ? { bounds, versions } : {}
            const others = {
              only: CHECKS_WITH_GENERATED_INPUTS,
              bounds: { inputs: 1, examples: 0 },
              versions: versionsForSeed(variant, seed),
            }
            // Uses other seeds for each variant. A single variant is tested with few strings, but all variants together
            // with many.
            const drawn = seed * 7919 + (bounds ? variants.indexOf(variant) : 0)
            const result = await run(() => judge({ ...options, session, seed: drawn, ...(seed > 1 ? others : first) }))
            const bad = describeVerdicts(result, 'fail', 'error')
            if (bad.length > 0) falselyFailed++
            expect(bad, variant.describes).toEqual([])
            if (seed === 1) expect(await run(() => describeDifferences(variant, result, options))).toEqual([])
            if (seed === 1)
              expect(result.conclusion, describeVerdicts(result, 'inconclusive').join('\n')).toBe(variant.verdict)
          }
        } finally {
          await run(() => session.close())
        }
      },
    )
  })

  afterAll(() => console.log(`variants falsely failed: ${falselyFailed} / ${half.length} (${judged} runs)`))
}
