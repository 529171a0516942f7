import type { CheckContext } from '../../engine/check/check.ts'
import type { Subject } from '../../engine/check/readers.ts'
import { broken, type Contradiction } from '../../engine/check/violations.ts'

/** Reports a violation that several readings show together; the subject is read once more for the report. */
export const accuse = (
  subject: Subject<unknown>,
  { verify }: Pick<CheckContext<unknown>, 'verify'>,
  contradiction: Omit<Contradiction, 'isWrongByItself'>,
): Promise<void> =>
  verify(async (read) => {
    await read(subject)
    broken({ ...contradiction, isWrongByItself: true })
  })
