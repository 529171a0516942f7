import type { Directory } from '../../directory/facts/directory.ts'
import { namesOfReading } from '../../directory/readings/names.ts'
import { canBeInPath } from '../../directory/shared/encodings.ts'
import type { Reader } from '../../engine/check/readers.ts'

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
