import { type OpenPointId, openPoints } from '../../fixtures/contract/open-points.ts'
import type { Deployment } from '../directory/deployment.ts'
import type { Observer } from '../engine/run/plan.ts'
import { ofBreedCats } from './breed-cats.ts'
import { ofBreeds } from './breeds.ts'
import { ofCats } from './cats.ts'
import { ofLives } from './lives.ts'
import { nameMatch } from './name-match.ts'
import { paginations } from './pagination.ts'
import { ofSearch } from './search.ts'
import { ofSearchSyntax } from './search-syntax.ts'
import { ofService } from './service.ts'
import { sizes } from './size.ts'

const order = new Map<string, number>(openPoints.map(({ id }, index) => [id, index]))

/** Open points of the user come last. */
const placeOf = ({ id }: { readonly id: string }): number => order.get(id) ?? order.size

/** In the order of the contract. */
export const inContractOrder = <T extends { readonly id: string }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => placeOf(one) - placeOf(other))

/** The observers of all open points; most use readings of the checks. */
export const observers: readonly Observer<Deployment>[] = inContractOrder([
  ...ofCats,
  ...ofBreeds,
  ...ofBreedCats,
  ...ofSearch,
  ...ofSearchSyntax,
  ...ofLives,
  nameMatch,
  ...sizes,
  ...paginations,
  ...ofService,
])

/** Open points that need requests of their own. */
const COSTLY: readonly OpenPointId[] = [
  'O-SEARCH-CASE',
  'O-SEARCH-RULE',
  'O-SEARCH-WILDCARDS',
  'O-SEARCH-BLANK',
  'O-SEARCH-NO-Q',
  'O-SEARCH-QUERY-SYNTAX',
  'O-NAME-MATCH',
  'O-SIZE',
  'O-UNKNOWN-ROUTE',
  'O-ERROR-BODY',
  'O-METHODS',
  'O-SLASH',
]

/** The observers without requests of their own, and a sentence about the others. */
export const frugally: { readonly observers: typeof observers; readonly leftOut: readonly string[] } = {
  observers: observers.filter(({ id }) => !COSTLY.some((one) => one === id)),
  leftOut: COSTLY.map((id) => `${id}: not looked at with little effort, unless a profile pins it`),
}
