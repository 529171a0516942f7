import { livesCountOf } from '../../../directory/changes/directory-state.ts'
import { readPathNames } from '../../../directory/inputs/listed-names.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import { resultListOf } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Evidence } from '../../../engine/check/violations.ts'
import { countFewestChanges } from '../../../engine/history/fewest-changes.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { Inconclusive } from '../../../engine/inconclusive.ts'
import { createRandomGenerator } from '../../../engine/property/sample.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { reportViolationOfReadings } from '../report-violation.ts'
import { declaresFreshness, INCONCLUSIVE_STATUSES } from './reread-lists.ts'
import { findChangeUnderLoadEachTime } from './under-load.ts'

/** The greatest age of a copy that declares none. */
const MAX_UNDECLARED_AGE_MS = 5000
/** Several requests at once to use several connections, and unequal pauses so that no clock keeps step. */
const CONCURRENT_REQUESTS = 4
const REQUEST_GAPS_MS = [0, 7, 13, 17, 23, 31, 41, 53, 67, 89, 113, 181]
/** An unstable count is unstable in each of these bursts, which are farther apart than copies are old. */
const BURSTS = 3
/** A count may fall and be corrected; further reversals are no life of a directory. */
const MAX_CHANGES = 2
/** The number of reversals with another response in between. */
const MIN_REVERSALS = 2
const MIN_BURSTS_WITH_REVERSALS = 2
/** The number of cats read to find some with other counts. */
const MAX_CATS_READ = 20
const MAX_CATS = 3

/** The response for a cat: its count, or a refusal. */
type CountOrRefusal = number | 'refused'

interface CountSighting {
  readonly response: CountOrRefusal | undefined
  /** True if it may be a copy by its own declaration, however old. */
  readonly hasDeclaredAge: boolean
  readonly from: number
  readonly to: number
  readonly shownBy: readonly Exchange[]
}

const isNotRefused = ({ response }: CountSighting): boolean => response !== 'refused'

const countOrRefusalOf = (reading: LivesReading): CountOrRefusal | undefined =>
  reading.kind === 'refused' && !INCONCLUSIVE_STATUSES.includes(reading.status) ? 'refused' : livesCountOf(reading)

/**
 * Reads the lives of a cat among those of others, at irregular times: a response that belongs to another request only
 * shows if that was for another cat.
 */
async function readBurst(cat: string, others: readonly string[], context: VersionContext, drawRandom: () => number) {
  const { createFreshReader, clock, pause } = context
  const { lives, cats } = context.target.directory
  const row: CountSighting[] = []
  const readOnce = async (name: string) => {
    const [from, reader] = [clock.now(), createFreshReader()]
    const said = countOrRefusalOf(await reader.read(lives(name)))
    if (name !== cat) return
    const [isDated, shownBy] = [declaresFreshness(reader, lives(name)), reader.exchangesFor(lives(name))]
    row.push({ response: said, hasDeclaredAge: isDated, from, to: clock.now(), shownBy })
  }
  for (const ms of REQUEST_GAPS_MS) {
    await pause(ms)
    const besides = others.slice(0, Math.ceil(drawRandom() * others.length))
    const names = [...Array.from({ length: CONCURRENT_REQUESTS }, () => cat), ...besides].map((name) => ({
      name,
      at: drawRandom(),
    }))
    await Promise.all(names.sort((one, other) => one.at - other.at).map(({ name }) => readOnce(name)))
    if (row.slice(-CONCURRENT_REQUESTS).every(isNotRefused)) continue
    // If the list no longer has the cat, it was removed: no violation.
    if (resultListOf(await createFreshReader().read(cats))?.has(cat) !== true) return []
  }
  // Copies of a removed cat's lives remain until they expire.
  return row.every(isNotRefused) ? row : row.filter(({ hasDeclaredAge }) => !hasDeclaredAge)
}

type ChangesByResponse = ReadonlyMap<CountOrRefusal, number>

/** Two differing responses of a burst, and concurrent requests that reproduce them. */
function evidenceOfBurst(row: readonly CountSighting[]): Evidence {
  const known = row.filter(({ response }) => response !== undefined)
  const [first] = known
  const other = known.find(({ response }) => response !== first?.response)
  const exchanges = [other, first].flatMap((one) => one?.shownBy ?? [])
  return { exchanges, inFlight: exchanges.slice(-1) }
}

/** The fewest changes of each count, and of its absence. */
function countChangesInBurst(row: readonly CountSighting[]): ChangesByResponse {
  const known = row.flatMap(({ response, from, to }) => (response === undefined ? [] : [{ said: response, from, to }]))
  const changesOf = (one: CountOrRefusal) =>
    countFewestChanges(known.map(({ said, from, to }) => ({ from, to, value: said === one })))
  return new Map(known.map(({ said }) => [said, changesOf(said)]))
}

