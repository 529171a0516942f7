import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { Subject } from '../../engine/judging/readers.ts'
import { broken } from '../../engine/judging/throwables.ts'
import { queriesInTurn, queryTroubles, segmentsInTurn, segmentTroubles } from '../../vocabulary/inputs/troubles.ts'
import type { Directory } from '../../vocabulary/reading/directory.ts'
import { distinctNames } from '../../vocabulary/reading/names.ts'
import { sawListsMove } from '../../vocabulary/reading/watch.ts'
import { quoted } from '../../vocabulary/text.ts'
import { isUnheardOf } from '../../vocabulary/unheard-of.ts'
import type { Try } from './check.ts'

const troubles: ReadonlySet<string> = new Set([
  ...queryTroubles,
  ...segmentTroubles,
  ...queriesInTurn.flat(),
  ...segmentsInTurn.flat(),
])

/** What no cat and no breed is called by life. */
const isMadeUp = (name: string): boolean => troubles.has(name) || isUnheardOf(name)

const subjects = {
  listCatsOfBreed: ({ catsOf }, name) => catsOf(name),
  searchCats: ({ search }, name) => search(name),
  getLivesLeft: ({ lives }, name) => lives(name),
} as const satisfies Partial<Record<OperationId, (directory: Directory, name: string) => Subject<unknown>>>

type Asking = keyof typeof subjects

/** Who asks for a breed is likelier to make one than who asks for a cat, and the reverse. */
const LIKELIEST = {
  breeds: ['listCatsOfBreed', 'searchCats', 'getLivesLeft'],
  cats: ['getLivesLeft', 'searchCats', 'listCatsOfBreed'],
} as const satisfies Partial<Record<keyof Directory, readonly Asking[]>>

/**
 * Ruling 15. A string that this run made up, that was asked for and is listed afterwards, was put there by the asking:
 * nobody else knows it. Where several operations asked for it, it is told of the likeliest of those that asked for all.
 */
export const listsNothingThatIsAskedFor =
  (operation: OperationId): Try =>
  async ({ target, read, readings, fresh, verify, isBroken }) => {
    const { directory, directories, watch } = target
    if (isBroken() || !(await sawListsMove(watch))) return
    const known = new Set(readings.known().map(({ key }) => key))
    const asksIn = (among: readonly Directory[], one: Asking) => (name: string) =>
      among.some((version) => known.has(subjects[one](version, name).key))
    for (const kind of ['breeds', 'cats'] as const) {
      const list = directory[kind]
      const before = new Set(await distinctNames(list, read))
      const newcomers = (await distinctNames(list, fresh().read)).filter((name) => !before.has(name) && isMadeUp(name))
      const asked = newcomers.filter((name) => LIKELIEST[kind].some((one) => asksIn(directories, one)(name)))
      const askedForAll = (among: readonly Directory[]) =>
        LIKELIEST[kind].find((one) => asked.every(asksIn(among, one)))
      // What one version asked for all of, the other did not make.
      const isOfOneVersion = directories.some((version) => askedForAll([version]))
      const maker = askedForAll(isOfOneVersion ? [directory] : directories)
      const [name] = asked
      if (name === undefined || maker !== operation) continue
      return verify(async (readAgain) => {
        await readAgain(list)
        broken({
          expected: `${quoted(name)}, which was asked for and not listed, is not listed for it`,
          actual: 'it is listed now',
          shownBy: [list],
          about: [name],
          isWrongByItself: true,
        })
      })
    }
  }
