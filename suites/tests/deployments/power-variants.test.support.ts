import { afterAll, describe, expect, inject, test } from 'vitest'
import { versions as allVersions, type Version } from '../../../fixtures/contract/operations.ts'
import { simulate } from '../../../fixtures/simulation/simulation.ts'
import { isOfStrings, type Variant, variants } from '../../../fixtures/variants/index.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { createSession } from '../../engine/http/session.ts'
import { judge } from '../../judge/judge.ts'
import { type JudgeOptions, sessionOptions } from '../../judge/judge-options.ts'
import { frugally, observers } from '../../open-points/index.ts'
import { halfOf, oneOfSoMany, shapeScreening } from '../support/extent.test.support.ts'
import { type Place, places, someThatDiffer, unlikeVariant } from './point-values.test.support.ts'

const { stringScreening, variantsOneOf, judgedWholeOneOf, seeds, shapeSeeds, everything } = inject('extent')

/** All, or some of those that choose what no other before them does, wherever a choice is observed. */
const tried = variantsOneOf === 1 ? variants : oneOfSoMany(someThatDiffer(Number.POSITIVE_INFINITY), variantsOneOf)

/** What tries generated inputs: only these try anything new with another seed. */
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

const told = ({ verdicts }: RunResult, statuses: readonly string[]) =>
  verdicts
    .filter(({ status }) => statuses.includes(status))
    .map(({ check, version, reason }) => `${check.id} ${version}: ${reason}`)

/** What takes requests of its own to be observed. */
const costly = new Set<string>(observers.map(({ id }) => id))
for (const { id } of frugally.observers) costly.delete(id)

/** One of so many is judged in both versions and looked at at all open points, whatever it chooses. */
const isJudgedWhole = (variant: Variant): boolean => variants.indexOf(variant) % judgedWholeOneOf === 0

/** Whether a variant chooses at a point that takes requests of its own. */
const isSeenAllOver = (variant: Variant): boolean =>
  isOfStrings(variant) || isJudgedWhole(variant) || variant.pointValues.some(({ point }) => costly.has(point))

/** Whether a variant chooses otherwise in one version than in the other, or is no directory that can be judged. */
const needsBoth = (variant: Variant): boolean =>
  isJudgedWhole(variant) ||
  variant.verdict !== 'conformant' ||
  variant.advised.length > 0 ||
  variant.pointValues.some(({ point, version }) => version !== undefined || /V2|ORDER|RATE/.test(point))

interface Screening {
  readonly bounds?: JudgeOptions['bounds']
  readonly versions: readonly Version[]
  /** Where the run looks. */
  readonly seen: readonly Place[]
}

/** How a variant is judged first: in turn in one version or in the other, where both are alike. */
function screeningOf(variant: Variant): Screening {
  const screening = isOfStrings(variant) ? stringScreening : shapeScreening
  if (!screening || (everything && isJudgedWhole(variant))) return { versions: allVersions, seen: places }
  const inTurn = allVersions.filter((_, index) => variants.indexOf(variant) % 2 === index)
  const versions = needsBoth(variant) ? allVersions : inTurn
  const seen = places.filter(({ version }) =>
    version.split('+').every((one) => versions.some((other) => other === one)),
  )
  if (isSeenAllOver(variant)) return { bounds: screening, versions, seen }
  const requests = ((screening.requests ?? Number.POSITIVE_INFINITY) * versions.length) / allVersions.length
  const bounds = { ...screening, requests, openPoints: 'few' as const }
  return { bounds, versions, seen: seen.filter(({ id }) => !costly.has(id)) }
}

/** What few inputs do not tell of a choice is told by more. What they find broken is broken: it is never tried again. */
async function unlike(variant: Variant, screened: RunResult, options: JudgeOptions): Promise<readonly string[]> {
  const untold = unlikeVariant(variant, screened, screeningOf(variant).seen)
  if (untold.length === 0 || !screeningOf(variant).bounds) return untold
  const result = await judge({ ...options, seed: screened.seed })
  return [...told(result, ['fail', 'error']), ...unlikeVariant(variant, result)]
}

/**
 * Tests every so-many-th variant: two halves run side by side.
 * @param part 0 or 1
 */
export function testVariants(part: 0 | 1): void {
  const half = halfOf(tried, part)
  let falselyFailed = 0
  let judged = 0

  describe('no permissible deployment is failed', () => {
    test.each(half.map((variant) => [variant.id, variant] as const))('%s', async (_, variant) => {
      const { baseUrl, runtime, run } = simulate(variant, { seed: 1 })
      const options = { baseUrl, runtime, timeoutMs: 60_000, headers: variant.headers }
      // One session for all seeds: what was asked with another is remembered, what is generated anew is asked.
      const session = createSession(sessionOptions(options))
      try {
        for (let seed = 1; seed <= (isOfStrings(variant) ? seeds : shapeSeeds); seed++) {
          judged++
          const { bounds, versions } = screeningOf(variant)
          const first = bounds ? { bounds, versions } : {}
          const others = { only: laws, bounds: { inputs: 1, examples: 0 } }
          // Where few strings are tried, each variant is tried with others.
          const drawn = seed * 7919 + (bounds ? variants.indexOf(variant) : 0)
          const result = await run(() => judge({ ...options, session, seed: drawn, ...(seed > 1 ? others : first) }))
          const bad = told(result, ['fail', 'error'])
          if (bad.length > 0) falselyFailed++
          expect(bad, variant.describes).toEqual([])
          if (seed === 1) expect(await run(() => unlike(variant, result, options))).toEqual([])
          if (seed === 1) expect(result.conclusion, told(result, ['inconclusive']).join('\n')).toBe(variant.verdict)
        }
      } finally {
        await run(() => session.close())
      }
    })
  })

  afterAll(() => console.log(`variants falsely failed: ${falselyFailed} / ${half.length} (${judged} runs)`))
}
