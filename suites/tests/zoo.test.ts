import { describe, expect, test } from 'vitest'
import { openPoints } from '../../fixtures/contract/open-points.ts'
import { mutants } from '../../fixtures/mutants/index.ts'
import { oneCause } from '../../fixtures/mutants/one-cause.ts'
import { timedMutants } from '../../fixtures/mutants/time/index.ts'
import { twoCauses } from '../../fixtures/mutants/two-causes.ts'
import type { Deployment } from '../../fixtures/variants/deployment.ts'
import { drifting, variants } from '../../fixtures/variants/index.ts'
import { catalogue } from '../catalogue.ts'

const idsOf = (deployments: readonly Deployment[]): string[] => deployments.map(({ id }) => id)

describe('the zoo', () => {
  test('holds at least 60 variants and 150 mutants', () => {
    expect(variants.length).toBeGreaterThanOrEqual(60)
    expect(mutants.length).toBeGreaterThanOrEqual(150)
  })

  test('gives each deployment an id of its own', () => {
    const ids = idsOf([...variants, ...drifting, ...mutants, ...oneCause, ...twoCauses])
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  test('has a variant for every open point that a deployment can show by itself', () => {
    const shown = new Set<string>(variants.flatMap(({ pointValues }) => pointValues.map(({ point }) => point)))
    const elsewhere = ['O-PAGINATION']
    expect(openPoints.map(({ id }) => id).filter((id) => !shown.has(id) && !elsewhere.includes(id))).toEqual([])
  })

  test('names a catcher for each mutant, in a version that it breaks', () => {
    const misplaced = mutants.filter(
      ({ breaks, caughtBy }) =>
        caughtBy.length === 0 ||
        caughtBy.some(({ version }) => version !== 'v2+v3' && !breaks.versions.includes(version)),
    )
    expect(idsOf(misplaced)).toEqual([])
  })

  test('has a mutant that names it as its catcher for every check that judges', () => {
    const catchers = new Set<string>(mutants.flatMap(({ caughtBy }) => caughtBy.map(({ check }) => check)))
    const isTold = (id: string) => timedMutants.some(({ tells }) => ['v2', 'v3', 'v2+v3'].some((one) => tells(id, one)))
    const idle = catalogue.filter(({ level, id }) => level === 'must' && !catchers.has(id) && !isTold(id))
    expect(idle.map(({ id }) => id)).toEqual([])
  })
})
