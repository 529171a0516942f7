import type { CheckContext } from '../../engine/judging/check.ts'
import { fewestChanges } from '../../engine/judging/history.ts'
import { broken } from '../../engine/judging/throwables.ts'
import type { OneVersion } from '../../vocabulary/deployment.ts'
import { livesOf } from '../../vocabulary/reading/state.ts'
import { quoted } from '../../vocabulary/text.ts'
import type { Try } from './check.ts'

type Context = CheckContext<OneVersion>

/** As old as a copy may be that says nothing of its age. */
const COPY_MS = 5000
/** Several at once, so that more than one connection is used, and unequal pauses between, so that no clock is in step. */
const AT_ONCE = 3
const PAUSES_MS = [0, 7, 23, 41, 67, 113, 181]
/** Lives that go to and fro do so in each of these, which are farther apart than copies are old. */
const ROWS = 3
/** A count may fall, and be set right again; more often it does not change back. */
const MOST_CHANGES = 2
const MOST_CATS = 3

interface Sighted {
  readonly lives: number | undefined
  readonly from: number
  readonly to: number
}

async function readRow(cat: string, { target, fresh, pause }: Context): Promise<readonly Sighted[]> {
  const row: Sighted[] = []
  const readOnce = async () => {
    const from = performance.now()
    const lives = livesOf(await fresh().read(target.directory.lives(cat)))
    row.push({ lives, from, to: performance.now() })
  }
  for (const ms of PAUSES_MS) {
    await pause(ms)
    await Promise.all(Array.from({ length: AT_ONCE }, readOnce))
  }
  return row
}

/** The count that is said, and not said, and said again too often. */
function restless(row: readonly Sighted[]): number | undefined {
  const counts = new Set(row.flatMap(({ lives }) => lives ?? []))
  return [...counts].find((count) => {
    const known = row.filter(({ lives }) => lives !== undefined)
    return fewestChanges(known.map(({ lives, from, to }) => ({ from, to, value: lives === count }))) > MOST_CHANGES
  })
}

async function goesToAndFro(cat: string, context: Context): Promise<boolean> {
  for (let row = 0; row < ROWS; row++) {
    if (row > 0) await context.pause(COPY_MS + 1000)
    if (restless(await readRow(cat, context)) === undefined) return false
  }
  return true
}

/** Contract, section 4. What goes and comes back many times in a second is no life. */
export const livesStayWhatTheyAre: Try = async (context) => {
  const { directory, watch } = context.target
  const cats = [...new Set([...(await watch.early()).cats, ...(await watch.late()).cats])].slice(0, MOST_CATS)
  const found = await Promise.all(cats.map(async (cat) => ((await goesToAndFro(cat, context)) ? [cat] : [])))
  const [cat] = found.flat()
  if (cat === undefined) return
  await context.verify(async (read) => {
    await read(directory.lives(cat))
    broken({
      expected: `the lives of ${quoted(cat)} are what they were a moment ago, unless it has lost some`,
      actual: `read again and again, for ${Math.round(((ROWS - 1) * COPY_MS) / 1000)} s, they go to and fro`,
      shownBy: [directory.lives(cat)],
      isWrongByItself: true,
    })
  })
}
