import { type NameCandidate, sampled, stringsOf } from '../readings/candidates.ts'
import type { Works } from './proof.ts'

/** Returns whether all of three values work: a short string may work by chance. */
export const eachWorks = async (values: readonly string[], works: Works): Promise<boolean> =>
  (await Promise.all(sampled(values).map(works))).every(Boolean)

type Sampled = (values: readonly string[]) => readonly string[]

/** True if one of the sampled values works. */
export const anyWorks = async (values: readonly string[], works: Works, some: Sampled = sampled): Promise<boolean> =>
  (await Promise.all(some(values).map(works))).some(Boolean)

export async function filtered<T>(values: readonly T[], keeps: (value: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(values.map(keeps))
  return values.filter((_, nth) => kept[nth])
}

export interface Working {
  readonly found: readonly NameCandidate[]
  readonly works: Works
}

const PROVES_NOTHING: Working = { found: [], works: async () => false }

/** The candidates with a value that works, by the first way that proves any. */
export async function working(
  candidates: readonly NameCandidate[],
  proofs: readonly Works[],
  some: Sampled = sampled,
): Promise<Working> {
  for (const works of proofs) {
    const found = await filtered(candidates, (candidate) => anyWorks(stringsOf(candidate), works, some))
    if (found.length > 0) return { found, works }
  }
  return PROVES_NOTHING
}

/**
 * Few of many breeds may have cats: if three values prove nothing in the surest way, more values of the likeliest
 * candidates are tested, and more of lists that are longer than the working one, which may be a selection.
 */
export async function workingAtLast(candidates: readonly NameCandidate[], proofs: readonly Works[]): Promise<Working> {
  const first = await working(candidates, proofs)
  if (first.works !== proofs[0]) {
    const likeliest = candidates.slice(0, FEW_TRIED)
    const surely = await working(likeliest, first.found.length > 0 ? proofs.slice(0, 1) : proofs, spread)
    return surely.found.length > 0 ? surely : first
  }
  const longest = Math.max(...first.found.map(lengthOf))
  const longer = candidates.filter((one) => lengthOf(one) > longest).slice(0, FEW_TRIED)
  const among = await working(longer, [first.works], spread)
  return { ...first, found: [...among.found, ...first.found] }
}

const lengthOf = ({ list }: NameCandidate): number => list.size ?? list.elements.length

const FEW_TRIED = 3
const MOST_SAMPLED = 20

/** Values from the whole list. */
const spread: Sampled = (values) => {
  const step = Math.ceil(values.length / MOST_SAMPLED)
  return [...new Set(values.filter((_, nth) => nth % step === 0))]
}
