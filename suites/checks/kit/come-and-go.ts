import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { StatementId } from '../../../fixtures/contract/statements.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import type { Check } from '../../engine/judging/check.ts'
import type { Subject } from '../../engine/judging/readers.ts'
import { broken } from '../../engine/judging/throwables.ts'
import type { Deployment } from '../../vocabulary/deployment.ts'
import type { Directory } from '../../vocabulary/reading/directory.ts'
import type { ListReading } from '../../vocabulary/reading/list-reading.ts'
import { sawListsMove } from '../../vocabulary/reading/watch.ts'
import { quoted } from '../../vocabulary/text.ts'
import type { CheckId } from '../ids.ts'
import { check, type Try } from './check.ts'
import { changedMeanwhile, glanceAt, readingsOf } from './readings-of-lists.ts'

const TORN = 'the list changes while it is read page by page: what moves from one page to another is missed'

/** Where lists were seen to change, this one is looked at for names that go on coming and going. */
const holdsTogether =
  (listOf: (directory: Directory) => Subject<ListReading>): Try =>
  async (context) => {
    const { target, verify } = context
    const list = listOf(target.directory)
    const isMoving =
      (await sawListsMove(target.watch)) || changedMeanwhile(target.watch) || target.movedSoFar() !== undefined
    const restless = isMoving ? (await readingsOf(list, context))?.restless() : undefined
    await verify(async (read) => {
      const reading = await read(list)
      if (restless === undefined) return
      if (reading.kind === 'list' && reading.pages > 1) throw new Inconclusive('drift', TORN)
      const { name, standsIn, of } = restless
      broken({
        expected: 'what is listed stays listed, unless it leaves',
        actual: `${quoted(name)} comes and goes: it stands in ${standsIn} of ${of} readings`,
        shownBy: [list],
        isWrongByItself: true,
      })
    })
  }

interface ComingAndGoing {
  readonly id: CheckId
  readonly operation: OperationId
  readonly element: 'cat' | 'breed'
  readonly shown: StatementId
  readonly requires: readonly CheckId[]
  readonly listOf: (directory: Directory) => Subject<ListReading>
}

/** Contract, section 4. A list that oscillates is no life: the same names go and come back, and none is new. */
export const doNotComeAndGo = ({ element, shown, listOf, ...facts }: ComingAndGoing): Check<Deployment> =>
  check({
    ...facts,
    title: `no ${element} comes and goes again and again`,
    level: 'must',
    statements: [shown],
    rulings: [15],
    when: 'last',
    why: `A client that reads the list twice must be able to tell that a ${element} has left from that it was missed.`,
    how: 'The list is glanced at while all else is asked. Where any list was seen to change, this one is read in rows, seconds apart: a name that comes and goes in each of them is no life.',
    fix: 'Serve every reading from the same rows; a replica that lacks some, behind a balancer, is the usual cause.',
    triesMeanwhile: [(context) => glanceAt(listOf(context.target.directory), context)],
    tries: [holdsTogether(listOf)],
  })
