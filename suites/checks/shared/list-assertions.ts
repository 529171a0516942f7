import type { Deployment } from '../../directory/deployment.ts'
import { describeNonList, describeUnexpectedResponse } from '../../directory/readings/describe-non-list.ts'
import { type ListReading, type NonListReading, placesOfOtherNames } from '../../directory/readings/list-reading.ts'
import { isJsonMediaType } from '../../directory/readings/media-type.ts'
import { findRepeatedName, namesOfReading } from '../../directory/readings/names.ts'
import { formatListPin } from '../../directory/shapes/unreadable-shape.ts'
import { findOperationOfTarget } from '../../directory/shared/targets.ts'
import { quoted } from '../../directory/shared/text.ts'
import type { Read, Resource } from '../../engine/check/readers.ts'
import { type Contradiction, reportViolation } from '../../engine/check/violations.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { adviseOnPages, findPagingFault, formatFaultSuffix } from './paging-faults.ts'

/** A list to test, and what findings say about it. */
export interface TestedList {
  /** The list as a noun phrase, e.g. `the list of all cats (v2)`. */
  readonly description: string
  readonly resource: Resource<ListReading>
  /**
   * The breed or query that selects the list. Findings report it as an affected name. Undefined if the operation has
   * only one list.
   */
  readonly namesAtFault?: readonly string[]
  /** The list from which the selecting name was taken, e.g. the list of breeds for the list of a breed's cats. */
  readonly listedBy?: Resource<ListReading>
  /** Advice if the list is refused although the name that selects it needs no decoding. */
  readonly fixForOrdinaryInputs?: string
  /** The noun for an element of the list. */
  readonly element: 'cat' | 'breed'
  /** True if the list is a search result. */
  readonly isSearch?: boolean
  /** Returns a few other lists of the same operation, or the list itself if the operation has only one. */
  readonly findSimilarLists?: () => Promise<readonly Resource<ListReading>[]>
}

/** Describes what returned a list, e.g. `the search for "Tom"` for `the result of a search for "Tom"`. */
const describeSource = ({ description }: TestedList): string => description.replace(/^the result of a /, 'the ')

const namesOf = ({ namesAtFault }: TestedList) => (namesAtFault ? { names: { atFault: namesAtFault } } : {})

/**
 * Requires that a body that is not JSON should be JSON: by its media type, or because other operations respond in JSON.
 * @throws {Inconclusive} if its media type is not JSON, and no list of cats or breeds is JSON (R2.2)
 */
export async function requireJsonInAnyOperation(
  mediaType: string,
  { directories }: Deployment,
  read: Read,
): Promise<void> {
  if (isJsonMediaType(mediaType)) return
  const resources = directories.flatMap(({ cats, breeds }) => [cats, breeds])
  const kinds = await Promise.all(resources.map(async (resource) => (await read(resource)).kind))
  if (!kinds.some((kind) => kind === 'list' || kind === 'not-a-list' || kind === 'unreadable'))
    throw new Inconclusive('unreadable', 'no response is JSON, the only format that this suite reads')
}

/** Fails if a request for a listed name gets no 2xx (R1.1). */
export async function assertServed(listing: TestedList, read: Read): Promise<void> {
  const { resource, listedBy } = listing
  const reading = await read(resource)
  if (reading.kind !== 'refused' && reading.kind !== 'failed') return
  reportViolation({
    expected: `a 2xx response for ${listing.description}`,
    actual: describeUnexpectedResponse(describeSource(listing), reading, describeNonList(reading)),
    defectKind: describeNonList(reading),
    shownBy: [...(listedBy ? [listedBy] : []), resource],
    ...namesOf(listing),
    ...(reading.kind === 'refused' &&
      listing.fixForOrdinaryInputs !== undefined && { fixForOrdinaryInputs: listing.fixForOrdinaryInputs }),
  })
}

/**
 * Returns a known mistake in JSON, e.g. a byte order mark, as a cause that findings of several operations share:
 * probably the same software makes the mistake in all responses. Returns an empty object if no mistake is known.
 */
export const createCauseOfKnownMistake = ({
  knownMistake,
}: {
  readonly knownMistake?: string
}): Pick<Contradiction, 'crossOperationCause'> =>
  knownMistake === undefined ? {} : { crossOperationCause: knownMistake }

/** The cause of findings about a body that is not JSON. Findings with the same cause are reported only once. */
export const NOT_JSON_CAUSE = 'a body that is not JSON'

