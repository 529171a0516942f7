import type { OneVersion } from '../../directory/deployment.ts'
import type { Directory, List } from '../../directory/facts/directory.ts'
import { type Membership, readMembership } from '../../directory/facts/membership.ts'
import type { Leniencies } from '../../directory/matching/allowances.ts'
import { distinctNames, foundBy, requireList } from '../../directory/readings/names.ts'
import { canStandInPath } from '../../directory/shared/encodings.ts'
import { meant, quoted } from '../../directory/shared/text.ts'
import type { Read } from '../../engine/check/readers.ts'
import { broken } from '../../engine/check/violations.ts'
import { once, type Try } from './check.ts'
import { refuseWhatMayGoOn } from './same-names.ts'

/** Relation of a shown breed to the breed whose list contains the cat (R6.4). */
type Shown = 'own' | 'another spelling' | 'unlisted' | 'another breed'

/** A shown breed that is listed is that breed, however similar another name is (R6.7). */
function compareShown(shown: string, own: string, listed: readonly string[], { sameBreed }: Leniencies): Shown {
  if (shown === own) return 'own'
  const breed = meant(shown, listed)
  if (breed !== shown && sameBreed(shown, own)) return 'another spelling'
  return breed === undefined ? 'unlisted' : 'another breed'
}

/** Returns whether cats show their breeds by an id that the list of breeds shows too. */
async function areShownById({ shapes }: Directory): Promise<boolean> {
  const told = await Promise.all([shapes.cats(), shapes.catsOf(), shapes.search()])
  return told.some((shape) => shape !== undefined && 'breedId' in shape && shape.breedId !== undefined)
}

/** Returns whether all cats show the breed in whose list they are, as they mostly do. */
function showTheirBreeds({ cats, lists, torn, breedAt }: Membership): boolean {
  const isOfBreed = (shown: string | undefined, breed: string | undefined): boolean =>
    shown === undefined || breed === undefined || shown === breed
  return (
    torn.length === 0 &&
    cats.breedOf.inOrder.every((shown, place) => isOfBreed(shown, breedAt(place))) &&
    lists.every(({ breed, list }) => list.breedOf.inOrder.every((shown) => isOfBreed(shown, breed)))
  )
}

/** The cats of a shown breed, if it is listed and its list can be read. */
async function membersOf(shown: string, breeds: readonly string[], { catsOf }: Directory, read: Read) {
  const breed = meant(shown, breeds)
  const reading = breed === undefined ? undefined : await read(catsOf(breed))
  return { breed, members: reading && reading.kind !== 'refused' ? foundBy(reading) : undefined }
}

/** A cat that shows another breed than the one whose list contains it. */
interface Mismatch {
  readonly cat: string
  readonly breed: string
  readonly shown: string
  readonly list: List
}

async function* mismatches(
  wanted: readonly Shown[],
  target: Pick<OneVersion, 'directory' | 'spoilt' | 'excuses'>,
  read: Read,
): AsyncGenerator<Mismatch> {
  const { directory, excuses } = target
  const membership = await readMembership(target, read)
  if (showTheirBreeds(membership)) return
  const listed = await distinctNames(directory.breeds, read)
  const { cats, lists } = membership
  for (const { breed, list } of lists) {
    const showing = [
      { of: cats, by: directory.cats },
      { of: list, by: directory.catsOf(breed) },
    ]
    for (const cat of list.names)
      for (const { of, by } of showing) {
        const shown = of.breedOf.get(cat) ?? breed
        if (wanted.includes(compareShown(shown, breed, listed, excuses))) yield { cat, breed, shown, list: by }
      }
  }
}

