import { expect, test } from 'vitest'
import { ReadingHistory } from '../../engine/history/reading-history.ts'

test('a resource that was always read with the same content has not varied', () => {
  const history = new ReadingHistory<'lists'>()
  history.add('lists', 'a', 'Tom')
  history.add('lists', 'a', 'Tom')
  history.add('lists', 'b', 'Mia')
  expect(history.hasVaried('lists')).toBe(false)
  expect(history.variedResources('lists')).toEqual([])
})

test('a resource that was read with other contents has varied, in its own group only', () => {
  const history = new ReadingHistory<'lists' | 'counts'>()
  history.add('lists', 'a', 'Tom')
  history.add('lists', 'b', 'Mia')
  history.add('lists', 'a', 'Tom\nMia')
  history.add('lists', 'a', 'Tom')
  history.add('counts', 'a', '7')
  expect(history.variedResources('lists')).toEqual([{ name: 'a', contents: ['Tom', 'Tom\nMia'] }])
  expect(history.hasVaried('counts')).toBe(false)
})

test('the latest content is that of the last reading, and undefined without one', () => {
  const history = new ReadingHistory<'lists'>()
  history.add('lists', 'a', 'Tom')
  history.add('lists', 'a', '')
  expect(history.latestContent('lists', 'a')).toBe('')
  expect(history.latestContent('lists', 'b')).toBeUndefined()
})
