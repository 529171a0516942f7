import type { CheckContext } from '../../engine/check/check.ts'
import type { Subject } from '../../engine/check/readers.ts'
import { broken, type Contradiction } from '../../engine/check/violations.ts'

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
