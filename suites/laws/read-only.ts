import type { OperationId } from '../../fixtures/contract/operations.ts'
import type { Trial } from '../engine/check.ts'
import { compareIntervals, compareReadings } from '../engine/experiment.ts'
import type { Read, Subject } from '../engine/reading.ts'
import { check, type Try } from '../vocabulary/check.ts'
import type { Directories, Directory } from '../vocabulary/directory.ts'
import type { ListReading } from '../vocabulary/list.ts'
import { pathNames } from '../vocabulary/listed.ts'
import { distance, namesIn, type Seen, type State, unheardOf } from '../vocabulary/watch.ts'
import { aList, breedsOfCats, judgeCost, judgeReading, searchesForCats, type Touching } from './lives-cost.ts'

interface ListAsking extends Asking {
  readonly touching: (trial: Trial<Directories>) => Promise<Touching>
}

interface Asking {
  readonly operation: OperationId
  readonly room: string
  readonly requires: readonly string[]
  /** What is asked, in two ways: for something that is there, and for something new each time. */
  readonly asks: readonly ((here: Directory, round: number, read: Read) => Promise<Subject<unknown>>)[]
}

const firstOf = async (subject: Subject<ListReading>, round: number, read: Read) => {
  const names = await pathNames(subject, read)
  return names[round % Math.max(1, names.length)] ?? unheardOf(round, 'list')
}

const listAskings: readonly ListAsking[] = [
  {
    operation: 'listCats',
    room: 'cats',
    requires: ['cats/have-names'],
    asks: [async (here) => here.cats],
    touching: aList((here) => here.cats),
  },
  {
    operation: 'listBreeds',
    room: 'breeds',
    requires: ['breeds/have-names'],
    asks: [async (here) => here.breeds],
    touching: aList((here) => here.breeds),
  },
  {
    operation: 'listCatsOfBreed',
    room: 'breed-cats',
    requires: ['breed-cats/have-names'],
    asks: [
      async (here, round, read) => here.catsOf(await firstOf(here.breeds, round, read)),
      async (here, round) => here.catsOf(unheardOf(round + 1, here.version)),
    ],
    touching: breedsOfCats,
  },
  {
    operation: 'searchCats',
    room: 'search',
    requires: ['search/is-served'],
    asks: [
      async (here, round, read) => here.search(await firstOf(here.cats, round, read)),
      async (here, round) => here.search(unheardOf(round + 1, here.version)),
    ],
    touching: searchesForCats,
  },
]

const words = {
  level: 'must',
  statements: ['S-READ-ONLY', 'S-GET'],
  when: 'last',
  why: 'Whoever asks must be able to ask again, and so must everyone else: asking a read-only service changes nothing.',
  how: 'What was read first is read again early and at the end. If it changed, intervals with this asking are compared with equally long ones without: only a change that the asking makes is a violation.',
  fix: 'Write nothing on a GET.',
} as const

/** Before all others, and again at the end: when a change was seen, is it the asking that makes it? */
const around = (judgeIt: (trial: Trial<Directories>, seen: Seen) => Promise<void>) => {
  const when =
    (look: (directories: Directories) => Promise<Seen>): Try =>
    async (trial) => {
      if (trial.isSettled()) return
      const seen = await look(trial.context)
      if (seen.lists || seen.changed.length > 0) await judgeIt(trial, seen)
      else await trial.judge(async () => {})
    }
  return { triesFirst: when(({ watch }) => watch.early()), tries: when(({ watch }) => watch.late()) }
}

/** The list read again and again; and who stands where, when that stands still unless the list is read. */
const readings = (own: Subject<ListReading>, { again, context: { watch } }: Trial<Directories>) => [
  () => compareReadings(async (): Promise<State> => new Set(namesIn(await again().read(own))), distance),
  async () => {
    const alone = await compareReadings(() => watch.standings(again().read), distance)
    return alone === 'nothing'
      ? compareReadings(async () => (await again().read(own), watch.standings(again().read)), distance)
      : 'time'
  },
]

/** What is listed with the asking and without. */
const listsChange =
  ({ operation, asks }: Asking) =>
  async (trial: Trial<Directories>) => {
    const {
      context: { here, watch },
      read,
      again,
      seed,
    } = trial
    const own = operation === 'listCats' ? here.cats : operation === 'listBreeds' ? here.breeds : undefined
    const comparisons = [watch.names, watch.standings].flatMap((state) =>
      asks.map(
        (ask) => () =>
          compareIntervals(
            {
              observe: () => state(again().read),
              act: async (round) => again().read(await ask(here, round, read)),
              distance,
            },
            seed,
          ),
      ),
    )
    await trial.judgeCause({
      experiments: [...(own ? readings(own, trial) : []), ...comparisons],
      expected: `${operation} (${here.version}) changes nothing that is listed`,
      actual: 'what is listed changes with the asking, whatever time passes, and not by as much without it',
      async demonstrate() {
        const [before, after] = [again(), again()]
        const subjects = await Promise.all(asks.map((ask) => ask(here, 50, read)))
        await before.read(here.cats)
        const breeds = namesIn(await before.read(here.breeds))
        for (const subject of subjects) await before.read(subject)
        await after.read(here.cats)
        const isOfBreeds = distance(new Set(breeds), new Set(namesIn(await after.read(here.breeds)))) > 0
        const changed = isOfBreeds ? here.breeds : here.cats
        return [
          ...before.evidence(changed),
          ...subjects.filter(({ key }) => key !== changed.key).flatMap(before.evidence),
          ...after.evidence(changed),
        ].slice(0, 4)
      },
    })
  }

/** Asking for a list may cost cats, or lives. Lives that change by themselves are none of its business. */
const listsOrLivesChange =
  (asking: ListAsking) =>
  async (trial: Trial<Directories>, { changed, lists }: Seen) => {
    if (changed.length > 0 && (await trial.context.watch.livesStandStill()))
      await judgeCost(asking.operation, await asking.touching(trial), trial)
    if (lists && !trial.isBroken()) await listsChange(asking)(trial)
    if (!lists) await trial.judge(async () => {})
  }

/** Reading lives may cost lives, or cats. */
const livesOrListsChange = async (trial: Trial<Directories>, { changed, lists }: Seen) => {
  if (changed.length > 0) await judgeReading(changed, trial)
  if (lists && !trial.isBroken()) await listsChange(livesAsking)(trial)
}

const livesAsking: Asking = {
  operation: 'getLivesLeft',
  room: 'lives',
  requires: ['lives/is-a-count'],
  asks: [
    async (here, round, read) => here.lives(await firstOf(here.cats, round, read)),
    async (here, round) => here.lives(unheardOf(round + 1, here.version)),
  ],
}

/** Ruling 15. "asking does not change what is listed". */
export const readOnly = [
  ...listAskings.map((asking) =>
    check({
      ...words,
      ...around(listsOrLivesChange(asking)),
      id: `${asking.room}/reading-changes-nothing`,
      title: `${asking.operation} changes nothing that is listed`,
      operation: asking.operation,
      versions: 'each',
      requires: asking.requires,
    }),
  ),
  check({
    ...words,
    ...around(livesOrListsChange),
    id: 'lives/reading-changes-nothing',
    title: 'reading lives costs none',
    operation: 'getLivesLeft',
    versions: 'v3',
    requires: ['lives/is-a-count'],
  }),
]
