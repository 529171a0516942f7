import { type Version, versions } from '../../../fixtures/contract/operations.ts'
import { parseReason } from '../../../reports/report/reasons.ts'
import { createDeployment } from '../../directory/deployment.ts'
import { alterations } from '../../directory/inputs/alterations.ts'
import { allowances } from '../../directory/matching/allowances.ts'
import { createControlNameFactory } from '../../directory/shared/control-names.ts'
import { effortsByName } from '../../directory/shared/effort.ts'
import { createCachingReader } from '../../engine/check/readers.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { systemRuntime } from '../../engine/http/runtime.ts'
import { createSession, pause } from '../../engine/http/session.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import { hasDecisiveStatus, isPassOrWarn } from '../../engine/run/conclusion.ts'
import type { TextMask } from '../../engine/run/masking.ts'
import { judge } from '../../judge/judge.ts'
import { createSessionOptions, type JudgeOptions } from '../../judge/judge-options.ts'
import { createSecretMask } from '../../judge/sent-headers.ts'
import { exitCodes } from '../../options/exit-code.ts'
import { defaultOptions } from '../../options/table.ts'
import { type BehaviourComparison, compareBehaviour } from './behaviour.ts'
import { ChoiceComparison } from './choices.ts'
import type { SharedNames } from './compared-operations.ts'
import { type ComparedSide, compareChecks, createCheckOutcome } from './comparison.ts'
import { confirmDifferences, createListChangeDetector } from './confirm-differences.ts'
import { type Difference, groupDifferences, isRegression } from './difference.ts'
import type { LiveDeployment } from './side-pair.ts'

/**
 * The result of comparing the candidate (the deployment under test) with the other side: a second deployment, or a
 * saved report.
 */
export interface DeploymentComparison {
  /** The base URL of the other side. */
  readonly other: string
  readonly differences: readonly Difference[]
  /** The names that both compared sides list, and those that only one side lists, by version. */
  readonly names: Readonly<Record<string, SharedNames>>
  /**
   * True if both compared sides were tested, and their differences rechecked. If false, "no differences" proves
   * nothing.
   */
  readonly isDecided: boolean
  /** Sentences that say what was not compared, and why. */
  readonly notCompared: readonly string[]
  /** The reason why one of the compared sides could not be reached. Nothing was compared in this case. */
  readonly unreached?: string
}

/** Creates a compared side from the result of a run. */
const createSide = (
  options: JudgeOptions,
  { verdicts, observations, exchanges, requests }: RunResult,
): ComparedSide => ({
  options,
  baseUrl: options.baseUrl,
  requests,
  checks: verdicts.map((verdict) =>
    createCheckOutcome({ ...verdict.check, version: verdict.version }, verdict, verdict.cause?.check.id),
  ),
  observations,
  exchanges,
})

/** Removes options that concern only the candidate (the deployment under test): the profile and the callbacks. */
function removeCandidateOptions(options: JudgeOptions): JudgeOptions {
  const { profile, onVerdict, onRequest, ...common } = options
  return profile || onVerdict || onRequest ? common : options
}

/** Opens a session with a deployment, in which both sides of a comparison get the same inputs. */
function openLiveDeployment(options: JudgeOptions): LiveDeployment {
  const session = createSession(createSessionOptions(options))
  const judgedVersions: readonly string[] = options.versions ?? versions
  const deployment = createDeployment({
    ...session,
    controlNames: createControlNameFactory(session.token),
    alterations,
    allowances,
    readings: createCachingReader(session.sendOnce),
    effort: effortsByName[options.effort ?? defaultOptions.effort],
    judgedVersions,
    seed: options.seed ?? 1,
    strings: options.strings ?? [],
  })
  const directories = deployment.directories.filter(({ version }) => judgedVersions.includes(version))
  return { session, deployment: { ...deployment, directories } }
}

/** The comparison of all results in one version. */
interface VersionBehaviour {
  readonly version: Version
  /** The comparison; undefined if a side did not respond. */
  readonly behaviour: BehaviourComparison | undefined
}

/**
 * The number of requests that a comparison may always send in each version, even if the run itself sent few. If lists
 * have no pages, it is more than enough for all inputs.
 */
const GUARANTEED_REQUESTS = 1000

/**
 * Compares all versions. Sends at most a third as many requests as testing both sides took, or
 * GUARANTEED_REQUESTS in each version if that is more. With the rechecks of differences, a command that compares
 * then sends at most twice as many requests as testing both sides.
 */
function compareVersions(
  liveDeployments: readonly LiveDeployment[],
  { versions: judged = versions, seed = 1 }: JudgeOptions,
  { mask, judgedRequests }: { readonly mask: TextMask; readonly judgedRequests: number },
): Promise<readonly VersionBehaviour[]> {
  const maxRequests = Math.max(GUARANTEED_REQUESTS, judgedRequests / 3 / judged.length)
  return Promise.all(
    (liveDeployments.length < 2 ? [] : judged).map(async (version) => ({
      version,
      behaviour: await compareBehaviour(liveDeployments, version, { seed, mask, maxRequests }).catch(
        resolveInconclusiveTo(undefined),
      ),
    })),
  )
}

