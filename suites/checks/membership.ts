import { countCatsOfAllLists, readMembership } from '../directory/facts/membership.ts'
import { quoted } from '../directory/shared/text.ts'
import { reportViolation } from '../engine/check/violations.ts'
import { assertEveryCatHasBreed, describeEqualLists, formatAffectedCats } from './shared/breed-of-every-cat.ts'
import { type CheckProbe, defineCheck, probeOnce, reportIfNoCats } from './shared/check.ts'
import { canBeFoundBySearch } from './shared/likely-breed.ts'
import { describeDuplicate } from './shared/list-assertions.ts'
import { adviseOnPages, findPagingFault, formatFaultSuffix } from './shared/paging-faults.ts'
import { requireCompleteList } from './shared/same-names.ts'
import { createBreedsOfHitsProbe, createShownBreedsProbe } from './shared/shown-breed.ts'

const commonFacts = {
  operation: 'listCatsOfBreed',
  level: 'must',
  requires: ['cats/have-names', 'breeds/have-names', 'breed-cats/have-names'],
  describe: reportIfNoCats,
} as const

const probeOneBreedPerCat: CheckProbe = probeOnce(async (target, read) => {
  const membership = await readMembership(target, read)
  const { catsInSeveralBreeds, breedsOf } = membership
  const [first] = catsInSeveralBreeds
  if (first === undefined) return
  const breeds = breedsOf(first)
  const equalLists = describeEqualLists(membership)
  reportViolation({
    expected: 'every cat is in the list of exactly one breed',
    actual: `${quoted(first)} is in the lists of ${breeds.slice(0, 3).map(quoted).join(' and ')}${formatAffectedCats(catsInSeveralBreeds)}${equalLists === undefined ? '' : `: ${equalLists}`}`,
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
    probes: [({ target, verify, addCaveat }) => verify((read) => assertEveryCatHasBreed(target, read, addCaveat))],
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
        const isFoundBySearch = await canBeFoundBySearch(first.cat, target)
        const fault = findPagingFault(cats, 'missing name')
        reportViolation({
          expected: `every cat of ${quoted(first.breed)} is in the list of all cats`,
          actual: `${quoted(first.cat)} is in the list of ${quoted(first.breed)} but not in the list of all cats${formatAffectedCats(unlistedMembers)}${isFoundBySearch ? '; a search finds this cat, so the list of all cats is incomplete' : ''}${formatFaultSuffix(fault)}`,
          ...adviseOnPages(fault, cats),
          shownBy: isFoundBySearch ? [list, directory.cats] : [directory.cats, list],
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
    how: '1. In lists and search results, find the JSON member that shows the breed of each cat. 2. Find the breed whose list contains the cat. 3. The shown breed must not be another listed breed. If the list of breeds shows an id with each name, this id may stand for the name.',
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
