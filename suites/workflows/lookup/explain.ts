import { plainly } from '../../../fixtures/contract/examples.ts'
import { type OpenPoint, openPoints } from '../../../fixtures/contract/open-points.ts'
import { operations } from '../../../fixtures/contract/operations.ts'
import { ruling, rulings } from '../../../fixtures/contract/rulings.ts'
import { type Statement, type StatementId, statement, statements } from '../../../fixtures/contract/statements.ts'
import type { Deployment } from '../../directory/deployment.ts'
import type { Check } from '../../engine/check/check.ts'
import { isJudgedIn } from '../../engine/run/plan.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { isSelected, nearestStart } from '../../judge/selected.ts'
import { nearest, type Options, UsageError } from '../../options/options.ts'

/**
 * The checks that the options select, a line each.
 * @throws {UsageError} where they select what there is not
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
      what: `no check that --only names is of ${versions.join(', ')}.`,
      expected: 'a version that one of these checks is of',
      advice: 'leave --versions out to see of which they are',
    })
  const width = Math.max(...selected.map(({ id }) => id.length))
  return selected
    .map(
      ({ id, level, scopes, title }) =>
        `${id.padEnd(width)}  ${level.padEnd(6)}  ${scopes.join(' ').padEnd(5)}  ${title}\n`,
    )
    .join('')
}

interface Explained {
  readonly id: string
  /** What it is, in a line. */
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
  `${id}\n\n${rows.map(([name, text]) => `  ${name.padEnd(10)} ${text}\n`).join('')}`

const ofChecks = catalogue.map(
  (check): Explained => ({
    id: check.id,
    title: check.title,
    text: () => page(check.id, checkRows(check)),
  }),
)

const ofStatements = statements.map(
  (one: Statement): Explained => ({
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

const WHERE = 'where things stand is told by what works, or said by a pin of a profile, as JSON Pointers'

const ofOpenPoints = openPoints.map(
  ({ id, question, values, places }: OpenPoint): Explained => ({
    id,
    title: question,
    text: () =>
      page(id, [
        ['left open', question],
        ['values', `${values.join('; ')} (examples, not a closed list)`],
        ['judged', 'never, unless a profile pins it: it is observed and told'],
        ...(places ? [['pin', `${WHERE}: ${JSON.stringify(places)}`] as const] : []),
      ]),
  }),
)

const ofRulings = rulings.map(
  ({ number, title, text }): Explained => ({
    id: `ruling ${number}`,
    title,
    text: () =>
      page(`ruling ${number}`, [
        ['title', title],
        ['plainly', plainly[number] ?? ''],
        ['ruling', text],
        checksOn((check) => check.rulings.includes(number)),
      ]),
  }),
)

const explainable: readonly Explained[] = [...ofChecks, ...ofStatements, ...ofOpenPoints, ...ofRulings]

/**
 * A check, a statement, an open point or a ruling; or, where several begin so, what they are.
 * @throws {UsageError} when nothing is called so
 */
export function explainText(asked: string): string {
  const pinned = /^pinned\/([^/]+)/.exec(asked)?.[1]
  const id = /^\d+$/.test(asked) ? `ruling ${asked}` : (pinned ?? asked)
  const isSame = (one: Explained) => one.id.toLowerCase() === id.toLowerCase()
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
    expected: 'a check, a statement, an open point or a ruling, or how it begins',
    advice: `${near === undefined ? '' : `Did you mean ${near}? `}--list shows every check, --service all else.`,
  })
}

function checkRows(check: Check<Deployment>): readonly Row[] {
  const operation = operations.find((one) => one.id === check.operation)
  return [
    ['promise', `${check.title} (${check.level}, ${check.scopes.join(' and ')})`],
    ...check.statements.map((one) => ['shown', `${one}: ${statement(one as StatementId).sentence}`] as const), // the constructor takes only known ids
    ...check.rulings.map(ruling).map(({ number, title, text }) => [`ruling ${number}`, `${title}. ${text}`] as const),
    ['operation', operation ? `${operation.id}: GET ${operation.path}` : 'all operations'],
    ['why', check.why],
    ['how', check.how],
    ['fix', check.fix],
    ...afterwards(check),
  ]
}

const afterwards = ({ requires, explainedBy }: Check<Deployment>): readonly Row[] => [
  ...(requires.length > 0 ? [['needs', requires.join(', ')] as const] : []),
  ...(explainedBy.length > 0
    ? [['no finding', `of its own where one of these failed: ${explainedBy.join(', ')}`] as const]
    : []),
]

/**
 * @param pinned the checks that a profile makes
 * @throws {UsageError} when one of the beginnings fits no check
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
    expected: 'the id of a check, or for --only the beginning of one',
    advice: `${near === undefined ? '' : `Did you mean ${near}? `}--list shows every check.`,
  })
}
