import type { CheckContext } from '../../engine/check/check.ts'
import type { Resource } from '../../engine/check/readers.ts'
import { type Contradiction, reportViolation } from '../../engine/check/violations.ts'

/**
 * Reports a violation that only several readings together prove. Requests the resource once more, so that the finding
 * shows a response.
 */
export const reportViolationOfReadings = (
  resource: Resource<unknown>,
  { verify }: Pick<CheckContext<unknown>, 'verify'>,
  contradiction: Omit<Contradiction, 'isWrongByItself'>,
): Promise<void> =>
  verify(async (read) => {
    await read(resource)
    reportViolation({ ...contradiction, isWrongByItself: true })
  })
