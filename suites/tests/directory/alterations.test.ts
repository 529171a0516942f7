import { describe, expect, inject, test } from 'vitest'
import { type Mutant, mutants } from '../../../fixtures/mutants/index.ts'
import { rareStringMutants } from '../../../fixtures/mutants/strings/rare-strings.ts'
import { type Alterations, alterations } from '../../directory/inputs/alterations.ts'
import { judge } from '../../judge/judge.ts'
import { selectEveryNth } from '../support/extent.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'

type Escapes<K extends keyof Alterations> = Readonly<Record<keyof Alterations[K], string>>

/**
 * For each way of altering a name (e.g. to lower case), a mutant that is missed without the fixed inputs that are
 * altered in this way.
 */
const mutantByAlteration: { readonly [K in keyof Alterations]-?: Escapes<K> } = {
  breeds: {
    lastLetterMissing: 'breed-index-too-short',
    plural: 'breed-plural',
    wildcard: 'breed-underscore',
    threeLetters: 'breed-code',
    stepsInPath: 'breed-dots-resolved',
    initial: 'breed-initial',
    swappedLetters: 'breed-letters-in-any-order',
    lowerCase: 'v3-breeds-in-lower-case',
    upperCase: 'v2-breeds-in-any-case-of-ascii',
    padded: 'v2-breeds-trimmed-in-case',
    afterNul: 'breed-cut-at-null',
    afterHash: 'breed-cut-at-hash',
    afterQuestionMark: 'breed-cut-at-question-mark',
    afterSemicolon: 'breed-cut-at-semicolon',
    afterComma: 'breeds-at-once',
    unaccented: 'v3-breeds-in-ascii',
    decomposed: 'v2-breeds-in-any-form',
    encodedTwice: 'breed-decodes-twice-unlisted',
    firstWord: 'breed-first-word',
    lastWord: 'breed-last-word',
    withExtension: 'breed-extension-cut',
    slug: 'v3-breeds-by-slug',
    dot: 'breed-dot',
    afterAmpersand: 'breed-cut-at-ampersand',
    afterColon: 'breed-cut-at-colon',
    afterNewline: 'breed-one-line-of-two',
    afterPlus: 'breed-cut-at-plus',
    afterPipe: 'breed-cut-at-pipe',
    oneWordMore: 'breed-digits-dropped',
    catAdded: 'breed-and-cat',
    lastWordMissing: 'breed-without-cat',
    numberInOtherForm: 'breed-compared-as-number',
    nameOfCat: 'breed-of-a-cat',
  },
  queries: {
    threeLetters: 'v3-searches-from-four',
    firstLetterMissing: 'v2-searches-beginnings-from-three',
    secondLetterMissing: 'v3-forgives-a-missing-letter',
    oneLetterMore: 'v2-forgives-a-letter-more',
    afterNul: 'v3-cuts-q-at-null',
    firstWord: 'v3-finds-single-words',
    wordsReversed: 'v2-finds-words-in-any-order',
    otherCase: 'v2-finds-exactly-cased',
    otherCaseBeyondAscii: 'v2-finds-other-case-in-ascii',
    longest: 'v3-cuts-long-q',
    unaccented: 'v2-finds-exactly-unaccented',
    orOperator: 'v3-reads-or',
    throughCapitals: 'v2-compares-in-capitals',
    typographic: 'v3-reads-typographic-apostrophes',
    unpunctuated: 'v2-finds-without-apostrophes',
    afterBlank: 'v3-takes-blanks-off-the-beginning',
    beforeBlank: 'v2-takes-blanks-off-the-end',
    decomposedQuery: 'v3-searches-composed-only',
    oneErrorAllowed: 'search-one-error-allowed-500',
    twoErrorsAllowed: 'search-two-errors-allowed-500',
    wordOfNameAndBreed: 'v3-searches-across-name-and-breed',
    breedInOtherCase: 'v2-finds-breeds-as-written',
  },
}

const without = (kind: keyof Alterations, name: string): Alterations => ({
  ...alterations,
  [kind]: Object.fromEntries(Object.entries(alterations[kind]).filter(([other]) => other !== name)),
})

/**
 * Returns whether the named check fails with fixed inputs only. Generated inputs are left out, because they may reveal
 * any defect.
 */
async function isCaught({ start, caughtBy }: Mutant, altered: Alterations): Promise<boolean> {
  const running = await start()
  const checks = caughtBy.map(({ check }) => check)
  try {
    const options = { baseUrl: running.baseUrl, timeoutMs: 30_000, only: checks, bounds: { runs: 0 } }
    const { verdicts } = await judge(options, { alterations: altered })
    expect(describeVerdicts({ verdicts }, 'error')).toEqual([])
    return verdicts.some(({ status }) => status === 'fail')
  } finally {
    await running.close()
  }
}

const { everything } = inject('extent')

/**
 * The alterations of queries whose mutants are also revealed by the queries that distinguish the rules of search.
 */
const ALSO_REVEALED_BY_DISTINGUISHING_QUERIES: ReadonlySet<string> = new Set([
  ...['threeLetters', 'firstLetterMissing', 'secondLetterMissing', 'oneLetterMore'],
  ...['firstWord', 'wordsReversed', 'otherCase', 'unaccented'],
])

describe.each(['breeds', 'queries'] as const)('alterations of %s', (kind) => {
  const all = Object.entries(mutantByAlteration[kind])
  test.each(everything ? all : selectEveryNth(all, 3))(
    `the alteration %s of ${kind} alone reveals the mutant %s`,
    async (name, id) => {
      const mutant = [...mutants, ...rareStringMutants].find((one) => one.id === id)
      if (!mutant) throw new Error(`unknown mutant ${id}`)
      // In `npm test`, the tests of mutants show that the mutant is caught with all alterations.
      if (everything) expect(await isCaught(mutant, alterations)).toBe(true)
      const isRevealedOtherwise = kind === 'queries' && ALSO_REVEALED_BY_DISTINGUISHING_QUERIES.has(name)
      expect(await isCaught(mutant, without(kind, name))).toBe(isRevealedOtherwise)
    },
  )
})
