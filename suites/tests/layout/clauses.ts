import { readdirSync, readFileSync } from 'node:fs'
import type { ClauseKind } from '../../../fixtures/contract/clause.ts'
import { type ClauseId, clauses } from '../../../fixtures/contract/rulings.ts'
import { clausesExercisedByMutants } from '../../../fixtures/mutants/exercises.ts'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { sharedCauseMutants } from '../../../fixtures/mutants/several/one-cause.ts'
import { twoCauseMutants } from '../../../fixtures/mutants/several/two-causes.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { clausesExercisedByVariants } from '../../../fixtures/variants/exercises.ts'
import { driftingVariants, variants } from '../../../fixtures/variants/index.ts'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import type { Allowances } from '../../directory/matching/allowances.ts'
import { catalogue } from '../../judge/catalogue.ts'

/** The test deployments and tests that prove that the suite judges as a clause of the contract says. */
export interface ClauseEvidence {
  readonly id: string
  readonly checks: readonly string[]
  readonly allowances: readonly string[]
  /** The ids of mutants that break the clause, and of variants that it permits. */
  readonly deployments: readonly string[]
  /** The titles of tests that follow a comment with the clause's id. */
  readonly tests: readonly string[]
}

/** All mutants, each with the checks that catch it. */
const allMutants: readonly { readonly id: string; readonly catchers: readonly string[] }[] = [
  ...[...mutants, ...sharedCauseMutants, ...twoCauseMutants].map(({ id, caughtBy }) => ({
    id,
    catchers: caughtBy.map(({ check }) => check),
  })),
  ...timedMutants,
]

const permissible: readonly string[] = [...variants, ...driftingVariants, ...timedVariants].map(({ id }) => id)

type Exercised = Readonly<Partial<Record<ClauseId, string>>>

const patternsOf = (ids: string): readonly string[] => ids.split(' ')

