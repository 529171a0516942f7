import fc from 'fast-check'
import type { Directory } from '../../directory/facts/directory.ts'
import { arbitraryQuery, arbitrarySegment } from '../../directory/inputs/arbitraries.ts'
import { queryTroubleStrings, segmentTroubleStrings } from '../../directory/inputs/trouble-strings.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { namesOfReading } from '../../directory/readings/names.ts'
import { canBeInPath } from '../../directory/shared/encodings.ts'
import { removeAccents } from '../../directory/shared/text.ts'
import type { Reader, Resource } from '../../engine/check/readers.ts'

/** Returns the resource of a directory that an input selects, e.g. the search for it. */
type ResourceFactory = (directory: Directory, input: string) => Resource<ListReading>

/** An operation whose results are compared, with the inputs to send. */
export interface ComparedOperation {
  readonly id: 'searchCats' | 'listCatsOfBreed'
  readonly createResource: ResourceFactory
  readonly inputs: readonly string[]
}

const MAX_LISTED_INPUTS = 60
const GENERATED_INPUTS = 60

/**
 * Creates the compared operations with their inputs: listed names, similar names, trouble strings, and strings that are
 * generated from the seed.
 */
export function createComparedOperations({ cats, breeds }: SharedNames, seed: number): readonly ComparedOperation[] {
  const names = [...cats].sort()
  const listedCats = names.slice(0, MAX_LISTED_INPUTS)
  const similarNames = listedCats
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
      id: 'searchCats',
      createResource: ({ search }, input) => search(input),
      inputs: distinct([
        ...listedCats,
        ...breeds.slice(0, MAX_LISTED_INPUTS),
        ...similarNames,
        ...queryTroubleStrings,
        ...generated(arbitraryQuery([...listedCats, ...breeds])),
      ]),
    },
    {
      id: 'listCatsOfBreed',
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

/** The names that both deployments list, and the cats that only one deployment lists. */
export interface SharedNames {
  /** The cats that both deployments list, in the same breeds. */
  readonly cats: ReadonlySet<string>
  /** The breeds that both deployments list. */
  readonly breeds: readonly string[]
  /** The cats that only the other side lists. */
  readonly onlyOther: readonly string[]
  /** The cats that only the candidate lists. */
  readonly onlyCandidate: readonly string[]
}

/** The cats and breeds that one deployment lists. */
export interface ListedNames {
  readonly cats: readonly string[]
  readonly breeds: readonly string[]
  /** For each cat, the breeds whose lists contain it, one per line. */
  readonly breedsOf: ReadonlyMap<string, string>
}

const MAX_BREEDS = 200

/** Reads the lists of cats and breeds, and the cats of at most MAX_BREEDS breeds. */
export async function readListedNames({ cats, breeds, catsOf }: Directory, { read }: Reader): Promise<ListedNames> {
  const [allCats, allBreeds] = await Promise.all([read(cats).then(namesOfReading), read(breeds).then(namesOfReading)])
  const readBreeds = [...new Set(allBreeds)].filter(canBeInPath).slice(0, MAX_BREEDS)
  const lists = await Promise.all(
    readBreeds.map(async (breed) => ({ breed, names: namesOfReading(await read(catsOf(breed))) })),
  )
  const breedsOf = new Map<string, string>()
  for (const { breed, names } of lists)
    for (const name of names) breedsOf.set(name, `${breedsOf.get(name) ?? ''}\n${breed}`)
  return { cats: [...new Set(allCats)], breeds: [...new Set(allBreeds)], breedsOf }
}

/** Finds the names that both deployments list. Search results are compared for these cats only. */
export function findSharedNames(one: ListedNames, other: ListedNames): SharedNames {
  const [cats, otherCats] = [new Set(one.cats), new Set(other.cats)]
  const isInSameBreeds = (name: string) => one.breedsOf.get(name) === other.breedsOf.get(name)
  return {
    cats: new Set(one.cats.filter((name) => otherCats.has(name) && isInSameBreeds(name))),
    breeds: one.breeds.filter((breed) => other.breeds.includes(breed)),
    onlyOther: one.cats.filter((name) => !otherCats.has(name)),
    onlyCandidate: other.cats.filter((name) => !cats.has(name)),
  }
}
