import { describe, expect, test } from 'vitest'
import { operations } from '../../../fixtures/contract/operations.ts'
import { type Variant, variants } from '../../../fixtures/variants/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { buildDiagnosisRows } from '../../../reports/report/diagnosis.ts'
import { createPagingPinAdvice } from '../../directory/pages/pinned-pages.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { type Pin, parseProfile } from '../../judge/profile/profile.ts'
import { diagnoseInconclusiveRun } from '../../workflows/run/diagnosis.ts'
import { reportContext } from '../reports/reports.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'

/** For each deployment, the request parameter for the next page (or `none`), and what the advice says to pin. */
const expectedByDeployment: Readonly<
  Record<string, readonly [name: string, by: 'next' | 'elements' | 'pages from 1']>
> = {
  'pages-dynamo': ['none', 'next'],
  'pages-steam': ['start_assetid', 'next'],
  'pages-elsewhere': ['none', 'elements'],
  'pages-ranged': ['zt', 'elements'],
  'pages-counted': ['zt', 'elements'],
  'pages-load-more': ['zt', 'elements'],
  'pages-left': ['zt', 'elements'],
  'pages-scroll': ['zt', 'elements'],
  'pages-more': ['none', 'elements'],
  'pages-anzahl': ['abnr', 'elements'],
  'pages-sentence': ['zt', 'elements'],
  'pages-hay-mas': ['zt', 'elements'],
  'pages-registros': ['folha', 'pages from 1'],
  'pages-word': ['zt', 'elements'],
}

/**
 * The deployments that stay inconclusive whatever is pinned for their pages. In the first, the suite cannot decide where
 * the names are. In the second, the next page can be requested only with the header Range. The others serve only their
 * first page.
 */
const UNDECIDED_BY_PINS = ['pages-titles-of-rare-breed', 'pages-partial', 'pages-zusammen', 'pages-in-all']

const advised = variants.filter(
  ({ id, verdict }) => id.startsWith('pages-') && verdict === 'inconclusive' && !UNDECIDED_BY_PINS.includes(id),
)

/** The checks that compare lists, except those that take many requests. */
const comparedChecks = [
  'cats/',
  'breeds/',
  'breed-cats/is',
  'breed-cats/have',
  'membership/',
  'search/is',
  'search/have',
  'search/finds',
]

const reasonsOf = ({ verdicts }: RunResult): readonly string[] =>
  verdicts.flatMap(({ status, reason = '' }) => (status === 'inconclusive' ? [reason] : []))

const advisedPins = (result: RunResult): readonly Pin[] =>
  reasonsOf(result).flatMap((reason) =>
    [...reason.matchAll(/\{"point":.*?\}/g)].map(([entry]) => JSON.parse(entry) as Pin),
  )

async function judged(variant: Variant | undefined, pins: readonly Pin[]): Promise<RunResult> {
  if (variant === undefined) throw new Error('there is no such variant')
  const running = await variant.start()
  const profile = () => parseProfile(JSON.stringify({ profileVersion: 1, pins }))
  const options: JudgeOptions = {
    baseUrl: running.baseUrl,
    only: comparedChecks,
    seed: 1,
    ...(pins.length > 0 && { profile: profile() }),
  }
  try {
    return await judge(options)
  } finally {
    await running.close()
  }
}

/** Returns a pattern of the URL of the list that a cause names, e.g. of `the list of "Manx" lacks "Tom"`. */
function expectedUrlOf(cause: string): RegExp {
  const [, of = ''] = /(?:the list of|a search for) (all \w+|"[^"]*") /.exec(cause) ?? []
  if (of.startsWith('all ')) return new RegExp(`/${of.slice(4)}(?:\\?|$)`)
  return new RegExp(`=${encodeURIComponent(of.slice(1, -1))}|/${encodeURIComponent(of.slice(1, -1))}/cats`)
}

