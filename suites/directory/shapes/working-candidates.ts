import { type NameCandidate, nameStringsOf, sampleThree } from '../readings/name-candidates.ts'
import type { NameTest } from './name-tests.ts'

/** Returns whether all of three values work: a short string may work by chance. */
export const worksForEachValue = async (values: readonly string[], works: NameTest): Promise<boolean> =>
  (await Promise.all(sampleThree(values).map(works))).every(Boolean)

type SampleValues = (values: readonly string[]) => readonly string[]

/** True if one of the sampled values works. */
export const worksForAnyValue = async (
  values: readonly string[],
  works: NameTest,
  some: SampleValues = sampleThree,
): Promise<boolean> => (await Promise.all(some(values).map(works))).some(Boolean)

export async function filterAsync<T>(values: readonly T[], isWanted: (value: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(values.map(isWanted))
  return values.filter((_, nth) => kept[nth])
}

export interface WorkingCandidates {
  readonly candidates: readonly NameCandidate[]
  readonly nameTest: NameTest
}

const NO_WORKING_CANDIDATES: WorkingCandidates = { candidates: [], nameTest: async () => false }

/** The candidates with a value that works, by the first way that proves any. */
export async function findWorkingCandidates(
  candidates: readonly NameCandidate[],
  proofs: readonly NameTest[],
  some: SampleValues = sampleThree,
): Promise<WorkingCandidates> {
  for (const works of proofs) {
    const found = await filterAsync(candidates, (candidate) => worksForAnyValue(nameStringsOf(candidate), works, some))
    if (found.length > 0) return { candidates: found, nameTest: works }
  }
  return NO_WORKING_CANDIDATES
}

/**
 * Few of many breeds may have cats: if three values prove nothing in the surest way, more values of the likeliest
 * candidates are tested, and more of lists that are longer than the working one, which may be a selection.
 */
export async function findWorkingCandidatesThoroughly(
  candidates: readonly NameCandidate[],
  proofs: readonly NameTest[],
): Promise<WorkingCandidates> {
  const first = await findWorkingCandidates(candidates, proofs)
  if (first.nameTest !== proofs[0]) {
    const likeliest = candidates.slice(0, CANDIDATES_TESTED_THOROUGHLY)
    const surely = await findWorkingCandidates(
      likeliest,
      first.candidates.length > 0 ? proofs.slice(0, 1) : proofs,
      sampleEvenly,
    )
    return surely.candidates.length > 0 ? surely : first
  }
  const longest = Math.max(...first.candidates.map(listLengthOf))
  const longer = candidates.filter((one) => listLengthOf(one) > longest).slice(0, CANDIDATES_TESTED_THOROUGHLY)
  const among = await findWorkingCandidates(longer, [first.nameTest], sampleEvenly)
  return { ...first, candidates: [...among.candidates, ...first.candidates] }
}

const listLengthOf = ({ list }: NameCandidate): number => list.size ?? list.elements.length

const CANDIDATES_TESTED_THOROUGHLY = 3
const MAX_VALUES_SAMPLED = 20

/** Values from the whole list. */
const sampleEvenly: SampleValues = (values) => {
  const step = Math.ceil(values.length / MAX_VALUES_SAMPLED)
  return [...new Set(values.filter((_, nth) => nth % step === 0))]
}
