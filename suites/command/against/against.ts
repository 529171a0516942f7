import { type Version, versions } from '../../../fixtures/contract/operations.ts'
import { parseReport, ReportParseError } from '../../../reports/parse.ts'
import { createSession } from '../../engine/http/session.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { createCachingReader } from '../../engine/judging/readers.ts'
import type { Observation, RunResult } from '../../engine/judging/verdict.ts'
import { type JudgeOptions, judge, sessionOptions } from '../../judge.ts'
import { defaults } from '../../options/defaults.ts'
import { UsageError } from '../../options/options.ts'
import { createDeployment } from '../../vocabulary/deployment.ts'
import { efforts } from '../../vocabulary/effort.ts'
import { alterations } from '../../vocabulary/inputs/alterations.ts'
import { leniencies } from '../../vocabulary/leniencies.ts'
import { exits } from '../exit-code.ts'
import { readGiven } from '../files.ts'
import { pinnedId, stableValue } from '../profile/pinned.ts'
import type { Profile } from '../profile/profile.ts'
import { secretsMasked } from '../sent-headers.ts'
import { compareBehaviour, type Live, type SharedNames } from './behaviour.ts'
import { compareChecks, compareChoices, type Difference, isRegression, type Side } from './comparison.ts'

/** What a comparison with another deployment, or with what was saved of one, came to. */
export interface Comparison {
  readonly other: string
  readonly differences: readonly Difference[]
  /** By version: what both list, and what only one does. */
  readonly names: Readonly<Record<string, SharedNames>>
  /** What could not be compared, and why. */
  readonly notCompared: readonly string[]
}

const sideOf = (baseUrl: string, { verdicts, observations, exchanges }: RunResult): Side => ({
  baseUrl,
  checks: verdicts.map(({ check, version, status, finding, reason }) => ({
    id: check.id,
    version,
    status,
    ...((finding?.actual ?? reason) !== undefined && { actual: finding?.actual ?? reason }),
    exchanges: finding?.exchanges ?? [],
  })),
  observations,
  exchanges,
})

/** A saved report as one side. */
async function savedSide(file: string): Promise<Side> {
  const expected = 'the URL of a deployment, or a report.json'
  const text = await readGiven(file, { flag: '--against', expected })
  try {
    const { target, checks, openPoints, exchanges } = parseReport(text)
    return {
      baseUrl: target.baseUrl,
      checks: checks.map(({ id, version, status, finding }) => ({
        ...{ id, version, status },
        ...(finding && { actual: finding.actual }),
        exchanges: finding?.exchanges ?? [],
      })),
      observations: openPoints,
      exchanges: new Map(exchanges.map((exchange) => [exchange.id, exchange])),
    }
  } catch (error) {
    if (!(error instanceof ReportParseError)) throw error
    throw new UsageError({ where: '--against', what: error.message, expected, advice: 'give another one' })
  }
}

/** A profile is what the candidate is held to, alone; and what the run was told is told of the run. */
function withoutProfile(options: JudgeOptions): JudgeOptions {
  const { profile, onVerdict, onRequest, ...common } = options
  return profile || onVerdict || onRequest ? common : options
}

/** Each side compared with itself: at which of some places it does not say the same twice. */
async function unsteady(options: JudgeOptions, observations: readonly Observation[]): Promise<ReadonlySet<string>> {
  if (observations.length === 0) return new Set()
  const profile: Profile = {
    profileVersion: 1,
    pins: observations.map((one) => ({
      point: one.id,
      ...(one.operation !== undefined && { operation: one.operation }),
      version: one.version,
      value: stableValue(one),
    })),
  }
  const { verdicts } = await judge({ ...options, profile, only: [...new Set(observations.map(pinnedId))] })
  return new Set(
    verdicts.filter(({ status }) => status !== 'pass').map(({ check, version }) => `${check.id} ${version}`),
  )
}

const keyOf = (one: Observation): string => `${pinnedId(one)} ${one.version}`

