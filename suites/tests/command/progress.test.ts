import { expect, test } from 'vitest'
import { createProgressView, formatProgress } from '../../workflows/run/progress.ts'

test.each([
  [
    { done: 31, total: 62, requests: 512, latest: 'search/is-a-list v3' },
    3100,
    '31 of 62 checks · 512 requests · 3.1 s · about 4 s left · search/is-a-list v3',
  ],
  [{ done: 62, total: 62, requests: 900, latest: '' }, 65_000, '62 of 62 checks · 900 requests · 1 min 5 s'],
  [{ done: 0, total: 0, requests: 1, latest: '' }, 5, '1 request · 5 ms'],
])('progress shows how far a run is, and how long it may take: %j', (progress, ms, expected) => {
  expect(formatProgress(progress, ms)).toBe(expected)
})

test('a terminal shows one line that is overwritten, fits the width, and disappears at the end', () => {
  let now = 0
  const written: string[] = []
  const view = createProgressView({ isTerminal: true, width: 20, write: (text) => written.push(text) }, () => now)
  now = 1000
  view.update({ done: 1, total: 2, requests: 7, latest: 'search/finds-every-cat-by-name v3' })
  now = 1001
  view.update({ requests: 8 })
  view.end()
  expect(written).toEqual(['\r\x1b[2K1 of 2 checks · 7 r', '\r\x1b[2K'])
})

test('no progress is shown for a short run without a terminal', () => {
  const written: string[] = []
  const view = createProgressView({ isTerminal: false, width: 80, write: (text) => written.push(text) })
  view.update({ done: 1, total: 2, requests: 7 })
  view.end()
  expect(written).toEqual([])
})
