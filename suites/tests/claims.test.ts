import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { mutants } from '../../fixtures/mutants/index.ts'
import { timedMutants } from '../../fixtures/mutants/time/index.ts'
import { type Variant, variants } from '../../fixtures/variants/index.ts'
import { catalogue } from '../catalogue.ts'
import type { Check } from '../engine/judging/check.ts'
import { type JudgeOptions, type Judging, judge } from '../judge.ts'
import type { Deployment } from '../vocabulary/deployment.ts'
import { type Leniencies, leniencies } from '../vocabulary/leniencies.ts'

/*
 * Claims that cannot fail, found by machine: each way of trying a promise and each leniency is taken away, and somebody
 * must notice.
 */

const SEED = 7
const TIMEOUT_MS = 2_000

type Tries = 'tries' | 'triesFirst'

interface Way {
  readonly check: Check<Deployment>
  readonly of: Tries
  readonly index: number
}

/** Each needs many judgements. */
const { everything, stringScreening: bounds = {} } = inject('extent')

/** Where a promise is tried in one way only, without it there is no check: the zoo demands a mutant for each check. */
const ways = catalogue.flatMap((check) => {
  const all = (['triesFirst', 'tries'] as const).flatMap((of) =>
    check[of].map((_, index): Way => ({ check, of, index })),
  )
  return all.length > 1 ? all : []
})

/** A check, what it waits for and what would explain its failure. */
function around(check: Check<Deployment>): readonly Check<Deployment>[] {
  const ids = new Set([check.id])
  // A set visits what is added to it meanwhile.
  for (const id of ids) {
    const one = catalogue.find((other) => other.id === id)
    for (const other of [...(one?.requires ?? []), ...(one?.explainedBy ?? [])]) ids.add(other)
  }
  return catalogue.filter(({ id }) => ids.has(id))
}

const without = ({ check, of, index }: Way): readonly Check<Deployment>[] =>
  around(check).map((one) =>
    one === check ? { ...check, [of]: check[of].filter((_, other) => other !== index) } : one,
  )

/** The checks and versions that fail. */
async function failing(
  deployment: Pick<Variant, 'start'>,
  judging: Judging,
  asked: Partial<JudgeOptions> = {},
): Promise<readonly string[]> {
  const running = await deployment.start()
  try {
    const options = { baseUrl: running.baseUrl, timeoutMs: TIMEOUT_MS, seed: SEED, ...asked }
    const { verdicts } = await judge(options, judging)
    return verdicts.filter(({ status }) => status === 'fail').map(({ check, version }) => `${check.id} ${version}`)
  } finally {
    await running.close()
  }
}

const FOUND_BEFORE = new URL('claims.escapes.json', import.meta.url)
/** The mutant that escaped last time: asked first, so that the others need not be. A wrong one costs time alone. */
const foundBefore: Readonly<Record<string, string>> = JSON.parse(readFileSync(FOUND_BEFORE, 'utf8'))
const found: Record<string, string> = {}

/** Those that hang last: each costs a deadline for every question. */
const cost = ({ id }: { readonly id: string }, title: string): number =>
  id === foundBefore[title] ? -1 : Number(id.includes('hang'))
const quickFirst = <T extends { readonly id: string }>(all: readonly T[], title: string): readonly T[] =>
  all.toSorted((a, b) => cost(a, title) - cost(b, title))

/** The first mutant that escapes its catcher when this way of trying is dropped. */
async function escapingFrom(way: Way, title: string): Promise<string | undefined> {
  const isTimed = timedMutants.some(({ id }) => id === foundBefore[title])
  const [first, second] = isTimed ? [escapingInTime, escapingAtOnce] : [escapingAtOnce, escapingInTime]
  return (await first(way, title)) ?? (await second(way, title))
}

async function escapingAtOnce(way: Way, title: string): Promise<string | undefined> {
  const judging = { checks: without(way) }
  for (const mutant of quickFirst(mutants, title)) {
    const caught = mutant.caughtBy.find(({ check }) => check === way.check.id)
    if (caught && !(await failing(mutant, judging)).includes(`${caught.check} ${caught.version}`)) return mutant.id
  }
  return undefined
}

/** The same among those that come and go, if they are caught when nothing is dropped. */
async function escapingInTime(way: Way, title: string): Promise<string | undefined> {
  const catches = (failed: readonly string[]) => failed.some((one) => one.startsWith(`${way.check.id} `))
  const told = timedMutants.filter(({ tells }) => way.check.scopes.some((scope) => tells(way.check.id, scope)))
  for (const mutant of quickFirst(told, title)) {
    if (
      catches(await failing(mutant, { checks: around(way.check) })) &&
      !catches(await failing(mutant, { checks: without(way) }))
    )
      return mutant.id
  }
  return undefined
}

/** Its only mutant, a cache of one second, goes by the clock: it escapes or not by what else the machine does. */
const GOES_BY_THE_CLOCK = 'lives/only-in-v3, triesFirst 1'
const titled = ways.map((way) => [`${way.check.id}, ${way.of} ${way.index + 1}`, way] as const)

describe.runIf(everything)('some mutant escapes without each way of trying (in test:full)', () => {
  test.each(titled.filter(([title]) => title !== GOES_BY_THE_CLOCK))('%s', async (title, way) => {
    const mutant = await escapingFrom(way, title)
    expect(mutant, 'no mutant escapes').toBeDefined()
    if (mutant) found[title] = mutant
  })

  afterAll(() => {
    const others = Object.keys(found).filter((title) => found[title] !== foundBefore[title])
    if (others.length === 0) return
    mkdirSync('reports/power', { recursive: true })
    writeFileSync('reports/power/claims.escapes.json', `${JSON.stringify({ ...foundBefore, ...found }, null, 2)}\n`)
    console.log(`others escape than before (reports/power/claims.escapes.json knows them): ${others.join('; ')}`)
  })
})

/** A legal deployment that needs the leniency. */
const needs: Readonly<Record<keyof Leniencies, string>> = {
  refusedName: 'long-listed-name-refused',
  refusedQuery: 'long-listed-name-refused',
  aliasOf: 'names-in-any-case',
  shownAlias: 'breeds-by-id',
  dotsAlone: 'dot-segments',
  stepsInPath: 'paths-resolved-anew',
  soundsAlike: 'search-soundex',
  sameBreed: 'shows-breed-slug',
  syntaxInQuery: 'search-unpunctuated',
  transliterated: 'search-transliterated',
  readAsSpecial: 'search-typographic',
  speltOut: 'search-spelt-out',
  alsoFoundWithout: 'search-words',
  redirectedOutOf: 'v2-lives-at-v3',
}

describe('some variant is failed without each leniency, and not with it', () => {
  test.each(Object.entries(needs))('%s', async (name, id) => {
    const variant = variants.find((one) => one.id === id)
    if (!variant) throw new Error(`there is no variant ${id}`)
    // The variants' own tests judge it with all of them, too.
    if (everything) expect(await failing(variant, {})).toEqual([])
    const judging = { excuses: { ...leniencies, [name]: () => false } }
    const told = await failing(variant, judging, { bounds })
    expect(told.length > 0 ? told : await failing(variant, judging)).not.toEqual([])
  })
})
