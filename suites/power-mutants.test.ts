import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { mutants } from '../fixtures/mutants/index.ts'
import { changedByAsking } from '../fixtures/mutants/stateful.ts'
import { catalogue } from './catalogue.ts'
import type { RunResult, Verdict } from './engine/verdict.ts'
import { judge } from './judge.ts'

const TIMEOUT_MS = 1_000

const failing = ({ verdicts }: RunResult): string[] =>
  verdicts
    .filter(({ status }) => status === 'fail')
    .map(({ check, version }) => `${check.id} ${version}`)
    .sort()

/** What a run said of these checks: why one did not fail as expected. */
const said = ({ verdicts }: RunResult, cases: readonly string[]): string =>
  verdicts
    .filter(
      ({ check, version, status, reason }) =>
        cases.includes(`${check.id} ${version}`) || (status === 'inconclusive' && !reason?.startsWith('prerequisite')),
    )
    .map(({ check, version, status, reason }) => `${check.id} ${version}: ${status}, ${reason}`)
    .join('; ')

interface Kill {
  readonly mutant: string
  readonly named: readonly string[]
  readonly caught: readonly string[]
  readonly counterexamples: readonly string[]
}

const matrix: Kill[] = []

/** What `--seed --path --only` do: the same counterexample, in one ask. */
async function replays(baseUrl: string, { check, version, status, finding }: Verdict): Promise<void> {
  if (status !== 'fail' || finding?.path === undefined) return
  const versions = version === 'v2+v3' ? (['v2', 'v3'] as const) : [version]
  const options = { baseUrl, versions, timeoutMs: TIMEOUT_MS, seed: 7, path: finding.path, only: [check.id] }
  const { verdicts } = await judge(options)
  const again = verdicts.find((verdict) => verdict.check.id === check.id && verdict.version === version)
  expect(again).toMatchObject({ status: 'fail', asked: 1, finding: { counterexample: finding.counterexample } })
}

describe.concurrent('every mutant is caught by the check it names, where it breaks it, and by no other', () => {
  test.each(mutants.map((mutant) => [mutant.id, mutant] as const))('%s', async (id, mutant) => {
    const running = await mutant.start()
    try {
      const result = await judge({ baseUrl: running.baseUrl, timeoutMs: TIMEOUT_MS, seed: 7 })
      const caught = failing(result)
      const named = mutant.caughtBy.map(({ check, version }) => `${check} ${version}`).sort()
      matrix.push({
        mutant: id,
        named,
        caught,
        counterexamples: result.verdicts.flatMap(({ finding }) => finding?.counterexample ?? []),
      })
      expect(caught, `${mutant.describes}; ${said(result, [...named, ...caught])}`).toEqual(named)
      expect(result.conclusion).toBe('nonconformant')
      expect(result.verdicts.filter(({ status }) => status === 'error')).toEqual([])
      for (const verdict of result.verdicts) await replays(running.baseUrl, verdict)
    } finally {
      await running.close()
    }
  })
})

afterAll(() => {
  const right = matrix.filter(({ named, caught }) => named.join() === caught.join())
  mkdirSync('reports/power', { recursive: true })
  writeFileSync(
    'reports/power/kill-matrix.json',
    `${JSON.stringify(
      matrix.sort((a, b) => (a.mutant < b.mutant ? -1 : 1)),
      null,
      2,
    )}\n`,
  )
  console.log(`mutants caught by the check they name: ${right.length} / ${mutants.length}`)
  const byAsking = right.filter(({ mutant }) => changedByAsking.some(({ id }) => id === mutant))
  console.log(`directories changed by asking failed: ${byAsking.length} / ${changedByAsking.length}`)
})

test('every check that judges is the named catcher of at least one mutant', () => {
  const catchers = new Set<string>(mutants.flatMap(({ caughtBy }) => caughtBy.map(({ check }) => check)))
  const idle = catalogue
    .filter(({ level }) => level === 'must')
    .map(({ id }) => id)
    .filter((id) => !catchers.has(id))
  expect(idle).toEqual([])
})
