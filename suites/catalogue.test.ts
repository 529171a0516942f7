import { describe, expect, test } from 'vitest'
import { statements } from '../fixtures/contract/statements.ts'
import { catalogue } from './catalogue.ts'

/** Stable for ever: others write these into their known violations and their scripts. New ones may be added. */
const frozen = [
  'service/answers',
  'versions/side-by-side',
  'cats/is-served',
  'cats/is-json',
  'cats/is-a-list',
  'cats/have-names',
  'cats/names-stand-once',
  'breeds/is-served',
  'breeds/is-json',
  'breeds/is-a-list',
  'breeds/have-names',
  'breeds/names-stand-once',
  'breed-cats/is-served',
  'breed-cats/is-json',
  'breed-cats/is-a-list',
  'breed-cats/have-names',
  'breed-cats/names-stand-once',
  'breed-cats/equivalent-encodings',
  'membership/every-cat-has-a-breed',
  'membership/one-breed-only',
  'membership/breed-cats-are-listed',
  'membership/shown-breed',
  'breed-cats/unknown-breeds-have-none',
  'search/is-served',
  'search/is-json',
  'search/is-a-list',
  'search/have-names',
  'search/names-stand-once',
  'search/finds-every-cat-by-name',
  'search/finds-every-cat-of-a-breed',
  'search/equivalent-encodings',
  'search/finds-only-listed-cats',
  'search/hits-share-a-character',
  'search/special-characters-are-literal',
  'search/follows-a-rule',
  'lives/is-served',
  'lives/is-json',
  'lives/is-a-count',
  'lives/same-place',
  'lives/equivalent-encodings',
  'lives/only-in-v3',
  'lives/unknown-cats',
  'breed-cats/survives-every-string',
  'search/survives-every-string',
  'lives/survives-every-string',
  'parity/cats',
  'parity/breeds',
  'parity/breed-cats',
  'parity/search',
  'parity/breed-cats-of-any-string',
  'parity/search-of-any-string',
  'parity/shapes',
  'cats/reading-changes-nothing',
  'breeds/reading-changes-nothing',
  'breed-cats/reading-changes-nothing',
  'search/reading-changes-nothing',
  'lives/reading-changes-nothing',
]

const ids = catalogue.map(({ id }) => id)

describe('the catalogue', () => {
  test('has every check once, by an id that never changes', () => {
    expect(ids).toEqual(frozen)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has a check for every statement', () => {
    const asked = new Set(catalogue.flatMap((check) => check.statements))
    expect(statements.map(({ id }) => id).filter((id) => !asked.has(id))).toEqual([])
  })

  test('names prerequisites that exist and stand before what needs them', () => {
    const misplaced = catalogue.flatMap(({ id, requires }, index) =>
      requires.filter((other) => !ids.slice(0, index).includes(other)).map((other) => `${id} requires ${other}`),
    )
    expect(misplaced).toEqual([])
  })

  test('explains a violation only by checks that exist, and never in a circle', () => {
    const causes = new Map(catalogue.map(({ id, requires, explainedBy }) => [id, [...requires, ...explainedBy]]))
    expect([...causes.values()].flat().filter((id) => !causes.has(id))).toEqual([])
    const leadsBack = (id: string, seen: readonly string[]): boolean =>
      seen.includes(id) || (causes.get(id) ?? []).some((cause) => leadsBack(cause, [...seen, id]))
    expect(ids.filter((id) => leadsBack(id, []))).toEqual([])
  })

  test('says of every check why, how it is asked and how to mend it', () => {
    expect(
      catalogue.filter(({ why, how, fix, title }) => [why, how, fix, title].some((text) => text.length < 10)),
    ).toEqual([])
  })
})
