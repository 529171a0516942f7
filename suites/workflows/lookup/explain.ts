import { clauseKindExplanations, type Ruling } from '../../../fixtures/contract/clause.ts'
import { ADVICE_BY_RULING } from '../../../fixtures/contract/examples.ts'
import { type OpenPoint, openPoints } from '../../../fixtures/contract/open-points.ts'
import { operations } from '../../../fixtures/contract/operations.ts'
import { clauses, rulingSections } from '../../../fixtures/contract/rulings.ts'
import { findStatement, type Statement, type StatementId, statements } from '../../../fixtures/contract/statements.ts'
import type { Deployment } from '../../directory/deployment.ts'
import type { Check } from '../../engine/check/check.ts'
import { characterDiagnosisRules } from '../../engine/finding/character-diagnoses.ts'
import { diagnosisRules } from '../../engine/finding/diagnoses.ts'
import { inputDiagnosisRules } from '../../engine/finding/input-diagnoses.ts'
import { createScopeFilter } from '../../engine/run/plan.ts'
import { catalogue, createIdSelector, refuseUnknownChecks } from '../../judge/catalogue.ts'
import { pinnedCheckIdsOf } from '../../judge/profile/pinned.ts'
import type { Profile } from '../../judge/profile/profile.ts'
import { observableOpenPoints } from '../../open-points/index.ts'
import { findMostSimilarWord, type Options, UsageError } from '../../options/options.ts'

/** Returns the checks that judge one of the versions, without the scopes that need another version. */
export const selectJudgedChecks = (versions: Options['versions']): readonly Check<Deployment>[] =>
  catalogue
    .map((check) =>
      check.concernsWholeDeployment ? check : { ...check, scopes: check.scopes.filter(createScopeFilter(versions)) },
    )
    .filter(({ scopes }) => scopes.length > 0)

/** Renders the checks that the options select, one line each. */
export function renderCheckList({ only = [], versions }: Pick<Options, 'only' | 'versions'>): string {
  refuseUnknownSelection(only)
  const selected = selectJudgedChecks(versions).filter(({ id }) => createIdSelector(only)(id))
  if (selected.length === 0)
    throw new UsageError({
      where: '--versions',
      what: `no check selected by --only tests ${versions.join(' or ')}.`,
      expected: 'a version that one of these checks tests',
      advice: 'Run --list without --versions to see which versions these checks test.',
    })
  const width = Math.max(...selected.map(({ id }) => id.length))
  return selected
    .map(
      ({ id, level, scopes, title }) =>
        `${id.padEnd(width)}  ${level.padEnd(6)}  ${scopes.join(' ').padEnd(5)}  ${title}\n`,
    )
    .join('')
}

type ExplanationRow = readonly [name: string, text: string]

/** Something that `--explain` can explain, e.g. a check. */
interface ExplainedItem {
  readonly id: string
  /** A description of one line, for lists of items. */
  readonly title: string
  createRows(): readonly ExplanationRow[]
}

/** Creates the row that lists the checks of a statement, ruling or clause. */
const createChecksRow = (isSelected: (check: Check<Deployment>) => boolean): ExplanationRow => {
  const ids = catalogue.filter(isSelected).map(({ id }) => id)
  return ['checks', ids.join(', ') || 'none']
}

const createClauseRow = (id: string): ExplanationRow => {
  const { kind = '', sentence = '' } = clauses.get(id) ?? {}
  return [id, `(${kind}) ${sentence}`]
}

const POINTERS_NOTE = 'the suite finds these places by evidence; a profile can pin them as JSON Pointers'

/**
 * Returns the id of a ruling of the contract, e.g. `ruling 8` for `R8` or `8`. Ids of other sections, e.g. `T1`, stay
 * unchanged.
 */
const rulingId = (id: string): string => id.replace(/^R?(\d+)$/i, 'ruling $1')

const createRulingItem = (letter: string, { number, title, clauses: clausesOfRuling }: Ruling): ExplainedItem => ({
  id: rulingId(`${letter}${number}`),
  title,
  createRows: () => [
    ['title', title],
    ...(letter === 'R' ? [['in short', ADVICE_BY_RULING[number] ?? ''] as const] : []),
    ...Object.keys(clausesOfRuling).map(createClauseRow),
    createChecksRow((check) => check.clauses.some((clause) => clause in clausesOfRuling)),
  ],
})

