import type { VersionTarget } from '../../directory/deployment.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import { type BreedMember, type BreedMembership, readMembership } from '../../directory/facts/membership.ts'
import { haveSameNames } from '../../directory/readings/name-index.ts'
import { readDistinctNames, readRequiredList } from '../../directory/readings/names.ts'
import { findListedName, formatCount, quoted } from '../../directory/shared/text.ts'
import type { Read } from '../../engine/check/readers.ts'
import { NotApplicable, reportViolation } from '../../engine/check/violations.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { canBeFoundBySearch, guessBreedOfCat } from './likely-breed.ts'
import { findPagingFault } from './paging-faults.ts'
import { FIX_OF_ALTERED_NAMES, requireCompleteList } from './same-names.ts'

/**
 * Examines the lists that may be incomplete and therefore lack a cat. If the cat's element shows a breed, this is the
 * list of this breed. Otherwise, these are the lists of all breeds' cats, and the list of breeds.
 * @returns a list with a fault in its paging, and the fault; undefined if there is none
 * @throws {Inconclusive} if one of the lists may be incomplete
 */
async function findListWithPagingFault(
  cat: string,
  shown: string | undefined,
  { cats, lists, catsWithoutBreed }: BreedMembership,
  { catsOf, breeds }: Directory,
  read: Read,
) {
  const candidates = [
    ...lists
      .filter(({ breed }) => (shown ?? breed) === breed)
      .map(({ breed, list }) => ({
        description: `the list of ${quoted(breed)}`,
        resource: catsOf(breed),
        list,
        missing: cat,
        total: list.names.length + catsWithoutBreed.length,
      })),
    ...(shown === undefined
      ? [
          {
            description: 'the list of all breeds',
            resource: breeds,
            list: await readRequiredList(breeds, read),
            missing: { description: `the breed of ${quoted(cat)}` },
            total: new Set(cats.breedOf.byIndex).size,
          },
        ]
      : []),
  ]
  for (const { description, resource, list, missing, total } of candidates)
    requireCompleteList(description, resource, list, missing, [total])
  return candidates.flatMap(({ description, resource, list }) => {
    const fault = findPagingFault(list, 'missing name')
    return fault === undefined ? [] : [{ description, resource, fault }]
  })[0]
}

/** Describes a cat that is in a breed's list but not in the list of all cats: one of the lists probably alters names. */
const describeAlteredName = ({ cat, breed }: BreedMember, alteringList: string): string =>
  `; ${quoted(cat)} is in the list of ${quoted(breed)} but not in the list of all cats: ${alteringList} probably alters names`

/** The maximum number of cats to search for. Further cats count as not found. */
const MAX_CATS_SEARCHED = 20

/** Returns the cats of breeds' lists that no search finds by name. Their names may be altered names of listed cats. */
async function findMembersNotFoundBySearch(
  unlistedMembers: BreedMembership['unlistedMembers'],
  target: VersionTarget,
): Promise<BreedMembership['unlistedMembers']> {
  const areFound = await Promise.all(
    unlistedMembers.slice(0, MAX_CATS_SEARCHED).map(({ cat }) => canBeFoundBySearch(cat, target)),
  )
  return unlistedMembers.filter((_, nth) => areFound[nth] !== true)
}

/**
 * Returns the cats that are in no breed's list. Leaves out a cat that is in another array of a breed's response,
 * because this array may be part of the breed's list. An array that every breed's response contains belongs to no
 * breed's list.
 * @throws {Inconclusive} if this leaves out all cats
 */
function findCatsWithoutBreed(
  { catsWithoutBreed, lists }: BreedMembership,
  { catsOf }: VersionTarget['directory'],
): readonly string[] {
  const namesInOtherArrays = lists.map(({ list }) => new Set(list.namesInOtherArrays))
  const findPossibleList = (cat: string) => {
    const isInEveryResponse = lists.length > 1 && namesInOtherArrays.every((names) => names.has(cat))
    return isInEveryResponse ? undefined : lists.find((_, index) => namesInOtherArrays[index]?.has(cat))
  }
  const remaining = catsWithoutBreed.filter((cat) => findPossibleList(cat) === undefined)
  const [first] = catsWithoutBreed
  const possible = first !== undefined && remaining.length === 0 ? findPossibleList(first) : undefined
  if (possible && first !== undefined)
    requireCompleteList(`the list of ${quoted(possible.breed)}`, catsOf(possible.breed), possible.list, first)
  return remaining
}

/** Returns the number of affected cats in parentheses; an empty text for one cat. */
export const formatAffectedCats = ({ length }: readonly unknown[]): string =>
  length > 1 ? ` (${length} cats affected)` : ''

/**
 * Describes two breeds with the same cats: the service probably takes one for the other, so the cats of one are
 * missing. Returns undefined if the first cat in several breeds is not in two equal lists.
 */
export function describeEqualLists({ catsInSeveralBreeds: [cat = ''], lists }: BreedMembership): string | undefined {
  const [one, other] = lists.filter(({ list }) => list.has(cat))
  const areEqual = one && other && haveSameNames(one.list, other.list)
  return areEqual
    ? `the lists of ${quoted(one.breed)} and ${quoted(other.breed)} contain exactly the same cats`
    : undefined
}

