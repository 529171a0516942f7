import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import { distance, type State, stateOfLists } from '../../../directory/changes/state.ts'
import type { Motion, Part } from '../../../directory/changes/watch.ts'
import type { Deployment, OneVersion } from '../../../directory/deployment.ts'
import type { Directory, List } from '../../../directory/facts/directory.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import type { Check, CheckContext } from '../../../engine/check/check.ts'
import type { Subject } from '../../../engine/check/readers.ts'
import { type Cause, compareIntervals } from '../../../engine/history/experiment.ts'
import { compareReadings } from '../../../engine/history/repeated-readings.ts'
import { check, type Try } from '../check.ts'
import type { CheckId } from '../ids.ts'
import { canBeReadAgain } from './asked-again.ts'
import { areCountedAgain } from './counted-again.ts'
import { onFirstAsking } from './first-asking.ts'
import { type Asks, claimOf, showListsChange } from './lists-change.ts'
import { livesAreNotThoseOfAnother } from './lives-after-another.ts'
import {
  aListAndSomeCats,
  askAnew,
  causeOfLives,
  clockOf,
  livesInVain,
  livesOfVersionWithout,
  type Touching,
  verifyCost,
  verifyReading,
} from './lives-cost.ts'
import { livesStayWhatTheyAre } from './lives-to-and-fro.ts'
import { saysWhereNoneIsLeft } from './lives-to-lose.ts'
import { type ListElsewhere, listStaysServed } from './stays-served.ts'

type Context = CheckContext<OneVersion>

/** An operation whose requests are tested for side effects. */
interface Asking {
  readonly operation: OperationId
  readonly asks: Asks
  /** The list of the operation, if it has only one. */
  readonly own?: (directory: Directory) => List
  /** The lists that are observed for a change, read by other operations. */
  readonly others: readonly (readonly Part[])[]
}

const words = {
  level: 'must',
  statements: ['S-READ-ONLY', 'S-GET'],
  clauses: ['R15.1', 'T4.1', 'T4.3', 'T4.5', 'T4.6', 'R15.3'],
  when: 'last',
  why: 'Clients, caches and crawlers repeat GET requests freely, and each repetition changes the data.',
  how: '1. Read lists and lives at the start, early in the run and at the end. 2. If they changed, compare intervals with these requests and much longer intervals without. 3. Changes must not come with the requests more often than chance explains; if the data changes as much without them, the check passes with a note. 4. A list must not stay away or empty for six seconds while other operations still find its names.',
  fix: 'Write nothing on a GET: no counter, no "last seen", no find-or-create. Share no mutable state among requests (module variables, one buffer, one connection), and put all of path and query into cache keys.',
} as const

const TITLES: Readonly<Record<OperationId, string>> = {
  listCats: 'reading the list of cats changes nothing',
  listBreeds: 'reading the list of breeds changes nothing',
  listCatsOfBreed: "reading a breed's cats changes nothing",
  searchCats: 'searching changes nothing',
  getLivesLeft: 'reading lives changes nothing',
}

type VerifyMotion = (context: Context, motion: Motion) => Promise<void>

/** Tests whether the requests cause an observed change. */
async function onMotion(motion: Motion, context: Context, verifyMotion: VerifyMotion): Promise<void> {
  if (context.isSettled()) return
  if (motion.lists || motion.cats.length > 0) await verifyMotion(context, motion)
  else await context.verify(async () => {})
}

/** Before all other checks, while counts have not reached 0, and again at the end. */
const earlyAndLate = (verifyMotion: VerifyMotion) => {
  const early: Try = async (context) => onMotion(await context.target.watch.early(), context, verifyMotion)
  const late: Try = async (context) => onMotion(await context.target.watch.late(), context, verifyMotion)
  return { triesFirst: [early], tries: [late] } as const
}

/** Readings in a row of a list that may change whenever it is read. */
const LISTS_IN_A_ROW = 4

/** Reads the list repeatedly. */
async function causeOfOwn(own: List, context: Context): Promise<Cause> {
  const { watch } = context.target
  const observe = async () => {
    const state = await stateOfLists([own], (await watch.fresh()).read)
    return state.size > 0 ? state : undefined
  }
  const canChange = () => true
  const mayBeCopies = !(await watch.passesCaches())
  const readings = { things: [observe], distance, canChange, inARow: LISTS_IN_A_ROW, mayBeCopies }
  const cause = await compareReadings<State>(readings, context.seed, clockOf(context))
  return cause === 'asking' && (await movesByItself(context)) ? 'unclear' : cause
}

