import type { VersionTarget } from '../directory/deployment.ts'
import type { Directory } from '../directory/facts/directory.ts'
import {
  type BreedMember,
  type BreedMembership,
  countCatsOfAllLists,
  readMembership,
} from '../directory/facts/membership.ts'
import { haveSameNames } from '../directory/readings/name-index.ts'
import { readDistinctNames, readRequiredList } from '../directory/readings/names.ts'
import { findListedName, formatCount, quoted } from '../directory/shared/text.ts'
import type { Read } from '../engine/check/readers.ts'
import { NotApplicable, reportViolation } from '../engine/check/violations.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import { type CheckProbe, defineCheck, probeOnce, reportIfNoCats } from './shared/check.ts'
import { canBeFoundBySearch, guessBreedOfCat } from './shared/likely-breed.ts'
import { adviseOnPages, describeDuplicate, findPagingFault, formatFaultSuffix } from './shared/list-assertions.ts'
import { FIX_OF_ALTERED_NAMES, requireCompleteList } from './shared/same-names.ts'
import { createBreedsOfHitsProbe, createShownBreedsProbe } from './shared/shown-breed.ts'

/**
 * Examines the lists that may be incomplete and therefore lack a cat: the list of the breed that the cat's element
 * shows. If it shows no breed, the lists of all breeds' cats and the list of breeds.
 * @returns a list with a fault in its paging, and the fault
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
    const fault = findPagingFault(list, -1)
    return fault === undefined ? [] : [{ description, resource, fault }]
  })[0]
}

const commonFacts = {
  operation: 'listCatsOfBreed',
  level: 'must',
  requires: ['cats/have-names', 'breeds/have-names', 'breed-cats/have-names'],
  describe: reportIfNoCats,
} as const

/**
 * Describes a cat that is in a breed's list but not in the list of all cats, probably because one list alters names.
 */
const describeDifferingNames = ({ cat, breed }: BreedMember, isAltered: boolean): string =>
  `; ${quoted(cat)} is in the list of ${quoted(breed)} but not in the list of all cats: ${
    isAltered ? 'the list of all cats' : "the breed's list"
  } probably alters names`

/** The maximum number of cats to search for. Further cats count as not found. */
const MAX_CATS_SEARCHED = 20

/** Returns the cats of breeds' lists that no search finds by name. Their names may be altered names of listed cats. */
async function findMembersNotFoundBySearch(
  unlistedMembers: BreedMembership['unlistedMembers'],
  target: VersionTarget,
): Promise<BreedMembership['unlistedMembers']> {
  const known = await Promise.all(
    unlistedMembers.slice(0, MAX_CATS_SEARCHED).map(({ cat }) => canBeFoundBySearch(cat, target)),
  )
  return unlistedMembers.filter((_, nth) => known[nth] !== true)
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
  const mayBeIn = (cat: string): number =>
    lists.length > 1 && namesInOtherArrays.every((names) => names.has(cat))
      ? -1
      : namesInOtherArrays.findIndex((names) => names.has(cat))
  const left = catsWithoutBreed.filter((cat) => mayBeIn(cat) < 0)
  const [first] = catsWithoutBreed
  const one = first !== undefined && left.length === 0 ? lists[mayBeIn(first)] : undefined
  if (one && first !== undefined)
    requireCompleteList(`the list of ${quoted(one.breed)}`, catsOf(one.breed), one.list, first)
  return left
}

const describeFurtherCats = ({ length }: readonly unknown[]): string => (length > 1 ? ` (${length} cats affected)` : '')

/**
 * Describes two breeds with the same cats: the service probably takes one for the other, so the cats of one are
 * missing.
 */
function describeEqualLists({ catsInSeveralBreeds: [cat = ''], lists }: BreedMembership): string | undefined {
  const [one, other] = lists.filter(({ list }) => list.has(cat))
  const areEqual = one && other && haveSameNames(one.list, other.list)
  return areEqual
    ? `the lists of ${quoted(one.breed)} and ${quoted(other.breed)} contain exactly the same cats`
    : undefined
}

const probeOneBreedPerCat: CheckProbe = probeOnce(async (target, read) => {
  const membership = await readMembership(target, read)
  const { catsInSeveralBreeds, breedsOf } = membership
  const [first] = catsInSeveralBreeds
  if (first === undefined) return
  const breeds = breedsOf(first)
  const equalLists = describeEqualLists(membership)
  reportViolation({
    expected: 'every cat is in the list of exactly one breed',
    actual: `${quoted(first)} is in the lists of ${breeds.slice(0, 3).map(quoted).join(' and ')}${describeFurtherCats(catsInSeveralBreeds)}${equalLists === undefined ? '' : `: ${equalLists}`}`,
    shownBy: breeds.slice(0, 2).map((breed) => target.directory.catsOf(breed)),
    names: { atFault: catsInSeveralBreeds },
    crossOperationCause: equalLists ?? describeDuplicate(first),
  })
})

