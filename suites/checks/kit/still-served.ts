import type { CheckContext } from '../../engine/judging/check.ts'
import { broken } from '../../engine/judging/throwables.ts'
import type { OneVersion } from '../../vocabulary/deployment.ts'
import type { Directory, List } from '../../vocabulary/reading/directory.ts'
import { whyNoList } from '../../vocabulary/reading/list-reading.ts'
import { namesIn } from '../../vocabulary/reading/names.ts'
import { sawListsMove } from '../../vocabulary/reading/watch.ts'
import { isLost, saysHowFresh } from './asked-again.ts'
import type { Try } from './check.ts'

type Context = CheckContext<OneVersion>

/** Longer than a restart that refuses instead of being away: as long as answers are waited for that are lost. */
const PAUSES_MS = [0, 1000, 2000, 3000]
/** All of so many do not go between two readings. */
const FEWEST = 2
const MOST_ASKED_FOR = 3

/** What a list said that is none any more, each time that it was asked for, past the caches too: a refusal may be kept. */
async function whyLost(list: List, { fresh, pause, target: { watch } }: Context): Promise<string | undefined> {
  let why: string | undefined
  for (const ms of PAUSES_MS) {
    if (ms > 0) await pause(ms)
    for (const reader of [fresh(), await watch.fresh()]) {
      const reading = await reader.read(list)
      if (reading.kind === 'list' || !isLost(reading) || saysHowFresh(reader, list)) return undefined
      why ??= whyNoList(reading)
    }
  }
  return why
}

export interface ListElsewhere {
  readonly listOf: (directory: Directory) => List
  /** Where a name of the list is found when it is still there. */
  readonly elsewhere: (directory: Directory, name: string) => List
}

/**
 * A list that was served, and is not any more, while what stood in it is found elsewhere: neither did all of that go,
 * nor is the service away (ruling 15: "the lists before and after the run are equal").
 */
export const staysServed =
  ({ listOf, elsewhere }: ListElsewhere): Try =>
  async (context) => {
    const { directory, watch } = context.target
    const list = listOf(directory)
    const isSuspect = (await sawListsMove(watch)) || watch.wasMissingLate(list)
    const names = namesIn(await context.read(list))
    if (!isSuspect || context.isBroken() || names.length < FEWEST) return
    const why = await whyLost(list, context)
    if (why === undefined) return
    const anew = context.fresh()
    for (const name of names.slice(0, MOST_ASKED_FOR)) {
      const other = elsewhere(directory, name)
      if (namesIn(await anew.read(other)).length === 0) continue
      return context.verify(async (read) => {
        await read(list)
        broken({
          expected: 'what was served is served to the end',
          actual: `asked for again it is ${why}, each time for ${PAUSES_MS.reduce((sum, ms) => sum + ms) / 1000} s; what stood in it is still found`,
          shownBy: [list, other],
          isWrongByItself: true,
        })
      })
    }
  }