/** Fails if the response for a listed name is not JSON (R2.2). */
export async function assertJson(listing: TestedList, read: Read, deployment: Deployment): Promise<void> {
  const reading = await read(listing.resource)
  if (reading.kind !== 'not-json') return
  await requireJsonInAnyOperation(reading.mediaType, deployment, read)
  reportNotJson(listing, reading)
}

/**
 * Fails if a response with a JSON media type, or a 2xx of a search, is not JSON (R2.2). Other responses to a string in
 * a path are not judged, because the string may lead to another route.
 */
export async function assertJsonForArbitraryString(listing: TestedList, read: Read): Promise<void> {
  const reading = await read(listing.resource)
  if (reading.kind !== 'not-json' || !(isJsonMediaType(reading.mediaType) || (listing.isSearch && !reading.isEmpty)))
    return
  reportNotJson(listing, reading)
}

function reportNotJson(listing: TestedList, reading: NonListReading & { readonly kind: 'not-json' }): never {
  const mediaType = reading.mediaType || 'no media type'
  return reportViolation({
    expected: 'one well-formed JSON text in UTF-8',
    actual: `${describeUnexpectedResponse(describeSource(listing), reading, describeNonList(reading))} (${mediaType})`,
    defectKind: `${describeNonList(reading)} (${mediaType})`,
    shownBy: [listing.resource],
    ...namesOf(listing),
    causes: [NOT_JSON_CAUSE],
    ...createCauseOfKnownMistake(reading),
    isWrongByItself: true,
  })
}

/**
 * Returns whether all lists of an operation now have their names at another place in the JSON. If so, the service was
 * changed during the run, e.g. by a release, and no check fails.
 * @param findSimilarLists called only if the names of this list are at another place
 */
export async function hasNamePlaceMoved(
  reading: ListReading,
  findSimilarLists: () => Promise<readonly Resource<ListReading>[]>,
  read: Read,
): Promise<boolean> {
  if (placesOfOtherNames(reading).length === 0) return false
  const all = await Promise.all((await findSimilarLists()).map(read))
  return [reading, ...all].every((one) => namesOfReading(one).length === 0)
}

const TEST_AGAIN_ADVICE =
  'Test again while the service does not change. If the names are always elsewhere, pin their place in a profile'

/**
 * @throws {Inconclusive} if no list of the operation has its names any more at the place in the JSON where they were at
 * the start of the run
 */
async function requireInferredPlace(reading: ListReading, listing: TestedList, read: Read): Promise<void> {
  if (!(await hasNamePlaceMoved(reading, listing.findSimilarLists ?? (async () => []), read))) return
  const returned =
    reading.kind === 'list'
      ? `an element without a name at the earlier place: ${reading.namelessElement?.shown}`
      : describeNonList(reading)
  const { operation = 'listCats' } = findOperationOfTarget(listing.resource.key) ?? {}
  const [place = { list: [], name: [] }] = placesOfOtherNames(reading)
  const pin = formatListPin(operation, place)
  throw new Inconclusive(
    'drift',
    `the place of the list or of its names in the JSON changed during the run: ${describeSource(listing)} returned ${returned}`,
    { resource: listing.resource, advice: { text: `${TEST_AGAIN_ADVICE}: ${pin}`, pins: [pin] } },
  )
}

/** Returns whether the response is the JSON value null. */
const isNull = (reading: ListReading): boolean => reading.kind === 'nothing' && reading.status === 200

/** Fails if the response for a listed name is JSON without an array, or null (R3.8). */
export async function assertArray(listing: TestedList, read: Read): Promise<void> {
  const { resource } = listing
  const reading = await read(resource)
  if (reading.kind !== 'not-a-list' && !isNull(reading)) return
  await requireInferredPlace(reading, listing, read)
  reportViolation({
    expected: 'a JSON array, at the top level or in an envelope, at the same place in every response of this operation',
    actual: describeUnexpectedResponse(describeSource(listing), reading, describeNonList(reading)),
    defectKind: describeNonList(reading),
    shownBy: [resource],
    ...namesOf(listing),
    // An object is never a list, so one response proves the violation. The value null proves nothing: the breed may
    // just have been deleted.
    ...(reading.kind === 'not-a-list' && { isWrongByItself: true }),
  })
}

/**
 * Fails if an input that matches nothing gets neither a 4xx nor an empty list (R12.1), e.g. JSON without an array
 * (R3.8), or an HTML page where other lists are JSON (R2.2). In a search, null fails, too (R3.9). HTML pages in a
 * search are left to `assertJsonForArbitraryString`.
 */
