import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import type { StatementId } from '../../../../fixtures/contract/statements.ts'
import { sawListsMove } from '../../../directory/changes/watch.ts'
import type { Deployment, OneVersion } from '../../../directory/deployment.ts'
import type { Directory, List } from '../../../directory/facts/directory.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Check, CheckContext } from '../../../engine/check/check.ts'
import { broken } from '../../../engine/check/violations.ts'
import { check, type Try } from '../check.ts'
import type { CheckId } from '../ids.ts'
import { changedMeanwhile, glanceAt, membersMoved, readingsOf } from './readings-of-lists.ts'
import { type Paged, staysWholeInPages, torn } from './torn-pages.ts'

/** Returns whether names of a list keep coming and going, in all its readings. */
async function staysAsItIs(list: List, isMoving: boolean, context: CheckContext<OneVersion>): Promise<void> {
  const restless = isMoving ? (await readingsOf(list, context))?.restless() : undefined
  await context.verify(async (read) => {
    const reading = await read(list)
    if (restless === undefined) return
    if (reading.kind === 'list' && reading.pages > 1) throw torn()
    const { name, standsIn, of, evidence } = restless
    broken({
      expected: 'the same names in every response, unless one is added or removed',
      actual: `${quoted(name)} appears and disappears: it is in ${standsIn} of ${of} responses`,
      shownBy: [list],
      evidence,
      everywhere: 'what is listed comes and goes',
      isWrongByItself: true,
    })
  })
}

/** Returns whether reading it takes several requests, including one for a page that shows nothing new. */
async function isInPages(list: List, { fresh }: CheckContext<OneVersion>): Promise<boolean> {
  const reader = fresh()
  return (await reader.read(list)).kind === 'list' && reader.evidence(list).length > 1
}

/** Tests a list for names that keep coming and going, if lists have changed. */
const holdsTogether =
  ({ listOf, standIn }: Pick<ComingAndGoing, 'listOf' | 'standIn'>): Try =>
  async (context) => {
    const { watch, directory, movedSoFar } = context.target
    const isMoving = (await sawListsMove(watch)) || changedMeanwhile(watch) || movedSoFar() !== undefined
    const list = listOf(directory)
    if (isMoving && (await isInPages(list, context))) return staysWholeInPages({ list, standIn }, context)
    await staysAsItIs(list, isMoving, context)
  }

/** Tests the lists of breeds' cats that have changed; else the first one, as it was read. */
const membersHoldTogether: Try = async (context) => {
  const { target, read } = context
  const { directory } = target
  await sawListsMove(target.watch)
  const moved = await membersMoved(directory, target, read)
  const [first] = await pathNames(directory.breeds, read)
  if (moved.length === 0 && first !== undefined) await staysAsItIs(directory.catsOf(first), false, context)
  for (const list of moved) await staysAsItIs(list, true, context)
}

interface ComingAndGoing {
  readonly id: CheckId
  readonly operation: OperationId
  readonly element: 'cat' | 'breed'
  readonly shown: StatementId
  readonly requires: readonly CheckId[]
  readonly listOf: (directory: Directory) => List
  readonly standIn: Paged['standIn']
}

const facts = {
  level: 'must',
  clauses: ['T2.7', 'T2.2', 'T2.8', 'R15.1'],
  when: 'last',
  fix: 'Serve all requests from the same rows: a replica that lacks some, behind a load balancer, is the usual cause. If lists come in pages, order them by a unique column (`ORDER BY name, id`).',
} as const

/** Fails if the same names leave a list and return more than twice: no directory lives like that (T2.7). */
export const doNotComeAndGo = ({ element, shown, listOf, standIn, ...own }: ComingAndGoing): Check<Deployment> =>
  check({
    ...facts,
    ...own,
    title: `listed ${element}s do not keep disappearing and returning`,
    statements: [shown],
    why: `A client that reads the list twice takes a ${element} for deleted and for new, again and again.`,
    how: '1. Read the list now and then during the run. 2. If any list changed, read this one several times in a row, and again seconds later. 3. No name may disappear and return in each of these rows. 4. A list in pages must keep the names that the lists of breeds keep.',
    triesMeanwhile: [(context) => glanceAt(listOf(context.target.directory), context)],
    tries: [holdsTogether({ listOf, standIn })],
  })

/** The same for the lists of breeds' cats. */
export const membersDoNotComeAndGo = check({
  ...facts,
  id: 'breed-cats/do-not-come-and-go',
  title: "a breed's cats do not keep disappearing and returning",
  operation: 'listCatsOfBreed',
  statements: ['S-CATS-OF-BREED'],
  requires: ['breed-cats/have-names'],
  explainedBy: ['cats/do-not-come-and-go', 'breeds/do-not-come-and-go'],
  why: 'A client that reads the list twice takes a cat for deleted and for new, again and again.',
  how: '1. Find the lists of breeds that changed during the run. 2. Read each several times in a row, and again seconds later. 3. No name may disappear and return in each of these rows.',
  tries: [membersHoldTogether],
})
