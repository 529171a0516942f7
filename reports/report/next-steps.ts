import type { InconclusiveKind } from '../../suites/engine/inconclusive.ts'
import { groupBy } from '../text/group-by.ts'
import { formatCount } from '../text/wording.ts'
import type { NextStep, Report, ReportCheck } from './report.ts'

type SuggestedStep = Omit<NextStep, 'check' | 'version'>
/** A next step: the action, the options of the command (`ID` stands for the check), and the cost. */
type StepRow = readonly [action: string, option: string, cost: string]

const ONE_RUN = 'one more run'
const ONE_CHECK = 'only the requests of the selected checks'

/** The next step for the user, by the kind of reason why a check is inconclusive: the text before its colon. */
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

/** The next steps that replace the one for the kind of reason, which is too general, if the reason matches a pattern. */
const STEPS_BY_REASON: readonly (readonly [pattern: RegExp, ...step: StepRow])[] = [
  [/credentials/, 'give valid credentials', '--token or --header', ONE_RUN],
  [
    /the service answered at first(?!.*status 429)/,
    'look in the logs for why the service stopped, start it again, and wait for it',
    '--wait 30',
    'up to 30 s',
  ],
  [
    /searches for listed names .* were refused/,
    'load cats whose names the search accepts, or test another deployment',
    '--base-url URL',
    ONE_RUN,
  ],
  [/no response under the base URL is JSON/, 'give the part of the URL before /v2 and /v3', '--base-url URL', ONE_RUN],
  [
    /the list of cats of at least one breed is unknown/,
    'for every breed in the list of breeds, serve the list of its cats',
    '--only breed-cats/,membership/',
    ONE_CHECK,
  ],
  [
    /was reached \(--effort\)/,
    'test with standard effort',
    '--effort standard',
    'about 1,000 requests for 50 cats and 15 breeds',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'check the spelling of the host name, and the name server', '--base-url URL', ONE_RUN],
  [/UNABLE_TO|SELF_SIGNED|DEPTH_ZERO/, 'trust the certificate of the service', '--ca FILE', ONE_RUN],
]

/**
 * Suggests what the user can do so that an inconclusive check is decided.
 * @param reason the reason why the check is inconclusive, which begins with its kind and a colon
 */
export function suggestNextStep(id: string, reason: string): SuggestedStep | undefined {
  const [, ...byText] = STEPS_BY_REASON.find(([pattern]) => pattern.test(reason)) ?? []
  const byKind = Object.entries(STEPS_BY_REASON_KIND).find(([kind]) => reason.split(':', 1)[0] === kind)?.[1]
  const [action, option, cost] = byText.length > 0 ? byText : (byKind ?? [])
  return action && option && cost ? { action, option: option.replace('ID', id), cost } : undefined
}

/** Formats a step, e.g. `start the service, or wait for it: --wait 30 (cost: up to 30 s)`. */
export const formatNextStep = ({ action, option, cost }: SuggestedStep): string =>
  `${action}: ${option} (cost: ${cost})`

/**
 * Lists the next step for each inconclusive check, unless another check is the cause, and for each failed check that is
 * the cause of inconclusive ones. The same step in v2 and v3 is listed twice.
 */
export function listNextSteps(checks: readonly ReportCheck[]): NextStep[] {
  const blocked = checks.filter(({ status, cause }) => status === 'inconclusive' && cause !== undefined)
  return checks.flatMap((check) => {
    const { id, version, status, reason = '', cause } = check
    const step =
      status === 'inconclusive' && cause === undefined
        ? suggestNextStep(id, reason)
        : status === 'fail' && blocked.some((one) => isCausedBy(one, check))
          ? { action: `correct the defect that ${id} found, then test again`, option: `--only ${id}`, cost: ONE_CHECK }
          : undefined
    return step === undefined ? [] : [{ check: id, version, ...step }]
  })
}

const isCausedBy = ({ cause }: ReportCheck, { id, version }: Pick<ReportCheck, 'id' | 'version'>): boolean =>
  cause?.id === id && cause.version === version

/** A step, and the inconclusive checks that it would decide, including those that wait for another check. */
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
  const isShown = ({ check, option }: NextStep, steps: readonly NextStep[]): boolean =>
    check === diagnosis?.check?.id && steps.every((step) => step.option === option)
  const groups = [
    ...groupBy(next, ({ action, option, check }) => JSON.stringify([action, option.replace(check, '')])).values(),
  ]
  const otherGroups = groups.filter((steps) => !steps.some((step) => isShown(step, steps)))
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
