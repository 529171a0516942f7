import { describe, expect, test } from 'vitest'
import { inferFilteredListShape } from '../../directory/shapes/filtered-list-shape.ts'
import { observeResponse } from '../../directory/shapes/response-observations.ts'
import { type InferredShape, inferWholeListShape } from '../../directory/shapes/whole-list-shape.ts'
import { createExchange } from '../layout/tables.test.support.ts'
import { formatListPlaces } from './list-shapes.test.support.ts'

const CATS = new Set(['Tom', 'Tim', 'Mia'])
const strings: InferredShape = { list: [], name: [], breed: undefined }

/**
 * Returns the place of the hits that the suite infers from searches with one hit each. A search for a control name, a
 * name that no cat has, gets the response `nothing`.
 */
const inferHitPlace = async (nothing: unknown, found: (name: string) => unknown) => {
  const responses = [...CATS].map((input) =>
    observeResponse({ input, inputKind: 'cat', exchange: createExchange(found(input)) }, CATS, strings),
  )
  return formatListPlaces(
    await inferFilteredListShape(responses, CATS, [], strings, undefined, {
      requestControlName: async () => ({ input: 'x', value: nothing }),
    }),
  )
}

describe('an array with one element is the list if another response shows it empty', () => {
  test.each<[string, unknown, (name: string) => unknown, string]>([
    ['rows of a name and a number', {}, (name) => [[name, 90]], '* /0'],
    ['rows of a name and a text', [], (name) => [[name, 'exact']], '* /0'],
    ['rows in an envelope', { rows: [] }, (name) => ({ rows: [[name, 'exact']] }), '/rows * /0'],
    ['rows of cells', { rows: [] }, (name) => ({ rows: [{ c: [{ v: name }, { v: 'exact' }] }] }), '/rows * /c/0/v'],
    [
      'elements that show the matched string',
      { hits: [] },
      (name) => ({ hits: [{ title: name, of: [name] }] }),
      '/hits * /title',
    ],
    [
      'the inner array, if the outer one is an envelope',
      [{ of: [] }],
      (name) => [{ of: [{ title: name }] }],
      '/0/of * /title',
    ],
  ])('an array with one element is the list: %s', async (_, nothing, found, places) => {
    expect(await inferHitPlace(nothing, found)).toBe(places)
  })

  test.each<[string, unknown, (name: string) => unknown, string]>([
    ['an array of the requested string', { asked: ['x'], is: [] }, (name) => ({ asked: [name], is: [name] }), '/is *'],
    [
      'a field of the requested string',
      [{ title: 'Tom', asked: 'x' }],
      (name) => [{ asked: name, title: name }],
      '* /title',
    ],
  ])('an array that a control name also gets is no list: %s', async (_, nothing, found, places) => {
    expect(await inferHitPlace(nothing, found)).toBe(places)
  })

  test('an array is no list if another response has several', async () => {
    const found = (name: string) => (name === 'Tom' ? [name, 'Tim'] : [name]).map((one) => [one, 'exact'])
    expect(await inferHitPlace({}, found)).toBe('* /0')
  })
})

describe('a list with a single element has the same place as other lists', () => {
  const shapeOf = async (response: unknown, sibling: unknown) =>
    formatListPlaces(
      await inferWholeListShape(createExchange(response), 'cat', {
        nameTests: [async (name) => ['Tom', 'Tim', 'Manx'].includes(name)],
        breeds: ['Manx', 'Korat'],
        fetchSibling: async () => sibling,
      }),
    )

  test.each<[string, unknown, unknown, string]>([
    ['in rows', { of: 'x', values: [['Tom', 'Manx']] }, { of: 'x', values: [['Manx'], ['Korat']] }, '/values * /0'],
    ['in rows with numbers', [[1, 'Tom']], [[1, 'Manx']], '* /1'],
    ['with tags', [{ name: 'Tom', tags: ['manx', 'Tom'] }], [{ name: 'Manx' }, { name: 'Korat' }], '* /name'],
    ['in an array of one', [{ of: ['Tom', 'Tim'] }], [{ of: ['Manx', 'Korat'] }], '/0/of *'],
    ['in an array of one, though another is in none', [{ of: ['Tom', 'Tim'] }], ['Manx', 'Korat'], '/0/of *'],
  ])('a list with a single element has the same place as other lists %s', async (_, response, sibling, places) => {
    expect(await shapeOf(response, sibling)).toBe(places)
  })
})
