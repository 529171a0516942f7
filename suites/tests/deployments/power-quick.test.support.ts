import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { type Mutant, mutants } from '../../../fixtures/mutants/index.ts'
import { forEachConcurrently } from '../support/concurrently.ts'
import { CAUGHT_WITH_QUICK_EFFORT } from '../support/extent.test.support.ts'
import { judgeInSimulatedTime } from './simulated.ts'

const AT_ONCE = 6

/**
 * Judges with `--effort quick` and the default deadline, as users do. With a shorter deadline, responses under load
 * would come too late.
 */
async function isCaught(mutant: Mutant): Promise<boolean> {
  const { result } = await judgeInSimulatedTime(mutant, { seed: 7 }, { effort: 'quick', timeoutMs: 10_000, seed: 7 })
  return result.verdicts.some(({ status }) => status === 'fail')
}

/**
 * The mutants that one half of the tests missed. The half that ends first writes them to a file, and the other half
 * adds its own.
 */
interface MissedMutants {
  readonly startedAt: number
  readonly missed: readonly string[]
}

const startedAt = inject('startedAt')

const fileOf = (part: 0 | 1): string => `reports/power/quick-effort-${part + 1}.json`

/** Returns the mutants that the other half missed in this test run; none if it has not ended yet. */
function readMissedByOtherHalf(part: 0 | 1): readonly string[] {
  const file = fileOf(part === 0 ? 1 : 0)
  if (!existsSync(file)) return []
  const other: MissedMutants = JSON.parse(readFileSync(file, 'utf8'))
  return other.startedAt === startedAt ? other.missed : []
}

/**
 * Tests that the share of mutants caught with `--effort quick` is as large as the README says. Two test files judge one
 * half of the mutants each. Both halves are counted together, because one half may miss more mutants than the other.
 * @param part the number of the half, 0 or 1
 * @param half the mutants of this half
 * @param caught the ids of mutants that are already known to be caught
 */
export function testQuickEffort(part: 0 | 1, half: readonly Mutant[], caught: ReadonlySet<string>): void {
  test('quick effort catches as many mutants as the README says', async () => {
    const missed: string[] = []
    await forEachConcurrently(
      half.filter(({ id }) => !caught.has(id)),
      AT_ONCE,
      async (mutant) => {
        if (!(await isCaught(mutant))) missed.push(mutant.id)
      },
    )
    mkdirSync('reports/power', { recursive: true })
    writeFileSync(fileOf(part), JSON.stringify({ startedAt, missed: missed.sort() } satisfies MissedMutants))
    const all = [...missed, ...readMissedByOtherHalf(part)]
    console.log(`mutants missed with little effort: ${missed.length} / ${half.length}: ${missed.join(', ')}`)
    expect(all.length).toBeLessThanOrEqual((1 - CAUGHT_WITH_QUICK_EFFORT.share) * mutants.length)
  })
}