/** Checks of ruling 6 of the contract: each cat belongs to one breed, in every list. */
export const membershipChecks = [
  defineCheck({
    ...commonFacts,
    id: 'membership/one-breed-only',
    title: 'no cat is in the lists of two breeds',
    clauses: ['R6.1', 'R6.7'],
    statements: ['S-CAT-BREED', 'S-CATS-OF-BREED'],
    why: 'A client that counts or groups cats by breed counts a cat twice if it is in the lists of two breeds.',
    how: '1. For each listed breed, GET the list of its cats. 2. No cat may be in more than one of these lists.',
    fix: "Select cats by the breed's whole name, including case and accents: use `=` with a binary collation instead of `LIKE` or a prefix match. Use the whole name in cache keys too.",
    probesAfterChange: [probeOneBreedPerCat],
    probes: [probeOneBreedPerCat],
  }),
  defineCheck({
    ...commonFacts,
    id: 'membership/every-cat-has-a-breed',
    title: "every listed cat is in a breed's list",
    clauses: ['R6.1', 'R16.1', 'R17.5', 'R17.6', 'R17.8', 'R17.9', 'R17.10', 'R17.11', 'R17.12'],
    statements: ['S-CAT-BREED', 'S-CATS-OF-BREED'],
    why: 'A client that browses by breed never finds a cat that is not in the list of any breed.',
    how: '1. GET the list of all cats. 2. For each listed breed, GET the list of its cats. 3. Each cat in the list of all cats must be in the list of a breed.',
    fix: 'Return all cats of a breed: without a `LIMIT`, and without an inner join that drops rows. Spell the names as in the list of all cats. If the breed of a missing cat was deleted, remove the cat too, or put the breed back into the list of breeds. If the list is paginated, link the next page (`Link: <URL>; rel="next"`).',
    probesAfterChange: 'all',
    probes: [
      probeOnce(async (target, read) => {
        const { directory } = target
        const membership = await readMembership(target, read)
        const { cats, lists, unlistedMembers, isComplete, isSample } = membership
        const catsWithoutBreed = findCatsWithoutBreed(membership, directory)
        const breedsRead = lists.map(({ breed }) => breed)
        const listed = await readDistinctNames(directory.breeds, read)
        // The list of the shown breed was perhaps not read. E.g. "A/B" cannot be sent in a path, and only the list of
        // "A B" was read.
        const shownBreedOf = (cat: string) => {
          const breed = findListedName(cats.breedOf.get(cat) ?? '', listed)
          return breed !== undefined && breedsRead.includes(breed) ? breed : undefined
        }
        const catWithoutBreed = isComplete
          ? catsWithoutBreed[0]
          : catsWithoutBreed.find((cat) => shownBreedOf(cat) !== undefined)
        if (catWithoutBreed === undefined && isSample) {
          const shownBreeds = new Set(cats.breedOf.byIndex)
          if (breedsRead.some((breed) => shownBreeds.has(breed))) return
          throw new NotApplicable(
            `the lists of only ${formatCount(lists.length, 'breed')} were read, and no response shows the breed of each cat, so a cat may be in a list that was not read`,
          )
        }
        if (catWithoutBreed === undefined && catsWithoutBreed.length > 0)
          throw new Inconclusive(
            'nothing to ask',
            'the list of cats of at least one breed is unknown: the list could not be read, or the name of the breed was refused or cannot be sent in a path',
            { remedy: 'serve all lists' },
          )
        if (catWithoutBreed === undefined) return
        const shown = shownBreedOf(catWithoutBreed)
        const faulty = await findListWithPagingFault(catWithoutBreed, shown, membership, directory, read)
        const breed = shown ?? unlistedMembers[0]?.breed ?? (await guessBreedOfCat(catWithoutBreed, breedsRead, target))
        const isAltered = unlistedMembers.length > 0 && !(await canBeFoundBySearch(catWithoutBreed, target))
        const other = isAltered ? unlistedMembers : await findMembersNotFoundBySearch(unlistedMembers, target)
        const cause = faulty?.fault ?? describeEqualLists(membership)
        const list = faulty?.resource ?? (breed === undefined ? directory.breeds : directory.catsOf(breed))
        reportViolation({
          expected: 'every listed cat is in the list of a breed',
          actual: [
            `no list of cats of the ${formatCount(lists.length, 'breed')} contains ${quoted(catWithoutBreed)}`,
            shown === undefined ? '' : `, not even that of ${quoted(shown)}, the breed shown for this cat`,
            describeFurtherCats(catsWithoutBreed),
            ...other.slice(0, 1).map((stray) => describeDifferingNames(stray, isAltered)),
            ...(faulty ? [`; ${faulty.description} is incomplete: ${faulty.fault}`] : []),
          ].join(''),
          ...(cause !== undefined && { crossOperationCause: cause }),
          ...(!faulty && other.length > 0 && { fix: FIX_OF_ALTERED_NAMES }),
          shownBy: isAltered ? [list, directory.cats] : [directory.cats, list],
          names: { atFault: [...new Set([catWithoutBreed, ...catsWithoutBreed, ...other.map(({ cat }) => cat)])] },
        })
      }),
    ],
  }),
  defineCheck({
    ...commonFacts,
    id: 'membership/breed-cats-are-listed',
    title: "the list of all cats contains every breed's cats",
    clauses: ['R6.2', 'R17.5', 'R17.6', 'R17.8', 'R17.9', 'R17.10', 'R17.11', 'R17.12'],
    statements: ['S-LIST-CATS', 'S-CATS-OF-BREED'],
    explainedBy: ['cats/names-stand-once', 'membership/every-cat-has-a-breed'],
    why: 'A client that reads the list of all cats misses a cat that is only in the list of a breed.',
    how: '1. For each listed breed, GET the list of its cats. 2. GET the list of all cats. 3. Each cat in the list of a breed must be in the list of all cats.',
    fix: 'Serve the list of all cats and the lists of the breeds from the same rows, without a `LIMIT`, and invalidate cached copies together. If the list is paginated, link the next page (`Link: <URL>; rel="next"`).',
    probesAfterChange: 'all',
    probes: [
      probeOnce(async (target, read) => {
        const { directory } = target
        const membership = await readMembership(target, read)
        const { cats, unlistedMembers } = membership
        const [first] = unlistedMembers
        if (first === undefined) return
        const list = directory.catsOf(first.breed)
        requireCompleteList('the list of all cats', directory.cats, cats, first.cat, countCatsOfAllLists(membership))
        const isMissing = await canBeFoundBySearch(first.cat, target)
        const fault = findPagingFault(cats, -1)
        reportViolation({
          expected: `every cat of ${quoted(first.breed)} is in the list of all cats`,
          actual: `${quoted(first.cat)} is in the list of ${quoted(first.breed)} but not in the list of all cats${describeFurtherCats(unlistedMembers)}${isMissing ? '; a search finds this cat, so the list of all cats is incomplete' : ''}${formatFaultSuffix(fault)}`,
          ...adviseOnPages(fault, cats),
          shownBy: isMissing ? [list, directory.cats] : [directory.cats, list],
          names: { missing: unlistedMembers.map(({ cat }) => cat) },
        })
      }),
    ],
  }),
  defineCheck({
    ...commonFacts,
    id: 'membership/shown-breed',
    title: 'a cat is in the list of its shown breed',
    clauses: ['R6.5', 'R6.7'],
    statements: ['S-CAT-BREED', 'S-CATS-OF-BREED'],
    explainedBy: ['membership/every-cat-has-a-breed', 'membership/one-breed-only', 'membership/breed-cats-are-listed'],
    why: 'A client shows one breed for a cat, but finds the cat in the list of another breed.',
    how: '1. In lists and search results, find the JSON member that shows the breed of each cat. 2. Find the breed whose list contains the cat. 3. The shown breed must not be another listed breed. If the list of breeds shows an id beside each name, this id may stand for the name.',
    fix: 'Take the breed that is shown for a cat, and the list of cats of each breed, from the same column.',
    probesAfterChange: [createShownBreedsProbe(['another breed'])],
    probes: [createShownBreedsProbe(['another breed']), createBreedsOfHitsProbe(['another breed'])],
  }),
  defineCheck({
    ...commonFacts,
    id: 'membership/shown-breed-is-listed',
    title: 'the breed shown for a cat is a listed breed',
    level: 'should',
    clauses: ['R6.6'],
    statements: ['S-CAT-BREED', 'S-BREED-NAME'],
    explainedBy: [
      'membership/every-cat-has-a-breed',
      'membership/one-breed-only',
      'membership/breed-cats-are-listed',
      'membership/shown-breed',
    ],
    why: 'A client that reads the breed of a cat from the list, and requests the cats of this breed, gets an error or an empty list.',
    how: '1. In lists and search results, find the JSON member that shows the breed of each cat. 2. Find the breed whose list contains the cat. 3. The shown breed should be the name of this breed, or its id, exactly as in the list of breeds.',
    fix: 'Show the name of the breed (or its id) exactly as in the list of breeds: not another code, not a translation, and not another spelling (e.g. in lower case or without accents).',
    probes: [
      createShownBreedsProbe(['another spelling', 'unlisted']),
      createBreedsOfHitsProbe(['another spelling', 'unlisted']),
    ],
  }),
]
