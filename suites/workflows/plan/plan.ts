import { escapeTerminal } from '../../../reports/text/escape.ts'
import type { Deployment } from '../../directory/deployment.ts'
import { efforts, leavingRoom } from '../../directory/shared/effort.ts'
import type { Check } from '../../engine/check/check.ts'
import type { Scope } from '../../engine/check/verdict.ts'
import { isJudgedIn } from '../../engine/run/plan.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { isSelected } from '../../judge/selected.ts'
import { sentHeaders } from '../../judge/sent-headers.ts'
import { frugally, observers } from '../../open-points/index.ts'
import { runObservers } from '../../open-points/of-run.ts'
import { type Options, UsageError } from '../../options/options.ts'
import { refuseUnknownChecks } from '../lookup/explain.ts'
import { type Asked, type Asking, type DryRun, dryRunOn } from './dry-run.ts'
import { type Imagined, imagined } from './imagined.ts'
import { belowVersion, rowsOf } from './rows.ts'
import { type Entry, planPage } from './text.ts'

type Checks = readonly Check<Deployment>[]

/** The selected checks and their prerequisites. */
function withRequired(checks: Checks, isMeant: (id: string) => boolean): Checks {
  const wanted = new Set(checks.filter(({ id }) => isMeant(id)).map(({ id }) => id))
  // Iterating a set visits elements added meanwhile.
  for (const id of wanted) for (const other of checks.find((one) => one.id === id)?.requires ?? []) wanted.add(other)
  return checks.filter(({ id }) => wanted.has(id))
}

/** Loaded only for a profile, because it takes long. */
async function pinnedBy(profileFile: string): Promise<readonly string[]> {
  const [{ readProfile }, { pinnedIds }, { observedPlaces }] = await Promise.all([
    import('../../judge/profile/profile.ts'),
    import('../../judge/profile/pinned.ts'),
    import('../../judge/judge.ts'),
  ])
  return pinnedIds(await readProfile(profileFile, '--profile'), observedPlaces)
}

interface Meant {
  /** Returns whether a check is selected. */
  readonly selects: (id: string) => boolean
  /** True if open points are observed. */
  readonly isObserved: boolean
  readonly isPinned: boolean
}

/** @throws {UsageError} if the options are invalid */
async function meantBy({ only = [], profileFile, replayFile }: Options): Promise<Meant> {
  if (replayFile !== undefined)
    throw new UsageError({
      where: '--plan',
      what: 'says what a judgement asks; a replay asks what its report holds.',
      expected: 'one of the two',
      advice: 'leave out --replay, or look into the report',
    })
  const pinned = profileFile === undefined ? [] : await pinnedBy(profileFile)
  refuseUnknownChecks(only, pinned)
  return {
    selects: isSelected(only),
    isObserved: only.length === 0 || pinned.some(isSelected(only)),
    isPinned: profileFile !== undefined,
  }
}

/** A check or an observer of the dry run. */
interface Askable extends Pick<Entry, 'id' | 'note' | 'scopes'> {
  asked(run: DryRun, scope: Scope): Promise<Asked>
}

/** The selected checks and the observers of a run. */
function askables({ versions, effort, only }: Options, checks: Checks, meant: Meant): readonly Askable[] {
  const isJudged = isJudgedIn(versions)
  const scopesIn = ({ isOfWhole, scopes }: Checks[number]) => (isOfWhole ? scopes : scopes.filter(isJudged))
  const judged = checks.filter((check) => scopesIn(check).length > 0)
  const ofChecks = withRequired(judged, meant.selects).map((check): Askable => {
    const note = meant.selects(check.id) ? check.title : `${check.title} (--only ${only?.join(',')} needs it)`
    return { id: check.id, note, scopes: scopesIn(check), asked: (run, scope) => run.askedBy(check, scope) }
  })
  const isFrugal = efforts[effort].openPoints === 'few' && !meant.isPinned
  const looking = meant.isObserved ? (isFrugal ? frugally.observers : observers) : []
  const ofObservers = looking.map((observer): Askable => {
    const note = [observer.operation ?? [], 'observed, not judged'].flat().join(', ')
    const scopes = observer.scopes.filter(isJudged)
    return { id: observer.id, note, scopes, asked: (run, scope) => run.askedByObserver(observer, scope) }
  })
  return [...ofChecks, ...ofObservers].filter(({ scopes }) => scopes.length > 0)
}

/** The requests of each in a directory, in all versions together. */
async function askedOf(directory: Imagined, asking: Asking, all: readonly Askable[]): Promise<readonly Asked[]> {
  const run = dryRunOn(directory, asking)
  const asked: Asked[] = []
  for (const one of all) {
    const byScope: Asked[] = []
    for (const scope of one.scopes) byScope.push(await one.asked(run, scope))
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
export async function planText(options: Options, checks: Checks = catalogue): Promise<string> {
  const { versions, effort, seed = 1, strings = [], only = [] } = options
  const meant = await meantBy(options)
  const all = askables(options, checks, meant)
  const asking: Asking = { versions, effort: leavingRoom(efforts[effort], checks, versions), seed, strings }
  const [here, otherwise] = imagined
  const asked = await askedOf(here, asking, all)
  // Fixed requests are equal in all versions, so one version shows them.
  const inOne = all.map((one) => ({ ...one, scopes: one.scopes.slice(-1) }))
  const elsewhere = (await askedOf(otherwise, asking, inOne)).flatMap(({ requests }) => requests)
  const fixed = new Set(elsewhere.map(({ target }) => belowVersion(target).target))
  const entries = all.map(({ id, note, scopes }, index): Entry => {
    const { requests, generated } = asked[index] ?? { requests: [], generated: 0 }
    return { id, note, scopes, rows: rowsOf(requests, here, fixed), generated }
  })
  const lines = planPage({
    options,
    entries,
    requests: asked.flatMap(({ requests }) => requests),
    ofRun: meant.isObserved ? runObservers.map(({ id }) => id) : [],
    headers: sentHeaders(options),
    isUsual: only.length === 0 && versions.length > 1 && !meant.isPinned,
  })
  return `${lines.map(escapeTerminal).join('\n')}\n`
}
