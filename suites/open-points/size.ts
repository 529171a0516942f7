import type { Directory } from '../directory/facts/directory.ts'
import { someOfMany } from '../directory/inputs/own-names.ts'
import { nameLengths, queryLengths } from '../directory/inputs/trouble-strings.ts'
import type { ListReading } from '../directory/readings/list-reading.ts'
import { distinctNames } from '../directory/readings/names.ts'
import type { Reader, Subject } from '../engine/check/readers.ts'
import { listText } from './shared/lists.ts'
import { observe } from './shared/observe.ts'

/** A length that every service accepts, if nothing shorter was tested. */
const SHORTEST = 3

/**
 * Finds the boundary between accepted and refused lengths by bisection.
 * @param isTaken true for `taken` and false for `refused`
 * @returns the last accepted length
 */
async function boundary(taken: number, refused: number, isTaken: (n: number) => Promise<boolean>): Promise<number> {
  let [inside, outside] = [taken, refused]
  while (Math.abs(outside - inside) > 1) {
    const middle = (inside + outside) >> 1
    if (await isTaken(middle)) inside = middle
    else outside = middle
  }
  return inside
}

interface Sizes {
  readonly lengths: readonly number[]
  readonly of: (text: string) => Subject<ListReading>
  /** The request for a control name. */
  readonly nothing: Subject<ListReading>
}

/** The longest text that is not refused for its form, by the response to a short unlisted one. */
async function longestServed({ lengths, of, nothing }: Sizes, { read, evidence }: Reader) {
  const unknown = await read(nothing)
  const statusOf = (reading: ListReading) => (reading.kind === 'refused' ? reading.status : undefined)
  const textOf = (length: number) => of('a'.repeat(length))
  const isTaken = async (length: number) => {
    const status = statusOf(await read(textOf(length)))
    return status === undefined || status === statusOf(unknown)
  }
  const taken = await Promise.all(lengths.map(isTaken))
  const first = taken.indexOf(false)
  const last = lengths.at(-1) ?? SHORTEST
  if (first < 0) return { value: `${last} characters and more`, shownBy: [textOf(last)] }
  const refused = await boundary(lengths[first - 1] ?? SHORTEST, lengths[first] ?? last, isTaken)
  const subject = textOf(refused + 1)
  const reading = await read(subject)
  return { value: `${refused} characters, then ${listText(reading, evidence(subject)[0])}`, shownBy: [subject] }
}

/** An ending that no listed name has. */
const OTHER_TAIL = 'zq'.repeat(20)

/**
 * Returns whether the longest listed name with another ending still finds it, while another beginning does not: then
 * names are cut.
 * @returns the number of characters after which they are cut
 */
async function cutAfter(directory: Directory, { read }: Reader): Promise<number | undefined> {
  const [name] = someOfMany(await distinctNames(directory.cats, read)).toSorted((a, b) => b.length - a.length)
  if (name === undefined) return undefined
  const finds = async (text: string) => {
    const reading = await read(directory.search(text))
    return reading.kind === 'list' && reading.has(name)
  }
  const isCutAt = (length: number) => finds(name.slice(0, length) + OTHER_TAIL)
  if (!(await isCutAt(name.length)) || (await finds(OTHER_TAIL + name))) return undefined
  return boundary(name.length, 0, isCutAt)
}

export const sizes = [
  observe('O-SIZE', 'searchCats', async ({ target, readings }) => {
    const { search, controlName } = target.directory
    const all = { lengths: queryLengths, of: search, nothing: search(controlName()) }
    const [served, cut] = await Promise.all([longestServed(all, readings), cutAfter(target.directory, readings)])
    return cut === undefined ? served : { ...served, value: `${served.value}; cut in silence after ${cut}` }
  }),
  observe('O-SIZE', 'listCatsOfBreed', ({ target: { directory }, readings }) =>
    longestServed(sizesOfBreeds(directory), readings),
  ),
]

const sizesOfBreeds = ({ catsOf, controlName }: Directory): Sizes => ({
  lengths: nameLengths,
  of: catsOf,
  nothing: catsOf(controlName()),
})
