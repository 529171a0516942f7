import { describe, expect, inject, test } from 'vitest'
import { operations } from '../../../fixtures/contract/operations.ts'
import { type Variant, variants } from '../../../fixtures/variants/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { buildDiagnosisRows } from '../../../reports/report/rows.ts'
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
  'pages-more-until-empty': ['none', 'elements'],
  'pages-key-until-empty': ['none', 'next'],
  'pages-anzahl': ['abnr', 'elements'],
  'pages-sentence': ['zt', 'elements'],
  'pages-hay-mas': ['zt', 'elements'],
  'pages-registros': ['folha', 'pages from 1'],
  'pages-word': ['zt', 'elements'],
  'pages-arrays': ['blatt', 'pages from 1'],
  'pages-next-position': ['zt', 'next'],
  'pages-next-position-header': ['zt', 'next'],
}

/**
 * The deployments of which the suite can request only the first page. In the first, the next page can be requested only
 * with the header Range; the others have no next page.
 */
const WITHOUT_NEXT_PAGE = ['pages-partial', 'pages-zusammen', 'pages-in-all']

/**
 * The advised pin of the place of names or counts that decides the run, and whether the run then conforms. The first
 * advised pin is used if the fields do not say otherwise.
 */
const placesByDeployment: Readonly<Record<string, readonly [pin: Partial<Pin>, conforms: boolean]>> = {
  'lives-behind-many-members': [{ lives: '/count' }, true],
  'shape-initials': [{}, true],
  'shape-search-initials': [{}, true],
  'shape-halves': [{}, true],
  'shape-included-unclear': [{ name: '/attributes/label' }, true],
  'shape-never-told': [{}, true],
  // These responses contain no names, so that the other strings, if pinned, are no names of cats.
  'shape-addresses': [{}, false],
  'shape-ids': [{}, false],
  'shape-breeds-alone': [{}, false],
}

/** In `npm test`, every fourth deployment is judged. */
const some = <T>(rows: readonly T[]): readonly T[] =>
  inject('extent').everything ? rows : rows.filter((_, index) => index % 4 === 0)

const inconclusive = variants.filter(({ verdict }) => verdict === 'inconclusive')
const advised = inconclusive.filter(
  ({ id }) => id.startsWith('pages-') && !WITHOUT_NEXT_PAGE.includes(id) && placesByDeployment[id] === undefined,
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
  'lives/is',
]

const reasonsOf = ({ verdicts }: RunResult): readonly string[] =>
  verdicts.flatMap(({ status, reason = '' }) => (status === 'inconclusive' ? [reason] : []))

const advisedPins = (result: RunResult): readonly Pin[] =>
  reasonsOf(result).flatMap((reason) =>
    [...reason.matchAll(/\{"point":.*?\}/g)].map(([entry]) => JSON.parse(entry) as Pin),
  )

const runsWithoutPins = new Map<string, Promise<RunResult>>()

/** Judges a variant with the given pins. Several tests share the run without pins. */
function judged(variant: Variant | undefined, pins: readonly Pin[]): Promise<RunResult> {
  if (variant === undefined) throw new Error('there is no such variant')
  const known = pins.length === 0 ? runsWithoutPins.get(variant.id) : undefined
  const run = known ?? judgeVariant(variant, pins)
  if (pins.length === 0) runsWithoutPins.set(variant.id, run)
  return run
}

