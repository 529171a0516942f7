import fc from 'fast-check'
import type { Directory } from '../../directory/facts/directory.ts'
import { arbitraryQuery, arbitrarySegment } from '../../directory/inputs/arbitraries.ts'
import { queryTroubleStrings, segmentTroubleStrings } from '../../directory/inputs/trouble-strings.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { namesOfReading } from '../../directory/readings/names.ts'
import { canBeInPath } from '../../directory/shared/encodings.ts'
import { removeAccents } from '../../directory/shared/text.ts'
import type { Reader, Resource } from '../../engine/check/readers.ts'

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

/** The cats and breeds that both deployments list, and the cats that only one deployment lists. */
export interface SharedNames {
  readonly cats: ReadonlySet<string>
  readonly breeds: readonly string[]
  readonly onlyOther: readonly string[]
  readonly onlyCandidate: readonly string[]
}

/** The cats and breeds that one deployment lists. */
export interface ListedNames {
  readonly names: readonly string[]
  readonly breeds: readonly string[]
  /** For each cat, the breeds whose lists contain it, joined to one text. */
  readonly breedsOf: ReadonlyMap<string, string>
}

const MAX_BREEDS = 200

export async function readListedNames({ cats, breeds, catsOf }: Directory, { read }: Reader): Promise<ListedNames> {
  const [all, kinds] = await Promise.all([read(cats).then(namesOfReading), read(breeds).then(namesOfReading)])
  const few = [...new Set(kinds)].filter(canBeInPath).slice(0, MAX_BREEDS)
  const lists = await Promise.all(
    few.map(async (breed) => ({ breed, names: namesOfReading(await read(catsOf(breed))) })),
  )
  const breedsOf = new Map<string, string>()
  for (const { breed, names } of lists)
    for (const name of names) breedsOf.set(name, `${breedsOf.get(name) ?? ''}\n${breed}`)
  return { names: [...new Set(all)], breeds: [...new Set(kinds)], breedsOf }
}

/** Finds the cats that both deployments list in the same breeds. Search results are compared for these cats only. */
export function findSharedNames(one: ListedNames, other: ListedNames): SharedNames {
  const [names, otherNames] = [new Set(one.names), new Set(other.names)]
  const isSame = (name: string) => one.breedsOf.get(name) === other.breedsOf.get(name)
  return {
    cats: new Set(one.names.filter((name) => otherNames.has(name) && isSame(name))),
    breeds: one.breeds.filter((breed) => other.breeds.includes(breed)),
    onlyOther: one.names.filter((name) => !otherNames.has(name)),
    onlyCandidate: other.names.filter((name) => !names.has(name)),
  }
}
