import { readdirSync, readFileSync } from 'node:fs'
import type { ClauseKind } from '../../../fixtures/contract/clause.ts'
import { type ClauseId, clauses } from '../../../fixtures/contract/rulings.ts'
import { clausesExercisedByMutants } from '../../../fixtures/mutants/exercises.ts'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { oneCauseMutants } from '../../../fixtures/mutants/one-cause.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { twoCauseMutants } from '../../../fixtures/mutants/two-causes.ts'
import { clausesExercisedByVariants } from '../../../fixtures/variants/exercises.ts'
import { driftingVariants, variants } from '../../../fixtures/variants/index.ts'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import { allowanceClauses } from '../../directory/matching/allowances.ts'
import { catalogue } from '../../judge/catalogue.ts'

/** Evidence that the suite keeps to a clause. */
export interface ClauseEvidence {
  readonly id: string
  readonly checks: readonly string[]
  readonly allowances: readonly string[]
  /** Ids of mutants that break the clause, and of variants that it permits or that need it. */
  readonly deployments: readonly string[]
  /** Titles of the tests that follow a comment with the clause's id. */
  readonly tests: readonly string[]
}

/** Every mutant with the checks that catch it. */
const caught: readonly { readonly id: string; readonly catchers: readonly string[] }[] = [
  ...[...mutants, ...oneCauseMutants, ...twoCauseMutants].map(({ id, caughtBy }) => ({
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

/** The kinds of clauses that each deployment can show: a mutant a violation, a variant what is permitted. */
const kindsShownBy: ReadonlyMap<string, readonly ClauseKind[]> = new Map<string, readonly ClauseKind[]>([
  ...caught.map(({ id }) => [id, ['violation', 'procedure']] as const),
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

/** Returns true if a test shows the clause, or a deployment that is judged as the clause says. */
export const isClauseShown = ({ id, deployments, tests }: ClauseEvidence): boolean => {
  const kind = clauses.get(id)?.kind
  return tests.length > 0 || deployments.some((one) => kind !== undefined && kindsShownBy.get(one)?.includes(kind))
}

/** The clauses that name a deployment in a table. */
const clausesIn = (table: Exercised, id: string): readonly string[] =>
  Object.entries(table).flatMap(([clause, ids]) => (patternsOf(ids).some((one) => fits(id, one)) ? [clause] : []))

/** A mutant that no table names exercises the first clause of each check that catches it. */
function clausesOfMutant({ id, catchers }: (typeof caught)[number]): readonly string[] {
  const named = clausesIn(clausesExercisedByMutants, id)
  if (named.length > 0) return named
  return catchers.flatMap((check) => catalogue.find((one) => one.id === check)?.clauses[0] ?? [])
}

/** The clauses that each test deployment exercises, by the id of the deployment. */
export const clausesByDeployment: ReadonlyMap<string, readonly string[]> = new Map([
  ...caught.map((mutant) => [mutant.id, clausesOfMutant(mutant)] as const),
  ...permissible.map((id) => [id, clausesIn(clausesExercisedByVariants, id)] as const),
])

/** The entries of both tables that fit no deployment. */
export const unknownTableEntries: readonly string[] = [clausesExercisedByMutants, clausesExercisedByVariants].flatMap(
  (table, nth) =>
    Object.values(table)
      .flatMap(patternsOf)
      .filter((pattern) => !(nth === 0 ? caught.map(({ id }) => id) : permissible).some((id) => fits(id, pattern))),
)

const TESTS = new URL('../', import.meta.url)
/** A comment that begins with ids of clauses, and the title of the test or suite after it; or a title with ids in brackets. */
const SHOWN =
  /(?:\/\/|\/?\*\*?) ((?:[RTV]\d+\.\d+,? )*[RTV]\d+\.\d+)\b[^\n]*\n\s*(?:test|describe|it)[\w.]*?(?:\.(?:each|for|runIf|skipIf)\b[^]*?\)\(|\()\s*(['"`])(.+?)\2/g
const IN_TITLE = /(?:test|describe|it)[^(\n]*\([^'"`\n]*(['"`])([^\n]*?\(((?:[RTV]\d+\.\d+,? ?)+)\)[^\n]*?)\1/g

const testsIn = (text: string) => [
  ...[...text.matchAll(SHOWN)].map(([, ids = '', , title = '']) => ({ ids, title })),
  ...[...text.matchAll(IN_TITLE)].map(([, , title = '', ids = '']) => ({ ids, title })),
]

const shownByTests: readonly { readonly ids: readonly string[]; readonly title: string }[] = readdirSync(TESTS, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.test.ts'))
  .sort()
  .flatMap((file) =>
    testsIn(readFileSync(new URL(file, TESTS), 'utf8')).map(({ ids, title }) => ({ ids: ids.split(/,? /), title })),
  )

/** Collects the evidence for every clause of the contract. */
export const clauseEvidence = (): readonly ClauseEvidence[] =>
  [...clauses.keys()].map((id) => ({
    id,
    checks: catalogue.filter((check) => check.clauses.includes(id)).map((check) => check.id),
    allowances: Object.entries(allowanceClauses).flatMap(([name, ids]) =>
      ids.some((one) => one === id) ? [name] : [],
    ),
    deployments: [...clausesByDeployment].flatMap(([deployment, ids]) => (ids.includes(id) ? [deployment] : [])),
    tests: shownByTests.flatMap(({ ids, title }) => (ids.includes(id) ? [title] : [])),
  }))