async function judgeVariant(variant: Variant, pins: readonly Pin[]): Promise<RunResult> {
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

/** Follows the advice on the places of names or counts until no reason advises to pin anything. */
async function followPlaceAdvice(variant: Variant, wanted: Partial<Pin>): Promise<RunResult> {
  let pins: readonly Pin[] = []
  for (let round = 0; round < 4; round++) {
    const result = await judged(variant, pins)
    const entries = advisedPins(result).map((pin) => (pin.lives === '/PLACE' ? { ...pin, ...wanted } : pin))
    const operations = [...new Set(entries.map(({ operation }) => operation))]
    const chosen = operations.flatMap((operation) => {
      const [first, ...others] = entries.filter((pin) => pin.operation === operation)
      return [first, ...others].find((pin) => pin && (wanted.name === undefined || pin.name === wanted.name)) ?? []
    })
    if (chosen.length === 0) return result
    pins = [...pins, ...chosen]
  }
  throw new Error('the advice does not end')
}

/** Returns a pattern of the URL of the list that a cause names, e.g. of `the list of "Manx" lacks "Tom"`. */
function expectedUrlOf(cause: string): RegExp {
  const [, of = ''] = /(?:the list of|a search for) (all \w+|"[^"]*") /.exec(cause) ?? []
  if (of.startsWith('all ')) return new RegExp(`/${of.slice(4)}(?:\\?|$)`)
  return new RegExp(`=${encodeURIComponent(of.slice(1, -1))}|/${encodeURIComponent(of.slice(1, -1))}/cats`)
}

describe('the advised pin of the place of names or counts decides the run', () => {
  test('every inconclusive deployment that is advised to pin something has a test', async () => {
    const tested = [...Object.keys(expectedByDeployment), ...WITHOUT_NEXT_PAGE, ...Object.keys(placesByDeployment)]
    const others = inconclusive.filter(({ id }) => !tested.includes(id))
    const reasons = await Promise.all(others.map(async (variant) => reasonsOf(await judged(variant, []))))
    expect(reasons.flat().filter((reason) => /\bpin\b/i.test(reason))).toEqual([])
  })

  test.each(some(Object.entries(placesByDeployment)))(
    'the advised pin of the place of names or counts decides the run: %s',
    async (id, [wanted, conforms]) => {
      const variant = inconclusive.find((one) => one.id === id)
      if (variant === undefined) throw new Error(`there is no inconclusive variant ${id}`)
      const { next, exchange } = diagnoseInconclusiveRun(await judged(variant, []), { baseUrl: 'http://h' }) ?? {}
      expect(exchange).toBeDefined()
      expect(next).toMatch(/\{"point":"O-LI\w+-SHAPE",.*--profile profile\.json\.$/)
      const followed = await followPlaceAdvice(variant, wanted)
      expect(describeVerdicts(followed, 'fail').length > 0).toBe(!conforms)
      if (conforms) expect(reasonsOf(followed)).toEqual([])
    },
  )
})

describe('the advised pin of the pages of a list decides the run', () => {
  test('every deployment whose pages cannot be followed has a test', () => {
    expect(advised.map(({ id }) => id).toSorted()).toEqual(Object.keys(expectedByDeployment).toSorted())
  })

  test.each(some(advised).map((variant) => [variant.id, variant] as const))(
    'the advised pin of the pages of a list decides the run: %s',
    async (id, variant) => {
      const [parameter, by] = expectedByDeployment[id] ?? ['', 'elements']
      const pins = advisedPins(await judged(variant, []))
      const chosen = pins.find((pin) => (by === 'next' ? pin.next !== undefined : pin.counts !== undefined))
      expect(chosen).toBeDefined()
      const lists = operations
        .filter(({ id: operation }) => operation !== 'getLivesLeft')
        .map(({ id: operation }) => operation)
      const entry = { ...chosen, parameter, ...(by !== 'next' && { counts: by }) }
      const followed = await judged(
        variant,
        lists.map((operation) => ({ ...entry, point: 'O-LIST-SHAPE', operation })),
      )
      expect(reasonsOf(followed)).toEqual([])
      expect(describeVerdicts(followed, 'fail')).toEqual([])
    },
  )

  test.each(some(advised).map((variant) => [variant.id, variant] as const))(
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
    expect(next).toMatch(
      /^Serve the whole list, .*"whole":true\}\. To pin an entry, save .* --profile profile\.json\.$/,
    )
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
      expect(namesRange(createPagingPinAdvice('listCats', { place: 'content-range', followedAs: 'no' }).text)).toBe(
        true,
      )
    },
  )

  test.each(
    [...advised.slice(0, 2), ...inconclusive.filter(({ id }) => WITHOUT_NEXT_PAGE.includes(id))].map(
      (variant) => [variant.id, variant] as const,
    ),
  )('a list in pages that is pinned as whole is cut off: %s', async (_, variant) => {
    const pins = advisedPins(await judged(variant, [])).filter(({ whole }) => whole)
    const byOperation = new Map(pins.map((pin) => [pin.operation, pin]))
    const { verdicts } = await judged(variant, [...byOperation.values()])
    expect(verdicts.some(({ status }) => status === 'fail')).toBe(true)
  })
})
