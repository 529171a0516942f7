import type { Deployment } from '../../directory/deployment.ts'
import { type ListReading, type Named, standsElsewhere } from '../../directory/readings/list-reading.ts'
import { firstRepeated, namesIn } from '../../directory/readings/names.ts'
import { returned, whyNoList } from '../../directory/readings/why-no-list.ts'
import { counted, quoted } from '../../directory/shared/text.ts'
import type { Read, Subject } from '../../engine/check/readers.ts'
import { broken, type Contradiction } from '../../engine/check/violations.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'

/** A list that can be requested. */
export interface Listing {
  readonly of: string
  readonly subject: Subject<ListReading>
  /** The name that selects it, if other names select other lists. */
  readonly about?: readonly string[]
  /** The list that contains this name. */
  readonly listedBy?: Subject<ListReading>
  /** Some lists of the same operation for listed names; the list itself if there is only one. */
  readonly likes?: () => Promise<readonly Subject<ListReading>[]>
}

const aboutIt = ({ about }: Listing) => (about ? { about } : {})

/** Returns whether any other operation of the deployment answers in JSON (R2.2). */
export async function answersInJson({ directories }: Deployment, read: Read): Promise<boolean> {
  const subjects = directories.flatMap(({ cats, breeds }) => [cats, breeds])
  const kinds = await Promise.all(subjects.map(async (subject) => (await read(subject)).kind))
  return kinds.some((kind) => kind === 'list' || kind === 'not-a-list' || kind === 'unreadable')
}

export const saysJson = (mediaType: string): boolean => /[/+]json\b/i.test(mediaType)

/** Fails if a request for a listed name gets no 2xx (R1.1). */
export async function served(listing: Listing, read: Read): Promise<void> {
  const { subject, listedBy } = listing
  const reading = await read(subject)
  if (reading.kind !== 'refused' && reading.kind !== 'failed') return
  broken({
    expected: `a 2xx response for ${listing.of}`,
    actual: returned(listing.of, reading, whyNoList(reading)),
    manner: whyNoList(reading),
    shownBy: [...(listedBy ? [listedBy] : []), subject],
    ...aboutIt(listing),
  })
}

/** A common mistake in the JSON occurs in all responses of the same toolchain. */
export const habitOf = ({ habit }: { readonly habit?: string }): Pick<Contradiction, 'everywhere'> =>
  habit === undefined ? {} : { everywhere: habit }

export async function inJson(listing: Listing, deployment: Deployment, read: Read): Promise<void> {
  const { subject } = listing
  const reading = await read(subject)
  if (reading.kind !== 'not-json') return
  if (!saysJson(reading.mediaType) && !(await answersInJson(deployment, read))) {
    throw new Inconclusive('unreadable', 'no response is JSON, the only format that this suite reads')
  }
  broken({
    expected: 'one well-formed JSON text in UTF-8',
    actual: `${returned(listing.of, reading, whyNoList(reading))} (${reading.mediaType || 'no media type'})`,
    manner: `${whyNoList(reading)} (${reading.mediaType || 'no media type'})`,
    shownBy: [subject],
    ...aboutIt(listing),
    ...habitOf(reading),
    isWrongByItself: true,
  })
}

/**
 * Fails if a response with a JSON media type, or a 2xx of a search, is not JSON (R2.2). In a path, a string may lead to
 * another route, whose response is open.
 */
export async function anyInJson(listing: Listing, isSearch: boolean, read: Read): Promise<void> {
  const { subject } = listing
  const reading = await read(subject)
  if (reading.kind !== 'not-json' || !(saysJson(reading.mediaType) || (isSearch && !reading.isEmpty))) return
  broken({
    expected: 'one well-formed JSON text in UTF-8',
    actual: `${returned(listing.of, reading, whyNoList(reading))} (${reading.mediaType || 'no media type'})`,
    manner: `${whyNoList(reading)} (${reading.mediaType || 'no media type'})`,
    shownBy: [subject],
    ...aboutIt(listing),
    ...habitOf(reading),
    isWrongByItself: true,
  })
}

/**
 * Fails if the place of the names has changed in all lists of an operation. A release during the run, or first
 * responses without evidence, are no violation: the inferred shape is then outdated.
 * @param likes requested only if the place of the names has changed in this list
 */
export async function isToldNoMore(
  reading: ListReading,
  likes: () => Promise<readonly Subject<ListReading>[]>,
  read: Read,
): Promise<boolean> {
  if (!standsElsewhere(reading)) return false
  const all = await Promise.all((await likes()).map(read))
  return [reading, ...all].every((one) => namesIn(one).length === 0)
}

/** @throws {Inconclusive} if no list of the operation has the inferred shape any more */
async function refuseNewPlace(reading: ListReading, { of, likes }: Listing, read: Read): Promise<void> {
  if (!(await isToldNoMore(reading, likes ?? (async () => []), read))) return
  const what = reading.kind === 'list' ? `no name at its place: ${reading.nameless}` : whyNoList(reading)
  throw new Inconclusive(
    'drift',
    `the list is at another place in the response than at the start of the run: ${of} returned ${what}`,
  )
}

