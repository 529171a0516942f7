import { escapeTerminal } from '../../../reports/text/escape.ts'
import type { EffortName } from '../../directory/shared/effort.ts'
import type { VerdictScope } from '../../engine/check/verdict.ts'
import { REQUEST_ID_HEADER } from '../../engine/http/client/request-ids.ts'
import { MASK_TEXT } from '../../engine/http/client/secrets.ts'
import { createScopeFilter } from '../../engine/run/plan.ts'
import { createIdSelector } from '../../judge/catalogue.ts'
import { type Profile, readProfile } from '../../judge/profile/profile.ts'
import { selectObservers } from '../../judge/run-plan.ts'
import { createSentHeaders } from '../../judge/sent-headers.ts'
import { wholeRunObservers } from '../../open-points/whole-run.ts'
import { takesValue, type ValueOption } from '../../options/option.ts'
import { type Options, UsageError } from '../../options/options.ts'
import { allOptions } from '../../options/table.ts'
import { refuseUnknownSelection, selectJudgedChecks } from './explain.ts'

/**
 * The approximate number of requests that a run sends with each effort to a directory of 50 cats and 15 breeds. The
 * documentation about limits states the same numbers.
 */
export const APPROXIMATE_REQUEST_COUNTS: Readonly<Record<EffortName, string>> = {
  quick: '150',
  standard: '1,000',
  thorough: '4,200',
}

/** A check that a run would test, or an open point of the contract that it would observe. */
interface PlannedItem {
  readonly id: string
  readonly scopes: readonly VerdictScope[]
  readonly note: string
}

/**
 * Renders what a run with these options would test, how many requests it would send, and its limits. Sends nothing.
 */
export async function renderPlan(options: Options): Promise<string> {
  const { profileFile, replayFile, only } = options
  if (replayFile !== undefined)
    throw new UsageError({
      where: '--plan',
      what: 'shows what a whole run tests, but a replay only sends the requests of its report.',
      expected: 'one of the two',
      advice: 'remove --replay, or read the requests in the report',
    })
  const profile = profileFile === undefined ? undefined : await readProfile(profileFile, '--profile')
  refuseUnknownSelection(only, profile)
  const checks = planChecks(options)
  const openPoints = planOpenPoints({ ...options, ...(profile && { profile }) })
  const items = [...checks, ...openPoints]
  const [idWidth, scopeWidth] = [widthOf(items.map(({ id }) => id)), widthOf(items.map(describeScopes))]
  const lines = [
    'Nothing was sent. A run with these options tests this:',
    '',
    ...createSummary(options, checks, openPoints).map(([name, text]) => `  ${name.padEnd(11)} ${text}`),
    '',
    ...items.map((item) => `${item.id.padEnd(idWidth)}  ${describeScopes(item).padEnd(scopeWidth)}  ${item.note}`),
    ...(items.length === 0 ? ['Nothing: no selected check tests one of these versions.'] : []),
  ]
  return `${lines.map(escapeTerminal).join('\n')}\n`
}

const widthOf = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length))

const describeScopes = ({ scopes }: Pick<PlannedItem, 'scopes'>): string => scopes.join(' ')

/** Returns the selected checks and their prerequisites, with the versions that the run judges. */
function planChecks({ versions, only = [] }: Options): readonly PlannedItem[] {
  const isSelected = createIdSelector(only)
  const judged = selectJudgedChecks(versions)
  const wanted = new Set(judged.filter(({ id }) => isSelected(id)).map(({ id }) => id))
  // Also adds the prerequisites of prerequisites: iterating over a set visits elements that are added meanwhile.
  for (const id of wanted) for (const other of judged.find((one) => one.id === id)?.requires ?? []) wanted.add(other)
  return judged
    .filter(({ id }) => wanted.has(id))
    .map(({ id, scopes, title }) => ({
      ...{ id, scopes },
      note: isSelected(id) ? title : `${title} (required by --only ${only.join(',')})`,
    }))
}

/**
 * Returns the open points of the contract that the run would observe; none if `--only` selects
 * no pinned check.
 */
function planOpenPoints(options: Options & { readonly profile?: Profile }): readonly PlannedItem[] {
  const { isObserved, observers } = selectObservers(options)
  if (!isObserved) return []
  return [...observers, ...wholeRunObservers.map((one) => ({ ...one, operation: undefined }))]
    .map(({ id, operation, scopes }) => ({
      id,
      scopes: scopes.filter(createScopeFilter(options.versions)),
      note: operation === undefined ? 'observed, not judged' : `observed for ${operation}, not judged`,
    }))
    .filter(({ scopes }) => scopes.length > 0)
}

function createSummary(
  options: Options,
  checks: readonly PlannedItem[],
  openPoints: readonly PlannedItem[],
): readonly (readonly [name: string, text: string])[] {
  const { baseUrl, versions, effort, seed, only = [], against, strings = [] } = options
  const ownStrings = strings.length === 0 ? '' : `; ${strings.length} strings of your own`
  const hasOtherMethods = openPoints.some(({ id }) => id === 'O-METHODS')
  return [
    ['target', baseUrl ?? 'the embedded reference service (test your own deployment with --base-url)'],
    ...(against === undefined ? [] : [['against', `${against} (gets the same requests, if it is a URL)`] as const]),
    ['versions', versions.join(', ')],
    ['checks', `${describeCounts(checks)} (${only.length === 0 ? 'all' : `--only ${only.join(',')}`})`],
    ['open points', describeCounts(openPoints)],
    ['effort', `${effort}; seed ${seed ?? 1}${ownStrings}`],
    ['requests', describeRequestCount(options)],
    ['methods', hasOtherMethods ? 'GET; also HEAD and OPTIONS for the list of cats' : 'GET'],
    ['headers', describeHeaders(options)],
    ['limits', describeLimits(options)],
  ]
}

/** Describes how many items there are, e.g. `55, or 109 if each version is counted`. */
function describeCounts(items: readonly PlannedItem[]): string {
  const ids = new Set(items.map(({ id }) => id)).size
  const places = items.reduce((sum, { scopes }) => sum + scopes.length, 0)
  return `${ids}, or ${places} if each version is counted`
}

/** Describes about how many requests a run sends. */
function describeRequestCount({ effort, only = [], versions, profileFile }: Options): string {
  const isWholeRun = only.length === 0 && versions.length > 1 && profileFile === undefined
  const amount = `about ${APPROXIMATE_REQUEST_COUNTS[effort]} for a directory of 50 cats and 15 breeds`
  return isWholeRun
    ? `${amount}; in larger directories, a sample is tested`
    : `a whole run with both versions and no profile sends ${amount}`
}

function describeHeaders(options: Options): string {
  const { all, secret } = createSentHeaders(options)
  const names = Object.keys(all)
  const shown = names.map((name) => (secret.has(name.toLowerCase()) ? `${name}: ${MASK_TEXT}` : name))
  const hasId = (options.requestIds ?? true) && !names.some((name) => name.toLowerCase() === REQUEST_ID_HEADER)
  return [...shown, ...(hasId ? [`${REQUEST_ID_HEADER} (a new one for each request)`] : [])].join(', ')
}

function describeLimits(options: Options): string {
  const limits = allOptions.filter(takesValue).filter((option) => option.limitUnit !== undefined)
  return limits.map((option) => `${option.flag} ${describeLimit(option, options)}`).join(' · ')
}

function describeLimit(option: ValueOption, options: Options): string {
  const given = options[option.field as keyof Options] // The row sets this value.
  return typeof given === 'number' ? `${given}${option.limitUnit}` : String(option.defaultText)
}
