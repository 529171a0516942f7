import { memoiseByObject, memoiseByText } from '../memoise.ts'

/**
 * Creates a small random generator (mulberry32) whose numbers depend only on the seed. It is not taken from a library:
 * a later version could return other numbers, and the seeds in stored reports would no longer select the same samples.
 */
export function createRandomGenerator(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Returns the items in random order. */
export const shuffle = <T>(items: readonly T[], random: () => number): readonly T[] =>
  items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)

/** Patterns of characters and lengths that services may treat differently. The tests have a case for each. */
export const CHARACTER_CLASSES: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Han}/u,
  /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\P{L}]/u,
  /\p{M}/u,
  /[\u0080-\uffff]/,
  /[\u{10000}-\u{10ffff}]/u,
  /\p{Nd}/u,
  /^\s|\s$/,
  /\s/,
  /\p{Cc}|\p{Cf}/u,
  /\p{Sk}|\p{So}/u,
  ...[...'%+&#?/\\\'";*.,:=@!()[]{}<>|^$~`_-'].map((char) => new RegExp(`[\\${char}]`)),
  /^.{1,2}$/su,
  /^.{40,}$/su,
]

/** Returns whether a text has no unusual feature. Most names have none. */
const isPlain = (text: string): boolean => /^[A-Za-z][A-Za-z0-9 ]{2,38}$/.test(text) && !text.endsWith(' ')

/**
 * Returns a string of bits, one for each pattern: `1` if the text matches it. Services are likely to treat texts with
 * the same bits alike. A text without unusual features has the value `plain`.
 */
export const featuresOf = (text: string): string =>
  isPlain(text) ? 'plain' : CHARACTER_CLASSES.map((oneClass) => (oneClass.test(text) ? '1' : '0')).join('')

/** The lengths of texts that are neither short nor long, whatever characters they consist of. */
const [MIN_ORDINARY_LENGTH, MAX_ORDINARY_LENGTH] = [5, 39]
const MAX_MEMOISED_FEATURES = 10_000

/**
 * Returns a function with the same result as `featuresOf`. It is faster for long lists, in which most names differ only
 * in letters and digits.
 */
function createFeatureLookup(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    if (isPlain(text)) return 'plain'
    if (text.length < MIN_ORDINARY_LENGTH || text.length > MAX_ORDINARY_LENGTH) return featuresOf(text)
    const key = text.replace(/[A-Za-z]+/g, 'a').replace(/[0-9]+/g, '0')
    const features = known.get(key) ?? featuresOf(text)
    if (known.size < MAX_MEMOISED_FEATURES) known.set(key, features)
    return features
  }
}

/** Draws `count` of the indexes at random, each with the same probability (reservoir sampling). */
function drawAtRandom(indexes: Iterable<number>, count: number, random: () => number): readonly number[] {
  const drawn: number[] = []
  let seen = 0
  for (const index of indexes) {
    const place = seen < count ? seen : Math.floor(random() * (seen + 1))
    if (place < count) drawn[place] = index
    seen++
  }
  return drawn
}

/**
 * The maximum number of signatures (sets of features) that are compared. If there are more, some of them are drawn at
 * random.
 */
const MAX_SIGNATURES_RANKED = 400

/** Returns the positions of the ones in a string of bits, i.e. the numbers of the features. */
const listFeatures = memoiseByText((bits): readonly number[] =>
  [...bits].flatMap((bit, feature) => (bit === '1' ? feature : [])),
)

/**
 * Selects inputs by greedy set cover: repeatedly takes the input with the most features that no selected input has yet.
 * @param indexBySignature the index of one input for each signature (set of features)
 * @returns the indexes of the selected inputs
 */
function selectMostDiverse(indexBySignature: ReadonlyMap<string, number>, count: number): readonly number[] {
  const left = [...indexBySignature].map(([signature, index]) => ({
    index,
    features: signature === 'plain' ? [] : listFeatures(signature),
  }))
  const covered = new Set<number>()
  const chosen: number[] = []
  const countNewFeatures = ({ features }: { readonly features: readonly number[] }) =>
    features.reduce((count, feature) => (covered.has(feature) ? count : count + 1), 0)
  while (chosen.length < count && left.length > 0) {
    const counts = left.map(countNewFeatures)
    const [next] = left.splice(counts.indexOf(Math.max(...counts)), 1)
    if (!next) break
    chosen.push(next.index)
    for (const feature of next.features) covered.add(feature)
  }
  return chosen
}

function* indexesExcept(chosen: ReadonlySet<number>, length: number): Generator<number> {
  for (let index = 0; index < length; index++) if (!chosen.has(index)) yield index
}

/** Returns the text that is sent for an input. */
type TextOf = (input: unknown) => string

/** Returns the index of the first input for each signature (set of features). */
const firstIndexBySignature = memoiseByObject((inputs: readonly unknown[], textOf: TextOf) => {
  const signatureOf = createFeatureLookup()
  const firsts = new Map<string, number>()
  inputs.forEach((input, index) => {
    const signature = signatureOf(textOf(input))
    if (!firsts.has(signature)) firsts.set(signature, index)
  })
  return firsts
})

/** The minimum size of a sample that always contains the first, last, shortest and longest input. */
const MIN_SAMPLE_WITH_ENDS = 40

/**
 * Returns the indexes of the first, last, shortest and longest input. Services are most likely to omit or truncate
 * these.
 */
const extremeIndexes = memoiseByObject((inputs: readonly unknown[], textOf: TextOf): readonly number[] => {
  let [shortest, longest] = [0, 0]
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  let index = -1
  for (const input of inputs) {
    const { length } = textOf(input)
    index++
    if (length < least) [shortest, least] = [index, length]
    if (length > most) [longest, most] = [index, length]
  }
  return [0, inputs.length - 1, shortest, longest]
})

/**
 * Selects `limit` of the inputs, in their original order. Up to half of them have different features, and the rest are
 * random. Large samples contain the first, last, shortest and longest input.
 * @param textOf returns the text that is sent for an input
 */
export function drawSample<I>(
  inputs: readonly I[],
  limit: number,
  seed: number,
  textOf: (input: I) => string,
): readonly I[] {
  if (inputs.length <= limit) return inputs
  const textOfAny = textOf as TextOf // It is called with elements of `inputs` only.
  const random = createRandomGenerator(seed)
  const firsts = firstIndexBySignature(inputs, textOfAny)
  const half = Math.ceil(limit / 2)
  const firstHalf =
    firsts.size > MAX_SIGNATURES_RANKED ? drawAtRandom(firsts.values(), half, random) : selectMostDiverse(firsts, half)
  const chosen = new Set([...firstHalf, ...(limit >= MIN_SAMPLE_WITH_ENDS ? extremeIndexes(inputs, textOfAny) : [])])
  const others = drawAtRandom(indexesExcept(chosen, inputs.length), limit - chosen.size, random)
  for (const index of others) chosen.add(index)
  return [...chosen].sort((a, b) => a - b).flatMap((index) => inputs.slice(index, index + 1))
}