/** The choices that differ, and go on differing when each side is asked again. */
async function choicesOf(other: Side, candidate: Side, sides: readonly (readonly [JudgeOptions | undefined, Side])[]) {
  const differing = (one: Observation) =>
    compareChoices(
      { ...other, observations: other.observations.filter((two) => keyOf(two) === keyOf(one)) },
      { ...candidate, observations: [one] },
    ).some(({ kind }) => kind === 'choice')
  const keys = new Set(candidate.observations.filter(differing).map(keyOf))
  const noisy = await Promise.all(
    sides.map(async ([options, { observations }]) =>
      options
        ? unsteady(
            options,
            observations.filter((one) => keys.has(keyOf(one))),
          )
        : new Set<string>(),
    ),
  )
  const isSteady = (one: Observation) => !noisy.some((places) => places.has(keyOf(one)))
  const steady = ({ observations, ...side }: Side): Side => ({ ...side, observations: observations.filter(isSteady) })
  return {
    differences: compareChoices(steady(other), steady(candidate)),
    noisy: [...new Set(noisy.flatMap((one) => [...one]))],
  }
}

function goLive(options: JudgeOptions): Live {
  const session = createSession(sessionOptions(options))
  const { recall, ask, askPastCaches } = session
  const deployment = createDeployment({
    ...{ recall, ask, askPastCaches, alterations, excuses: leniencies },
    readings: createCachingReader(recall),
    effort: efforts[options.effort ?? defaults.effort],
    judged: options.versions ?? versions,
    seed: options.seed ?? 1,
    strings: options.strings ?? [],
  })
  return { session, deployment }
}

async function behaviours(other: JudgeOptions, candidate: JudgeOptions) {
  const lives = [other, candidate].map(goLive)
  const masks = [other, candidate].map(secretsMasked)
  const mask = (text: string): string => masks.reduce((masked, one) => one(masked), text)
  try {
    const judged: readonly Version[] = candidate.versions ?? versions
    return await Promise.all(
      judged.map(async (version) => ({
        version,
        found: await compareBehaviour(lives, version, candidate.seed ?? 1, mask).catch(unlessInconclusive),
      })),
    )
  } finally {
    await Promise.all(lives.map(({ session }) => session.close()))
  }
}

/** A side that cannot be asked now does nothing that could be compared. */
function unlessInconclusive(error: unknown): undefined {
  if (error instanceof Inconclusive) return undefined
  throw error
}

/**
 * Compares a candidate with another deployment, on the same inputs.
 * @param options those that the candidate was judged with
 * @param result what its judgement came to
 * @param against the URL of the other, or the name of a report.json that was saved of it
 * @param headers for the other: those of the candidate are never sent there
 * @throws {UsageError} when there is nothing to compare with
 */
export async function compareWith(
  options: JudgeOptions,
  result: RunResult,
  against: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Comparison> {
  const candidate = sideOf(options.baseUrl, result)
  const isUrl = /^https?:\/\//i.test(against)
  const common = withoutProfile(options)
  const otherOptions = isUrl ? { ...common, baseUrl: against, headers, secretHeaders: Object.keys(headers) } : undefined
  const other = otherOptions ? sideOf(against, await judge(otherOptions)) : await savedSide(against)
  const choices = await choicesOf(other, candidate, [
    [otherOptions, other],
    [common, candidate],
  ])
  const lived = otherOptions ? await behaviours(otherOptions, common) : []
  return {
    other: other.baseUrl,
    differences: [
      ...compareChecks(other, candidate),
      ...choices.differences,
      ...lived.flatMap(({ found }) => found?.differences ?? []),
    ],
    names: Object.fromEntries(lived.flatMap(({ version, found }) => (found ? [[version, found.names]] : []))),
    notCompared: [
      ...choices.noisy.map((place) => `${place}: a side does not say the same twice`),
      ...lived.flatMap(({ version, found }) =>
        found === undefined
          ? [`what ${version} finds: a side could not be asked`]
          : found.isStill
            ? []
            : [`what ${version} finds: names came or went meanwhile`],
      ),
      ...(otherOptions ? [] : ['generated queries: a saved report answers none']),
    ],
  }
}

/** A candidate that breaks what the other keeps, or chooses or finds otherwise, fails whatever else it does. */
export const comparedCode = ({ differences }: Pick<Comparison, 'differences'>, own: number): number =>
  differences.some(isRegression) && own !== exits.suiteFailed.code ? exits.nonconformant.code : own
