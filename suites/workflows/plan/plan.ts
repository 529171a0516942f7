import { escapeTerminal } from '../../../reports/text/escape.ts'
import type { Deployment } from '../../directory/deployment.ts'
import { efforts, reserveOwnRequests } from '../../directory/shared/effort.ts'
import type { Check } from '../../engine/check/check.ts'
import type { Scope } from '../../engine/check/verdict.ts'
import { isJudgedIn } from '../../engine/run/plan.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { isSelected } from '../../judge/check-selection.ts'
import { createSentHeaders } from '../../judge/sent-headers.ts'
import { observers, quickObservers } from '../../open-points/index.ts'
import { runObservers } from '../../open-points/whole-run.ts'
import { type Options, UsageError } from '../../options/options.ts'
import { refuseUnknownChecks } from '../lookup/explain.ts'
import { createDryRun, type DryRun, type DryRunOptions, type PlannedRequests } from './dry-run.ts'
import { type ImaginedDirectory, imaginedDirectories } from './imagined-directory.ts'
import { groupRequests, splitVersion } from './plan-rows.ts'
import { type PlanEntry, renderPlanPage } from './text.ts'

type CheckList = readonly Check<Deployment>[]

/** The selected checks and their prerequisites. */
function addPrerequisites(checks: CheckList, isMeant: (id: string) => boolean): CheckList {
  const wanted = new Set(checks.filter(({ id }) => isMeant(id)).map(({ id }) => id))
  // Iterating a set visits elements added meanwhile.
  for (const id of wanted) for (const other of checks.find((one) => one.id === id)?.requires ?? []) wanted.add(other)
  return checks.filter(({ id }) => wanted.has(id))
}

/** Loaded only for a profile, because it takes long. */
async function readPinnedCheckIds(profileFile: string): Promise<readonly string[]> {
  const [{ readProfile }, { pinnedCheckIdsOf: pinnedIds }, { observedPlaces }] = await Promise.all([
    import('../../judge/profile/profile.ts'),
    import('../../judge/profile/pinned.ts'),
    import('../../judge/judge.ts'),
  ])
  return pinnedIds(await readProfile(profileFile, '--profile'), observedPlaces)
}

interface PlanSelection {
  /** Returns whether a check is selected. */
  readonly selects: (id: string) => boolean
  /** True if open points are observed. */
  readonly isObserved: boolean
  readonly isPinned: boolean
}

/** @throws {UsageError} if the options are invalid */
async function selectForPlan({ only = [], profileFile, replayFile }: Options): Promise<PlanSelection> {
  if (replayFile !== undefined)
    throw new UsageError({
      where: '--plan',
      what: 'says what a judgement asks; a replay asks what its report holds.',
      expected: 'one of the two',
      advice: 'leave out --replay, or look into the report',
    })
  const pinned = profileFile === undefined ? [] : await readPinnedCheckIds(profileFile)
  refuseUnknownChecks(only, pinned)
  return {
    selects: isSelected(only),
    isObserved: only.length === 0 || pinned.some(isSelected(only)),
    isPinned: profileFile !== undefined,
  }
}

/** A check or an observer of the dry run. */
interface PlannedItem extends Pick<PlanEntry, 'id' | 'note' | 'scopes'> {
  requestsIn(run: DryRun, scope: Scope): Promise<PlannedRequests>
}

/** The selected checks and the observers of a run. */
function listPlannedItems(
  { versions, effort, only }: Options,
  checks: CheckList,
  meant: PlanSelection,
): readonly PlannedItem[] {
  const isJudged = isJudgedIn(versions)
  const scopesIn = ({ concernsWholeDeployment, scopes }: CheckList[number]) =>
    concernsWholeDeployment ? scopes : scopes.filter(isJudged)
  const judged = checks.filter((check) => scopesIn(check).length > 0)
  const ofChecks = addPrerequisites(judged, meant.selects).map((check): PlannedItem => {
    const note = meant.selects(check.id) ? check.title : `${check.title} (--only ${only?.join(',')} needs it)`
    return {
      id: check.id,
      note,
      scopes: scopesIn(check),
      requestsIn: (run, scope) => run.requestsOfCheck(check, scope),
    }
  })
  const isFrugal = efforts[effort].openPoints === 'few' && !meant.isPinned
  const looking = meant.isObserved ? (isFrugal ? quickObservers.observers : observers) : []
  const ofObservers = looking.map((observer): PlannedItem => {
    const note = [observer.operation ?? [], 'observed, not judged'].flat().join(', ')
    const scopes = observer.scopes.filter(isJudged)
    return { id: observer.id, note, scopes, requestsIn: (run, scope) => run.requestsOfObserver(observer, scope) }
  })
  return [...ofChecks, ...ofObservers].filter(({ scopes }) => scopes.length > 0)
}

/** The requests of each in a directory, in all versions together. */
async function collectRequests(
  directory: ImaginedDirectory,
  asking: DryRunOptions,
  all: readonly PlannedItem[],
): Promise<readonly PlannedRequests[]> {
  const run = createDryRun(directory, asking)
  const asked: PlannedRequests[] = []
  for (const one of all) {
    const byScope: PlannedRequests[] = []
    for (const scope of one.scopes) byScope.push(await one.requestsIn(run, scope))
    asked.push({
      requests: byScope.flatMap(({ requests }) => requests),
      generated: Math.max(...byScope.map(({ generated }) => generated)),
    })
  }
  return asked
}

/**
 * Renders the requests and limits of a run, found by running the checks on imagined directories. Nothing is sent.
 * @throws {UsageError} if the options are invalid
 */
export async function renderPlan(options: Options, checks: CheckList = catalogue): Promise<string> {
  const { versions, effort, seed = 1, strings = [], only = [] } = options
  const meant = await selectForPlan(options)
  const all = listPlannedItems(options, checks, meant)
  const asking: DryRunOptions = {
    versions,
    effort: reserveOwnRequests(efforts[effort], checks, versions),
    seed,
    strings,
  }
  const [here, otherwise] = imaginedDirectories
  const asked = await collectRequests(here, asking, all)
  // Fixed requests are equal in all versions, so one version shows them.
  const inOne = all.map((one) => ({ ...one, scopes: one.scopes.slice(-1) }))
  const elsewhere = (await collectRequests(otherwise, asking, inOne)).flatMap(({ requests }) => requests)
  const fixed = new Set(elsewhere.map(({ target }) => splitVersion(target).target))
  const entries = all.map(({ id, note, scopes }, index): PlanEntry => {
    const { requests, generated } = asked[index] ?? { requests: [], generated: 0 }
    return { id, note, scopes, rows: groupRequests(requests, here, fixed), generated }
  })
  const lines = renderPlanPage({
    options,
    entries,
    requests: asked.flatMap(({ requests }) => requests),
    ofRun: meant.isObserved ? runObservers.map(({ id }) => id) : [],
    headers: createSentHeaders(options),
    isUsual: only.length === 0 && versions.length > 1 && !meant.isPinned,
  })
  return `${lines.map(escapeTerminal).join('\n')}\n`
}
