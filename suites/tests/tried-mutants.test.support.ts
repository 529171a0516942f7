import { inject } from 'vitest'
import { type Mutant, mutants } from '../../fixtures/mutants/index.ts'

const { mutantsAlikeOneOf } = inject('extent')

/** However many are alike. */
const ALWAYS_TRIED = 3

export const namedBy = ({ caughtBy }: Mutant): string[] =>
  caughtBy.map(({ check, version }) => `${check} ${version}`).sort()

const alike = new Map<string, number>()

/** Of those that the same checks must catch, the first few and one of so many others: no check goes without its mutants. */
export const triedMutants: readonly Mutant[] = mutants.filter((mutant) => {
  const named = namedBy(mutant).join()
  const before = alike.get(named) ?? 0
  alike.set(named, before + 1)
  return before < ALWAYS_TRIED || before % mutantsAlikeOneOf === 0
})
