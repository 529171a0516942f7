import { describe, expect, test } from 'vitest'
import { readList } from '../vocabulary/reading/list-reading.ts'
import { answered } from './tables.test.support.ts'

const tom = { id: 'c1', name: 'Tom' }
const tim = { id: 'c2', name: 'Tim' }

describe('an answer is read', () => {
  const shape = { list: ['cats'], name: ['name'], breed: undefined }
  const read = (answer: unknown, isKnown = true) => {
    const reading = readList(answered(answer), 'cat', isKnown ? shape : undefined)
    return reading.kind === 'list' ? reading.names.join(' ') + (reading.nameless ?? '') : reading.kind
  }

  test.each<[string, unknown, string]>([
    ['where its lists stand', { cats: [tom, tim] }, 'Tom Tim'],
    ['as an empty list, bare', [], ''],
    ['as no list where nothing stands there', { cats: null }, 'not-a-list'],
    ['as no list where there is no array', {}, 'not-a-list'],
    ['as no list where only another array is', { others: ['x'] }, 'not-a-list'],
    ['with an element whose name is no string', { cats: [tom, { name: 2 }] }, 'Tom{"name":2}'],
  ])('%s', (_, answer, names) => {
    expect(read(answer)).toBe(names)
  })

  test('under any key, where that is what was asked for', () => {
    expect(
      readList(answered({ of: 'x', Lykoi: ['Tom'] }), 'cat', { ...shape, list: ['{input}'], name: [] }),
    ).toMatchObject({ names: ['Tom'] })
  })

  test.each<[string, unknown, string]>([
    ['by its keys', { links: [{ href: '/' }], cats: [tom] }, 'Tom'],
    ['as empty, where that is called so', { links: [{ name: 'x' }], cats: [] }, ''],
    ['as empty, where nothing else says name', { links: [{ href: '/' }], found: [] }, ''],
    ['as unreadable, where nothing says name', [{ href: '/' }], 'unreadable'],
    ['as no list, where there is no array', { Tom: {} }, 'not-a-list'],
  ])('%s, where no shape is known', (_, answer, names) => {
    expect(read(answer, false)).toBe(names)
  })
})
