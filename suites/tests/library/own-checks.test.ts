import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startService } from '../../../fixtures/service/start.ts'
import { renderTerminal } from '../../../reports/formats/terminal/terminal.ts'
import { type Format, formats, parseReport, render } from '../../../reports/index.ts'
import type { Report } from '../../../reports/report/report.ts'
import {
  broken,
  type Check,
  check,
  checks,
  type Deployment,
  forEach,
  judge,
  listedNames,
  type OneVersion,
  type OwnPromise,
  once,
  openPoint,
  type RunResult,
  reportOf,
} from '../../index.ts'

/**
 * A user-defined check that fails for the reference service, whose cats have more lives.
 */
const atMostOne: OwnPromise = {
  id: 'zoo/at-most-one-life',
  title: 'no cat has more than one life',
  operation: 'getLivesLeft',
  requires: ['lives/is-a-count'],
  fix: 'Look at who counts.',
  probes: [
    forEach(
      ({ directory }, read) => listedNames(directory.cats, read),
      async (cat, { directory }, read) => {
        const reading = await read(directory.lives(cat))
        if (reading.kind !== 'count' || reading.value <= 1) return
        broken({
          expected: 'at most 1',
          actual: `${reading.value}`,
          shownBy: [directory.lives(cat)],
          names: { atFault: [cat] },
        })
      },
    ),
  ],
}
const options = { baseUrl: '', effort: 'quick', seed: 7 } as const

async function judged(own: readonly Check<Deployment>[], only: readonly string[] = []) {
  const service = await startService()
  const asked = { ...options, baseUrl: service.baseUrl, only }
  try {
    const result = await judge(asked, { checks: [...checks, ...own] })
    return { result, report: reportOf(result, asked) }
  } finally {
    await service.close()
  }
}

describe('a user-defined check', () => {
  let result: RunResult
  let report: Report
  beforeAll(async () => ({ result, report } = await judged([check(atMostOne)])))

  const ownIn = ({ checks: all }: Report) => all.filter(({ id }) => id === atMostOne.id)

  test('a user-defined check runs with the others, counts in the verdict, and fails nothing else', () => {
    const failed = result.verdicts.filter(({ status }) => status === 'fail')
    expect(failed.map(({ check: { id }, version }) => `${id} ${version}`)).toEqual(['zoo/at-most-one-life v3'])
    expect([result.conclusion, result.classes]).toEqual([
      'nonconformant',
      { v2: 'conformant', v3: 'nonconformant', parity: 'conformant' },
    ])
  })

  test('a user-defined check makes a report that can be read back, and appears in every format with findings', () => {
    expect(parseReport(render(report, 'report.json'))).toEqual(report)
    expect(ownIn(report)).toEqual([expect.objectContaining({ status: 'fail', level: 'must', version: 'v3' })])
    const named = Object.keys(formats).filter((name) => name !== 'exchanges.har' && name !== 'badge.json') as Format[]
    expect(named.filter((name) => !render(report, name).includes(atMostOne.id))).toEqual([])
  })

  test('a user-defined check is replayed by its program, not by the command, which does not know it', () => {
    const [finding] = ownIn(report).map((one) => one.finding)
    const options = '{"only":["zoo/at-most-one-life"],"seed":7,"versions":["v3"]}'
    expect(finding?.replay).toBe(`# in your program: judge({ ...options, ...${options} }, { checks })`)
    expect(finding?.explain).toBeUndefined()
    const shown = renderTerminal(report, { colour: false, width: 60 })
    // A comment must not end with a backslash: in a shell, the next line would belong to the comment.
    expect(shown).not.toMatch(/judge\(.*\\$/m)
  })

  test('a user-defined check can be selected alone, and be advice', async () => {
    const { result } = await judged([check({ ...atMostOne, level: 'should' })], ['zoo/'])
    expect(result.verdicts.map(({ check: { id }, status }) => [id, status])).toEqual([[atMostOne.id, 'warn']])
    expect(result.conclusion).toBe('partial')
  })

  test('a user-defined check waits for its prerequisites', async () => {
    const waiting: OwnPromise = { ...atMostOne, id: 'zoo/waits', requires: [atMostOne.id] }
    const failingProbe = once<OneVersion>(async ({ directory }, read) => {
      await read(directory.cats)
      broken({ expected: 'no list', actual: 'a list', shownBy: [directory.cats] })
    })
    const { result } = await judged([check({ ...atMostOne, probes: [failingProbe] }), check(waiting)], ['zoo/waits'])
    expect(result.verdicts.map(({ status, cause }) => [status, cause?.check.id])).toEqual([
      ['inconclusive', atMostOne.id],
    ])
  })

  // Clause V2.2 of the contract.
  test('a user-defined check continues with the names that pass, and reports the skipped ones', async () => {
    const waiting: OwnPromise = { ...atMostOne, id: 'zoo/waits', requires: [atMostOne.id] }
    const { result } = await judged([check(atMostOne), check(waiting)], ['zoo/waits'])
    expect(result.verdicts.map(({ status, caveat }) => [status, caveat])).toEqual([
      ['pass', expect.stringContaining(`because of failures in ${atMostOne.id} (v3)`)],
    ])
  })
})

test('a user-defined open point is reported last, with its evidence, in every report', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const asked = { ...options, baseUrl: service.baseUrl }
  const howMany = openPoint({
    id: 'O-HOW-MANY',
    operation: 'listCats',
    observe: async ({ directory }, read) => ({
      value: `${(await listedNames(directory.cats, read)).length} <cats>`,
      shownBy: [directory.cats],
    }),
  })
  const result = await judge(asked, { openPoints: [howMany] })
  const report = parseReport(render(reportOf(result, asked), 'report.json'))
  const own = report.openPoints.slice(-2)
  expect(own.map(({ id, version, value }) => `${id} ${version} ${value}`)).toEqual([
    expect.stringMatching(/^O-HOW-MANY v2 \d+ <cats>$/),
    expect.stringMatching(/^O-HOW-MANY v3 \d+ <cats>$/),
  ])
  expect(own.filter(({ evidence }) => evidence.length === 0)).toEqual([])
  for (const format of ['report.html', 'summary.md'] as const) expect(render(report, format)).toContain('O-HOW-MANY')
})

