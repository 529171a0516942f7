import type { OperationId } from '../../fixtures/contract/operations.ts'
import type { Trial } from '../engine/check.ts'
import { compareIntervals, comparePairs, compareReadings, FEW_ACTING } from '../engine/experiment.ts'
import type { Subject } from '../engine/reading.ts'
import type { Exchange } from '../engine/session.ts'
import type { Directories, Directory } from '../vocabulary/directory.ts'
import { pathNames } from '../vocabulary/listed.ts'
import { livesOf } from '../vocabulary/watch.ts'

/** What is asked by turns, and the cats whose lives it might cost: some of them each time. */
export interface Touching {
  readonly asks: readonly Subject<unknown>[]
  readonly cats: readonly string[]
}

const FEW = 4

const LOOKED_AT = 20
/** Cats that have many lives: a count that falls stops at 0. */
async function lively(names: readonly string[], { again, context: { v3 } }: Trial<Directories>, most = FEW) {
  const { read } = again()
  const cats = await Promise.all(
    names.slice(0, LOOKED_AT).map(async (name) => ({ name, lives: livesOf(await read(v3.lives(name))) ?? 0 })),
  )
  return cats
    .sort((a, b) => b.lives - a.lives)
    .slice(0, most)
    .map(({ name }) => name)
}

const CATS_FIRST = 2

/** The first cats, which anything written about one cat is likely to be about, and lively ones. */
const firstAndLively = async (trial: Trial<Directories>) => {
  const names = await pathNames(trial.context.here.cats, trial.read)
  return [...names.slice(0, CATS_FIRST), ...(await lively(names.slice(CATS_FIRST), trial))]
}

export const aList =
  (listOf: (here: Directory) => Subject<unknown>) =>
  async (trial: Trial<Directories>): Promise<Touching> => ({
    asks: [listOf(trial.context.here)],
    cats: await firstAndLively(trial),
  })

export async function breedsOfCats(trial: Trial<Directories>): Promise<Touching> {
  const { context, read } = trial
  const breeds = (await pathNames(context.here.breeds, read)).slice(0, FEW)
  const lists = breeds.map((breed) => context.here.catsOf(breed))
  const cats = await Promise.all(lists.map(async (list) => lively(await pathNames(list, read), trial, 1)))
  return { asks: lists.filter((_, i) => cats[i]?.length), cats: cats.flat() }
}

export async function searchesForCats(trial: Trial<Directories>): Promise<Touching> {
  const { here } = trial.context
  const cats = await lively(await pathNames(here.cats, trial.read), trial)
  return { asks: cats.map((cat) => here.search(cat)), cats }
}

/** Does this asking cost lives? Those of some cats are read with the asking and without. */
export async function judgeCost(
  operation: OperationId,
  { asks, cats }: Touching,
  trial: Trial<Directories>,
): Promise<void> {
  const {
    again,
    context: { here, v3 },
    seed,
  } = trial
  const [ask] = asks
  if (!ask || cats.length === 0) return
  const livesNow = async () => {
    const reader = again()
    return Promise.all(cats.map(async (cat) => livesOf(await reader.read(v3.lives(cat))) ?? 0))
  }
  const cause = await compareIntervals(
    {
      observe: livesNow,
      act: async (round) => again().read(asks[round % asks.length] ?? ask),
      distance: (before, after) => before.reduce((sum, lives, i) => sum + Math.abs(lives - (after[i] ?? 0)), 0),
      intervals: FEW_ACTING,
    },
    seed,
  )
  if (cause !== 'asking') return
  await trial.judgeCause({
    experiments: [async () => cause],
    expected: `${operation} (${here.version}) leaves the lives of cats as they are`,
    actual: 'the lives of cats change with the asking, whatever time passes, and not by as much without it',
    demonstrate: async () => showLivesChange(cats, trial, ask),
  })
}

/** Where counts that fall may stop. */
const LOWEST = 1

/** At the end of a run most counts that fall have come to 0: then it takes more cats to find some that still can. */
const MOST_CATS = 60

/** The lives of a cat, read twice, where that shows the change; between them, what is suspected to make it. */
async function showLivesChange(
  cats: readonly string[],
  { context: { v3 }, again }: Trial<Directories>,
  suspected?: Subject<unknown>,
): Promise<readonly Exchange[]> {
  let shown: readonly Exchange[] = []
  for (const cat of cats.slice(-MOST_CATS).reverse()) {
    const [once, between, twice] = [again(), again(), again()]
    const first = await once.read(v3.lives(cat))
    if (suspected) await between.read(suspected)
    const second = await twice.read(v3.lives(cat))
    shown = [
      ...once.evidence(v3.lives(cat)),
      ...(suspected ? between.evidence(suspected) : []),
      ...twice.evidence(v3.lives(cat)),
    ]
    // Who repeats it must find some left to lose.
    if (livesOf(first) !== livesOf(second) && (livesOf(second) ?? 0) > LOWEST) break
  }
  return shown
}

/**
 * Does reading lives cost some?
 * @param changed cats whose lives were seen to change
 */
export async function judgeReading(changed: readonly string[], trial: Trial<Directories>): Promise<void> {
  const {
    context: { here, watch },
    read,
    again,
  } = trial
  const names = await pathNames(here.cats, read)
  // Those first whose lives were not read before: a count that falls stops at 0.
  const unread = names.slice(watch.livesWatched, watch.livesWatched + MOST_CATS)
  const countOf = (name: string) => async () => livesOf(await again().read(here.lives(name)))
  const ofOne = (name: string) => () =>
    compareReadings(countOf(name), (before, after) => Math.abs((before ?? 0) - (after ?? 0)))
  await trial.judgeCause({
    experiments: [
      () => comparePairs(unread.map(countOf), (first) => first !== undefined && first > LOWEST),
      ...changed.map(ofOne),
    ],
    expected: 'reading the lives of a cat leaves them as they are',
    actual: 'lives change when they are read, however little time passes',
    demonstrate: () => showLivesChange([...names, ...changed], trial),
  })
}
