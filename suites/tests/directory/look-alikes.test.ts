import { expect, test } from 'vitest'
import { judge } from '../../judge/judge.ts'
import { createDirectoryResponder, deploy, deployDirectory, type TargetResponder } from '../command/cli.test.support.ts'
import { queryOf } from '../deployments/timed.test.support.ts'
import { effortOptionsForTests, versionsToTest } from '../support/short.test.support.ts'

/** The name of a cat, and the breed that it belongs to. */

type CatAndBreed = readonly [name: string, breed: string]

interface ListLayout {
  readonly cat?: (row: CatAndBreed) => unknown
  readonly breed?: (name: string, nth: number) => unknown
  readonly breeds?: readonly string[]
  readonly listOfBreeds?: (list: readonly unknown[]) => unknown
  readonly members?: (list: readonly unknown[]) => unknown
  readonly hits?: (list: readonly unknown[]) => unknown
  readonly lives?: (row: CatAndBreed, count: number) => unknown
  /** The response to a request for the cats of an unlisted breed; 404 by default. */
  readonly unknownBreed?: unknown
  /** True if a breed can also be requested by its position in the list, counted from 1. */
  readonly canRequestByPosition?: boolean
}

const THREE: readonly CatAndBreed[] = [
  ['Tom', 'Manx'],
  ['Felix', 'Persian'],
  ['Luna', 'Siamese'],
]
const LOOK_ALIKE_PAIRS: readonly CatAndBreed[] = [
  ['Tom', 'Balinese'],
  ['Felix', 'Oriental'],
  ['Luna', 'Siamese'],
]
const named = (name: string) => ({ name })
const as = (key: string) => (list: readonly unknown[]) => ({ [key]: list })

const byName = (target: string, breeds: readonly string[]): string =>
  target.replace(/(?<=^\/v\d\/breeds\/)\d+(?=\/cats$)/, (nth) => encodeURIComponent(breeds[Number(nth) - 1] ?? nth))

function shaped(rows: readonly CatAndBreed[], shaping: ListLayout): TargetResponder {
  const breeds = shaping.breeds ?? [...new Set(rows.map(([, breed]) => breed))]
  const { cat = ([name]) => named(name), breed = named, lives = (_, count) => count } = shaping
  const plain = createDirectoryResponder(
    rows.map(([name, breedName], nth) => ({ name, breed: breedName, lives: nth + 3 })),
  )
  const rowOf = (name: string) => rows.find(([own]) => own === name)
  return (target) => {
    const path = shaping.canRequestByPosition ? byName(target, breeds) : target
    const [, , kind, name = '', rest] = path.split('?')[0]?.split('/').map(decodeURIComponentSafely) ?? []
    if (kind === 'breeds' && name === '') return (shaping.listOfBreeds ?? as('breeds'))(breeds.map(breed))
    if (kind === 'breeds' && rest === 'cats' && !breeds.includes(name)) return shaping.unknownBreed
    const isEmpty = kind === 'breeds' && rest === 'cats' && breeds.includes(name)
    const value = plain(path) ?? (isEmpty ? [] : undefined)
    const row = rowOf(name)
    if (row && typeof value === 'number') return lives(row, value)
    if (!Array.isArray(value)) return value
    const list = value
      .map((one) => rowOf(String(one)))
      .filter((one) => one !== undefined)
      .map(cat)
    if (kind === 'search') return (shaping.hits ?? as('cats'))(list)
    return kind === 'breeds' ? (shaping.members ?? as('cats'))(list) : { cats: list }
  }
}