test.each([
  ['O-RATE', 'the contract already has an open point O-RATE'],
  ['how-many', 'is not a valid id'],
])('an open point cannot be called %s: it %s', (id, message) => {
  expect(() => openPoint({ id, observe: async () => undefined })).toThrow(message)
})

const ask = once(async () => {})

describe('an invalid definition', () => {
  test.each<[string, object]>([
    ['"nine" is not a valid id', { id: 'nine' }],
    ['"pinned/x" begins with pinned/', { id: 'pinned/x' }],
    ['has no title', { title: '' }],
    ['has an operation that is none of all, listCats', { operation: 'feedCat' }],
    ['has a level that is neither must nor should', { level: 'pinned' }],
    ['names a statement that is none of S-GET', { statements: ['S-MEOW'] }],
    ['has no probe', { probes: [] }],
  ])('a user-defined check is refused before any request, with its defect: %s', (message, wrong) => {
    const requirement = { ...atMostOne, ...wrong } as OwnPromise // as a program without types may pass them
    expect(() => check(requirement)).toThrow(message)
  })

  test.each<[string, readonly OwnPromise[]]>([
    ['two checks have the id "cats/is-served"', [{ ...atMostOne, id: 'cats/is-served' }]],
    ['two checks have the id "zoo/at-most-one-life"', [atMostOne, atMostOne]],
    ['zoo/at-most-one-life requires "zoo/none", but no check has this id', [{ ...atMostOne, requires: ['zoo/none'] }]],
    [
      'zoo/a depends on zoo/b depends on zoo/a',
      [
        { ...atMostOne, id: 'zoo/a', requires: ['zoo/b'], probes: [ask] },
        { ...atMostOne, id: 'zoo/b', requires: [], explainedBy: ['zoo/a'], probes: [ask] },
      ],
    ],
  ])('user-defined checks are refused before any request, with their conflict: %s', async (message, own) => {
    const judging = judge({ ...options, baseUrl: 'http://127.0.0.1:9' }, { checks: [...checks, ...own.map(check)] })
    await expect(judging).rejects.toThrow(message)
    await expect(judging).rejects.toThrow(TypeError)
  })
})