const A_WHILE_MS = 60

/** Returns whether breeds' lists change without other requests: then a changed list is no side effect. */
async function movesByItself({ target: { watch }, pause }: Context, ms = A_WHILE_MS): Promise<boolean> {
  const members = async () => watch.state(['members'], (await watch.fresh()).read)
  const before = await members()
  await pause(ms)
  const after = await members()
  return before === undefined || after === undefined || distance(before, after) > 0
}

/** Twice as long each time: rare changes need time to occur. */
const WHILES_MS = Array.from({ length: 5 }, (_, nth) => A_WHILE_MS * 2 ** nth)

/** Returns whether lists are read page by page while they change: names that move between pages are missed. */
async function isTorn(context: Context): Promise<boolean> {
  const { cats, breeds } = context.target.directory
  const anew = context.fresh() // The pages of an earlier reading may have ended early.
  const readings = await Promise.all([cats, breeds].flatMap((list) => [context.read(list), anew.read(list)]))
  if (!readings.some((reading) => reading.kind === 'list' && reading.pages > 1)) return false
  for (const ms of WHILES_MS) if (await movesByItself(context, ms)) return true
  return false
}

/** Compares some lists with and without the requests. */
async function causeOfOthers(parts: readonly Part[], { asks }: Asking, context: Context): Promise<Cause> {
  const { target, read, seed } = context
  const { directory, watch } = target
  const beside = parts.includes('cats') ? directory.cats : directory.breeds
  return compareIntervals(
    {
      observe: async () => watch.state(parts, (await watch.fresh()).read),
      act: async (round) => askAnew(await Promise.all(asks.map((ask) => ask(directory, round, read))), context),
      placebo: (requests) =>
        askAnew(
          Array.from({ length: requests }, () => beside),
          context,
        ),
      distance,
    },
    seed,
    clockOf(context),
  )
}

/** Tests whether the requests change what is listed. */
async function verifyLists(asking: Asking, context: Context, { example }: Motion): Promise<void> {
  const { operation, asks, own, others } = asking
  const { directory } = context.target
  const whole = (experiment: () => Promise<Cause>) => async () => {
    const cause = await experiment()
    return cause === 'asking' && (await isTorn(context)) ? 'unclear' : cause
  }
  await context.verifyCause({
    experiments: [
      ...(own ? [whole(() => causeOfOwn(own(directory), context))] : []),
      ...others.map((parts) => whole(() => causeOfOthers(parts, asking, context))),
    ],
    ...claimOf(operation, directory),
    otherwise: example ?? 'what is listed changes',
    demonstrate: () => showListsChange(asks, context),
  })
}

/** Requests for lists may cost cats or lives. Lives that change by themselves are ignored. */
const verifyListsAndLives =
  (asking: Asking, touching: (context: Context) => Promise<Touching>) =>
  async (context: Context, motion: Motion): Promise<void> => {
    // If reading lives costs lives, other side effects on lives cannot be detected.
    if (motion.cats.length > 0 && (await causeOfLives(motion, context)) !== 'asking')
      await verifyCost(asking.operation, await touching(context), context)
    if (motion.lists && !context.isBroken()) await verifyLists(asking, context, motion)
    if (!motion.lists) await context.verify(async () => {})
  }

interface ReadOnly {
  readonly id: CheckId
  readonly operation: OperationId
  readonly requires: readonly CheckId[]
}

const readOnlyCheck = (
  { id, operation, requires }: ReadOnly,
  asking: Omit<Asking, 'operation'>,
  touching: (context: Context) => Promise<Touching>,
  { beforeAll = [], alsoTries = [] }: { readonly beforeAll?: readonly Try[]; readonly alsoTries?: readonly Try[] },
): Check<Deployment> => {
  const { triesFirst, tries } = earlyAndLate(verifyListsAndLives({ operation, ...asking }, touching))
  return check({
    ...words,
    triesFirst: [...beforeAll, ...triesFirst],
    tries: [...tries, ...alsoTries],
    id,
    title: TITLES[operation],
    operation,
    requires,
  })
}