const explainedItems: readonly ExplainedItem[] = [
  ...catalogue.map((check) => ({ id: check.id, title: check.title, createRows: () => createCheckRows(check) })),
  ...statements.map(
    ({ id, sentence, source, operation }: Statement): ExplainedItem => ({
      id,
      title: sentence,
      createRows: () => [
        ['statement', sentence],
        ...(source === undefined ? [] : [['source', source] as const]),
        ...(operation === undefined ? [] : [['operation', operation] as const]),
        createChecksRow((check) => check.statements.includes(id)),
      ],
    }),
  ),
  ...openPoints.map(
    ({ id, question, values, places }: OpenPoint): ExplainedItem => ({
      id,
      title: question,
      createRows: () => [
        ['question', question],
        ['values', `${values.join('; ')} (examples, not a closed list)`],
        ['judged', 'only if a profile pins this open point; otherwise the choice is reported, but not judged'],
        ...(places ? [['pin', `${POINTERS_NOTE}: ${JSON.stringify(places)}`] as const] : []),
      ],
    }),
  ),
  ...rulingSections.flatMap(({ letter, rulings }) => rulings.map((ruling) => createRulingItem(letter, ruling))),
  ...[...clauses].map(
    ([id, { kind, sentence }]): ExplainedItem => ({
      id,
      title: sentence,
      createRows: () => [
        ['clause', sentence],
        ['kind', `${kind}: ${clauseKindExplanations[kind]}`],
        ['ruling', rulingId(id.replace(/\..*/, ''))],
        createChecksRow((check) => check.clauses.includes(id)),
      ],
    }),
  ),
]

/**
 * Explains a check, or a statement, open point, ruling or clause of the contract. If several ids begin with the
 * requested text, lists them.
 */
export function renderExplanation(requestedId: string): string {
  const pinned = /^pinned\/([^/]+)/.exec(requestedId)?.[1]
  const id = rulingId(pinned ?? requestedId)
  const isSame = (one: ExplainedItem) => one.id.toLowerCase() === id.toLowerCase()
  const matching = explainedItems.filter((one) => one.id.toLowerCase().startsWith(id.toLowerCase()))
  const [only] = matching.length === 1 ? matching : matching.filter(isSame)
  if (only)
    return `${only.id}\n\n${only
      .createRows()
      .map(([name, text]) => `  ${name.padEnd(11)} ${text}\n`)
      .join('')}`
  if (matching.length === 0) {
    const ids = explainedItems.map((one) => one.id)
    const similarWord = findMostSimilarWord(requestedId, ids)
    throw new UsageError({
      where: '--explain',
      what: `nothing has the id ${JSON.stringify(requestedId)}`,
      expected: 'the id of a check, a statement, an open point, a ruling or a clause, or its beginning',
      advice: `${similarWord === undefined ? '' : `Did you mean ${similarWord}? `}--list shows the ids of all checks, and --service shows all other ids.`,
    })
  }
  const width = Math.max(...matching.map((one) => one.id.length))
  return matching.map((one) => `${one.id.padEnd(width)}  ${one.title}\n`).join('')
}

/** Creates a row for each numbered step of a check. */
const createStepRows = (how: string): readonly ExplanationRow[] =>
  how.split(/ (?=\d+\. [A-Z])/).map((step, nth) => [nth === 0 ? 'how' : '', step] as const)

const NO_OWN_FINDING = 'of its own, if one of these checks failed for the same cause'

function createCheckRows(check: Check<Deployment>): readonly ExplanationRow[] {
  const { requires, explainedBy } = check
  const operation = operations.find((one) => one.id === check.operation)
  return [
    ['requirement', `${check.title} (${check.level}, ${check.scopes.join(' and ')})`],
    ['why', check.why],
    ...createStepRows(check.how),
    ['fix', check.fix],
    ...[...diagnosisRules, ...inputDiagnosisRules, ...characterDiagnosisRules].map(
      ({ symptom, fix }, nth) => [nth === 0 ? 'if seen' : '', `${symptom}: ${fix}`] as const,
    ),
    ['operation', operation ? `${operation.id}: GET ${operation.path}` : 'all operations'],
    ...check.statements.map((one) => ['statement', `${one}: ${findStatement(one as StatementId).sentence}`] as const), // Only known ids can be in the catalogue.
    ...check.clauses.map(createClauseRow),
    ...(requires.length > 0 ? [['requires', requires.join(', ')] as const] : []),
    ...(explainedBy.length > 0 ? [['no finding', `${NO_OWN_FINDING}: ${explainedBy.join(', ')}`] as const] : []),
  ]
}

/** Refuses the value of `--only` if it selects neither a check of the catalogue nor one of a profile. */
export const refuseUnknownSelection = (only: readonly string[] = [], profile?: Profile): void =>
  refuseUnknownChecks('--only', only, [
    ...catalogue.map(({ id }) => id),
    ...(profile ? pinnedCheckIdsOf(profile, observableOpenPoints) : []),
  ])
