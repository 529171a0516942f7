import { expect, test } from 'vitest'
import { findPagingInfo } from '../../directory/pages/paging-info.ts'
import { findPinnedNextPage, type PinnedPaging } from '../../directory/pages/pinned-pages.ts'
import { createExchange } from '../layout/tables.test.support.ts'

const progress = { elementsSoFar: 10, pageSize: 10 }

const nextPageOf = (pinned: PinnedPaging, body: object) => {
  const page = { ...createExchange(body), url: 'http://cats.test/v2/cats' }
  return findPinnedNextPage(pinned, page, findPagingInfo(page, progress, ['items']), progress)
}

test.each([
  ['elements', '?start=10'],
  ['elements from 1', '?start=11'],
  ['pages from 0', '?start=1'],
  ['pages from 1', '?start=2'],
] as const)(
  'a pinned parameter that counts %s requests the second page of ten elements with %s',
  (counts, reference) => {
    expect(nextPageOf({ parameter: 'start', counts }, { items: [] })).toEqual({ reference, isServerProvided: false })
  },
)

test('a pinned value that is an object cannot be sent as a parameter, and the problem says so', () => {
  const pinned = { next: { place: ['LastKey'] }, parameter: 'from' }
  expect(nextPageOf(pinned, { items: [], LastKey: { name: { S: 'Tom' } } })).toEqual({
    problem: expect.stringMatching(/^the value of \/LastKey is .*, and only a text or a number can be sent/),
  })
})
