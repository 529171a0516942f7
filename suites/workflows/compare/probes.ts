import fc from 'fast-check'
import type { Directory } from '../../directory/facts/directory.ts'
import { queries, segments } from '../../directory/inputs/arbitraries.ts'
import { queryTroubles, segmentTroubles } from '../../directory/inputs/trouble-strings.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { canStandInPath } from '../../directory/shared/encodings.ts'
import type { Subject } from '../../engine/check/readers.ts'
import type { SharedNames } from './listed.ts'

export type SubjectOf = (directory: Directory, input: string) => Subject<ListReading>

/** An operation and the requests to both sides. */
export interface Probe {
  readonly operation: 'searchCats' | 'listCatsOfBreed'
  readonly of: SubjectOf
  readonly inputs: readonly string[]
}

const MOST_LISTED = 60
const GENERATED = 60

export function probesOf({ cats, breeds }: SharedNames, seed: number): readonly Probe[] {
  const names = [...cats].sort()
  const some = names.slice(0, MOST_LISTED)
  const near = some
    .slice(0, 12)
    .flatMap((name) => [
      name.toLowerCase(),
      name.toUpperCase(),
      ...[2, 3, 4].map((length) => name.slice(0, length)),
      name.slice(1),
      name.slice(-3),
      name.slice(0, 1) + name.slice(2),
      name.normalize('NFKD').replace(/\p{M}/gu, ''),
      `${name}x`,
      ` ${name} `,
      name.split(' ').toReversed().join(' '),
    ])
  const generated = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { seed, numRuns: GENERATED })
  const distinct = (inputs: readonly string[]) =>
    [...new Set(inputs)].filter((input) => input !== '' && input.length < 300)
  return [
    {
      operation: 'searchCats',
      of: ({ search }, input) => search(input),
      inputs: distinct([
        ...some,
        ...breeds.slice(0, MOST_LISTED),
        ...near,
        ...queryTroubles,
        ...generated(queries([...some, ...breeds])),
      ]),
    },
    {
      operation: 'listCatsOfBreed',
      of: ({ catsOf }, input) => catsOf(input),
      inputs: distinct([
        ...breeds.slice(0, MOST_LISTED),
        ...breeds.slice(0, 5).flatMap((breed) => [breed.toLowerCase(), ` ${breed} `, breed.slice(0, 3), `${breed}s`]),
        ...segmentTroubles,
        ...generated(segments(breeds)),
      ]).filter(canStandInPath),
    },
  ]
}
