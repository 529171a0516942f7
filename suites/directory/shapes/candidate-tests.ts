import { type ListShapeCandidate, nameStringsOf, sampleThreeValues } from '../readings/name-candidates.ts'
import type { NameTest } from './name-tests.ts'

/** The maximum number of places whose strings are tested, because each test takes a request. */
export const MAX_CANDIDATES_TRIED = 24

/** Samples up to three values, and returns whether all pass the test. A single value might pass by chance. */
export const everySampledValuePasses = async (values: readonly string[], test: NameTest): Promise<boolean> =>
  (await Promise.all(sampleThreeValues(values).map(test))).every(Boolean)

export type ValueSampler = (values: readonly string[]) => readonly string[]

/** Samples values, by default up to three, and returns whether at least one passes the test. */
export const anySampledValuePasses = async (
  values: readonly string[],
  test: NameTest,
  sample: ValueSampler = sampleThreeValues,
): Promise<boolean> => (await Promise.all(sample(values).map(test))).some(Boolean)

/** Returns the share of up to three sampled values that pass the test; 0 if there are no values. */
export async function measureShareOfPassing(values: readonly string[], test: NameTest): Promise<number> {
  const results = await Promise.all(sampleThreeValues(values).map(test))
  return results.length === 0 ? 0 : results.filter(Boolean).length / results.length
}

export async function filterAsync<T>(values: readonly T[], isWanted: (value: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(values.map(isWanted))
  return values.filter((_, nth) => kept[nth])
}

/** The places with a value that passes a test, and the test; no places if no value passes any test. */
export interface PassingCandidates {
  readonly candidates: readonly ListShapeCandidate[]
  readonly nameTest: NameTest
}

const NO_PASSING_CANDIDATES: PassingCandidates = { candidates: [], nameTest: async () => false }

/** Returns the places with a sampled value that passes a test. Uses the first test that any place passes. */
export async function findPassingCandidates(
  candidates: readonly ListShapeCandidate[],
  tests: readonly NameTest[],
  sample: ValueSampler = sampleThreeValues,
): Promise<PassingCandidates> {
  for (const test of tests) {
    const found = await filterAsync(candidates, (candidate) =>
      anySampledValuePasses(nameStringsOf(candidate), test, sample),
    )
    if (found.length > 0) return { candidates: found, nameTest: test }
  }
  return NO_PASSING_CANDIDATES
}

/**
 * Returns the places with a value that passes a test. Tests more values if the first sample proves too little, e.g.
 * because few of many breeds have cats. If no place passed the most reliable test, tests the likeliest places again;
 * otherwise those with longer lists.
 */
export async function findPassingCandidatesThoroughly(
  candidates: readonly ListShapeCandidate[],
  tests: readonly NameTest[],
): Promise<PassingCandidates> {
  const first = await findPassingCandidates(candidates, tests)
  if (first.nameTest !== tests[0]) {
    const likeliest = candidates.slice(0, CANDIDATES_TESTED_THOROUGHLY)
    const found = await findPassingCandidates(
      likeliest,
      first.candidates.length > 0 ? tests.slice(0, 1) : tests,
      sampleEvenly,
    )
    return found.candidates.length > 0 ? found : first
  }
  const longest = Math.max(...first.candidates.map(listLengthOf))
  const longer = candidates.filter((one) => listLengthOf(one) > longest).slice(0, CANDIDATES_TESTED_THOROUGHLY)
  const among = await findPassingCandidates(longer, [first.nameTest], sampleEvenly)
  return { ...first, candidates: [...among.candidates, ...first.candidates] }
}

const listLengthOf = ({ list }: ListShapeCandidate): number => list.size ?? list.elements.length

const CANDIDATES_TESTED_THOROUGHLY = 6
const MAX_VALUES_SAMPLED = 20

/** Samples up to 20 values at equal distances in the list. */
export const sampleEvenly: ValueSampler = (values) => {
  const step = Math.ceil(values.length / MAX_VALUES_SAMPLED)
  return [...new Set(values.filter((_, nth) => nth % step === 0))]
}