function decodeURIComponentSafely(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const EIGHT = ['Abyssinian', 'Balinese', 'Bengal', 'Bombay', 'Burmese', 'Cymric', 'Korat', 'Ragdoll']
const MANY = [...EIGHT, 'Ocicat', 'Sphynx', 'Tonkinese', 'Persian', 'Siamese', 'Somali', 'Turkish Van', 'Toyger']
const TWO: readonly CatAndBreed[] = [
  ['Tom', 'Persian'],
  ['Luna', 'Siamese'],
]

test.each<[string, readonly CatAndBreed[], ListLayout]>([
  ['keywords of the only cat', [['Tom', 'Manx']], { cat: ([name, breed]) => ({ name, keywords: [name, breed] }) }],
  [
    'names of the only cat in two languages',
    [['Tom', 'Manx']],
    { cat: ([name]) => ({ names: [name, `Kater ${name}`].map((value) => ({ value })) }) },
  ],
  [
    'other names of the only breed',
    [
      ['Tom', 'Manx'],
      ['Felix', 'Manx'],
    ],
    { breed: (name) => ({ name, aliases: [name, 'Isle of Man cat'] }) },
  ],
  [
    'slugs of names in small letters',
    THREE.map(([name, breed]) => [name.toLowerCase(), breed]),
    { cat: ([name]) => ({ slug: name, title: name, initial: name.slice(0, 1) }) },
  ],
  [
    'the breed beside the lives, where the first cats are called as their breeds',
    [['Manx', 'Manx'], ['Persian', 'Persian'], ['Siamese', 'Siamese'], ...TWO],
    { lives: ([cat, breed], count) => ({ cat, breed, lives_left: count }) },
  ],
  ['ids of breeds in rows', THREE, { canRequestByPosition: true, breed: (name, nth) => [nth + 1, name] }],
  [
    'ids of breeds among identifiers',
    THREE,
    { canRequestByPosition: true, breed: (name, nth) => ({ name, ids: [{ value: String(nth + 1) }] }) },
  ],
  [
    'ids of breeds in the query of a link',
    THREE,
    { canRequestByPosition: true, breed: (name, nth) => ({ name, href: `/breed?id=${nth + 1}` }) },
  ],
  [
    'cats that are featured beside those of each breed, of which most have none',
    TWO,
    { breeds: MANY, members: (list) => ({ featured: [named('Tom')], cats: list }) },
  ],
  [
    'popular breeds beside all, of which most have no cats',
    TWO,
    { breeds: MANY, listOfBreeds: (list) => ({ popular: [named('Persian')], breeds: list }) },
  ],
  [
    'new cats beside all breeds, of which most have no cats',
    TWO,
    {
      breeds: MANY,
      cat: ([name, breed]) => ({ name, breed }),
      listOfBreeds: (list) => ({ newest_cats: [named('Luna'), named('Tom')], breeds: list }),
    },
  ],
  [
    'a cat called as the key of the list of hits',
    ['cats', 'Tom', 'Luna'].map((name) => [name, 'Manx']),
    { hits: (list) => ({ recent: ['cats', 'Tom', 'Luna'].map(named), cats: list }) },
  ],
  [
    'breeds that cats show by their ids, beside what they are a kind of',
    LOOK_ALIKE_PAIRS,
    {
      cat: ([name, breed]) => ({ name, breed: { id: breed.length, kind_of: 'Siamese' } }),
      breed: (name) => ({ id: name.length, name }),
    },
  ],
  [
    'codes of breeds beside their parents',
    LOOK_ALIKE_PAIRS,
    {
      cat: ([name, breed]) => ({ name, breed: { code: breed.slice(0, 3), parent: { name: 'Siamese' } } }),
      breed: (name) => ({ code: name.slice(0, 3), name }),
    },
  ],
  [
    'the name of the only breed, which all names of its cats contain',
    [
      ['Manx One', 'Manx'],
      ['Manx Two', 'Manx'],
    ],
    { breed: (name) => ({ title: name, country: 'UK' }), unknownBreed: { cats: [] } },
  ],
])('values that look like names or breeds are distinguished from them: %s', async (_, rows, shaping) => {
  const { origin } = await deployDirectory(shaped(rows, shaping))
  const { verdicts } = await judge({ baseUrl: origin, seed: 11, versions: versionsToTest, ...effortOptionsForTests })
  const isJudged = (version: string) => version.split('+').every((one) => versionsToTest.some((other) => other === one))
  const unmetChecks = verdicts.filter(
    ({ status, check, version }) => check.level === 'must' && isJudged(version) && status !== 'pass',
  )
  expect(unmetChecks.map(({ check, status, reason }) => [check.id, status, reason])).toEqual([])
})

test('hits are distinguished from breeds beside them if the search refuses the names of all cats as too short', async () => {
  const rows = ['Bo', 'Mo', 'Al'].map((name, nth): CatAndBreed => [name, nth === 2 ? 'Manx' : 'Persian'])
  const directory = shaped(rows, { hits: (list) => ({ included: ['Manx', 'Persian'].map(named), data: list }) })
  const { origin } = await deploy(({ url = '' }, response) => {
    const isRefused = url.includes('/search') && queryOf(url).length < 3
    const value = directory(url)
    response.writeHead(isRefused ? 400 : value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isRefused ? { error: 'too short' } : (value ?? {})))
  })
  const { verdicts } = await judge({ baseUrl: origin, seed: 11 })
  expect(verdicts.filter(({ status }) => status === 'fail').map(({ check, reason }) => [check.id, reason])).toEqual([])
  const found = verdicts.filter(({ check }) => check.id === 'search/finds-every-cat-of-a-breed')
  expect(found.map(({ status }) => status)).toEqual(['pass', 'pass'])
})
