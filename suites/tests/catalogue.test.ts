import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { statements } from '../../fixtures/contract/statements.ts'
import { catalogue } from '../catalogue.ts'
import { checkIds } from '../checks/ids.ts'

const ids = catalogue.map(({ id }) => id)

describe('the catalogue', () => {
  test('has every check once, by an id that never changes', () => {
    expect(ids).toEqual(checkIds)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has every check in the file that the first part of its id names', async () => {
    const firsts = [...new Set(ids.map((id) => id.slice(0, id.indexOf('/'))))]
    const folder = new URL('../checks/', import.meta.url)
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'ids.ts')
    expect(files.sort()).toEqual(firsts.map((first) => `${first}.ts`).sort())
    for (const first of firsts) {
      const exported: Record<string, unknown> = await import(new URL(`${first}.ts`, folder).href)
      expect(Object.values(exported).flat(), first).toEqual(catalogue.filter(({ id }) => id.startsWith(`${first}/`)))
    }
  })

  test('has a check for every statement', () => {
    const asked = new Set(catalogue.flatMap((check) => check.statements))
    expect(statements.map(({ id }) => id).filter((id) => !asked.has(id))).toEqual([])
  })

  test('judges every check in some version, by a ruling', () => {
    expect(catalogue.filter(({ scopes, rulings }) => scopes.length === 0 || rulings.length === 0)).toEqual([])
  })

  test('names prerequisites that stand before what needs them', () => {
    const misplaced = catalogue.flatMap(({ id, requires }, index) =>
      requires.filter((other) => !ids.slice(0, index).includes(other)).map((other) => `${id} requires ${other}`),
    )
    expect(misplaced).toEqual([])
  })

  test('explains a violation never in a circle', () => {
    const causes = new Map(catalogue.map(({ id, requires, explainedBy }) => [id, [...requires, ...explainedBy]]))
    const leadsBack = (id: string, seen: readonly string[]): boolean =>
      seen.includes(id) || (causes.get(id) ?? []).some((cause) => leadsBack(cause, [...seen, id]))
    expect(ids.filter((id) => leadsBack(id, []))).toEqual([])
  })

  test('says of every check why, how it is asked and how to mend it', () => {
    expect(
      catalogue.filter(({ why, how, fix, title }) => [why, how, fix, title].some((text) => text.length < 10)),
    ).toEqual([])
  })
})
