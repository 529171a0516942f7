import type { VersionTarget } from '../../directory/deployment.ts'
import type { Directory, ListResource } from '../../directory/facts/directory.ts'
import { type BreedMembership, readMembership } from '../../directory/facts/membership.ts'
import { selectSearchedNames } from '../../directory/inputs.ts'
import type { Allowances } from '../../directory/matching/allowances.ts'
import type { NameList } from '../../directory/readings/list-reading.ts'
import { indexNames, type ShownBreeds } from '../../directory/readings/name-index.ts'
import { readRequiredList, requireListOrEmpty } from '../../directory/readings/names.ts'
import { findListedName, quoted } from '../../directory/shared/text.ts'
import type { Read } from '../../engine/check/readers.ts'
import { reportViolation } from '../../engine/check/violations.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import { type CheckProbe, forEach, probeOnce } from './check.ts'

/** The relation of the breed that a cat's element shows to the breed whose list contains the cat (R6.5, R6.6). */
type BreedRelation = 'own' | 'another spelling' | 'unlisted' | 'another breed'

/**
 * Classifies the breed that a cat's element shows. A text that equals a listed breed's name means that breed, even if it
 * also resembles another name (R6.7). A text that an element of the list of breeds contains in addition to the name
 * means this breed too, e.g. the id 7 in `{"name": "Manx", "id": 7}`.
 * @param own the breed whose list contains the cat
 */
function classifyShownBreed(
  shown: string,
  own: string,
  { names, has, otherStringsOf }: NameList,
  { sameBreed }: Allowances,
): BreedRelation {
  if (shown === own || (!has(shown) && otherStringsOf?.(own).includes(shown))) return 'own'
  const breed = findListedName(shown, names)
  if (breed !== shown && sameBreed(shown, own)) return 'another spelling'
  return breed === undefined ? 'unlisted' : 'another breed'
}

/**
 * Returns whether the elements of cats show an id of their breed, which the list of breeds shows too, instead of its
 * name.
 */
async function areShownById({ shapes }: Directory): Promise<boolean> {
  const inferredShapes = await Promise.all([shapes.cats(), shapes.catsOf(), shapes.search()])
  return inferredShapes.some((shape) => shape !== undefined && 'breedId' in shape && shape.breedId !== undefined)
}

/**
 * Returns whether every cat that shows a breed shows the breed whose list contains the cat. If so, as in most
 * directories, single cats need not be examined.
 */
function areBreedsConsistent({ cats, lists, catsInSeveralBreeds, breedsByIndex }: BreedMembership): boolean {
  const isOfBreed = (shown: string | undefined, breed: string | undefined): boolean =>
    shown === undefined || breed === undefined || shown === breed
  return (
    catsInSeveralBreeds.length === 0 &&
    indexNames(cats.names).size === cats.names.length &&
    cats.breedOf.byIndex.every((shown, place) => isOfBreed(shown, breedsByIndex[place]?.[0])) &&
    lists.every(({ breed, list }) => list.breedOf.byIndex.every((shown) => isOfBreed(shown, breed)))
  )
}

/** A cat, the breed whose list contains it, and the breed that its element shows in some response. */
interface ShownBreed {
  readonly cat: string
  readonly breed: string
  readonly shown: string
  readonly resource: ListResource
}

/** Fails if the shown breed has one of `reportedRelations` to the breed whose list contains the cat. */
async function assertShownBreed(
  { cat, breed, shown, resource }: ShownBreed,
  reportedRelations: readonly BreedRelation[],
  { directory, allowances }: VersionTarget,
  read: Read,
): Promise<void> {
  const relation = classifyShownBreed(shown, breed, await readRequiredList(directory.breeds, read), allowances)
  if (!reportedRelations.includes(relation)) return
  const isById = relation === 'another breed' && (await areShownById(directory))
  reportViolation({
    expected: `${quoted(cat)} shows the breed ${quoted(breed)} (by its name or id, exactly as in the list of all breeds)`,
    actual: `${quoted(cat)} is in the list of ${quoted(breed)}; the element with this name shows ${isById ? 'the id of the breed' : 'the breed'} ${quoted(shown)}${relation === 'another breed' ? '' : ', which is not in the list of breeds'}`,
    shownBy: [
      ...new Set([
        ...(isById || relation !== 'another breed' ? [directory.breeds] : []),
        directory.catsOf(breed),
        resource,
      ]),
    ],
    names: { atFault: [cat, breed, shown] },
  })
}

/** Creates a probe of the breeds that the list of all cats and the lists of breeds' cats show. */
export const createShownBreedsProbe = (reportedRelations: readonly BreedRelation[]): CheckProbe =>
  probeOnce(async (target, read) => {
    const { directory } = target
    const membership = await readMembership(target, read)
    if (areBreedsConsistent(membership)) return
    const { cats, lists } = membership
    for (const { breed, list } of lists)
      for (const cat of list.names)
        for (const [{ breedOf }, resource] of [
          [cats, directory.cats],
          [list, directory.catsOf(breed)],
        ] as const) {
          const shown = breedOf.get(cat) ?? breed
          if (shown !== breed) await assertShownBreed({ cat, breed, shown, resource }, reportedRelations, target, read)
        }
  })

/**
 * Finds the cats for which a search shows another breed than the list of all cats. Memoised: searches with equal results
 * share one object.
 */
const findBreedsThatDifferFromList = memoiseByObject((hits: ShownBreeds, listed: ShownBreeds) =>
  [...hits].filter(([cat, shown]) => shown !== listed.get(cat)),
)

/** Creates a probe of the breeds that search results show. Leaves out breeds that the list of all cats shows too. */
export const createBreedsOfHitsProbe = (reportedRelations: readonly BreedRelation[]): CheckProbe =>
  forEach<string>(selectSearchedNames, async (name, target, read) => {
    const resource = target.directory.search(name)
    const [reading, cats] = await Promise.all([read(resource), readRequiredList(target.directory.cats, read)])
    const found = requireListOrEmpty(reading)
    for (const [cat, shown] of found ? findBreedsThatDifferFromList(found.breedOf, cats.breedOf) : []) {
      const [breed, another] = (await readMembership(target, read)).breedsOf(cat)
      // Other checks judge a cat that is in the list of no breed, or of several.
      if (breed !== undefined && another === undefined)
        await assertShownBreed({ cat, breed, shown, resource }, reportedRelations, target, read)
    }
  })
