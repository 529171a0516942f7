import { Inconclusive } from '../../engine/inconclusive.ts'
import type { CheckContext } from '../../engine/judging/check.ts'
import { fewestChanges } from '../../engine/judging/history.ts'
import { randomFrom } from '../../engine/judging/sample.ts'
import type { OneVersion } from '../../vocabulary/deployment.ts'
import { pathNames } from '../../vocabulary/inputs/own-names.ts'
import type { LivesReading } from '../../vocabulary/reading/lives-reading.ts'
import { livesOf } from '../../vocabulary/reading/state.ts'
import { quoted } from '../../vocabulary/text.ts'
import { accuse } from './accuse.ts'
import type { Try } from './check.ts'
import { changesUnderLoad } from './under-load.ts'

type Context = CheckContext<OneVersion>

/** As old as a copy may be that says nothing of its age. */
const COPY_MS = 5000
/** Several at once, so that more than one connection is used, and unequal pauses between, so that no clock is in step. */
const AT_ONCE = 4
const PAUSES_MS = [0, 7, 13, 17, 23, 31, 41, 53, 67, 89, 113, 181]
/** Lives that go to and fro do so in each of these, which are farther apart than copies are old. */
const ROWS = 3
/** A count may fall, and be set right again; more often it does not change back. */
const MOST_CHANGES = 2
/** So often it does so where something else was said in between. */
const WAVERING = 2
const ROWS_THAT_WAVER = 2
/** To find some that have other counts. */
const MOST_LOOKED_AT = 20
const MOST_CATS = 3

interface Sighted {
  readonly lives: number | undefined
  readonly from: number
  readonly to: number
}

/**
 * Reads the lives of a cat, among those of others and in no step: an answer that belongs to another request shows only
 * where that was for another cat.
 */
async function readRow(cat: string, others: readonly string[], context: Context, lot: () => number) {
  const { target, fresh, pause } = context
  const row: Sighted[] = []
  const readOnce = async (name: string) => {
    const from = performance.now()
    const lives = livesOf(await fresh().read(target.directory.lives(name)))
    if (name === cat) row.push({ lives, from, to: performance.now() })
  }
  for (const ms of PAUSES_MS) {
    await pause(ms)
    const besides = others.slice(0, Math.ceil(lot() * others.length))
    const names = [...Array.from({ length: AT_ONCE }, () => cat), ...besides].map((name) => ({ name, at: lot() }))
    await Promise.all(names.sort((one, other) => one.at - other.at).map(({ name }) => readOnce(name)))
  }
  return row
}

/** How often at least each count came and went. */
function changesIn(row: readonly Sighted[]): ReadonlyMap<number, number> {
  const known = row.flatMap(({ lives, ...when }) => (lives === undefined ? [] : [{ lives, ...when }]))
  const changesOf = (count: number) =>
    fewestChanges(known.map(({ lives, from, to }) => ({ from, to, value: lives === count })))
  return new Map(known.map(({ lives }) => [lives, changesOf(lives)]))
}

const mostOf = (changes: ReadonlyMap<number, number>): number => Math.max(0, ...changes.values())

interface Observed {
  readonly cat: string
  /** Cats that have another number of lives left. */
  readonly others: readonly string[]
  /** How often her counts changed in each row; copies do not reach from one to another. */
  readonly rows: readonly ReadonlyMap<number, number>[]
}

/** Whether one count goes and comes back in every row: where she gains or loses lives, the counts of old copies are others in each. */
const isRestless = ({ rows: [first, ...others] }: Observed): boolean =>
  others.length === ROWS - 1 &&
  [...(first ?? [])].some(
    ([count, changes]) => changes > MOST_CHANGES && others.every((row) => (row.get(count) ?? 0) > MOST_CHANGES),
  )

async function observe(cat: string, context: Context): Promise<Observed> {
  const lot = randomFrom(context.seed)
  const others = await unlike(cat, context)
  const rows: ReadonlyMap<number, number>[] = []
  while (rows.length < ROWS && rows.slice(0, 1).every((first) => mostOf(first) >= WAVERING)) {
    if (rows.length > 0) await context.pause(COPY_MS + 1000)
    rows.push(changesIn(await readRow(cat, others, context, lot)))
  }
  return { cat, others, rows }
}

/** Cats that have another number of lives left. */
async function unlike(cat: string, { target: { directory }, read }: Context): Promise<readonly string[]> {
  const names = (await pathNames(directory.cats, read)).slice(0, MOST_LOOKED_AT)
  const counts = await Promise.all([cat, ...names].map(async (name) => livesOf(await read(directory.lives(name)))))
  return names.filter((_, nth) => counts[nth + 1] !== counts[0]).slice(0, AT_ONCE)
}

/** Contract, section 4. What goes and comes back many times in a second is no life. */
export const livesStayWhatTheyAre: Try = async (context) => {
  const { directory, watch } = context.target
  const moved = new Set([...(await watch.early()).cats, ...(await watch.late()).cats])
  if (moved.size === 0) return
  const found = await Promise.all([...moved].slice(0, MOST_CATS).map((cat) => observe(cat, context)))
  const restless = found.find(isRestless)
  const wavering = found.find(({ rows }) => rows.filter((row) => mostOf(row) >= WAVERING).length >= ROWS_THAT_WAVER)
  const expectedOf = (cat: string) =>
    `the lives of ${quoted(cat)} are what they were a moment ago, unless it has lost some`
  if (restless) {
    const subject = directory.lives(restless.cat)
    return accuse(subject, context, {
      expected: expectedOf(restless.cat),
      actual: `read again and again, for ${Math.round(((ROWS - 1) * COPY_MS) / 1000)} s, they go to and fro`,
      shownBy: [subject],
    })
  }
  if (!wavering) return
  const { cat, others } = wavering
  const subject = directory.lives(cat)
  const beside = others.map((name) => directory.lives(name))
  const says = (reading: LivesReading) => livesOf(reading)?.toString()
  if (await changesUnderLoad({ subject, others: beside, says }, context))
    return accuse(subject, context, {
      expected: expectedOf(cat),
      actual: 'with several requests in flight they are others than alone, each time that it was tried',
      shownBy: [subject],
    })
  throw new Inconclusive('unstable', `the lives of ${quoted(cat)} went and came back, seconds apart, and again`)
}
