import type { CauseTraits, Finding, Verdict } from '../../engine/check/verdict.ts'
import { groupByRootCause } from '../../engine/run/root-causes.ts'

export const createVerdict = (
  id: string,
  version: string,
  finding?: Partial<Finding>,
  more: Partial<Verdict> = {},
): Verdict => ({
  check: { id, title: id, statements: [], level: 'must', operation: 'all' },
  version,
  status: 'fail',
  inputsTested: 1,
  ...(finding && { finding: { expected: 'otherwise', actual: 'so', exchanges: [], ...finding } }),
  ...more,
})

export const createTraits = (more: Partial<CauseTraits>): CauseTraits => ({
  names: new Set(),
  inputs: new Set(),
  traitsOfNames: [],
  misreadTraits: [],
  causes: [],
  crossOperationCause: undefined,
  isServiceFailure: false,
  isIntermittent: false,
  ...more,
})

/**
 * Creates the failed verdict of a check that tested `asked` inputs. Each letter of `inputs` is one input that shows the
 * violation.
 */
export function createFailedVerdict(
  operation: string,
  [id = '', version = '']: string[],
  actual: string,
  inputs: string,
  asked = 9,
): Verdict {
  const { check, ...others } = createVerdict(
    id,
    version,
    { actual },
    { inputsTested: asked, causeTraits: createTraits({ inputs: new Set(inputs) }) },
  )
  return { ...others, check: { ...check, operation } }
}

export const keyOfVerdict = ({ check, version }: Verdict): string => `${check.id} ${version}`
export const describeCauses = (verdicts: readonly Verdict[]): string[] =>
  groupByRootCause(verdicts).map((one) => (one.cause ? `see ${keyOfVerdict(one.cause)}` : keyOfVerdict(one)))
