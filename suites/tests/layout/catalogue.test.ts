import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { statements } from '../../../fixtures/contract/statements.ts'
import { checkIds } from '../../checks/shared/ids.ts'
import { catalogue } from '../../judge/catalogue.ts'

const ids = catalogue.map(({ id }) => id)
const listed: readonly string[] = checkIds

describe('the catalogue', () => {
  test('the catalogue has every check once, with a permanent id', () => {
    const wrong = [
      ...listed.filter((id) => !ids.includes(id)).map((id) => `in ids.ts, not in the catalogue: ${id}`),
      ...ids.filter((id) => !listed.includes(id)).map((id) => `in the catalogue, not in ids.ts: ${id}`),
      ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `in the catalogue twice: ${id}`),
    ]
    expect(wrong).toEqual([])
    const moved = ids.findIndex((id, at) => id !== listed[at])
    expect(moved, `wrong order: ${ids[moved]} is in the place of ${listed[moved]}`).toBe(-1)
  })

  test('the catalogue has every check in the file that the first part of its id names', async () => {
    const firsts = [...new Set(ids.map((id) => id.slice(0, id.indexOf('/'))))]
    const folder = new URL('../../checks/', import.meta.url)
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'ids.ts')
    expect(files.sort()).toEqual(firsts.map((first) => `${first}.ts`).sort())
    for (const file of files) {
      const exported: Record<string, readonly { readonly id: string }[]> = await import(new URL(file, folder).href)
      const held = Object.values(exported).flatMap((checks) => checks.map(({ id }) => id))
      const own = ids.filter((id) => file === `${id.slice(0, id.indexOf('/'))}.ts`)
      const astray = [
        ...held.filter((id) => !own.includes(id)).map((id) => `${file} holds ${id}`),
        ...own.filter((id) => !held.includes(id)).map((id) => `${file} does not hold ${id}`),
      ]
      expect(astray).toEqual([])
    }
  })

  test('the catalogue has a check for every statement', () => {
    const asked = new Set(catalogue.flatMap((check) => check.statements))
    expect(statements.map(({ id }) => id).filter((id) => !asked.has(id))).toEqual([])
  })

  test('the catalogue runs every check in some version, because of a clause of the contract', () => {
    const unused = catalogue.filter(({ scopes, clauses }) => scopes.length === 0 || clauses.length === 0)
    expect(unused.map(({ id }) => id)).toEqual([])
  })

  test('the catalogue lists prerequisites before the checks that need them', () => {
    const misplaced = catalogue.flatMap(({ id, requires }, index) =>
      requires.filter((other) => !ids.slice(0, index).includes(other)).map((other) => `${id} requires ${other}`),
    )
    expect(misplaced).toEqual([])
  })

  test('the catalogue has no circle of explanations', () => {
    const causes = new Map(catalogue.map(({ id, requires, explainedBy }) => [id, [...requires, ...explainedBy]]))
    const leadsBack = (id: string, seen: readonly string[]): boolean =>
      seen.includes(id) || (causes.get(id) ?? []).some((cause) => leadsBack(cause, [...seen, id]))
    expect(ids.filter((id) => leadsBack(id, []))).toEqual([])
  })

  test('the catalogue has titles of one plain clause: at most ten words, and no relative clause', () => {
    const wrong = catalogue.filter(
      ({ title }) => title.split(' ').length > 10 || /\b(?:who|whose|whom|which|what|where|when|that)\b/.test(title),
    )
    expect(wrong.map(({ id, title }) => `${id}: ${title}`)).toEqual([])
  })

  test('the catalogue describes each check in at least two numbered steps, each ending with a full stop', () => {
    const isInSteps = (how: string) => {
      const steps = how.split(/(?:^| )(?=\d+\. [A-Z])/).filter((step) => step !== '')
      return steps.length > 1 && steps.every((step, nth) => step.startsWith(`${nth + 1}. `) && step.endsWith('.'))
    }
    expect(catalogue.filter(({ how }) => !isInSteps(how)).map(({ id, how }) => `${id}: ${how}`)).toEqual([])
  })

  test('the catalogue states for every check how a client is affected, and how to fix it', () => {
    const tooShort = catalogue.filter(({ why, fix }) => [why, fix].some((text) => text.length < 20))
    expect(tooShort.map(({ id }) => id)).toEqual([])
  })
})