/** Creates the check of R15.1 for an operation with a single list. */
export const readingTheListChangesNothing = ({ listOf, elsewhere, ...facts }: ReadOnly & ListElsewhere) => {
  const beside: readonly Part[] = [facts.operation === 'listCats' ? 'breeds' : 'cats', 'members']
  const asking = { asks: [async (directory: Directory) => listOf(directory)], own: listOf, others: [beside] }
  const readAgain = canBeReadAgain(async ({ directory }) => [listOf(directory)])
  const alsoTries = [readAgain, listStaysServed({ listOf, elsewhere })]
  return readOnlyCheck(facts, asking, aListAndSomeCats(listOf), { alsoTries })
}

/** Above the rounds of the second kind of requests, which have control names of their own. */
const LISTED_ROUNDS = 1000

/** Requests by name: alternately a listed name and a new one. */
const asksByName = (
  named: (directory: Directory) => List,
  subject: (directory: Directory) => (name: string) => Subject<unknown>,
): Asks => [
  async (directory, round, read) => {
    const names = await pathNames(named(directory), read)
    return subject(directory)(names[round % Math.max(1, names.length)] ?? directory.controlName(LISTED_ROUNDS + round))
  },
  async (directory, round) => subject(directory)(directory.controlName(round + 1)),
]

const ALL_PARTS: readonly Part[] = ['cats', 'breeds', 'members']

/** Observing the lists of breeds requests them too, so it comes second and alone. */
const OTHERS: Partial<Record<OperationId, Asking['others']>> = { listCatsOfBreed: [['cats', 'breeds'], ['members']] }

/** Creates the check of R15.1 for an operation in which a name selects the list. */
export const readingAListChangesNothing = ({
  named,
  subject,
  touching,
  alsoTries = [],
  ...facts
}: ReadOnly & {
  readonly alsoTries?: readonly Try[]
  readonly named: (directory: Directory) => List
  readonly subject: (directory: Directory) => (name: string) => List
  readonly touching: (context: Context) => Promise<Touching>
}): Check<Deployment> =>
  readOnlyCheck(facts, { asks: asksByName(named, subject), others: OTHERS[facts.operation] ?? [ALL_PARTS] }, touching, {
    beforeAll: [onFirstAsking(facts.operation, subject)],
    alsoTries,
  })

const livesAsking: Asking = {
  operation: 'getLivesLeft',
  asks: asksByName(
    ({ cats }) => cats,
    ({ lives }) => lives,
  ),
  others: [ALL_PARTS],
}

const ofLives = earlyAndLate(async (context, motion) => {
  if (motion.cats.length > 0) await verifyReading(motion, context)
  const { judged, withLives } = context.target
  const without = judged.filter((one) => one !== withLives)
  for (const touching of [livesInVain, ...without.map(livesOfVersionWithout)])
    if (motion.cats.length > 0 && !context.isBroken())
      await verifyCost('getLivesLeft', await touching(context), context)
  if (motion.lists && !context.isBroken()) await verifyLists(livesAsking, context, motion)
})

/** Fails if repeated requests for lives change counts (R15.2) or lists (R15.1). */
export const readingLivesChangesNothing: Check<Deployment> = check({
  ...words,
  clauses: ['R15.2', 'R15.1', 'T4.1', 'T4.2', 'T4.3', 'T4.4', 'T4.5', 'T4.6', 'R15.3'],
  how: `${words.how} 5. If lives changed, or an unlisted cat has a count, read a cat directly after another one, and each alone: none may get the count of the other. 6. If lives changed or were refused now and then, read them in rows, several at once, seconds apart: no count may change back and forth in each row. 7. If every count is 0, the check passes with a note.`,
  triesFirst: ofLives.triesFirst,
  tries: [...ofLives.tries, areCountedAgain, livesAreNotThoseOfAnother, livesStayWhatTheyAre],
  account: saysWhereNoneIsLeft,
  id: 'lives/reading-changes-nothing',
  title: TITLES.getLivesLeft,
  operation: 'getLivesLeft',
  requires: ['lives/is-a-count'],
})
