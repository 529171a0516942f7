import type { OneVersion } from '../../../directory/deployment.ts'
import {
  isNoCount,
  isSameLives,
  isUncounted,
  type LivesReading,
  whyNoCount,
} from '../../../directory/lives/lives-reading.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Reader } from '../../../engine/check/readers.ts'
import { broken, type Contradiction, Undecided } from '../../../engine/check/violations.ts'
import { TIMES_ALONE } from '../../../engine/finding/reproduce.ts'
import { accuse } from '../accuse.ts'
import type { Try } from '../check.ts'
import { ALL_ALONG_S, isSoAllAlong } from './all-along.ts'
import { AWAY, isShownNow, saysHowFresh } from './asked-again.ts'

/**
 * Fails if a cat had a count once and has none when its lives are requested again, whatever changes (T2.9). If the
 * response is the one for an unlisted cat, e.g. null or an object without a count (R12.1), the cat is gone: no violation.
 */
export const areCountedAgain: Try = async (context) => {
  const { target, read, fresh, verify, isBroken } = context
  const { watch, directory } = target
  const motions = [await watch.early(), await watch.late()]
  const seen = motions.flatMap(({ uncounted }) => uncounted)
  const gone = motions.flatMap(({ refused }) => refused)
  if (isBroken()) return
  if (seen.length === 0) return areListedAllAlong(gone, context)
  const unknown = await read(directory.lives(directory.controlName()))
  const isAccused = (reading: LivesReading) => isNoCount(reading) && !isSameLives(reading, unknown)
  const first = seen.find(({ reading }) => isAccused(reading))
  if (!first) return areListedAllAlong([...seen.map(({ cat }) => cat), ...gone], context)
  const { cat } = first
  const subject = directory.lives(cat)
  const contradiction = (reading: LivesReading): Contradiction => ({
    expected: 'a whole number, at least 0, in every response',
    actual: `a repeated request for the lives of ${quoted(cat)} returned ${whyNoCount(reading)}`,
    manner: whyNoCount(reading),
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
  throw new Undecided('unstable', `${once.actual}; the next response was a count again`, once)
}

const MOST_LOOKED_FOR = 2

/** Cats whose lives say that they are gone, and that are listed for longer than replicas and caches lag. */
async function areListedAllAlong(cats: readonly string[], context: CheckContext<OneVersion>): Promise<void> {
  const { directory } = context.target
  for (const cat of [...new Set(cats)].slice(0, MOST_LOOKED_FOR)) {
    const subject = directory.lives(cat)
    const isListedAlone = async (reader: Reader) => {
      const lives = await reader.read(subject)
      const isGone = isUncounted(lives) || (lives.kind === 'refused' && !AWAY.includes(lives.status))
      if (!isGone || saysHowFresh(reader, subject)) return false
      return isShownNow(cat, directory.cats, reader)
    }
    if (!(await isSoAllAlong(context, isListedAlone))) continue
    return accuse(subject, context, {
      expected: `the lives of ${quoted(cat)} as long as the cat is listed`,
      actual: `the lives of ${quoted(cat)} are no longer served, although the cat is still listed (observed for ${ALL_ALONG_S} s)`,
      manner: 'no longer served',
      shownBy: [directory.cats, subject],
      about: [cat],
    })
  }
}
