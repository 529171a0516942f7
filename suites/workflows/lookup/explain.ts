import { clauseKinds, type Ruling } from '../../../fixtures/contract/clause.ts'
import { plainly } from '../../../fixtures/contract/examples.ts'
import { type OpenPoint, openPoints } from '../../../fixtures/contract/open-points.ts'
import { operations } from '../../../fixtures/contract/operations.ts'
import { clauses, rules } from '../../../fixtures/contract/rulings.ts'
import { type Statement, type StatementId, statement, statements } from '../../../fixtures/contract/statements.ts'
import type { Deployment } from '../../directory/deployment.ts'
import type { Check } from '../../engine/check/check.ts'
import { diagnoses } from '../../engine/finding/diagnoses.ts'
import { isJudgedIn } from '../../engine/run/plan.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { isSelected, nearestStart } from '../../judge/selected.ts'
import { nearest, type Options, UsageError } from '../../options/options.ts'

/**
 * Returns the checks that the options select, one line each.
 * @throws {UsageError} if they select none
 */
export function listText({ only = [], versions }: Pick<Options, 'only' | 'versions'>): string {
  refuseUnknownChecks(only)
  const isJudged = isJudgedIn(versions)
  const selected = catalogue
    .filter(({ id }) => isSelected(only)(id))
    .map((check) => ({ ...check, scopes: check.isOfWhole ? check.scopes : check.scopes.filter(isJudged) }))
    .filter(({ scopes }) => scopes.length > 0)
  if (selected.length === 0)
    throw new UsageError({
      where: '--versions',
      what: `no check selected by --only tests ${versions.join(' or ')}.`,
      expected: 'a version that one of these checks tests',
      advice: 'Leave --versions out to see which versions they test.',
    })
  const width = Math.max(...selected.map(({ id }) => id.length))
  return selected
    .map(
      ({ id, level, scopes, title }) =>
        `${id.padEnd(width)}  ${level.padEnd(6)}  ${scopes.join(' ').padEnd(5)}  ${title}\n`,
    )
    .join('')
}

/** An item with a page in `--explain`. */
interface ExplainedItem {
  readonly id: string
  /** One line for a list of several. */
  readonly title: string
  text(): string
}

const checksOn = (isMeant: (check: Check<Deployment>) => boolean): Row => [
  'checks',
  catalogue
    .filter(isMeant)
    .map(({ id }) => id)
    .join(', ') || 'none',
]

type Row = readonly [name: string, text: string]

const page = (id: string, rows: readonly Row[]): string =>
  `${id}\n\n${rows.map(([name, text]) => `  ${name.padEnd(11)} ${text}\n`).join('')}`

const ofChecks = catalogue.map(
  (check): ExplainedItem => ({
    id: check.id,
    title: check.title,
    text: () => page(check.id, checkRows(check)),
  }),
)

const ofStatements = statements.map(
  (one: Statement): ExplainedItem => ({
    id: one.id,
    title: one.sentence,
    text: () =>
      page(one.id, [
        ['statement', one.sentence],
        ...(one.source === undefined ? [] : [['source', one.source] as const]),
        ...(one.operation === undefined ? [] : [['operation', one.operation] as const]),
        checksOn((check) => check.statements.includes(one.id)),
      ]),
  }),
)

const POINTERS = 'the suite finds the places by evidence; a pin in a profile gives them as JSON Pointers'

const ofOpenPoints = openPoints.map(
  ({ id, question, values, places }: OpenPoint): ExplainedItem => ({
    id,
    title: question,
    text: () =>
      page(id, [
        ['question', question],
        ['values', `${values.join('; ')} (examples, not a closed list)`],
        ['judged', 'never, unless a profile pins it: it is observed and reported'],
        ...(places ? [['pin', `${POINTERS}: ${JSON.stringify(places)}`] as const] : []),
      ]),
  }),
)

const clauseRow = (id: string): Row => {
  const { kind = '', sentence = '' } = clauses.get(id) ?? {}
  return [id, `(${kind}) ${sentence}`]
}

const ofClauses = [...clauses].map(
  ([id, { kind, sentence }]): ExplainedItem => ({
    id,
    title: sentence,
    text: () =>
      page(id, [
        ['clause', sentence],
        ['kind', `${kind}: ${clauseKinds[kind]}`],
        ['ruling', rulingId(id.replace(/\..*/, ''))],
        checksOn((check) => check.clauses.includes(id)),
      ]),
  }),
)

