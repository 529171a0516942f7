import type { CheckContext } from '../../engine/check/check.ts'
import type { Resource } from '../../engine/check/readers.ts'
import { type Contradiction, reportViolation } from '../../engine/check/violations.ts'

/** Reports a violation that several readings show together. The resource is read once more for the report. */
export const reportViolationOfReadings = (
  resource: Resource<unknown>,
  { verify }: Pick<CheckContext<unknown>, 'verify'>,
  contradiction: Omit<Contradiction, 'isWrongByItself'>,
): Promise<void> =>
  verify(async (read) => {
    await read(resource)
    reportViolation({ ...contradiction, isWrongByItself: true })
  })