/** Returns sentences about the inputs that were not compared in one version. */
function describeNotCompared({ version, behaviour }: VersionBehaviour): readonly string[] {
  if (!behaviour) return [`results of ${version}: one of the deployments did not respond`]
  if (!behaviour.isUnchanged) return [`results of ${version}: names were added or removed during the comparison`]
  return behaviour.uncomparedInputs.map(
    (some) => `${some}: a comparison sends at most a third as many requests as the run itself`,
  )
}

/** Creates a mask that hides the secrets of all sides. */
function combineMasks(...sides: readonly JudgeOptions[]): TextMask {
  const masks = sides.map(createSecretMask)
  return (text) => masks.reduce((masked, one) => one(masked), text)
}

/**
 * Compares the candidate (the deployment under test) with the other side. If the other side is a deployment too, sends
 * the same requests to both.
 * @param against the base URL of the other deployment, or the side of a saved report
 * @param headers the headers for the other deployment
 */
export async function compareDeployments(
  options: JudgeOptions,
  result: RunResult,
  against: string | ComparedSide,
  headers: Readonly<Record<string, string>> = {},
): Promise<DeploymentComparison> {
  const common = removeCandidateOptions(options)
  const candidate = createSide(common, result)
  const isLive = typeof against === 'string'
  const otherOptions = isLive ? { ...common, baseUrl: against, headers, secretHeaders: Object.keys(headers) } : common
  const liveDeployments = (isLive ? [otherOptions, common] : [common]).map(openLiveDeployment)
  try {
    const [haveListsChanged, other] = await Promise.all([
      createListChangeDetector(liveDeployments, createPause(common)),
      isLive ? judge(otherOptions).then((judged) => createSide(otherOptions, judged)) : against,
    ])
    const unreached = describeUnreached(other, 'the other side') ?? describeUnreached(candidate, 'the candidate')
    if (unreached !== undefined)
      return { other: other.baseUrl, isDecided: false, differences: [], names: {}, notCompared: [], unreached }
    const choices = new ChoiceComparison(other, candidate)
    if (choices.hasDifferences) await choices.readAgain()
    const versionBehaviours = await compareVersions(liveDeployments, common, {
      mask: combineMasks(otherOptions, common),
      judgedRequests: other.requests + candidate.requests,
    })
    const behaviours = versionBehaviours.flatMap(({ behaviour }) => behaviour ?? [])
    const areAllRechecked = await confirmDifferences([choices, ...behaviours], {
      haveListsChanged,
      pause: createPause(common),
    })
    return {
      other: other.baseUrl,
      isDecided:
        areAllRechecked &&
        versionBehaviours.every(({ behaviour }) => behaviour) &&
        other.checks.some(hasDecisiveStatus),
      differences: groupDifferences([
        ...compareChecks(other, candidate),
        ...choices.differences(),
        ...(await Promise.all(behaviours.map((one) => one.differences()))).flat(),
      ]),
      names: Object.fromEntries(behaviours.map(({ version, maskedNames }) => [version, maskedNames])),
      notCompared: [
        ...choices.uncomparedParts,
        ...versionBehaviours.flatMap(describeNotCompared),
        ...(areAllRechecked
          ? []
          : ['differences that were found while the data changed: the run ended before these could be rechecked']),
        ...(isLive ? [] : ['generated queries: a saved report contains no responses to these queries']),
      ],
    }
  } finally {
    await Promise.all(liveDeployments.map(({ session }) => session.close()))
  }
}

/**
 * Describes why a compared side could not be tested: it passes no check, so a comparison would report differences
 * everywhere. Returns undefined if the side passes a check.
 */
function describeUnreached({ checks }: ComparedSide, side: string): string | undefined {
  if (checks.some(isPassOrWarn)) return undefined
  const [failed] = checks.filter(hasDecisiveStatus)
  if (failed) return `${side} passes no check (${failed.id}: ${failed.actual ?? failed.status})`
  const reasons = checks.flatMap(({ actual }) => actual ?? [])
  if (reasons.some((reason) => /credentials/.test(reason))) return `${side} refused the credentials`
  const unreachable = reasons.map(parseReason).find(({ kind }) => kind === 'unreachable')
  return unreachable && `${side} could not be reached: ${unreachable.text}`
}

const createPause =
  ({ signal = new AbortController().signal, runtime: { clock } = systemRuntime }: JudgeOptions) =>
  (ms: number): Promise<void> =>
    pause(ms, { clock, signal })

/**
 * Returns the exit code after a comparison. A regression of the candidate fails the command.
 * @param own the exit code without the comparison
 */
export function exitCodeOfComparison(
  { differences, isDecided }: Pick<DeploymentComparison, 'differences' | 'isDecided'>,
  own: number,
): number {
  if (own === exitCodes.suiteFailed.code) return own
  if (differences.some(isRegression)) return exitCodes.nonconformant.code
  return isDecided || own !== exitCodes.conformant.code ? own : exitCodes.inconclusive.code
}
