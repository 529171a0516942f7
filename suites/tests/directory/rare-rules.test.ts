import { expect, test } from 'vitest'
import { inferMatchingRule, type RuleInference } from '../../directory/matching/rules.ts'

const CATS = [
  { name: 'Otto Schmidt', breed: 'Maine Coon' },
  { name: 'Big Ben', breed: 'Manx' },
  { name: 'Benny', breed: 'Manx Longhair' },
  { name: 'Mia', breed: 'Siamese' },
]

const QUERIES =
  'otto,tto,ott,schm,schmidt,mi,maine,maine coon,manx,otto main,ben manx,big ben,big be,ben big,ig be,benny,siamese,siam'.split(
    ',',
  )

type IsHit = (query: string, name: string, breed: string) => boolean

/** Infers the rule of a search that ignores case. */
function inferRule(isHit: IsHit): RuleInference | undefined {
  const results = QUERIES.map((query) => {
    const hits = CATS.filter(({ name, breed }) => isHit(query, name.toLowerCase(), breed.toLowerCase()))
    return { query, found: new Set(hits.map(({ name }) => name)) }
  })
  return inferMatchingRule(
    results,
    CATS.map(({ name, breed }) => ({ name, texts: [name, breed] })),
  )
}

const startsPhrase = (query: string, text: string): boolean => ` ${text}`.includes(` ${query}`)

test.each<[string, IsHit]>([
  ['substring', (query, name, breed) => [name, breed].some((text) => text.includes(query))],
  ['phrase prefix', (query, name, breed) => [name, breed].some((text) => startsPhrase(query, text))],
  ['prefix of the name or exact breed', (query, name, breed) => name.startsWith(query) || breed === query],
  ['substring of the name or exact breed', (query, name, breed) => name.includes(query) || breed === query],
  [
    'every word a substring of name or breed',
    (query, name, breed) => query.split(' ').every((word) => [name, breed].some((text) => text.includes(word))),
  ],
])('the rule %s explains the results of a search that follows it', (name, isHit) => {
  const inference = inferRule(isHit)
  expect(inference?.rule.name).toBe(name)
  expect(inference?.contradiction).toBeUndefined()
})
