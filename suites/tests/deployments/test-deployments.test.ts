import { describe, expect, test } from 'vitest'
import { openPoints } from '../../../fixtures/contract/open-points.ts'
import type { TestDeployment } from '../../../fixtures/deployment/deployment.ts'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { sharedCauseMutants } from '../../../fixtures/mutants/several/one-cause.ts'
import { twoCauseMutants } from '../../../fixtures/mutants/several/two-causes.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { driftingVariants, variants } from '../../../fixtures/variants/index.ts'
import { catalogue } from '../../judge/catalogue.ts'

const idsOf = (deployments: readonly TestDeployment[]): string[] => deployments.map(({ id }) => id)

describe('the test deployments', () => {
  test('the test deployments include at least 60 variants and 150 mutants', () => {
    expect(variants.length).toBeGreaterThanOrEqual(60)
    expect(mutants.length).toBeGreaterThanOrEqual(150)
  })

  test('the test deployments have unique ids', () => {
    const ids = idsOf([...variants, ...driftingVariants, ...mutants, ...sharedCauseMutants, ...twoCauseMutants])
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  test('the test deployments have a variant for every open point that a deployment can show by itself', () => {
    const shown = new Set<string>(
      variants.flatMap(({ expectedObservations }) => expectedObservations.map(({ point }) => point)),
    )
    const shownByOtherTests = ['O-PAGINATION']
    const missing = openPoints.map(({ id }) => id).filter((id) => !shown.has(id) && !shownByOtherTests.includes(id))
    expect(missing.map((id) => `${id}: add a variant to fixtures/variants/ that shows another value`)).toEqual([])
  })

  test('the mutants each name a check that catches them, in a version with the defect', () => {
    const misplaced = mutants.filter(
      ({ breaks, caughtBy }) =>
        caughtBy.length === 0 ||
        caughtBy.some(({ version }) => version !== 'v2+v3' && !breaks.versions.includes(version)),
    )
    expect(idsOf(misplaced)).toEqual([])
  })

  test('the mutants name only existing checks', () => {
    const isThere = (name: string) =>
      catalogue.some(({ id }) => (name.endsWith('/') ? id.startsWith(name) : id === name))
    const named = [
      ...[...mutants, ...sharedCauseMutants, ...twoCauseMutants].map(({ id, caughtBy }) => ({
        id,
        names: caughtBy.map(({ check }) => check),
      })),
      ...timedMutants.map(({ id, catchers }) => ({ id, names: catchers })),
    ]
    const astray = named.flatMap(({ id, names }) =>
      names.filter((name) => !isThere(name)).map((name) => `${id} names ${name}`),
    )
    expect(astray).toEqual([])
  })

  test('the mutants include one for every check that can fail, in each of its versions, which names the check in full', () => {
    const exercisedCases = new Set(
      mutants.flatMap(({ caughtBy }) => caughtBy.map(({ check, version }) => `${check} ${version}`)),
    )
    // The checks that only time-dependent mutants break. They do not need a mutant in each version: judging a
    // time-dependent mutant takes long, so one version suffices.
    const onlyInTime = new Set(timedMutants.flatMap(({ catchers }) => catchers))
    for (const { check } of mutants.flatMap(({ caughtBy }) => caughtBy)) onlyInTime.delete(check)
    const idle = catalogue
      .filter(({ level, id }) => level === 'must' && !onlyInTime.has(id))
      .flatMap(({ id, scopes }) => scopes.map((scope) => `${id} ${scope}`).filter((one) => !exercisedCases.has(one)))
    expect(idle.map((one) => `${one}: add a mutant to fixtures/mutants/ that names it`)).toEqual([])
  })
})