/** A ruling is named by its number, a rule of sections 4 and 5 by its letter too. */
const rulingId = (id: string): string => id.replace(/^R?(\d+)$/i, 'ruling $1')

const ofRuling = (letter: string, { number, title, clauses: its }: Ruling): ExplainedItem => {
  const id = rulingId(`${letter}${number}`)
  return {
    id,
    title,
    text: () =>
      page(id, [
        ['title', title],
        ...(letter === 'R' ? [['in short', plainly[number] ?? ''] as const] : []),
        ...Object.keys(its).map(clauseRow),
        checksOn((check) => check.clauses.some((clause) => clause in its)),
      ]),
  }
}

const ofRulings = rules.flatMap(({ letter, rulings: some }) => some.map((ruling) => ofRuling(letter, ruling)))

const explainable: readonly ExplainedItem[] = [
  ...ofChecks,
  ...ofStatements,
  ...ofOpenPoints,
  ...ofRulings,
  ...ofClauses,
]

/**
 * Explains a check, a statement, an open point, a ruling or a clause; lists them if several ids begin with `asked`.
 * @throws {UsageError} if no id does
 */
export function explainText(asked: string): string {
  const pinned = /^pinned\/([^/]+)/.exec(asked)?.[1]
  const id = rulingId(pinned ?? asked)
  const isSame = (one: ExplainedItem) => one.id.toLowerCase() === id.toLowerCase()
  const matching = explainable.filter((one) => one.id.toLowerCase().startsWith(id.toLowerCase()))
  const [only] = matching.length === 1 ? matching : matching.filter(isSame)
  if (only) return only.text()
  if (matching.length === 0) throw unexplained(asked)
  const width = Math.max(...matching.map((one) => one.id.length))
  return matching.map((one) => `${one.id.padEnd(width)}  ${one.title}\n`).join('')
}

function unexplained(id: string): UsageError {
  const near = nearest(
    id,
    explainable.map((one) => one.id),
  )
  return new UsageError({
    where: '--explain',
    what: `nothing is called ${JSON.stringify(id)}`,
    expected: 'the id of a check, a statement, an open point, a ruling or a clause, or its beginning',
    advice: `${near === undefined ? '' : `Did you mean ${near}? `}--list shows every check, --service all others.`,
  })
}

/** Puts each numbered step on a line of its own. */
const stepRows = (how: string): readonly Row[] =>
  how.split(/ (?=\d+\. [A-Z])/).map((step, nth) => [nth === 0 ? 'how' : '', step] as const)

function checkRows(check: Check<Deployment>): readonly Row[] {
  const operation = operations.find((one) => one.id === check.operation)
  return [
    ['requirement', `${check.title} (${check.level}, ${check.scopes.join(' and ')})`],
    ['why', check.why],
    ...stepRows(check.how),
    ['fix', check.fix],
    ...diagnoses.map(({ symptom, fix }, nth) => [nth === 0 ? 'if seen' : '', `${symptom}: ${fix}`] as const),
    ['operation', operation ? `${operation.id}: GET ${operation.path}` : 'all operations'],
    ...check.statements.map((one) => ['statement', `${one}: ${statement(one as StatementId).sentence}`] as const), // The constructor accepts only known ids.
    ...check.clauses.map(clauseRow),
    ...prerequisiteRows(check),
  ]
}

const prerequisiteRows = ({ requires, explainedBy }: Check<Deployment>): readonly Row[] => [
  ...(requires.length > 0 ? [['needs', requires.join(', ')] as const] : []),
  ...(explainedBy.length > 0
    ? [['no finding', `if one of these checks failed for the same cause: ${explainedBy.join(', ')}`] as const]
    : []),
]

/**
 * Refuses `--only` if one of its prefixes fits no check.
 * @param pinned the checks of the profile
 * @throws {UsageError}
 */
export function refuseUnknownChecks(only: readonly string[], pinned: readonly string[] = []): void {
  const ids = [...catalogue.map(({ id }) => id), ...pinned]
  const unmatched = only.find((start) => !ids.some((id) => id.startsWith(start)))
  if (unmatched !== undefined) throw unknownCheck('--only', unmatched)
}

function unknownCheck(where: string, id: string): UsageError {
  const ids = catalogue.map((check) => check.id)
  const near = where === '--only' ? nearestStart(id, ids) : nearest(id, ids)
  return new UsageError({
    where,
    what: `no check is called ${JSON.stringify(id)}`,
    expected: 'the id of a check; for --only its beginning will do',
    advice: `${near === undefined ? '' : `Did you mean ${near}? `}--list shows every check.`,
  })
}