/** A cat that is in no list of a breed's cats. */
interface CatWithoutBreed {
  readonly cat: string
  /** The breed that the cat's element shows; undefined if it shows none, or the list of this breed was not read. */
  readonly shown: string | undefined
}

/**
 * Finds a cat that must be in a list that was read, but is not. If a cat may be in the list of a breed whose name was
 * refused for its form, it is not tested (R7.4), and the verdict gets a note.
 * @returns undefined if there is no such cat
 * @throws {Inconclusive} if the cats may be in a list that could not be read
 */
function findCatWithoutBreed(
  { cats, lists, isComplete, untestableBreeds, isSample }: BreedMembership,
  catsWithoutBreed: readonly string[],
  listedBreeds: readonly string[],
  addCaveat: (caveat: string) => void,
): CatWithoutBreed | undefined {
  const breedsRead = lists.map(({ breed }) => breed)
  // The list of the shown breed was perhaps not read. E.g. "A/B" cannot be sent in a path, and only the list of "A B"
  // was read.
  const shownBreedOf = (cat: string) => {
    const breed = findListedName(cats.breedOf.get(cat) ?? '', listedBreeds)
    return breed !== undefined && breedsRead.includes(breed) ? breed : undefined
  }
  const cat = isComplete ? catsWithoutBreed[0] : catsWithoutBreed.find((one) => shownBreedOf(one) !== undefined)
  if (cat !== undefined) return { cat, shown: shownBreedOf(cat) }
  if (isSample) {
    const shownBreeds = new Set(cats.breedOf.byIndex)
    if (breedsRead.some((breed) => shownBreeds.has(breed))) return undefined
    throw new NotApplicable(
      `the lists of only ${formatCount(lists.length, 'breed')} were read, and no response shows the breed of each cat, so a cat may be in a list that was not read`,
    )
  }
  const [untested] = catsWithoutBreed
  if (untested === undefined) return undefined
  if (untestableBreeds.length === 0 || catsWithoutBreed.length === cats.names.length)
    throw new Inconclusive(
      'nothing to ask',
      'the list of cats of at least one breed is unknown: the list could not be read, or the name of the breed was refused or cannot be sent in a path',
      { remedy: 'serve all lists' },
    )
  addCaveat(
    `${formatCount(catsWithoutBreed.length, 'cat')} did not count as tested: no list that was read contains ${quoted(untested)}, and the name of the breed ${untestableBreeds.slice(0, 3).map(quoted).join(' and ')} was refused for its form or cannot be sent in a path`,
  )
  return undefined
}

/** Fails if a listed cat is in no list of a breed's cats (R6.1). */
export async function assertEveryCatHasBreed(
  target: VersionTarget,
  read: Read,
  addCaveat: (caveat: string) => void,
): Promise<void> {
  const { directory } = target
  const membership = await readMembership(target, read)
  const { lists, unlistedMembers } = membership
  const catsWithoutBreed = findCatsWithoutBreed(membership, directory)
  const listed = await readDistinctNames(directory.breeds, read)
  const found = findCatWithoutBreed(membership, catsWithoutBreed, listed, addCaveat)
  if (found === undefined) return
  const { cat, shown } = found
  const faulty = await findListWithPagingFault(cat, shown, membership, directory, read)
  const breedsRead = lists.map(({ breed }) => breed)
  const breed = shown ?? unlistedMembers[0]?.breed ?? (await guessBreedOfCat(cat, breedsRead, target))
  // If no search finds the cat by its listed name, the list of all cats probably shows another name than the service uses.
  const isAltered = unlistedMembers.length > 0 && !(await canBeFoundBySearch(cat, target))
  const alteredNames = isAltered ? unlistedMembers : await findMembersNotFoundBySearch(unlistedMembers, target)
  const cause = faulty?.fault ?? describeEqualLists(membership)
  const list = faulty?.resource ?? (breed === undefined ? directory.breeds : directory.catsOf(breed))
  reportViolation({
    expected: 'every listed cat is in the list of a breed',
    actual: [
      `no list of cats of the ${formatCount(lists.length, 'breed')} contains ${quoted(cat)}`,
      shown === undefined ? '' : `, not even that of ${quoted(shown)}, the breed shown for this cat`,
      formatAffectedCats(catsWithoutBreed),
      ...alteredNames
        .slice(0, 1)
        .map((one) => describeAlteredName(one, isAltered ? 'the list of all cats' : "the breed's list")),
      ...(faulty ? [`; ${faulty.description} is incomplete: ${faulty.fault}`] : []),
    ].join(''),
    ...(cause !== undefined && { crossOperationCause: cause }),
    ...(!faulty && alteredNames.length > 0 && { fix: FIX_OF_ALTERED_NAMES }),
    shownBy: isAltered ? [list, directory.cats] : [directory.cats, list],
    names: { atFault: [...new Set([cat, ...catsWithoutBreed, ...alteredNames.map((one) => one.cat)])] },
  })
}
