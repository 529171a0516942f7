import type { Directory } from '../directory/facts/directory.ts'
import { selectNamesForInputs } from '../directory/inputs/listed-names.ts'
import { nameLengths, queryLengths } from '../directory/inputs/trouble-strings.ts'
import type { ListReading } from '../directory/readings/list-reading.ts'
import { readDistinctNames } from '../directory/readings/names.ts'
import type { Reader, Resource } from '../engine/check/readers.ts'
import { describeListResponse } from './shared/lists.ts'
import { createObserver } from './shared/observe.ts'

/** The length that is assumed to be accepted if even the shortest tested text was refused. */
const MIN_ACCEPTED_LENGTH = 3

/**
 * Finds the boundary between accepted and refused lengths by bisection. Returns the accepted length next to it.
 * @param accepted an accepted length; it may be shorter or longer than `refused`
 */
async function findBoundary(
  accepted: number,
  refused: number,
  isAccepted: (n: number) => Promise<boolean>,
): Promise<number> {
  let [inside, outside] = [accepted, refused]
  while (Math.abs(outside - inside) > 1) {
    const middle = (inside + outside) >> 1
    if (await isAccepted(middle)) inside = middle
    else outside = middle
  }
  return inside
}

/** The requests that find the longest text that an operation accepts. */
interface SizeProbe {
  /** The tested lengths, from the shortest. */
  readonly lengths: readonly number[]
  readonly resourceOf: (text: string) => Resource<ListReading>
  /** A short name that no cat or breed has. The responses to other names are compared with the response to this one. */
  readonly controlName: string
}

/**
 * Finds the longest text that the service accepts. A text counts as refused if its status differs from that for a short
 * unlisted text. Returns the choice, e.g. `255 characters, then status 414, no body`.
 */
async function findLongestServed({ lengths, resourceOf, controlName }: SizeProbe, { read, exchangesFor }: Reader) {
  const unknown = await read(resourceOf(controlName))
  const statusOf = (reading: ListReading) => (reading.kind === 'refused' ? reading.status : undefined)
  const textOf = (length: number) => resourceOf('a'.repeat(length))
  const isAccepted = async (length: number) => {
    const status = statusOf(await read(textOf(length)))
    return status === undefined || status === statusOf(unknown)
  }
  const areAccepted = await Promise.all(lengths.map(isAccepted))
  const first = areAccepted.indexOf(false)
  const last = lengths.at(-1) ?? MIN_ACCEPTED_LENGTH
  if (first < 0) return { value: `${last} characters and more`, shownBy: [textOf(last)] }
  const longest = await findBoundary(lengths[first - 1] ?? MIN_ACCEPTED_LENGTH, lengths[first] ?? last, isAccepted)
  const resource = textOf(longest + 1)
  const reading = await read(resource)
  return {
    value: `${longest} characters, then ${describeListResponse(reading, exchangesFor(resource)[0])}`,
    shownBy: [resource],
  }
}

/** An ending that no listed name has. */
const UNLISTED_ENDING = 'zq'.repeat(20)

/**
 * Finds the length at which a search silently cuts the query: the longest listed name with a different ending still
 * finds the cat, and with a different beginning does not.
 * @returns the number of characters that are not cut off; undefined if the search does not cut the query
 */
async function findTruncationLength(directory: Directory, { read }: Reader): Promise<number | undefined> {
  const [name] = selectNamesForInputs(await readDistinctNames(directory.cats, read)).toSorted(
    (a, b) => b.length - a.length,
  )
  if (name === undefined) return undefined
  const finds = async (text: string) => {
    const reading = await read(directory.search(text))
    return reading.kind === 'list' && reading.has(name)
  }
  const isCutAt = (length: number) => finds(name.slice(0, length) + UNLISTED_ENDING)
  if (!(await isCutAt(name.length)) || (await finds(UNLISTED_ENDING + name))) return undefined
  return findBoundary(name.length, 0, isCutAt)
}

export const sizeObservers = [
  createObserver({ id: 'O-SIZE', operation: 'searchCats', sendsOwnRequests: true }, async ({ target, readings }) => {
    const { search, controlName } = target.directory
    const [served, cut] = await Promise.all([
      findLongestServed({ lengths: queryLengths, resourceOf: search, controlName: controlName() }, readings),
      findTruncationLength(target.directory, readings),
    ])
    return cut === undefined ? served : { ...served, value: `${served.value}; cut in silence after ${cut}` }
  }),
  createObserver({ id: 'O-SIZE', operation: 'listCatsOfBreed', sendsOwnRequests: true }, ({ target, readings }) => {
    const { catsOf, controlName } = target.directory
    return findLongestServed({ lengths: nameLengths, resourceOf: catsOf, controlName: controlName() }, readings)
  }),
]
