import { livesOf } from '../../../directory/changes/state.ts'
import type { OneVersion } from '../../../directory/deployment.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import { foundBy } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Evidence } from '../../../engine/check/violations.ts'
import { fewestChanges } from '../../../engine/history/fewest-changes.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { Inconclusive } from '../../../engine/inconclusive.ts'
import { randomFrom } from '../../../engine/property/sample.ts'
import { accuse } from '../accuse.ts'
import type { Try } from '../check.ts'
import { AWAY, saysHowFresh } from './asked-again.ts'
import { changesUnderLoad } from './under-load.ts'

type Context = CheckContext<OneVersion>

/** The greatest age of a copy that declares none. */
const COPY_MS = 5000
/** Several requests at once to use several connections, and unequal pauses so that no clock keeps step. */
const AT_ONCE = 4
const PAUSES_MS = [0, 7, 13, 17, 23, 31, 41, 53, 67, 89, 113, 181]
/** An unstable count is unstable in each of these bursts, which are farther apart than copies are old. */
const ROWS = 3
/** A count may fall and be corrected; further reversals are no life of a directory. */
const MOST_CHANGES = 2
/** The number of reversals with another response in between. */
const WAVERING = 2
const ROWS_THAT_WAVER = 2
/** The number of cats read to find some with other counts. */
const MOST_LOOKED_AT = 20
const MOST_CATS = 3

/** The response for a cat: its count, or a refusal. */
type Said = number | 'refused'

interface Sighted {
  readonly said: Said | undefined
  /** True if it may be a copy by its own declaration, however old. */
  readonly isDated: boolean
  readonly from: number
  readonly to: number
  readonly shownBy: readonly Exchange[]
}

const isOfLives = ({ said }: Sighted): boolean => said !== 'refused'

const saidOf = (reading: LivesReading): Said | undefined =>
  reading.kind === 'refused' && !AWAY.includes(reading.status) ? 'refused' : livesOf(reading)

/**
 * Reads the lives of a cat among those of others, at irregular times: a response that belongs to another request only
 * shows if that was for another cat.
 */
async function readRow(cat: string, others: readonly string[], context: Context, lot: () => number) {
  const { fresh, clock, pause } = context
  const { lives, cats } = context.target.directory
  const row: Sighted[] = []
  const readOnce = async (name: string) => {
    const [from, reader] = [clock.now(), fresh()]
    const said = saidOf(await reader.read(lives(name)))
    if (name !== cat) return
    const [isDated, shownBy] = [saysHowFresh(reader, lives(name)), reader.evidence(lives(name))]
    row.push({ said, isDated, from, to: clock.now(), shownBy })
  }
  for (const ms of PAUSES_MS) {
    await pause(ms)
    const besides = others.slice(0, Math.ceil(lot() * others.length))
    const names = [...Array.from({ length: AT_ONCE }, () => cat), ...besides].map((name) => ({ name, at: lot() }))
    await Promise.all(names.sort((one, other) => one.at - other.at).map(({ name }) => readOnce(name)))
    if (row.slice(-AT_ONCE).every(isOfLives)) continue
    // If the list no longer has the cat, it was removed: no violation.
    if (foundBy(await fresh().read(cats))?.has(cat) !== true) return []
  }
  // Copies of a removed cat's lives remain until they expire.
  return row.every(isOfLives) ? row : row.filter(({ isDated }) => !isDated)
}

type Changes = ReadonlyMap<Said, number>

/** Two differing responses of a burst, and concurrent requests that reproduce them. */
function evidenceIn(row: readonly Sighted[]): Evidence {
  const known = row.filter(({ said }) => said !== undefined)
  const [first] = known
  const other = known.find(({ said }) => said !== first?.said)
  const exchanges = [other, first].flatMap((one) => one?.shownBy ?? [])
  return { exchanges, inFlight: exchanges.slice(-1) }
}

