import { afterAll, describe, expect, inject, test } from 'vitest'
import { versions as allVersions, type Version } from '../../../fixtures/contract/operations.ts'
import { createSimulation } from '../../../fixtures/simulation/simulation.ts'
import { isStringVariant, type Variant, variants } from '../../../fixtures/variants/index.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { createSession } from '../../engine/http/session.ts'
import { judge } from '../../judge/judge.ts'
import { createSessionOptions, type JudgeOptions } from '../../judge/judge-options.ts'
import { observers, quickObservers } from '../../open-points/index.ts'
import { effortForShapes, halfOf, pickOneOfEach } from '../support/extent.test.support.ts'
import {
  allPlaces,
  compareWithVariant,
  type ObservedPlace,
  selectVariantsByValue,
} from './expected-observations.test.support.ts'

const { stringScreening, variantsOneOf, judgedWholeOneOf, seeds, shapeSeeds, everything } = inject('extent')

/** All variants, or some that together cover every observed choice. */
const tried =
  variantsOneOf === 1 ? variants : pickOneOfEach(selectVariantsByValue(Number.POSITIVE_INFINITY), variantsOneOf)

/** Checks that generate inputs: another seed changes the inputs of these only. */
const laws = [
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

const describeVerdicts = ({ verdicts }: RunResult, statuses: readonly string[]) =>
  verdicts
    .filter(({ status }) => statuses.includes(status))
    .map(({ check, version, reason }) => `${check.id} ${version}: ${reason}`)

/** Open points whose observation needs requests of its own. */
const costly = new Set<string>(observers.map(({ id }) => id))
for (const { id } of quickObservers.observers) costly.delete(id)

/** One variant in `judgedWholeOneOf` is judged in both versions and observed at all open points. */
const isJudgedWhole = (variant: Variant): boolean => variants.indexOf(variant) % judgedWholeOneOf === 0

/** Returns true if a variant makes a choice at a point that needs requests of its own. */
const isSeenAllOver = (variant: Variant): boolean =>
  isStringVariant(variant) ||
  isJudgedWhole(variant) ||
  variant.expectedObservations.some(({ point }) => costly.has(point))

/** Returns true if the versions of a variant differ, or if it cannot be judged. */
const needsBoth = (variant: Variant): boolean =>
  isJudgedWhole(variant) ||
  variant.verdict !== 'conformant' ||
  variant.advised.length > 0 ||
  variant.expectedObservations.some(({ point, version }) => version !== undefined || /V2|ORDER|RATE/.test(point))

interface Screening {
  readonly bounds?: JudgeOptions['bounds']
  readonly versions: readonly Version[]
  /** Places that the run observes. */
  readonly seen: readonly ObservedPlace[]
}

/** Chooses how a variant is judged first: the variants whose versions are alike alternate between v2 and v3. */
function screeningOf(variant: Variant): Screening {
  const screening = isStringVariant(variant) ? stringScreening : effortForShapes
  if (!screening || (everything && isJudgedWhole(variant))) return { versions: allVersions, seen: allPlaces }
  const inTurn = allVersions.filter((_, index) => variants.indexOf(variant) % 2 === index)
  const versions = needsBoth(variant) ? allVersions : inTurn
  const seen = allPlaces.filter(({ version }) =>
    version.split('+').every((one) => versions.some((other) => other === one)),
  )
  if (isSeenAllOver(variant)) return { bounds: screening, versions, seen }
  const requests = ((screening.requests ?? Number.POSITIVE_INFINITY) * versions.length) / allVersions.length
  const bounds = { ...screening, requests, openPoints: 'few' as const }
  return { bounds, versions, seen: seen.filter(({ id }) => !costly.has(id)) }
}

/** Judges again with more inputs if few did not show a choice. A violation is final: it is never tried again. */
async function unlike(variant: Variant, screened: RunResult, options: JudgeOptions): Promise<readonly string[]> {
  const untold = compareWithVariant(variant, screened, screeningOf(variant).seen)
  if (untold.length === 0 || !screeningOf(variant).bounds) return untold
  const result = await judge({ ...options, seed: screened.seed })
  return [...describeVerdicts(result, ['fail', 'error']), ...compareWithVariant(variant, result)]
}

/**
 * Tests one half of the variants: the halves run side by side.
 * @param part 0 or 1
 */
export function testVariants(part: 0 | 1): void {
  const half = halfOf(tried, part)
  let falselyFailed = 0
  let judged = 0

  describe('no permissible deployment fails', () => {
    test.each(half.map((variant) => [variant.id, variant] as const))('%s', async (_, variant) => {
      const { baseUrl, runtime, run } = createSimulation(variant, { seed: 1 })
      const options = { baseUrl, runtime, timeoutMs: 60_000, headers: variant.headers }
      // One session serves all seeds: it reuses responses, and requests only the newly generated inputs.
      const session = createSession(createSessionOptions(options))
      try {
        for (let seed = 1; seed <= (isStringVariant(variant) ? seeds : shapeSeeds); seed++) {
          judged++
          const { bounds, versions } = screeningOf(variant)
          const first = bounds ? { bounds, versions } : {}
          const others = { only: laws, bounds: { inputs: 1, examples: 0 } }
          // With few strings, each variant is tested with different ones.
          const drawn = seed * 7919 + (bounds ? variants.indexOf(variant) : 0)
          const result = await run(() => judge({ ...options, session, seed: drawn, ...(seed > 1 ? others : first) }))
          const bad = describeVerdicts(result, ['fail', 'error'])
          if (bad.length > 0) falselyFailed++
          expect(bad, variant.describes).toEqual([])
          if (seed === 1) expect(await run(() => unlike(variant, result, options))).toEqual([])
          if (seed === 1)
            expect(result.conclusion, describeVerdicts(result, ['inconclusive']).join('\n')).toBe(variant.verdict)
        }
      } finally {
        await run(() => session.close())
      }
    })
  })

  afterAll(() => console.log(`variants falsely failed: ${falselyFailed} / ${half.length} (${judged} runs)`))
}
