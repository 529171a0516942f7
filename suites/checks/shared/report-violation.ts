import type { StatementId } from '../../../fixtures/contract/statements.ts'
import type { CheckContext } from '../../engine/check/check.ts'
import type { Resource } from '../../engine/check/readers.ts'
import { type Contradiction, type Evidence, reportViolation } from '../../engine/check/violations.ts'
import { isServiceFailure } from '../../engine/finding/candidate.ts'

/**
 * Reports a violation that only several readings together prove, e.g. a list that differs between them. Requests the
 * resource once more, so that the finding shows a response.
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

const NOT_JSON = 'a body that is not JSON'

/** Describes a failure of the service in the evidence, e.g. `status 500`; undefined if there is none. */
export function describeServiceFailure({ exchanges }: Evidence): string | undefined {
  const { outcome } = exchanges.find(isServiceFailure) ?? {}
  if (!outcome) return undefined
  if (outcome.kind === 'fault') return 'no response'
  return outcome.status < 300 ? NOT_JSON : `status ${outcome.status}`
}

/**
 * Returns the members of a violation which say that an operation failed.
 * @param failure the result of `describeServiceFailure`
 * @param statement the statement that is violated, unless the failure is a body that is not JSON (S-JSON)
 */
export const createFailureContradiction = (failure: string, actual: string, statement: StatementId) => ({
  expected: 'a 2xx response with a readable body each time',
  actual,
  statements: [failure === NOT_JSON ? 'S-JSON' : statement],
})