/** The fewest changes of each count, and of its absence. */
function changesIn(row: readonly Sighted[]): Changes {
  const known = row.flatMap(({ said, from, to }) => (said === undefined ? [] : [{ said, from, to }]))
  const changesOf = (one: Said) => fewestChanges(known.map(({ said, from, to }) => ({ from, to, value: said === one })))
  return new Map(known.map(({ said }) => [said, changesOf(said)]))
}

const mostOf = (changes: Changes): number => Math.max(0, ...changes.values())

interface Observed {
  readonly cat: string
  /** Cats with another count. */
  readonly others: readonly string[]
  /** The changes of the count in each burst; copies do not reach from one burst to the next. */
  readonly rows: readonly Changes[]
  /** The evidence of the last burst. */
  readonly evidence: Evidence
}

/**
 * Returns whether one count recurs in every burst: if the cat gains or loses lives, old copies have other counts in
 * each.
 */
const isRestless = ({ rows: [first, ...others] }: Observed): boolean =>
  others.length === ROWS - 1 &&
  [...(first ?? [])].some(
    ([count, changes]) => changes > MOST_CHANGES && others.every((row) => (row.get(count) ?? 0) > MOST_CHANGES),
  )

/** A removed cat may be served as long as copies are old, which proves nothing. */
const isWavering = ({ rows }: Observed): boolean =>
  rows.every((row) => !row.has('refused')) && rows.filter((row) => mostOf(row) >= WAVERING).length >= ROWS_THAT_WAVER

async function observe(cat: string, context: Context): Promise<Observed> {
  const lot = randomFrom(context.seed)
  const others = await unlike(cat, context)
  const rows: Changes[] = []
  let evidence: Evidence = { exchanges: [], inFlight: [] }
  while (rows.length < ROWS && rows.slice(0, 1).every((first) => mostOf(first) >= WAVERING)) {
    if (rows.length > 0) await context.pause(COPY_MS + 1000)
    const row = await readRow(cat, others, context, lot)
    rows.push(changesIn(row))
    evidence = evidenceIn(row)
  }
  return { cat, others, rows, evidence }
}

/** Cats with another count. */
async function unlike(cat: string, { target: { directory }, read }: Context): Promise<readonly string[]> {
  const names = (await pathNames(directory.cats, read)).slice(0, MOST_LOOKED_AT)
  const counts = await Promise.all([cat, ...names].map(async (name) => livesOf(await read(directory.lives(name)))))
  return names.filter((_, nth) => counts[nth + 1] !== counts[0]).slice(0, AT_ONCE)
}

/** Fails if a count changes back and forth many times a second while the cat is listed (T2.7). */
export const livesStayWhatTheyAre: Try = async (context) => {
  const { directory, watch } = context.target
  const motions = [await watch.early(), await watch.late()]
  const moved = new Set(motions.flatMap(({ cats, refused }) => [...cats, ...refused]))
  if (moved.size === 0) return
  const found = await Promise.all([...moved].slice(0, MOST_CATS).map((cat) => observe(cat, context)))
  const restless = found.find(isRestless)
  const wavering = found.find(isWavering)
  const expectedOf = (cat: string) => `the lives of ${quoted(cat)} change only when the cat loses or gains some`
  if (restless) {
    const subject = directory.lives(restless.cat)
    return accuse(subject, context, {
      expected: expectedOf(restless.cat),
      actual: `the lives of ${quoted(restless.cat)} alternate between values when they are read repeatedly (for ${Math.round(((ROWS - 1) * COPY_MS) / 1000)} s)`,
      shownBy: [subject],
      evidence: restless.evidence,
    })
  }
  if (!wavering) return
  const { cat, others } = wavering
  const subject = directory.lives(cat)
  const beside = others.map((name) => directory.lives(name))
  const says = (reading: LivesReading) => livesOf(reading)?.toString()
  const evidence = await changesUnderLoad({ subject, others: beside, says }, context)
  if (evidence)
    return accuse(subject, context, {
      expected: expectedOf(cat),
      actual: `the lives of ${quoted(cat)} differ under concurrent requests (every try)`,
      shownBy: [subject],
      evidence,
    })
  throw new Inconclusive('unstable', `the lives of ${quoted(cat)} changed and changed back repeatedly, seconds apart`)
}
