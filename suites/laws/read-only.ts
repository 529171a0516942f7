import type { OperationId } from '../../fixtures/contract/operations.ts'
import type { Trial } from '../engine/check.ts'
import type { Read, Subject } from '../engine/reading.ts'
import { canStandInPath } from '../vocabulary/listed.ts'
import { check, type Try } from '../vocabulary/check.ts'
import type { Directories, Directory } from '../vocabulary/directory.ts'
import { listed } from '../vocabulary/found.ts'
import { distance, livesOf, type Seen, unheardOf } from '../vocabulary/watch.ts'

interface Asking {
  readonly operation: OperationId
  readonly room: string
  readonly requires: readonly string[]
  /** What is asked of the operation: a few inputs, as different as may matter. */
  readonly asks: (here: Directory, round: number, read: Read) => Promise<readonly Subject<unknown>[]>
}

const listAskings: readonly Asking[] = [
  { operation: 'listCats', room: 'cats', requires: ['cats/have-names'], asks: async (here) => [here.cats, here.cats] },
  { operation: 'listBreeds', room: 'breeds', requires: ['breeds/have-names'], asks: async (here) => [here.breeds, here.breeds] },
  {
    operation: 'listCatsOfBreed', room: 'breed-cats', requires: ['breed-cats/have-names'],
    asks: async (here, round, read) => [unheardOf(round + 1), ...(await listed(here.breeds, read)).filter(canStandInPath).slice(0, 2)].map((breed) => here.catsOf(breed)),
  },
  {
    operation: 'searchCats', room: 'search', requires: ['search/is-served'],
    asks: async (here, round, read) => [unheardOf(round + 1), unheardOf(round + 101), ...(await listed(here.cats, read)).slice(0, 2)].map((query) => here.search(query)),
  },
]

const words = {
  level: 'must', statements: ['S-READ-ONLY', 'S-GET'], when: 'last',
  why: 'Whoever asks must be able to ask again, and so must everyone else: asking a read-only service changes nothing.',
  how: 'What was read first is read again early and at the end. If it changed, intervals with this asking are compared with equally long ones without: only a change that the asking makes is a violation.',
  fix: 'Write nothing on a GET.',
} as const

/** Before all others, and again at the end: when a change was seen, is it the asking that makes it? */
const around = (noticed: (seen: Seen) => boolean, judgeIt: (trial: Trial<Directories>) => Promise<void>) => {
  const when = (look: (directories: Directories) => Promise<Seen>): Try => async (trial) => {
    if (trial.isSettled()) return
    if (noticed(await look(trial.context))) await judgeIt(trial)
    else await trial.judge(async () => {})
  }
  return { triesFirst: when(({ watch }) => watch.early()), tries: when(({ watch }) => watch.late()) }
}

/** The lists of both versions, with the asking and without. */
const listsChange = ({ operation, asks }: Asking) => async (trial: Trial<Directories>) => {
  const { context: { here, watch }, read, again } = trial
  const stir = async (round: number) => Promise.all((await asks(here, round, read)).map((subject) => again().read(subject)))
  await trial.judgeCause({
    experiment: { observe: () => watch.state(again().read), act: async (round) => void (await stir(round)), distance },
    expected: `${operation} (${here.version}) changes nothing that is listed`,
    actual: 'every time it was asked, what is listed changed by more than it does in the same time without the asking',
    async demonstrate() {
      const [before, after] = [again(), again()]
      await before.read(here.cats)
      const asked = await asks(here, 50, read)
      for (const subject of asked.slice(0, 2)) await before.read(subject)
      await after.read(here.cats)
      return [...before.evidence(here.cats), ...asked.slice(0, 2).flatMap(before.evidence), ...after.evidence(here.cats)].slice(0, 4)
    },
  })
}

/** The lives of one cat after another, those with most lives first: a count that falls stops at 0. */
const livesChange = async (trial: Trial<Directories>) => {
  const { here } = trial.context
  const names = (await listed(here.cats, trial.read)).filter(canStandInPath).slice(0, 40)
  const known = new Map(await Promise.all(names.map(async (name) => [name, livesOf(await trial.read(here.lives(name))) ?? 0] as const)))
  const richest = () => [...known].reduce((a, b) => (b[1] > a[1] ? b : a), ['', -1])[0]
  const chosen = new Map<number, string>()
  const observe = async (round: number) => {
    const name = chosen.get(round) ?? richest()
    chosen.set(round, name)
    const count = livesOf(await trial.again().read(here.lives(name))) ?? 0
    known.set(name, count)
    return count
  }
  await trial.judgeCause({
    experiment: {
      observe,
      act: async (round) => {
        for (let i = 0; i < 2; i++) await trial.again().read(here.lives(chosen.get(round) ?? ''))
      },
      distance: (before, after) => Math.abs(before - after),
    },
    expected: 'reading the lives of a cat leaves them as they are',
    actual: 'every reading changes them, by more than they change in the same time without it',
    async demonstrate() {
      const [once, again] = [trial.again(), trial.again()]
      const subject = here.lives(richest())
      await once.read(subject)
      await again.read(subject)
      return [...once.evidence(subject), ...again.evidence(subject)]
    },
  })
}

/** Ruling 15. "asking does not change what is listed". */
export const readOnly = [
  ...listAskings.map((asking) => check({
    ...words, ...around(({ lists }) => lists, listsChange(asking)),
    id: `${asking.room}/reading-changes-nothing`, title: `${asking.operation} changes nothing that is listed`, operation: asking.operation, versions: 'each', requires: asking.requires,
  })),
  check({
    ...words, ...around(({ lives }) => lives, livesChange),
    id: 'lives/reading-changes-nothing', title: 'reading lives costs none', operation: 'getLivesLeft', versions: 'v3', requires: ['lives/is-a-count'],
  }),
]
