import type { Verdict } from '../../suites/engine/check/verdict.ts'
import type { InconclusiveKind, InconclusiveReason, Remedy } from '../../suites/engine/inconclusive.ts'
import { groupBy } from '../text/group-by.ts'
import { formatCount } from '../text/wording.ts'
import type { NextStep, Report, ReportCheck } from './report.ts'

/** A next step without the check for which it was suggested. */
type SuggestedStep = Omit<NextStep, 'check' | 'version'>
/** A next step: the action, the options of the command (`ID` stands for the check), and the cost. */
type StepRow = readonly [action: string, option: string, cost: string]

const ONE_RUN = 'one more run'
const ONE_CHECK = 'only the requests of the selected checks'

/** The next step for the user, by the kind of reason why a check is inconclusive. */
const STEPS_BY_REASON_KIND: Readonly<Record<InconclusiveKind, StepRow>> = {
  unreachable: ['start the service, or wait for it', '--wait 30', 'up to 30 s'],
  limited: ['send requests more slowly', '--rate 5/s --concurrency 1', 'a run of several minutes'],
  drift: ['test again while the data does not change', '--only ID', ONE_CHECK],
  unstable: [
    'test this check again, with more inputs',
    '--only ID --effort thorough',
    'about four times as many requests as with standard effort',
  ],
  budget: [
    'allow the run more requests or more time',
    '--max-requests and --max-time',
    'at most the requests and seconds that you allow',
  ],
  unreadable: [
    'change the response as described in the reason, or add the pin from the reason to a profile',
    '--profile FILE',
    ONE_RUN,
  ],
  'nothing to ask': [
    'load cats and breeds into the deployment, or test another one that has some',
    '--base-url URL',
    ONE_RUN,
  ],
  interrupted: ['run this check again, to its end', '--only ID', ONE_CHECK],
  'not tested': [
    'test the deployment itself, because the recording lacks the requests of this check',
    '--base-url URL --only ID',
    ONE_CHECK,
  ],
  withheld: [
    'correct the defect that makes the service unavailable, then test this check again',
    '--only ID',
    ONE_CHECK,
  ],
  prerequisite: ['make the prerequisites of this check pass, then test this check again', '--only ID', ONE_CHECK],
}

/** The next steps that replace the one for the kind of reason, which is too general. */
const STEPS_BY_REMEDY: Readonly<Record<Remedy, StepRow>> = {
  'give credentials': ['give valid credentials', '--token or --header', ONE_RUN],
  'restart the service': [
    'look in the logs for why the service stopped, start it again, and wait for it',
    '--wait 30',
    'up to 30 s',
  ],
  'load other names': [
    'load cats whose names the search accepts, or test another deployment',
    '--base-url URL',
    ONE_RUN,
  ],
  'correct the base URL': ['give the part of the URL before /v2 and /v3', '--base-url URL', ONE_RUN],
  'serve all lists': [
    'for every breed in the list of breeds, serve the list of its cats',
    '--only breed-cats/,membership/',
    ONE_CHECK,
  ],
  'use standard effort': [
    'test with standard effort',
    '--effort standard',
    'about 1,000 requests for 50 cats and 15 breeds',
  ],
}

/** The next steps for error codes of Node.js in the reason that a service is unreachable. */
const STEPS_BY_ERROR_CODE: readonly (readonly [pattern: RegExp, step: StepRow])[] = [
  [/ENOTFOUND|EAI_AGAIN/, ['check the spelling of the host name, and the name server', '--base-url URL', ONE_RUN]],
  [/UNABLE_TO|SELF_SIGNED|DEPTH_ZERO/, ['trust the certificate of the service', '--ca FILE', ONE_RUN]],
]

/** Suggests what the user can do so that an inconclusive check is decided. */
export function suggestNextStep(id: string, { kind, text, remedy }: InconclusiveReason): SuggestedStep {
  const byCode = STEPS_BY_ERROR_CODE.find(([pattern]) => kind === 'unreachable' && pattern.test(text))?.[1]
  const [action, option, cost] = remedy ? STEPS_BY_REMEDY[remedy] : (byCode ?? STEPS_BY_REASON_KIND[kind])
  return { action, option: option.replace('ID', id), cost }
}

/** Formats a step, e.g. `start the service, or wait for it: --wait 30 (cost: up to 30 s)`. */
export const formatNextStep = ({ action, option, cost }: SuggestedStep): string =>
  `${action}: ${option} (cost: ${cost})`

/**
 * Lists the next step for each inconclusive check, unless another check is the cause, and for each failed check that is
 * the cause of inconclusive ones. The same step in v2 and v3 is listed twice.
 */
export function listNextSteps(verdicts: readonly Verdict[]): NextStep[] {
  const blocked = verdicts.filter(({ status, cause }) => status === 'inconclusive' && cause !== undefined)
  return verdicts.flatMap((verdict) => {
    const { check, version, status, inconclusiveReason, cause } = verdict
    const { id } = check
    const isCause = (one: Verdict) => one.cause?.check.id === id && one.cause.version === version
    const step =
      inconclusiveReason && cause === undefined
        ? suggestNextStep(id, inconclusiveReason)
        : status === 'fail' && blocked.some(isCause)
          ? { action: `correct the defect that ${id} found, then test again`, option: `--only ${id}`, cost: ONE_CHECK }
          : undefined
    return step === undefined ? [] : [{ check: id, version, ...step }]
  })
}

/** A step, and the inconclusive checks that it would decide, including those that depend on another check. */
interface NextStepGroup {
  readonly step: NextStep
  readonly checks: readonly ReportCheck[]
}

/**
 * Groups equal next steps, each with the inconclusive checks that it would decide. Leaves out the step for the check
 * that the diagnosis is about, because the diagnosis already shows what to do.
 */
export function groupNextSteps({
  next = [],
  checks,
  diagnosis,
}: Pick<Report, 'next' | 'checks' | 'diagnosis'>): readonly NextStepGroup[] {
  const isInDiagnosis = ({ check, option }: NextStep, steps: readonly NextStep[]): boolean =>
    check === diagnosis?.check?.id && steps.every((step) => step.option === option)
  const groups = [
    ...groupBy(next, ({ action, option, check }) => JSON.stringify([action, option.replace(check, '')])).values(),
  ]
  const otherGroups = groups.filter((steps) => !steps.some((step) => isInDiagnosis(step, steps)))
  return otherGroups.map((steps) => {
    const [first] = steps
    const ids = [...new Set(steps.map(({ check }) => check))].join(',')
    const isDecided = ({ id, version, status, cause }: ReportCheck) =>
      status === 'inconclusive' &&
      steps.some((step) => step.check === (cause?.id ?? id) && step.version === (cause?.version ?? version))
    return {
      step: { ...first, option: first.option.replace(first.check, ids) },
      checks: checks.filter(isDecided),
    }
  })
}

/** Describes the checks that a step would decide: one or two by id, more by their number. */
export function describeChecksToDecide({ checks }: NextStepGroup): string {
  const ids = [...new Set(checks.map(({ id }) => id))]
  return ids.length <= 2 ? ids.join(' and ') : formatCount(checks.length, 'inconclusive check')
}
