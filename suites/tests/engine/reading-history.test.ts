import { expect, test } from 'vitest'
import { ReadingHistory } from '../../engine/history/reading-history.ts'
import { findReturningFacts } from '../../engine/history/returning-facts.ts'

test('a resource that was always read with the same content has not varied', () => {
  const history = new ReadingHistory<'lists'>()
  history.add('lists', { name: 'a', url: '/a' }, 'Tom')
  history.add('lists', { name: 'a', url: '/a' }, 'Tom')
  history.add('lists', { name: 'b', url: '/b' }, 'Mia')
  expect(history.hasVaried('lists')).toBe(false)
  expect(history.variedResources('lists')).toEqual([])
})

test('a resource that was read with other contents has varied, in its own group only', () => {
  const history = new ReadingHistory<'lists' | 'counts'>()
  history.add('lists', { name: 'a', url: '/a' }, 'Tom')
  history.add('lists', { name: 'b', url: '/b' }, 'Mia')
  history.add('lists', { name: 'a', url: '/a' }, 'Tom\nMia')
  history.add('lists', { name: 'a', url: '/a' }, 'Tom')
  history.add('counts', { name: 'a', url: '/a' }, '7')
  expect(history.variedResources('lists')).toEqual([
    { name: 'a', contents: ['Tom', 'Tom\nMia'], contentsInOrder: ['Tom', 'Tom\nMia', 'Tom'] },
  ])
  expect(history.hasVaried('counts')).toBe(false)
})

test('a resource has not varied if only its encodings have different contents', () => {
  const history = new ReadingHistory<'lists'>()
  history.add('lists', { name: '+', url: '/+' }, '')
  history.add('lists', { name: '+', url: '/%2B' }, 'Tom')
  history.add('lists', { name: '+', url: '/+' }, '')
  expect(history.hasVaried('lists')).toBe(false)
})

test('the latest content is that of the last reading, and undefined without one', () => {
  const history = new ReadingHistory<'lists'>()
  history.add('lists', { name: 'a', url: '/a' }, 'Tom')
  history.add('lists', { name: 'a', url: '/a' }, '')
  expect(history.latestContent('lists', 'a')).toBe('')
  expect(history.latestContent('lists', 'b')).toBeUndefined()
})

test('a name has returned if it was listed, then not, then listed again', () => {
  const namesOf = (content: string) => content.split('\n')
  expect(findReturningFacts(['Tom\nMia', 'Tom', 'Tom\nMia'], namesOf)).toEqual(['Mia'])
  expect(findReturningFacts(['Tom', 'Tom\nMia', 'Tom'], namesOf)).toEqual(['Mia'])
  expect(findReturningFacts(['Tom\nMia', 'Tom', 'Tom\nLuna'], namesOf)).toEqual([])
})
