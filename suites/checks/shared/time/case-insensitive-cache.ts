import type { VersionTarget } from '../../../directory/deployment.ts'
import { readPathNames } from '../../../directory/inputs/listed-names.ts'
import type { ListReading, NameList } from '../../../directory/readings/list-reading.ts'
import { foldText, quoted } from '../../../directory/shared/text.ts'
import type { Read, SendRequest, Subject } from '../../../engine/check/readers.ts'
import { reportViolation } from '../../../engine/check/violations.ts'
import { bypassCaches } from '../../../engine/http/client/past-caches.ts'
import { forEach } from '../check.ts'

type SequenceTarget = Pick<VersionTarget, 'directory' | 'createUniqueValue'>
type BreedPair = readonly [first: string, second: string]

/** Repetitions; only a cache that has just stored the first list returns it for the second every time. */
const ROUNDS = 3
const MAX_PAIRS = 2

/** Pairs of breeds that a cache may confuse: their names differ only in case, accents or normalisation. */
function findSimilarBreeds(breeds: readonly string[]): readonly BreedPair[] {
  const known = new Map<string, string>()
  const pairs = breeds.flatMap((breed): readonly BreedPair[] => {
    const like = known.get(foldText(breed))
    known.set(foldText(breed), breed)
    return like === undefined || like === breed ? [] : [[like, breed]]
  })
  return pairs.slice(0, MAX_PAIRS)
}

const asList = (reading: ListReading): NameList | undefined => (reading.kind === 'list' ? reading : undefined)

/**
 * The cats of both lists that are missing when each URL is new. The URLs of a pair differ only in the breed, and no
 * cache has a copy of either.
 */
async function findCatsMissingOnce(
  { directory: { catsOf }, createUniqueValue }: SequenceTarget,
  [first, second]: BreedPair,
  ask: SendRequest,
): Promise<readonly string[]> {
  const read = async (breed: string, value: string) =>
    asList(await catsOf(breed).readWith((request) => ask({ ...request, target: bypassCaches(request.target, value) })))
  const shared = createUniqueValue()
  const one = await read(first, shared)
  const other = await read(second, shared)
  const [own, othersOwn] = [await read(first, createUniqueValue()), await read(second, createUniqueValue())]
  if (!one || !other || !own || !othersOwn) return []
  return one.names.filter((cat) => other.has(cat) && !(own.has(cat) && othersOwn.has(cat)))
}

const createSequenceSubject = (target: SequenceTarget, pair: BreedPair): Subject<readonly string[]> => ({
  key: `${target.directory.version} ${JSON.stringify(pair)} one after the other`,
  async readWith(ask) {
    let torn = await findCatsMissingOnce(target, pair, ask)
    for (let round = 1; round < ROUNDS && torn.length > 0; round++) {
      const again = await findCatsMissingOnce(target, pair, ask)
      torn = torn.filter((cat) => again.includes(cat))
    }
    return torn
  },
})

/** Finds a cache that ignores case although listed names differ by case only (R6.7). */
export const probeCaseInsensitiveCache = forEach<BreedPair, VersionTarget>(
  async ({ directory }, read: Read) => findSimilarBreeds(await readPathNames(directory.breeds, read)),
  async (pair, target, read) => {
    const [first, second] = pair
    const subject = createSequenceSubject(target, pair)
    const torn = await read(subject)
    const [cat] = torn
    if (cat === undefined) return
    reportViolation({
      expected: `the cats of ${quoted(second)} alone, also right after a request for ${quoted(first)}`,
      actual: `right after a request for ${quoted(first)}, the list of ${quoted(second)} contains ${quoted(cat)} of the other breed; it does not otherwise: a cache may mix up the two`,
      shownBy: [subject],
      namesAtFault: torn,
      isWrongByItself: true,
    })
  },
  { textOf: (pair) => pair.map(quoted).join(' and ') },
)