const fits = (id: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(id)

const PERMITTED: readonly ClauseKind[] = ['permitted', 'not judged', 'procedure']

/** The kinds of clauses that each test deployment is evidence for, e.g. a mutant for a clause about a violation. */
const kindsByDeployment: ReadonlyMap<string, readonly ClauseKind[]> = new Map<string, readonly ClauseKind[]>([
  ...allMutants.map(({ id }) => [id, ['violation', 'procedure']] as const),
  ...timedMutants
    .filter(({ expected }) => expected !== 'nonconformant')
    .map(({ id }) => [id, ['violation', 'procedure', 'inconclusive']] as const),
  ...driftingVariants.map(({ id }) => [id, PERMITTED] as const),
  ...variants.map(({ id, advised, verdict }) => {
    const more: readonly ClauseKind[] = verdict === 'inconclusive' ? ['inconclusive'] : []
    return [id, [...PERMITTED, ...more, ...(advised.length > 0 ? (['advice'] as const) : [])]] as const
  }),
  ...timedVariants.map(
    ({ id, expected }) =>
      [id, [...PERMITTED, ...(expected === 'conformant' ? [] : ['inconclusive' as const])]] as const,
  ),
])

/** Returns whether there is evidence for the clause: a test, or a test deployment of the kind that the clause needs. */
export const hasClauseEvidence = ({ id, deployments, tests }: ClauseEvidence): boolean => {
  const kind = clauses.get(id)?.kind
  return tests.length > 0 || deployments.some((one) => kind !== undefined && kindsByDeployment.get(one)?.includes(kind))
}

/** Describes what a clause without evidence needs, and the file to change. */
export function describeMissingEvidence({ id }: ClauseEvidence): string {
  const kind = clauses.get(id)?.kind ?? 'procedure'
  const table = kind === 'violation' ? 'fixtures/mutants/exercises.ts' : 'fixtures/variants/exercises.ts'
  const deployment = kind === 'violation' ? 'a mutant that a check of this clause catches' : `a variant`
  return `${id} (${kind}): name ${deployment} in ${table}, or put "// Clause ${id} of the contract." before a test`
}

/** The ids of the checks that report each deployment: as a violation, or as advice. A final slash stands for any rest. */
const reportersByDeployment: ReadonlyMap<string, readonly string[]> = new Map([
  ...allMutants.map(({ id, catchers }) => [id, catchers] as const),
  ...variants.map(({ id, advised }) => [id, advised.map((place) => place.split(' ')[0] ?? '')] as const),
])

/** Returns whether a check that verifies the clause reports one of its test deployments, or a test shows the clause. */
export const isReportedByItsCheck = ({ checks, deployments, tests }: ClauseEvidence): boolean =>
  tests.length > 0 ||
  deployments
    .flatMap((one) => reportersByDeployment.get(one) ?? [])
    .some((by) => checks.some((check) => (by.endsWith('/') ? check.startsWith(by) : check === by)))

/** Returns the clauses for which a table names the deployment. */
const clausesOfTable = (table: Exercised, id: string): readonly string[] =>
  Object.entries(table).flatMap(([clause, ids]) => (patternsOf(ids).some((one) => fits(id, one)) ? [clause] : []))

/**
 * Returns the clauses that a mutant violates: those of the table, or if it has none, the first clause of each check
 * that catches the mutant.
 */
function clausesOfMutant({ id, catchers }: (typeof allMutants)[number]): readonly string[] {
  const named = clausesOfTable(clausesExercisedByMutants, id)
  if (named.length > 0) return named
  return catchers.flatMap((check) => catalogue.find((one) => one.id === check)?.clauses[0] ?? [])
}

/** The clauses of each test deployment: a mutant violates them, a variant shows what they permit. */
export const clausesByDeployment: ReadonlyMap<string, readonly string[]> = new Map([
  ...allMutants.map((mutant) => [mutant.id, clausesOfMutant(mutant)] as const),
  ...permissible.map((id) => [id, clausesOfTable(clausesExercisedByVariants, id)] as const),
])

/** The entries of the tables that name no existing deployment. There must be none. */
export const unknownTableEntries: readonly string[] = [clausesExercisedByMutants, clausesExercisedByVariants].flatMap(
  (table, nth) =>
    Object.values(table)
      .flatMap(patternsOf)
      .filter((pattern) => !(nth === 0 ? allMutants.map(({ id }) => id) : permissible).some((id) => fits(id, pattern))),
)

const TESTS = new URL('../', import.meta.url)
/**
 * Matches the title of a test with the ids of its clauses. The ids are in a comment on the line before the test, or in
 * brackets in its title.
 */
const CLAUSES_AND_TITLE =
  /(?:\/\/|\/?\*\*?) (?:Clauses? )?((?:[RTV]\d+\.\d+(?:,| and) )*[RTV]\d+\.\d+)\b[^\n]*\n\s*(?:test|describe|it)[\w.]*?(?:\.(?:each|for|runIf|skipIf)\b[^]*?\)\(|\()\s*(['"`])(.+?)\2/g
const IN_TITLE = /(?:test|describe|it)[^(\n]*\([^'"`\n]*(['"`])([^\n]*?\(((?:[RTV]\d+\.\d+,? ?)+)\)[^\n]*?)\1/g

const testsIn = (text: string) => [
  ...[...text.matchAll(CLAUSES_AND_TITLE)].map(([, ids = '', , title = '']) => ({ ids, title })),
  ...[...text.matchAll(IN_TITLE)].map(([, , title = '', ids = '']) => ({ ids, title })),
]

const shownByTests: readonly { readonly ids: readonly string[]; readonly title: string }[] = readdirSync(TESTS, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.test.ts'))
  .sort()
  .flatMap((file) =>
    testsIn(readFileSync(new URL(file, TESTS), 'utf8')).map(({ ids, title }) => ({
      ids: ids.split(/(?:,| and)? /),
      title,
    })),
  )

/** The clauses of the contract that permit each allowance. */
const allowanceClauses: Readonly<Record<keyof Allowances, readonly ClauseId[]>> = {
  refusedName: ['R7.3', 'R7.4'],
  refusedQuery: ['R7.3', 'R7.4'],
  aliasOf: ['R12.2'],
  shownAlias: ['R12.3'],
  dotsAlone: ['R12.5'],
  anotherRoute: ['R12.1'],
  stepsInPath: ['R12.5', 'R12.6'],
  sameBreed: ['R6.6'],
  syntaxInQuery: ['R8.6', 'R8.7', 'R8.8'],
  isOneError: ['R8.12'],
  transliterated: ['R8.5'],
  readAsSpecial: ['R8.5'],
  soundsAlike: ['R8.3'],
  speltOut: ['R8.5'],
  alsoFoundWithout: ['R8.9'],
  redirectedOutOf: ['R10.2'],
}

/** Collects the evidence for every clause of the contract. */
export const collectClauseEvidence = (): readonly ClauseEvidence[] =>
  [...clauses.keys()].map((id) => ({
    id,
    checks: catalogue.filter((check) => check.clauses.includes(id)).map((check) => check.id),
    allowances: Object.entries(allowanceClauses).flatMap(([name, ids]) =>
      ids.some((one) => one === id) ? [name] : [],
    ),
    deployments: [...clausesByDeployment].flatMap(([deployment, ids]) => (ids.includes(id) ? [deployment] : [])),
    tests: shownByTests.flatMap(({ ids, title }) => (ids.includes(id) ? [title] : [])),
  }))
