import fc from 'fast-check'
import type { Directory } from '../../directory/facts/directory.ts'
import { arbitraryQuery, arbitrarySegment } from '../../directory/inputs/arbitraries.ts'
import { queryTroubleStrings, segmentTroubleStrings } from '../../directory/inputs/trouble-strings.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { canBeInPath } from '../../directory/shared/encodings.ts'
import { removeAccents } from '../../directory/shared/text.ts'
import type { Resource } from '../../engine/check/readers.ts'
import type { SharedNames } from './listed-names.ts'

type ResourceFactory = (directory: Directory, input: string) => Resource<ListReading>

/** An operation whose results are compared, with the inputs to send. */
export interface ComparedOperation {
  readonly operation: 'searchCats' | 'listCatsOfBreed'
  readonly createResource: ResourceFactory
  readonly inputs: readonly string[]
}

const MAX_LISTED_INPUTS = 60
const GENERATED_INPUTS = 60

export function createComparedOperations({ cats, breeds }: SharedNames, seed: number): readonly ComparedOperation[] {
  const names = [...cats].sort()
  const some = names.slice(0, MAX_LISTED_INPUTS)
  const similarNames = some
    .slice(0, 12)
    .flatMap((name) => [
      name.toLowerCase(),
      name.toUpperCase(),
      ...[2, 3, 4].map((length) => name.slice(0, length)),
      name.slice(1),
      name.slice(-3),
      name.slice(0, 1) + name.slice(2),
      removeAccents(name),
      `${name}x`,
      ` ${name} `,
      name.split(' ').toReversed().join(' '),
    ])
  const generated = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { seed, numRuns: GENERATED_INPUTS })
  const distinct = (inputs: readonly string[]) =>
    [...new Set(inputs)].filter((input) => input !== '' && input.length < 300)
  return [
    {
      operation: 'searchCats',
      createResource: ({ search }, input) => search(input),
      inputs: distinct([
        ...some,
        ...breeds.slice(0, MAX_LISTED_INPUTS),
        ...similarNames,
        ...queryTroubleStrings,
        ...generated(arbitraryQuery([...some, ...breeds])),
      ]),
    },
    {
      operation: 'listCatsOfBreed',
      createResource: ({ catsOf }, input) => catsOf(input),
      inputs: distinct([
        ...breeds.slice(0, MAX_LISTED_INPUTS),
        ...breeds.slice(0, 5).flatMap((breed) => [breed.toLowerCase(), ` ${breed} `, breed.slice(0, 3), `${breed}s`]),
        ...segmentTroubleStrings,
        ...generated(arbitrarySegment(breeds)),
      ]).filter(canBeInPath),
    },
  ]
}
