import { operations } from '../fixtures/contract/operations.ts'
import { type StatementId, statement } from '../fixtures/contract/statements.ts'
import { catalogue } from './catalogue.ts'
import type { Check } from './engine/check.ts'
import { scopesOf } from './engine/plan.ts'
import { nearest, UsageError } from './options.ts'
import type { Directories } from './vocabulary/directory.ts'

/** Every check, a line each. */
export function listText(): string {
  const width = Math.max(...catalogue.map(({ id }) => id.length))
  return catalogue
    .map(
      ({ id, level, versions, title }) =>
        `${id.padEnd(width)}  ${level.padEnd(6)}  ${scopesOf(versions).join(' ').padEnd(5)}  ${title}\n`,
    )
    .join('')
}

/**
 * One check with its statements, why, how it is asked and how to mend what breaks it.
 * @throws {UsageError} when there is no such check
 */
export function explainText(id: string): string {
  const check = catalogue.find((one) => one.id === id)
  if (!check) throw unknownCheck('--explain', id)
  const operation = operations.find((one) => one.id === check.operation)
  const rows: readonly (readonly [string, string])[] = [
    ['promise', `${check.title} (${check.level}, ${scopesOf(check.versions).join(' and ')})`],
    ...check.statements.map((one) => ['shown', `${one}: ${statement(one as StatementId).sentence}`] as const), // the constructor takes only known ids
    ['operation', operation ? `${operation.id}: GET ${operation.path}` : 'all operations'],
    ['why', check.why],
    ['how', check.how],
    ['fix', check.fix],
    ...afterwards(check),
  ]
  return `${check.id}\n\n${rows.map(([name, text]) => `  ${name.padEnd(10)} ${text}\n`).join('')}`
}

const afterwards = ({ requires, explainedBy }: Check<Directories>): (readonly [string, string])[] => [
  ...(requires.length > 0 ? [['needs', requires.join(', ')] as const] : []),
  ...(explainedBy.length > 0
    ? [['no finding', `of its own where one of these failed: ${explainedBy.join(', ')}`] as const]
    : []),
]

/** @throws {UsageError} when one of the beginnings fits no check */
export function refuseUnknownChecks(only: readonly string[]): void {
  const unmatched = only.find((start) => !catalogue.some(({ id }) => id.startsWith(start)))
  if (unmatched !== undefined) throw unknownCheck('--only', unmatched)
}

function unknownCheck(where: string, id: string): UsageError {
  const near = nearest(
    id,
    catalogue.map((check) => check.id),
  )
  return new UsageError({
    where,
    what: `no check is called ${JSON.stringify(id)}`,
    expected: 'the id of a check, or for --only the beginning of one',
    advice: `${near === undefined ? '' : `Did you mean ${near}? `}--list shows every check.`,
  })
}