export async function anArray(listing: Listing, read: Read): Promise<void> {
  const { subject } = listing
  const reading = await read(subject)
  if (reading.kind !== 'not-a-list' && !(reading.kind === 'nothing' && reading.status === 200)) return
  await refuseNewPlace(reading, listing, read)
  broken({
    expected:
      'a JSON array, at the top level or in an envelope, at the same place as in the other lists of this operation',
    actual: returned(listing.of, reading, whyNoList(reading)),
    manner: whyNoList(reading),
    shownBy: [subject],
    ...aboutIt(listing),
    // An object is no list of anything; null may be the response for a deleted breed.
    ...(reading.kind === 'not-a-list' && { isWrongByItself: true }),
  })
}

/**
 * Fails if an input that matches nothing gets neither a 4xx nor an empty list (R12.1): JSON without an array (R3.8), or a
 * page of HTML where lists are JSON (R2.2).
 * @param isSearch if true, null is refused too (R3.9), and pages of HTML are left to `anyInJson`
 */
export async function anArrayOrRefusal(listing: Listing, isSearch: boolean, read: Read): Promise<void> {
  const { subject } = listing
  const reading = await read(subject)
  const isNull = isSearch && reading.kind === 'nothing' && reading.status === 200
  const isPage = !isSearch && reading.kind === 'not-json' && !reading.isEmpty
  if (reading.kind !== 'not-a-list' && !isNull && !isPage) return
  await refuseNewPlace(reading, listing, read)
  broken({
    expected: 'a 4xx, or an empty list',
    actual: `${listing.of} returned a 2xx with ${whyNoList(reading)}`,
    manner: `a 2xx with ${whyNoList(reading)}`,
    shownBy: [subject],
    ...aboutIt(listing),
    isWrongByItself: true,
  })
}

/** A cause for which lists differ when they are compared by name. */
export const NAMELESS = 'an element without a name'

/** Fails if an element has no string name and the others have one (R4.2). */
export async function withNames(listing: Listing, element: string, read: Read): Promise<void> {
  const { subject } = listing
  const reading = await read(subject)
  if (reading.kind === 'unreadable') throw new Inconclusive('unreadable', `${listing.of}: ${reading.why}`)
  await withoutNameless(listing, element, read)
}

export async function withoutNameless(listing: Listing, element: string, read: Read): Promise<void> {
  const { subject } = listing
  const reading = await read(subject)
  if (reading.kind !== 'list' || reading.nameless === undefined) return
  await refuseNewPlace(reading, listing, read)
  broken({
    expected: `every ${element} in the list has a name (a string) at the same place`,
    actual: `${listing.of} contains an element without a name: ${reading.nameless}`,
    manner: `an element without a name: ${reading.nameless}`,
    shownBy: [subject],
    causes: [NAMELESS],
    ...aboutIt(listing),
    isWrongByItself: true,
  })
}

export async function onlyOnce(listing: Listing, element: string, read: Read): Promise<void> {
  const { subject } = listing
  const list = await read(subject)
  const repeated = list.kind === 'list' ? firstRepeated(list) : undefined
  if (list.kind !== 'list' || repeated === undefined) return
  const forgotten = forgottenBefore(list, list.names.lastIndexOf(repeated))
  broken({
    expected: `the list contains each ${element} once`,
    actual: `${listing.of} contains ${quoted(repeated)} ${timesOf(list.names, repeated)}${said(forgotten)}`,
    manner: `${quoted(repeated)} more than once${said(forgotten)}`,
    shownBy: [subject],
    about: [repeated],
    // A name repeated on the next page has displaced another one.
    ...(list.pages > 1 && { isOfAnything: true, everywhere: forgotten ?? 'pages overlap' }),
    // An insertion between two pages moves the last name of one page to the next.
    ...(list.pages === 1 && { isWrongByItself: true, everywhere: twice(repeated) }),
  })
}

function timesOf(names: readonly string[], name: string): string {
  const times = names.filter((one) => one === name).length
  return times === 2 ? 'twice' : `${times} times`
}

/** The cause if a name occurs twice in one list or in two: two elements have that name. */
export const twice = (name: string): string => `two are called ${quoted(name)}`

/**
 * Returns the fault of the pages if a name is wrong on a later page, or missing: the link to it drops a parameter, or the
 * links end before it.
 * @param nth the place of the wrong name; below 0 if a name is missing
 */
export function forgottenBefore({ forgets, endsEarly, names }: Named, nth: number): string | undefined {
  if (forgets && (nth < 0 || nth >= forgets.after))
    return `the link to the next page drops the parameter ${forgets.parameters.join(', ')}`
  if (endsEarly && nth < 0)
    return `its links or tokens to the next page end after ${counted(names.length, 'name')}, though there are more`
  return undefined
}

export const said = (forgotten: string | undefined): string => (forgotten === undefined ? '' : `; ${forgotten}`)
