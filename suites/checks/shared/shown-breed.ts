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

const isShown = (shown: string, breed: string, { sameBreed }: Leniencies): boolean =>
  shown === breed || sameBreed(shown, breed)

/** Whether the breeds that cats show are known by what the list of breeds shows beside their names. */
async function areShownById({ shapes }: Directory): Promise<boolean> {
  const told = await Promise.all([shapes.cats(), shapes.catsOf(), shapes.search()])
  return told.some((shape) => shape !== undefined && 'breedId' in shape && shape.breedId !== undefined)
}

/** Whether all cats show the breed in whose list they stand, as they mostly do: then none is looked for that does not. */
function showTheirBreeds({ cats, lists, torn, breedAt }: Membership, excuses: Leniencies): boolean {
  const isOfBreed = (shown: string | undefined, breed: string | undefined): boolean =>
    shown === undefined || breed === undefined || isShown(shown, breed, excuses)
  return (
    torn.length === 0 &&
    cats.breedOf.inOrder.every((shown, place) => isOfBreed(shown, breedAt(place))) &&
    lists.every(({ breed, list }) => list.breedOf.inOrder.every((shown) => isOfBreed(shown, breed)))
  )
}

/** A hit that shows no listed breed shows another than the one in whose list the cat stands. */
async function showsItsBreed(
  cat: string,
  shown: string,
  hits: List,
  target: Pick<OneVersion, 'directory' | 'spoilt' | 'excuses'>,
  read: Read,
): Promise<void> {
  const { directory, excuses } = target
  const [breed, another] = (await readMembership(target, read)).breedsOf(cat)
  if (breed === undefined || another !== undefined || isShown(shown, breed, excuses)) return
  broken({
    expected: `the breed ${quoted(breed)}, whose list contains the cat`,
    actual: `a search result shows the breed ${quoted(shown)} for ${quoted(cat)}, but no listed breed has that name`,
    shownBy: [directory.catsOf(breed), hits],
    about: [cat, breed, shown],
  })
}

/** The cats of the breed that is shown, as far as there is one and its list can be read. */
async function membersOf(shown: string, breeds: readonly string[], { catsOf }: Directory, read: Read) {
  const breed = meant(shown, breeds)
  const reading = breed === undefined ? undefined : await read(catsOf(breed))
  return { breed, members: reading && reading.kind !== 'refused' ? foundBy(reading) : undefined }
}

/** What a cat shows in the list of all cats, and in that of a breed, is the breed in whose list it stands. */
export const showsTheBreedOfItsList: Try = once(async (target, read) => {
  const { directory, excuses } = target
  const membership = await readMembership(target, read)
  if (showTheirBreeds(membership, excuses)) return
  const isById = await areShownById(directory)
  const { cats, lists } = membership
  for (const { breed, list } of lists) {
    const showing = [
      { of: cats, by: directory.cats },
      { of: list, by: directory.catsOf(breed) },
    ]
    for (const cat of list.names) {
      const shown = showing.find(({ of }) => !isShown(of.breedOf.get(cat) ?? breed, breed, excuses))
      if (shown)
        broken({
          expected: `the breed ${quoted(breed)}, whose list contains the cat`,
          actual: `${quoted(cat)} is in the list of ${quoted(breed)} but shows ${isById ? 'the id of ' : 'the breed '}${quoted(shown.of.breedOf.get(cat) ?? '')}`,
          shownBy: [...new Set([...(isById ? [directory.breeds] : []), directory.catsOf(breed), shown.by])],
          about: [cat, breed, shown.of.breedOf.get(cat) ?? ''],
        })
    }
  }
})

/** What a cat shows where it is found is the breed in whose list it stands. */
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
  // What the list of that breed is, too, was held against the lists of breeds above.
  if (own && own.members?.breedOf === found.breedOf) return
  const known = new Map<string, Awaited<ReturnType<typeof membersOf>>>()
  for (const [place, cat] of found.names.entries()) {
    const shown = found.breedOf.inOrder[place]
    // What the list of all cats shows, too, was held against the lists of breeds above.
    if (shown === undefined || shown === cats.breedOf.get(cat)) continue
    const of = known.get(shown) ?? (await membersOf(shown, breeds, directory, read))
    known.set(shown, of)
    const { breed, members } = of
    if (breed === undefined) await showsItsBreed(cat, shown, hits, target, read)
    // What another check finds is left to that.
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
