import { TIMES_ALONE } from '../../engine/judging/provoke.ts'
import { broken, type Contradiction, Undecided } from '../../engine/judging/throwables.ts'
import { isSameLives, isUncounted, type LivesReading, whyNoCount } from '../../vocabulary/reading/lives-reading.ts'
import { quoted } from '../../vocabulary/text.ts'
import { unheardOf } from '../../vocabulary/unheard-of.ts'
import type { Try } from './check.ts'

/**
 * The lives of a cat that were counted once, and are not when they are asked for again: wrong by itself, whatever moves.
 * What is said of a cat that nobody ever heard of says that she is gone: ruling 12, "null, or an object without a count".
 */
export const areCountedAgain: Try = async ({ target: { watch, directory }, read, fresh, verify, isBroken }) => {
  const seen = [await watch.early(), await watch.late()].flatMap(({ uncounted }) => uncounted)
  if (seen.length === 0 || isBroken()) return
  const unknown = await read(directory.lives(unheardOf(0, directory.version)))
  const isAccused = (reading: LivesReading) => isUncounted(reading) && !isSameLives(reading, unknown)
  const first = seen.find(({ reading }) => isAccused(reading))
  if (!first) return
  const { cat } = first
  const subject = directory.lives(cat)
  const contradiction = (reading: LivesReading): Contradiction => ({
    expected: `the lives of ${quoted(cat)} are a JSON number whenever they are asked for`,
    actual: `asked for again: ${whyNoCount(reading)}`,
    shownBy: [subject],
    about: [cat],
    isWrongByItself: true,
  })
  await verify(async (readAgain) => {
    for (let time = 0; time < TIMES_ALONE; time++) {
      const again = time === 0 ? await readAgain(subject) : await fresh().read(subject)
      if (isAccused(again)) broken(contradiction(again))
    }
  })
  if (isBroken()) return
  const once = contradiction(first.reading)
  throw new Undecided('unstable', `it came and went: ${once.actual}; asked once more, it was a count`, once)
}
