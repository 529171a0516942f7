import type { Read } from '../../engine/judging/readers.ts'
import { canStandInPath } from '../encodings.ts'
import type { Directory } from './directory.ts'
import type { Named } from './list-reading.ts'
import { distinctNames, requireList } from './names.ts'

/** Which cats stand in the lists of which breeds. */
export interface Membership {
  readonly cats: Named
  readonly lists: readonly { readonly breed: string; readonly list: Named }[]
  /** Whether every listed breed was asked for: one whose name cannot be sent is not, nor one whose list is broken. */
  readonly isWhole: boolean
  /** The breeds in whose lists a cat stands. */
  readonly breedsOf: (cat: string) => readonly string[]
}

/**
 * All cats and the list of every breed, asked at once.
 * @param spoilt breeds to do without: their lists are broken in themselves
 */
export async function readMembership(
  directory: Directory,
  spoilt: ReadonlySet<string>,
  read: Read,
): Promise<Membership> {
  const all = await distinctNames(directory.breeds, read)
  const breeds = all.filter((breed) => canStandInPath(breed) && !spoilt.has(breed))
  const [cats, lists] = await Promise.all([
    read(directory.cats).then(requireList),
    Promise.all(breeds.map(async (breed) => ({ breed, list: requireList(await read(directory.catsOf(breed))) }))),
  ])
  const byCat = indexOf(cats, lists)
  return { cats, lists, isWhole: all.length === breeds.length, breedsOf: (cat) => byCat.get(cat) ?? [] }
}

interface Index {
  readonly lists: Membership['lists']
  readonly byCat: ReadonlyMap<string, readonly string[]>
}

/** The last index of each list of cats: several checks rest on the same readings. */
const lastIndex = new WeakMap<Named, Index>()

function indexOf(cats: Named, lists: Membership['lists']): Index['byCat'] {
  const last = lastIndex.get(cats)
  const isSame = (one: Membership['lists'][number], nth: number): boolean =>
    one.breed === last?.lists[nth]?.breed && one.list === last.lists[nth]?.list
  if (last && last.lists.length === lists.length && lists.every(isSame)) return last.byCat
  const byCat = new Map<string, string[]>()
  for (const { breed, list } of lists) {
    for (const cat of new Set(list.names)) {
      const breedsOfCat = byCat.get(cat)
      if (breedsOfCat) breedsOfCat.push(breed)
      else byCat.set(cat, [breed])
    }
  }
  lastIndex.set(cats, { lists, byCat })
  return byCat
}
