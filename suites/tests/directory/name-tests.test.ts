import { describe, expect, test } from 'vitest'
import type { ElementKind } from '../../directory/readings/name-candidates.ts'
import { createNameTests } from '../../directory/shapes/name-tests.ts'
import { createControlNameFactory } from '../../directory/shared/control-names.ts'
import { createRequestTargets } from '../../directory/shared/targets.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import type { Response } from '../../engine/http/decode/response.ts'
import { createExchange } from '../layout/tables.test.support.ts'

const found = createExchange('not found')
const notFound: Exchange = { ...found, outcome: { ...found.outcome, status: 404 } as Response }
const noContent: Exchange = { ...found, outcome: { ...found.outcome, status: 204 } as Response }
const NO_CONTENT = 'no content'

/** Returns in which way requests prove that a string is a name. `respondTo` maps a requested string to its response. */
async function findProof(kind: ElementKind, respondTo: (asked: string, target: string) => unknown, name = 'Tom') {
  const recall = async ({ target }: Request) => {
    const asked = decodeURIComponent(/(?:breeds|cat)\/([^/]*)|q=(.*)/.exec(target)?.slice(1).join('') ?? '')
    const value = respondTo(asked, target)
    if (value === NO_CONTENT) return noContent
    return value === undefined ? notFound : createExchange(value)
  }
  const proven = await Promise.all(
    createNameTests(createRequestTargets('v3', createControlNameFactory('0123456789a')), recall)[kind].map((works) =>
      works(name),
    ),
  )
  return proven.map(Number).join('')
}

const finds = (asked: string) => (asked === 'Tom' ? [{ name: 'Tom' }] : [])

describe("a cat's name is proven by a search that finds it, or by its lives", () => {
  test.each<[string, (asked: string, target: string) => unknown, string]>([
    ['found, and no lives', finds, '10'],
    [
      'found, and lives',
      (asked, target) => (target.includes('lives') ? (asked === 'Tom' ? 7 : null) : finds(asked)),
      '11',
    ],
    ['lives of any string', (_, target) => (target.includes('lives') ? 7 : []), '00'],
    ['the requested string is in the response', (asked) => ({ filters: [{ q: asked }], found: [] }), '00'],
    ['all cats for any string', () => ['Tom', 'Tim'], '00'],
    ['the name, beside a constant list', (asked) => ({ top: ['Tom'], found: finds(asked) }), '10'],
    ['the name, in a constant list alone', () => ({ top: ['Tom'], found: [] }), '00'],
    ['the name, outside of any list', (asked) => ({ query: asked, found: [] }), '00'],
  ])('a response to a cat proves its name or not: %s', async (_, respondTo, proven) => {
    expect(await findProof('cat', respondTo)).toBe(proven)
  })
})

describe("a breed's name is proven by its cats, by a list that differs from those of other names, or by a selective search", () => {
  test.each<[string, (asked: string, target: string) => unknown, string]>([
    ['cats, and hits', (asked) => (asked === 'Tom' ? ['Mia'] : []), '101'],
    ['cats, and no search', (asked, target) => (target.includes('breeds') && asked === 'Tom' ? ['Mia'] : []), '100'],
    ['the same cats for any string', () => ['Mia'], '000'],
    ['the requested string alone', (asked) => ({ links: [{ href: `/breeds/${asked}` }], cats: [] }), '000'],
    ['an empty list, where others are not found', (asked) => (asked === 'Tom' ? [] : undefined), '010'],
    ['no content, where others are not found', (asked) => (asked === 'Tom' ? NO_CONTENT : undefined), '010'],
    ['no content for any string', () => NO_CONTENT, '000'],
    ['an object without a list, where others are not found', (asked) => (asked === 'Tom' ? {} : undefined), '000'],
  ])('a response to a breed proves its name or not: %s', async (_, respondTo, proven) => {
    expect(await findProof('breed', respondTo)).toBe(proven)
  })
})
