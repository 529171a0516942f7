import { isOwnBreed } from './breed-place.ts'
import { arraysIn, scalarPlaces } from './candidates.ts'
import { at, type Place, pointer, reader, walk } from './json.ts'
import { plainKey } from './list-keys.ts'

/** A column of the list of breeds in which all values differ: a candidate for their ids. */
interface Ids {
  readonly key: string
  readonly nameOf: ReadonlyMap<string, string>
}

/** A breed, and all strings of the list of its cats. */
interface Home {
  readonly breed: string
  readonly texts: ReadonlySet<string>
}

/** The evidence for ids of breeds. */
export interface BreedIdClues {
  readonly ids: readonly Ids[]
  readonly homes: readonly Home[]
}

/** The place of a breed's id in elements of cats, and the breeds by id. */
export interface BreedById {
  readonly place: Place
  readonly nameOf: ReadonlyMap<string, string>
}

/** A cat's `breed_id` is the breed's `id` or `breed_id`. */
const keyOf = (place: Place): string => plainKey(place.at(-1) ?? '').replace(/^(cat)?(breed|race)/, '')

/** An id as text: some are numbers in one place and strings in another. */
const idText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** The columns of a list of breeds in which all values differ. */
function idsIn(elements: readonly unknown[], name: Place): Ids[] {
  const names = elements.map(reader(name))
  return scalarPlaces(elements)
    .filter(({ place }) => pointer(place) !== pointer(name))
    .flatMap(({ place }) => {
      const nameOf = new Map<string, string>()
      for (const [nth, id] of elements.map(reader(place)).map(idText).entries()) {
        const breed = names[nth]
        if (id !== undefined && typeof breed === 'string') nameOf.set(id, breed)
      }
      return nameOf.size > 1 && nameOf.size === elements.length ? [{ key: keyOf(place), nameOf }] : []
    })
}

function textsIn(value: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  walk(
    value,
    8,
    () => true,
    (text) => void (typeof text === 'string' && found.add(text)),
  )
  return found
}

/**
 * @param breeds the list of breeds: its response, the place of the list, and the names of its elements
 * @param lists breeds with the responses that list their cats
 */
export const breedIdClues = (
  breeds: { readonly value: unknown; readonly list: Place; readonly name: Place },
  lists: readonly { readonly breed: string; readonly value: unknown }[],
): BreedIdClues => ({
  ids: arraysIn(breeds.value)
    .filter(({ place }) => pointer(place) === pointer(breeds.list))
    .flatMap(({ elements }) => idsIn(elements, breeds.name)),
  homes: lists.map(({ breed, value }) => ({ breed, texts: textsIn(value) })),
})

/**
 * Finds the place of breed ids in elements of cats: the ids of most cats are those of the breeds whose lists contain
 * them.
 * @param tell called if an element may show an id
 */
export async function breedById(
  elements: readonly unknown[],
  name: Place,
  tell: () => Promise<BreedIdClues>,
): Promise<BreedById | undefined> {
  const places = scalarPlaces(elements).filter(({ place }) => isOwnBreed(place, name))
  if (places.length === 0) return undefined
  const { ids, homes } = await tell()
  const candidates = places.flatMap(({ place }) =>
    ids.filter(({ key }) => key === (keyOf(place) || 'id')).map(({ nameOf }) => ({ place, nameOf })),
  )
  return candidates.find((one) => {
    const read = breedReader({ breedId: one })
    return agreesWithLists(elements, name, homes, (element, breed) => read?.(element) === breed)
  })
}

/**
 * Returns whether most elements show the breeds whose lists contain them.
 * @param shows whether an element shows a breed
 */
export function agreesWithLists(
  elements: readonly unknown[],
  name: Place,
  homes: BreedIdClues['homes'],
  shows: (element: unknown, breed: string) => boolean,
): boolean {
  const cats = elements.flatMap((element) => {
    const cat = at(element, name)
    const own = homes.filter(({ texts }) => typeof cat === 'string' && texts.has(cat))
    return own.length === 1 && own[0] ? [{ element, breed: own[0].breed }] : []
  })
  return cats.filter(({ element, breed }) => shows(element, breed)).length * 2 > cats.length
}

/** Reads the breed that an element shows, by name or by id. */
export function breedReader({
  breed,
  breedId,
}: {
  readonly breed?: Place | undefined
  readonly breedId?: BreedById | undefined
}): ((element: unknown) => string | undefined) | undefined {
  const read = breed && reader(breed)
  if (read) return (element) => stringOrNothing(read(element))
  const readId = breedId && reader(breedId.place)
  return readId && ((element) => breedId.nameOf.get(idText(readId(element)) ?? ''))
}

/** An empty string shows no breed. */
const stringOrNothing = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
