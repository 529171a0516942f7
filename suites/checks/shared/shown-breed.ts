import type { VersionTarget } from '../../directory/deployment.ts'
import type { Directory, ListResource } from '../../directory/facts/directory.ts'
import { type BreedMembership, readMembership } from '../../directory/facts/membership.ts'
import type { Allowances } from '../../directory/matching/allowances.ts'
import { readDistinctNames, readRequiredList, resultListOrEmpty } from '../../directory/readings/names.ts'
import { canBeInPath } from '../../directory/shared/encodings.ts'
import { findListedName, quoted } from '../../directory/shared/text.ts'
import type { Read } from '../../engine/check/readers.ts'
import { reportViolation } from '../../engine/check/violations.ts'
import { type CheckProbe, probeOnce } from './check.ts'
import { requireCompleteList } from './same-names.ts'

/** The relation of the breed that a cat's element shows to the breed whose list contains the cat (R6.5, R6.6). */
type BreedRelation = 'own' | 'another spelling' | 'unlisted' | 'another breed'

/**
 * Classifies the breed that a cat's element shows. Text that equals a listed breed's name means that breed, even if it
 * also resembles another name (R6.7).
 */
function relateShownBreed(
  shown: string,
  own: string,
  listed: readonly string[],
  { sameBreed }: Allowances,
): BreedRelation {
  if (shown === own) return 'own'
  const breed = findListedName(shown, listed)
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
function areBreedsConsistent({ cats, lists, catsInSeveralBreeds, breedsOf }: BreedMembership): boolean {
  const isOfBreed = (shown: string | undefined, breed: string | undefined): boolean =>
    shown === undefined || breed === undefined || shown === breed
  return (
    catsInSeveralBreeds.length === 0 &&
    cats.breedOf.byIndex.every((shown, place) => isOfBreed(shown, breedsOf(cats.names[place] ?? '')[0])) &&
    lists.every(({ breed, list }) => list.breedOf.byIndex.every((shown) => isOfBreed(shown, breed)))
  )
}

/** Reads the cats of a shown breed, if the breed is listed and its list can be read. */
async function readCatsOfShownBreed(shown: string, breeds: readonly string[], { catsOf }: Directory, read: Read) {
  const breed = findListedName(shown, breeds)
  const reading = breed === undefined ? undefined : await read(catsOf(breed))
  return { breed, members: reading && reading.kind !== 'refused' ? resultListOrEmpty(reading) : undefined }
}

/** A cat that shows another breed than the one whose list contains it. */
interface BreedMismatch {
  readonly cat: string
  readonly breed: string
  readonly shown: string
  readonly list: ListResource
}

async function* findBreedMismatches(
  wanted: readonly BreedRelation[],
  target: Pick<VersionTarget, 'directory' | 'skippedInputs' | 'allowances'>,
  read: Read,
): AsyncGenerator<BreedMismatch> {
  const { directory, allowances } = target
  const membership = await readMembership(target, read)
  if (areBreedsConsistent(membership)) return
  const listed = await readDistinctNames(directory.breeds, read)
  const { cats, lists } = membership
  for (const { breed, list } of lists) {
    const showing = [
      { of: cats, by: directory.cats },
      { of: list, by: directory.catsOf(breed) },
    ]
    for (const cat of list.names)
      for (const { of, by } of showing) {
        const shown = of.breedOf.get(cat) ?? breed
        if (wanted.includes(relateShownBreed(shown, breed, listed, allowances))) yield { cat, breed, shown, list: by }
      }
  }
}

/**
 * Fails if a cat's element, in the list of all cats or of a breed, shows another listed breed than the one whose list
 * contains the cat (R6.5).
 */
export const probeShownBreeds: CheckProbe = probeOnce(async (target, read) => {
  const { directory } = target
  for await (const { cat, breed, shown, list } of findBreedMismatches(['another breed'], target, read)) {
    const isById = await areShownById(directory)
    reportViolation({
      expected: `${quoted(cat)} shows the breed ${quoted(breed)}, because the list of ${quoted(breed)} contains this cat`,
      actual: `${quoted(cat)} is in the list of ${quoted(breed)} but shows ${isById ? 'the id of the breed' : 'the breed'} ${quoted(shown)}`,
      shownBy: [...new Set([...(isById ? [directory.breeds] : []), directory.catsOf(breed), list])],
      namesAtFault: [cat, breed, shown],
    })
  }
})

/** Gives advice if a cat shows another spelling of its breed, or a value that is no listed breed (R6.6). */
export const probeBreedSpelling: CheckProbe = probeOnce(async (target, read) => {
  const { directory } = target
  for await (const { cat, breed, shown, list } of findBreedMismatches(['another spelling', 'unlisted'], target, read))
    reportViolation({
      expected: `${quoted(cat)} shows its breed as ${quoted(breed)}, exactly as in the list of all breeds`,
      actual: `${quoted(cat)} is in the list of ${quoted(breed)} but shows the breed ${quoted(shown)}, which is not listed`,
      shownBy: [directory.breeds, list],
      namesAtFault: [cat, breed, shown],
    })
})

/** Fails if a hit shows another listed breed than the one whose list contains it (R6.5). */
export async function assertBreedsOfHits(name: string, target: VersionTarget, read: Read): Promise<void> {
  const { directory } = target
  const hits = directory.search(name)
  const [found, cats, breeds] = await Promise.all([
    read(hits).then(resultListOrEmpty),
    readRequiredList(directory.cats, read),
    readDistinctNames(directory.breeds, read),
  ])
  if (!found) return
  const own = canBeInPath(name) && breeds.includes(name) && (await readCatsOfShownBreed(name, breeds, directory, read))
  // Skips a search result that equals the breed's list, which `probeShownBreeds` tests.
  if (own && own.members?.breedOf === found.breedOf) return
  const catsByBreed = new Map<string, Awaited<ReturnType<typeof readCatsOfShownBreed>>>()
  for (const [place, cat] of found.names.entries()) {
    const shown = found.breedOf.byIndex[place]
    // Skips a breed that the list of all cats shows as well, because `probeShownBreeds` tests that list.
    if (shown === undefined || shown === cats.breedOf.get(cat)) continue
    const of = catsByBreed.get(shown) ?? (await readCatsOfShownBreed(shown, breeds, directory, read))
    catsByBreed.set(shown, of)
    const { breed, members } = of
    // Skips cats that the shown breed's list contains, and cats that other checks judge, e.g. of an unlisted breed.
    if (breed === undefined || !members || members.names === found.names || members.has(cat) || !cats.has(cat)) continue
    requireCompleteList(`the list of ${quoted(breed)}`, directory.catsOf(breed), members, cat)
    reportViolation({
      expected: `${quoted(cat)} is in the list of ${quoted(breed)}, because the search result shows this breed for the cat`,
      actual: `the search for ${quoted(name)} shows the breed ${quoted(breed)} for ${quoted(cat)}, but the list of this breed does not contain the cat`,
      shownBy: [directory.catsOf(breed), hits],
      namesAtFault: [cat, name, breed],
    })
  }
}

/** Gives advice if a hit shows another spelling of its breed, or a value that is no listed breed (R6.6). */
export async function assertBreedSpellingOfHits(name: string, target: VersionTarget, read: Read): Promise<void> {
  const { directory, allowances } = target
  const hits = directory.search(name)
  const [found, cats] = await Promise.all([read(hits).then(resultListOrEmpty), readRequiredList(directory.cats, read)])
  for (const [place, cat] of found?.names.entries() ?? []) {
    const shown = found?.breedOf.byIndex[place]
    if (shown === undefined || shown === cats.breedOf.get(cat)) continue
    const [breed, another] = (await readMembership(target, read)).breedsOf(cat)
    if (breed === undefined || another !== undefined) continue
    const compared = relateShownBreed(shown, breed, await readDistinctNames(directory.breeds, read), allowances)
    if (compared !== 'another spelling' && compared !== 'unlisted') continue
    reportViolation({
      expected: `${quoted(cat)} shows its breed as ${quoted(breed)}, exactly as in the list of all breeds`,
      actual: `the search for ${quoted(name)} shows the breed ${quoted(shown)} for ${quoted(cat)}, which is in the list of ${quoted(breed)}`,
      shownBy: [directory.catsOf(breed), hits],
      namesAtFault: [cat, breed, shown],
    })
  }
}
