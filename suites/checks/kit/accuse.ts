import type { CheckContext } from '../../engine/judging/check.ts'
import type { Subject } from '../../engine/judging/readers.ts'
import { broken, type Contradiction } from '../../engine/judging/throwables.ts'

/** Holds against what is asked for what several readings told together: it is read once more, to be shown. */
export const accuse = (
  subject: Subject<unknown>,
  { verify }: Pick<CheckContext<unknown>, 'verify'>,
  contradiction: Omit<Contradiction, 'isWrongByItself'>,
): Promise<void> =>
  verify(async (read) => {
    await read(subject)
    broken({ ...contradiction, isWrongByItself: true })
  })