const maxChangesOf = (changes: ChangesByResponse): number => Math.max(0, ...changes.values())

interface CountObservation {
  readonly cat: string
  /** Cats with another count. */
  readonly others: readonly string[]
  /** The changes of the count in each burst; copies do not reach from one burst to the next. */
  readonly bursts: readonly ChangesByResponse[]
  /** The evidence of the last burst. */
  readonly evidence: Evidence
}

/**
 * Returns whether one count recurs in every burst: if the cat gains or loses lives, old copies have other counts in
 * each.
 */
const hasRecurringCount = ({ bursts: [first, ...others] }: CountObservation): boolean =>
  others.length === BURSTS - 1 &&
  [...(first ?? [])].some(
    ([count, changes]) => changes > MAX_CHANGES && others.every((row) => (row.get(count) ?? 0) > MAX_CHANGES),
  )

/** A removed cat may be served as long as copies are old, which proves nothing. */
const hasReversals = ({ bursts }: CountObservation): boolean =>
  bursts.every((row) => !row.has('refused')) &&
  bursts.filter((row) => maxChangesOf(row) >= MIN_REVERSALS).length >= MIN_BURSTS_WITH_REVERSALS

async function observeCounts(cat: string, context: VersionContext): Promise<CountObservation> {
  const lot = createRandomGenerator(context.seed)
  const others = await selectCatsWithOtherCounts(cat, context)
  const rows: ChangesByResponse[] = []
  let evidence: Evidence = { exchanges: [], inFlight: [] }
  while (rows.length < BURSTS && rows.slice(0, 1).every((first) => maxChangesOf(first) >= MIN_REVERSALS)) {
    if (rows.length > 0) await context.pause(MAX_UNDECLARED_AGE_MS + 1000)
    const row = await readBurst(cat, others, context, lot)
    rows.push(countChangesInBurst(row))
    evidence = evidenceOfBurst(row)
  }
  return { cat, others, bursts: rows, evidence }
}

/** Cats with another count. */
async function selectCatsWithOtherCounts(
  cat: string,
  { target: { directory }, read }: VersionContext,
): Promise<readonly string[]> {
  const names = (await readPathNames(directory.cats, read)).slice(0, MAX_CATS_READ)
  const counts = await Promise.all([cat, ...names].map(async (name) => livesCountOf(await read(directory.lives(name)))))
  return names.filter((_, nth) => counts[nth + 1] !== counts[0]).slice(0, CONCURRENT_REQUESTS)
}

/** Fails if a count changes back and forth many times a second while the cat is listed (T2.7). */
export const probeStableCounts: CheckProbe = async (context) => {
  const { directory, changeMonitor } = context.target
  const motions = [await changeMonitor.detectEarly(), await changeMonitor.detectLate()]
  const moved = new Set(
    motions.flatMap(({ catsWithChangedLives, catsWithRefusedLives }) => [
      ...catsWithChangedLives,
      ...catsWithRefusedLives,
    ]),
  )
  if (moved.size === 0) return
  const found = await Promise.all([...moved].slice(0, MAX_CATS).map((cat) => observeCounts(cat, context)))
  const restless = found.find(hasRecurringCount)
  const wavering = found.find(hasReversals)
  const expectedOf = (cat: string) => `the lives of ${quoted(cat)} change only when the cat loses or gains some`
  if (restless) {
    const subject = directory.lives(restless.cat)
    return reportViolationOfReadings(subject, context, {
      expected: expectedOf(restless.cat),
      actual: `the lives of ${quoted(restless.cat)} alternate between values when they are read repeatedly (for ${Math.round(((BURSTS - 1) * MAX_UNDECLARED_AGE_MS) / 1000)} s)`,
      shownBy: [subject],
      evidence: restless.evidence,
    })
  }
  if (!wavering) return
  const { cat, others } = wavering
  const subject = directory.lives(cat)
  const beside = others.map((name) => directory.lives(name))
  const says = (reading: LivesReading) => livesCountOf(reading)?.toString()
  const evidence = await findChangeUnderLoadEachTime({ subject, others: beside, describe: says }, context)
  if (evidence)
    return reportViolationOfReadings(subject, context, {
      expected: expectedOf(cat),
      actual: `the lives of ${quoted(cat)} differ under concurrent requests (every try)`,
      shownBy: [subject],
      evidence,
    })
  throw new Inconclusive('unstable', `the lives of ${quoted(cat)} changed and changed back repeatedly, seconds apart`)
}