/** Fails if a cat shows another listed breed in the list of all cats or in that of its breed (R6.5). */
export const showsTheBreedOfItsList: Try = once(async (target, read) => {
  const { directory } = target
  for await (const { cat, breed, shown, list } of mismatches(['another breed'], target, read)) {
    const isById = await areShownById(directory)
    broken({
      expected: `${quoted(cat)}, which is in the list of ${quoted(breed)}, shows that breed`,
      actual: `${quoted(cat)} is in the list of ${quoted(breed)} but shows ${isById ? 'the id of ' : ''}${quoted(shown)}`,
      shownBy: [...new Set([...(isById ? [directory.breeds] : []), directory.catsOf(breed), list])],
      about: [cat, breed, shown],
    })
  }
})

/** Advises if a cat shows another spelling of its breed, or a value that is no listed breed (R6.6). */
export const showsItAsListed: Try = once(async (target, read) => {
  const { directory } = target
  for await (const { cat, breed, shown, list } of mismatches(['another spelling', 'unlisted'], target, read))
    broken({
      expected: `${quoted(cat)}, which is in the list of ${quoted(breed)}, shows that name of its breed`,
      actual: `${quoted(cat)} is in the list of ${quoted(breed)} but shows the breed ${quoted(shown)}, which is not listed`,
      shownBy: [directory.breeds, list],
      about: [cat, breed, shown],
    })
})

/** Fails if a hit shows another listed breed than the one whose list contains it (R6.5). */
export async function hitsShowTheirBreed(name: string, target: OneVersion, read: Read): Promise<void> {
  const { directory } = target
  const hits = directory.search(name)
  const [found, cats, breeds] = await Promise.all([
    read(hits).then(foundBy),
    read(directory.cats).then(requireList),
    distinctNames(directory.breeds, read),
  ])
  if (!found) return
  const own = canStandInPath(name) && breeds.includes(name) && (await membersOf(name, breeds, directory, read))
  // The list of the breed shows the same, and was judged above.
  if (own && own.members?.breedOf === found.breedOf) return
  const known = new Map<string, Awaited<ReturnType<typeof membersOf>>>()
  for (const [place, cat] of found.names.entries()) {
    const shown = found.breedOf.inOrder[place]
    // The list of all cats shows the same, and was judged above.
    if (shown === undefined || shown === cats.breedOf.get(cat)) continue
    const of = known.get(shown) ?? (await membersOf(shown, breeds, directory, read))
    known.set(shown, of)
    const { breed, members } = of
    // Other checks judge this.
    if (breed === undefined || !members || members.names === found.names || members.has(cat) || !cats.has(cat)) continue
    refuseWhatMayGoOn(`the list of ${quoted(breed)}`, members, cat)
    broken({
      expected: `${quoted(cat)} in the list of ${quoted(breed)}, the breed that the search result shows`,
      actual: `the search for ${quoted(name)} shows the breed ${quoted(breed)} for ${quoted(cat)}, but the list of that breed does not contain the cat`,
      shownBy: [directory.catsOf(breed), hits],
      about: [cat, name, breed],
    })
  }
}

/** Advises if a hit shows another spelling of its breed, or a value that is no listed breed (R6.6). */
export async function hitsShowItAsListed(name: string, target: OneVersion, read: Read): Promise<void> {
  const { directory, excuses } = target
  const hits = directory.search(name)
  const [found, cats] = await Promise.all([read(hits).then(foundBy), read(directory.cats).then(requireList)])
  for (const [place, cat] of found?.names.entries() ?? []) {
    const shown = found?.breedOf.inOrder[place]
    if (shown === undefined || shown === cats.breedOf.get(cat)) continue
    const [breed, another] = (await readMembership(target, read)).breedsOf(cat)
    if (breed === undefined || another !== undefined) continue
    const compared = compareShown(shown, breed, await distinctNames(directory.breeds, read), excuses)
    if (compared !== 'another spelling' && compared !== 'unlisted') continue
    broken({
      expected: `${quoted(cat)}, which is in the list of ${quoted(breed)}, shows that name of its breed`,
      actual: `the search for ${quoted(name)} shows the breed ${quoted(shown)} for ${quoted(cat)}, which is in the list of ${quoted(breed)}`,
      shownBy: [directory.catsOf(breed), hits],
      about: [cat, breed, shown],
    })
  }
}
