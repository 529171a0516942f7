import type { OneVersion } from '../../../directory/deployment.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import type { ListReading, Named } from '../../../directory/readings/list-reading.ts'
import { folded, quoted } from '../../../directory/shared/text.ts'
import type { Asker, Read, Subject } from '../../../engine/check/readers.ts'
import { broken } from '../../../engine/check/violations.ts'
import { pastCaches } from '../../../engine/http/client/past-caches.ts'
import { forEach } from '../check.ts'

type Asked = Pick<OneVersion, 'directory' | 'newValue'>
type Pair = readonly [first: string, second: string]

/** Repetitions; only a cache that has just stored the first list returns it for the second every time. */
const ROUNDS = 3
const MOST_PAIRS = 2

/** Pairs of breeds that a cache may confuse: their names differ only in case, accents or normalisation. */
function pairsAlike(breeds: readonly string[]): readonly Pair[] {
  const known = new Map<string, string>()
  const pairs = breeds.flatMap((breed): readonly Pair[] => {
    const like = known.get(folded(breed))
    known.set(folded(breed), breed)
    return like === undefined || like === breed ? [] : [[like, breed]]
  })
  return pairs.slice(0, MOST_PAIRS)
}

const asList = (reading: ListReading): Named | undefined => (reading.kind === 'list' ? reading : undefined)

/**
 * The cats of both lists that are missing when each URL is new. The URLs of a pair differ only in the breed, and no
 * cache has a copy of either.
 */
async function tornOnce(
  { directory: { catsOf }, newValue }: Asked,
  [first, second]: Pair,
  ask: Asker,
): Promise<readonly string[]> {
  const read = async (breed: string, value: string) =>
    asList(await catsOf(breed).take((request) => ask({ ...request, target: pastCaches(request.target, value) })))
  const shared = newValue()
  const one = await read(first, shared)
  const other = await read(second, shared)
  const [own, othersOwn] = [await read(first, newValue()), await read(second, newValue())]
  if (!one || !other || !own || !othersOwn) return []
  return one.names.filter((cat) => other.has(cat) && !(own.has(cat) && othersOwn.has(cat)))
}

const inARow = (target: Asked, pair: Pair): Subject<readonly string[]> => ({
  key: `${target.directory.version} ${JSON.stringify(pair)} one after the other`,
  async take(ask) {
    let torn = await tornOnce(target, pair, ask)
    for (let round = 1; round < ROUNDS && torn.length > 0; round++) {
      const again = await tornOnce(target, pair, ask)
      torn = torn.filter((cat) => again.includes(cat))
    }
    return torn
  },
})

/** Finds a cache that ignores case although listed names differ by case only (R6.7). */
export const askedOneAfterTheOther = forEach<Pair, OneVersion>(
  async ({ directory }, read: Read) => pairsAlike(await pathNames(directory.breeds, read)),
  async (pair, target, read) => {
    const [first, second] = pair
    const subject = inARow(target, pair)
    const torn = await read(subject)
    const [cat] = torn
    if (cat === undefined) return
    broken({
      expected: `the cats of ${quoted(second)} alone, also right after a request for ${quoted(first)}`,
      actual: `right after a request for ${quoted(first)}, the list of ${quoted(second)} contains ${quoted(cat)} of the other breed; it does not otherwise: a cache may mix up the two`,
      shownBy: [subject],
      about: torn,
      isWrongByItself: true,
    })
  },
  { textOf: (pair) => pair.map(quoted).join(' and ') },
)
