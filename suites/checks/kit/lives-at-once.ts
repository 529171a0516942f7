import type { OneVersion } from '../../vocabulary/deployment.ts'
import type { LivesReading } from '../../vocabulary/reading/lives-reading.ts'
import { quoted } from '../../vocabulary/text.ts'
import { accuse } from './accuse.ts'
import { AWAY } from './asked-again.ts'
import type { Try } from './check.ts'
import { changesUnderLoad } from './under-load.ts'

const MOST_CATS = 2

/** Who is kept out, or asked to wait, is told nothing of the cat. */
function saysOf(reading: LivesReading): string | undefined {
  if (reading.kind === 'count') return `${reading.value}`
  return reading.kind === 'refused' && !AWAY.includes(reading.status) ? `status ${reading.status}` : undefined
}

/**
 * Contract, section 4.2: "it comes with several requests in flight and not with one". The lives of a cat that were refused
 * when several asked for them: two that ask the same share an answer that only one of them is given.
 */
export const areCountedAtOnce: Try<OneVersion> = async (context) => {
  const { target, isBroken } = context
  const { directory, watch } = target
  const refused = [...(await watch.early()).refused, ...(await watch.late()).refused]
  for (const cat of isBroken() ? [] : [...new Set(refused)].slice(0, MOST_CATS)) {
    const subject = directory.lives(cat)
    if (!(await changesUnderLoad({ subject, others: [], says: saysOf, atOnce: 2 }, context))) continue
    return accuse(subject, context, {
      expected: `the lives of ${quoted(cat)} are counted, whoever asks for them at the same time`,
      actual: 'asked for twice at once they are refused, and alone they are not, each time that it was tried',
      shownBy: [subject],
      about: [cat],
    })
  }
}
