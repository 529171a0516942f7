import type { InconclusiveKind } from '../../suites/engine/inconclusive.ts'
import { groupBy } from '../text/group-by.ts'
import { formatCount } from '../text/wording.ts'
import type { NextStep, Report, ReportCheck } from './report.ts'

type SuggestedStep = Omit<NextStep, 'check' | 'version'>
type StepsByKind = Readonly<Record<InconclusiveKind, (check: Pick<ReportCheck, 'id'>) => SuggestedStep>>

/**
 * Functions that return the next step for the user, by the kind of reason why a check is inconclusive. The kind is the
 * text of the reason before its colon, e.g. `budget`.
 */
const STEPS_BY_REASON_KIND: StepsByKind = {
  unreachable: () => ({ action: 'start the service, or wait for it', option: '--wait 30', cost: 'up to 30 s' }),
  limited: () => ({
    action: 'send requests more slowly',
    option: '--rate 5/s --concurrency 1',
    cost: 'a run of several minutes',
  }),
  drift: ({ id }) => ({
    action: 'test again while the data does not change',
    option: `--only ${id}`,
    cost: 'only the requests of the selected checks',
  }),
  unstable: ({ id }) => ({
    action: 'test this check again, with more inputs',
    option: `--only ${id} --effort thorough`,
    cost: 'about four times as many requests as with standard effort',
  }),
  budget: () => ({
    action: 'allow the run more requests or more time',
    option: '--max-requests and --max-time',
    cost: 'at most the requests and seconds that you allow',
  }),
  unreadable: () => ({
    action: 'change the response as the reason says, or pin the places in a profile',
    option: '--profile FILE',
    cost: 'one more run',
  }),
  'nothing to ask': () => ({
    action: 'load cats and breeds into the deployment, or test another one that has some',
    option: '--base-url URL',
    cost: 'one more run',
  }),
  interrupted: ({ id }) => ({
    action: 'run this check again, to its end',
    option: `--only ${id}`,
    cost: 'only the requests of the selected checks',
  }),
  'not tested': ({ id }) => ({
    action: 'test the deployment itself, because the recording lacks the requests of this check',
    option: `--base-url URL --only ${id}`,
    cost: 'only the requests of the selected checks',
  }),
  withheld: ({ id }) => ({
    action: 'correct the defect that makes the service unavailable, then test this check again',
    option: `--only ${id}`,
    cost: 'only the requests of the selected checks',
  }),
  prerequisite: ({ id }) => ({
    action: 'make the required check pass, then test this check again',
    option: `--only ${id}`,
    cost: 'only the requests of the selected checks',
  }),
}

const isReasonKind = (text: string): text is InconclusiveKind => Object.hasOwn(STEPS_BY_REASON_KIND, text)

/**
 * The next steps for the user if the reason why a check is inconclusive matches a pattern. They replace the step for
 * the kind of reason, which would be too general.
 */
const STEPS_BY_REASON: readonly (readonly [pattern: RegExp, step: SuggestedStep])[] = [
  [/credentials/, { action: 'give valid credentials', option: '--token or --header', cost: 'one more run' }],
  [
    /the service answered at first(?!.*status 429)/,
    {
      action: 'look in the logs for why the service stopped, start it again, and wait for it',
      option: '--wait 30',
      cost: 'up to 30 s',
    },
  ],
  [
    /searches for listed names .* were refused/,
    {
      action: 'load cats whose names the search accepts, or test another deployment',
      option: '--base-url URL',
      cost: 'one more run',
    },
  ],
  [
    /no response under the base URL is JSON/,
    { action: 'give the part of the URL before /v2 and /v3', option: '--base-url URL', cost: 'one more run' },
  ],
  [
    /the list of at least one breed is unknown/,
    {
      action: 'serve the list of every listed breed',
      option: '--only breed-cats/,membership/',
      cost: 'only the requests of the selected checks',
    },
  ],
  [
    /was reached \(--effort\)/,
    {
      action: 'test with standard effort',
      option: '--effort standard',
      cost: 'about 1,000 requests for 50 cats and 15 breeds',
    },
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    {
      action: 'check the spelling of the host name, and the name server',
      option: '--base-url URL',
      cost: 'one more run',
    },
  ],
  [
    /UNABLE_TO|SELF_SIGNED|DEPTH_ZERO/,
    { action: 'trust the certificate of the service', option: '--ca FILE', cost: 'one more run' },
  ],
]

/**
 * Suggests what the user can do so that an inconclusive check is decided.
 * @param reason the reason why the check is inconclusive
 */
export function suggestNextStep(id: string, reason: string): SuggestedStep | undefined {
  const [kind = ''] = reason.split(':', 1)
  const byText = STEPS_BY_REASON.find(([pattern]) => pattern.test(reason))?.[1]
  return byText ?? (isReasonKind(kind) ? STEPS_BY_REASON_KIND[kind]({ id }) : undefined)
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
          ? createCorrectionStep(id)
          : undefined
    return step === undefined ? [] : [{ check: id, version, ...step }]
  })
}

const isCausedBy = ({ cause }: ReportCheck, { id, version }: Pick<ReportCheck, 'id' | 'version'>): boolean =>
  cause?.id === id && cause.version === version

const createCorrectionStep = (id: string): SuggestedStep => ({
  action: `correct the defect that ${id} found, then test again`,
  option: `--only ${id}`,
  cost: 'only the requests of the selected checks',
})

/** A step, and the inconclusive checks that it would decide, also those that only wait for another check. */
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