export async function assertArrayOrRefusal(listing: TestedList, read: Read): Promise<void> {
  const { resource, isSearch } = listing
  const reading = await read(resource)
  const isNullInSearch = isSearch && isNull(reading)
  const isPage = !isSearch && reading.kind === 'not-json' && !reading.isEmpty
  if (reading.kind !== 'not-a-list' && !isNullInSearch && !isPage) return
  await requireInferredPlace(reading, listing, read)
  reportViolation({
    expected: 'a JSON array (empty if nothing is found), or a 4xx',
    actual: `${describeSource(listing)} returned ${isNullInSearch ? '' : 'a 2xx with '}${describeNonList(reading)}`,
    defectKind: `a 2xx with ${describeNonList(reading)}`,
    shownBy: [resource],
    ...namesOf(listing),
    ...(isPage && { fix: FIX_OF_PAGE }),
    isWrongByItself: true,
  })
}

const FIX_OF_PAGE =
  'If nothing has the name, answer with 404, or with an empty JSON array. Do not answer with an HTML page and status 200: set the status in the error handler (Express: `res.status(404)`; PHP: `http_response_code(404)`), and let no fallback of a single-page application (nginx `try_files … /index.html`) serve these paths.'

/** The cause of findings about an element without a name, and of the differences between lists that it explains. */
export const NAMELESS_CAUSE = 'an element without a name'

/**
 * Fails if an element has no string name while others have one (R4.2).
 * @throws {Inconclusive} if it is unknown where the elements have their names (R4.3)
 */
export async function assertElementsHaveNames(listing: TestedList, read: Read): Promise<void> {
  const { resource } = listing
  const reading = await read(resource)
  if (reading.kind === 'unreadable')
    throw new Inconclusive('unreadable', `${listing.description}: ${reading.why}`, { resource, advice: reading.advice })
  await assertNoNamelessElements(listing, read)
}

/** Fails if an element has no string name while others have one (R4.2). Passes if the place of the names is unknown. */
export async function assertNoNamelessElements(listing: TestedList, read: Read): Promise<void> {
  const { resource, element } = listing
  const reading = await read(resource)
  if (reading.kind !== 'list' || reading.namelessElement === undefined) return
  await requireInferredPlace(reading, listing, read)
  const { shown, namePlace } = reading.namelessElement
  reportViolation({
    expected: `every ${element} in the list has a name (a string), at the same place in each element`,
    actual: `${listing.description} contains ${shown} as an element, ${namePlace === '' ? 'but a name must be a string' : `which has no string at ${namePlace}, the place of the name`}`,
    defectKind: NAMELESS_CAUSE,
    shownBy: [resource],
    causes: [NAMELESS_CAUSE],
    place: { element: shown },
    ...(reading.names.length > 0 && { names: { unreadableCount: reading.size - reading.names.length } }),
    ...namesOf(listing),
    isWrongByItself: true,
  })
}

/** Fails if a list contains a name twice (R5.1, R5.2, R8.2). */
export async function assertNoDuplicates(listing: TestedList, read: Read): Promise<void> {
  const { resource, element } = listing
  const list = await read(resource)
  const repeated = list.kind === 'list' ? findRepeatedName(list) : undefined
  if (list.kind !== 'list' || repeated === undefined) return
  const fault = findPagingFault(list, { index: list.names.lastIndexOf(repeated) })
  reportViolation({
    expected: `the list contains each ${element} once`,
    actual: `${listing.description} contains ${quoted(repeated)} ${describeOccurrences(list.names, repeated)}${formatFaultSuffix(fault)}`,
    defectKind: `${quoted(repeated)} more than once${formatFaultSuffix(fault)}`,
    shownBy: [resource],
    names: { atFault: [repeated] },
    place: 'repeated name',
    ...adviseOnPages(fault, list),
    // If pages overlap, a repeated name takes the place of another one. This explains further findings: missing names.
    ...(list.pages > 1 && { relation: 'explains all' as const, crossOperationCause: fault ?? 'pages overlap' }),
    // On several pages, a repetition proves nothing: a cat added between two requests moves another to the next page.
    ...(list.pages === 1 && { isWrongByItself: true, crossOperationCause: describeDuplicate(repeated) }),
  })
}

function describeOccurrences(names: readonly string[], name: string): string {
  const times = names.filter((one) => one === name).length
  return times === 2 ? 'twice' : `${times} times`
}

/** Describes the cause of findings about a name in two lists, or twice in one: two cats or breeds have the same name. */
export const describeDuplicate = (name: string): string => `two are called ${quoted(name)}`
