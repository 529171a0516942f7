import { afterAll, describe, expect, inject, test } from 'vitest'
import { isOfStrings, type Variant, variants } from '../../fixtures/variants/index.ts'
import { createSession } from '../engine/http/session.ts'
import type { RunResult } from '../engine/judging/verdict.ts'
import { type JudgeOptions, judge, sessionOptions } from '../judge.ts'
import { frugally, observers } from '../open-points/index.ts'
import { type Place, places, unlikeVariant } from './point-values.test.support.ts'

const { stringScreening, shapeScreening, seenAllOverOneOf, seeds, shapeSeeds } = inject('extent')

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

/** Whether a variant chooses at a point that takes requests of its own, or is one of the few that are looked at all over. */
const isSeenAllOver = (variant: Variant): boolean =>
  isOfStrings(variant) ||
  variants.indexOf(variant) % seenAllOverOneOf === 0 ||
  variant.pointValues.some(({ point }) => costly.has(point))

/** How a variant is judged first, and where it is looked at then. */
function screeningOf(variant: Variant): { readonly bounds?: JudgeOptions['bounds']; readonly seen: readonly Place[] } {
  const screening = isOfStrings(variant) ? stringScreening : shapeScreening
  if (!screening) return { seen: places }
  if (isSeenAllOver(variant)) return { bounds: screening, seen: places }
  return { bounds: { ...screening, openPoints: 'few' }, seen: places.filter(({ id }) => !costly.has(id)) }
}

/** What few inputs do not tell of a choice is told by more. What they find broken is broken: it is never tried again. */
async function unlike(variant: Variant, screened: RunResult, options: JudgeOptions): Promise<readonly string[]> {
  const untold = unlikeVariant(variant, screened, screeningOf(variant).seen)
  if (untold.length === 0 || !stringScreening) return untold
  const result = await judge({ ...options, seed: screened.seed })
  return [...told(result, ['fail', 'error']), ...unlikeVariant(variant, result)]
}

/**
 * Tests every so-many-th variant: two halves run side by side.
 * @param part 0 or 1
 */
export function testVariants(part: 0 | 1): void {
  const half = variants.filter((_, index) => index % 2 === part)
  let falselyFailed = 0
  let judged = 0

  describe('no permissible deployment is failed', () => {
    test.each(half.map((variant) => [variant.id, variant] as const))('%s', async (_, variant) => {
      const running = await variant.start()
      const options = { baseUrl: running.baseUrl, timeoutMs: 60_000, headers: variant.headers }
      // One session for all seeds: what was asked with another is remembered, what is generated anew is asked.
      const session = createSession(sessionOptions(options))
      try {
        for (let seed = 1; seed <= (isOfStrings(variant) ? seeds : shapeSeeds); seed++) {
          judged++
          const { bounds } = screeningOf(variant)
          const first = bounds ? { bounds } : {}
          const others = { only: laws, bounds: { inputs: 1, examples: 0 } }
          // Where few strings are tried, each variant is tried with others.
          const drawn = seed * 7919 + (bounds ? variants.indexOf(variant) : 0)
          const result = await judge({ ...options, session, seed: drawn, ...(seed > 1 ? others : first) })
          const bad = told(result, ['fail', 'error'])
          if (bad.length > 0) falselyFailed++
          expect(bad, variant.describes).toEqual([])
          if (seed === 1) expect(await unlike(variant, result, options)).toEqual([])
          if (seed === 1) expect(result.conclusion, told(result, ['inconclusive']).join('\n')).toBe(variant.verdict)
        }
      } finally {
        await session.close()
        await running.close()
      }
    })
  })

  afterAll(() => console.log(`variants falsely failed: ${falselyFailed} / ${half.length} (${judged} runs)`))
}
