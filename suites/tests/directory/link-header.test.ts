import { describe, expect, test } from 'vitest'
import { findNextLink } from '../../directory/pages/link-header.ts'

describe('a Link header', () => {
  test.each([
    ['<b>; rel="next"', 'b'],
    ['<b> ; rel = next', 'b'],
    ['<b>;REL=Next', 'b'],
    ['<a>; rel=prev, <b>; rel="last next"', 'b'],
    ['<a>; crossorigin, <b>; rel=next', 'b'],
    ['<a>; title="x\\", <c>; rel=next"; rel=prev, <b>; rel=next', 'b'],
    ['<b,c;d>; title="; rel=prev"; rel=next', 'b,c;d'],
    ['nonsense; ;=, <a; rel=next, <b>; rel=next', 'b'],
    ['<a>; rel=prev; rel=next', undefined],
    ['<a>; rev=next', undefined],
    ['<a>; rel=prefetch; title=next', undefined],
    ['<a>, rel=next', undefined],
    ['rel=next', undefined],
    ['<>; rel=next', ''],
    ['', undefined],
  ])('a Link header %j leads to %j', (value, target) => {
    expect(findNextLink([['Link', value]])).toBe(target)
  })

  test('a Link header may consist of several fields', () => {
    const fields = [
      ['link', '<a>; rel=prev'],
      ['X-Link', '<c>; rel=next'],
      ['LINK', '<b>; rel=next'],
    ] as const
    expect(findNextLink(fields)).toBe('b')
  })

  test('a Link header is read up to its 16,384th character', () => {
    const long = (length: number) => findNextLink([['Link', '<b>; rel=next'.padStart(length)]])
    expect([long(16_384), long(16_385)]).toEqual(['b', undefined])
  })
})