describe('the advised pin of the pages of a list decides the run', () => {
  test('every deployment whose pages cannot be followed has a test', () => {
    expect(advised.map(({ id }) => id).toSorted()).toEqual(Object.keys(expectedByDeployment).toSorted())
  })

  test.each(advised.map((variant) => [variant.id, variant] as const))(
    'the advised pin of the pages of a list decides the run: %s',
    async (id, variant) => {
      const [parameter, by] = expectedByDeployment[id] ?? ['', 'elements']
      const pins = advisedPins(await judged(variant, []))
      const chosen = pins.find((pin) => (by === 'next' ? pin.next !== undefined : pin.counts !== undefined))
      expect(chosen).toBeDefined()
      const lists = operations
        .filter(({ id: operation }) => operation !== 'getLivesLeft')
        .map(({ id: operation }) => operation)
      const entry = { ...chosen, parameter, ...(by === 'pages from 1' && { counts: by }) }
      const followed = await judged(
        variant,
        lists.map((operation) => ({ ...entry, point: 'O-LIST-SHAPE', operation })),
      )
      expect(reasonsOf(followed)).toEqual([])
      expect(describeVerdicts(followed, 'fail')).toEqual([])
    },
  )

  test.each(advised.map((variant) => [variant.id, variant] as const))(
    'the diagnosis shows the response of the list that it names: %s',
    async (_, variant) => {
      const result = await judged(variant, [])
      const { cause = '', exchange } = diagnoseInconclusiveRun(result, { baseUrl: 'http://h' }) ?? {}
      expect(result.exchanges.get(exchange ?? Number.NaN)?.url).toMatch(expectedUrlOf(cause))
    },
  )

  test('the diagnosis gives the pin as the next step, after the cause and the list that may be a page', async () => {
    const result = await judged(advised.find(({ id }) => id === 'pages-more') ?? advised[0], [])
    const { cause, next, exchange } = diagnoseInconclusiveRun(result, { baseUrl: 'http://h' }) ?? {}
    expect(cause).toMatch(/may be only one page of a longer list: .*No next page could be fetched\.$/)
    expect(next).toMatch(/^Serve the whole list, .*"whole":true\}\.$/)
    expect(result.exchanges.get(exchange ?? Number.NaN)?.url).toMatch(/\/cats$/)
  })

  test('the diagnosis names all versions with this reason, and shows the part of the response that it names', async () => {
    const variant = advised.find(({ id }) => id === 'pages-more') ?? advised[0]
    const result = await judged(variant, [])
    const diagnosis = diagnoseInconclusiveRun(result, { baseUrl: 'http://h' })
    const exchanges = new Map(
      [...result.exchanges].map(([id, one]) => [id, { ...one, excerpt: `["${'x'.repeat(400)}",${one.excerpt}]` }]),
    )
    const rows = buildDiagnosisRows(
      buildReport({ ...result, exchanges }, { ...reportContext, ...(diagnosis && { diagnosis }) }),
    )
    const [, place = ''] = /^[a-z-]+\/[a-z-]+ \((?:v2 and v3)\) .* (\/\S+) is /s.exec(diagnosis?.cause ?? '') ?? []
    expect(place).not.toBe('')
    expect(rows.find(({ kind }) => kind === 'body')?.text).toContain(`"${place.slice(1)}"`)
  })

  test.each([
    ['pages-partial', true],
    ['pages-more', false],
  ] as const)(
    'the advice says that the suite never sends the header field Range, for %s: %j',
    async (id, isInAdvice) => {
      const reasons = reasonsOf(
        await judged(
          variants.find((one) => one.id === id),
          [],
        ),
      )
      expect(reasons.length).toBeGreaterThan(0)
      const namesRange = (text: string) => text.includes('The suite never sends the header field Range')
      expect(reasons.map(namesRange)).toEqual(reasons.map(() => isInAdvice))
      expect(namesRange(createPagingPinAdvice('listCats', { place: 'content-range', followedAs: 'no' }))).toBe(true)
    },
  )

  test.each(advised.slice(0, 2).map((variant) => [variant.id, variant] as const))(
    'a list in pages that is pinned as whole is cut off: %s',
    async (_, variant) => {
      const pins = advisedPins(await judged(variant, [])).filter(({ whole }) => whole)
      const byOperation = new Map(pins.map((pin) => [pin.operation, pin]))
      const { verdicts } = await judged(variant, [...byOperation.values()])
      expect(verdicts.some(({ status }) => status === 'fail')).toBe(true)
    },
  )
})
