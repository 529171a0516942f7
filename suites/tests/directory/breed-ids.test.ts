import { describe, expect, inject, test } from 'vitest'
import { createBreedExtractor, createBreedIdEvidence, findBreedIdPlace } from '../../directory/readings/breed-ids.ts'
import { toJsonPointer } from '../../directory/readings/json.ts'
import { judge } from '../../judge/judge.ts'
import { createDirectoryResponder, deployDirectory, type TargetResponder } from '../command/cli.test.support.ts'

const MANX = ['Tom', 'Mia']
const KORAT = ['Kit', 'Zoë']

/** Returns the place (JSON Pointer) in the elements of cats at which the suite finds ids of the listed breeds. */
async function findIdPlace(breeds: readonly unknown[], cats: readonly unknown[]): Promise<string | undefined> {
  const lists = [
    { breed: 'Manx', value: MANX },
    { breed: 'Korat', value: { found: KORAT.map((name) => ({ name })) } },
  ]
  const evidence = createBreedIdEvidence({ value: { breeds }, list: ['breeds'], name: ['name'] }, lists)
  const shown = await findBreedIdPlace(cats, ['name'], async () => evidence)
  return shown && toJsonPointer(shown.place)
}

const breedsBy = (keys: (id: number) => object) => ['Manx', 'Korat', 'Rex'].map((name, nth) => ({ name, ...keys(nth) }))
const catsBy = (keys: (id: number) => object) => [
  ...MANX.map((name) => ({ name, ...keys(0) })),
  ...KORAT.map((name) => ({ name, ...keys(1) })),
]

describe('the breed of a cat is recognised by its id', () => {
  const idAt = (place: readonly string[]) => (id: number) =>
    place.reduceRight<unknown>((value, key) => ({ [key]: value }), id)
  test.each<[string, readonly string[], string]>([
    ['id', ['breed_id'], '/breed_id'],
    ['id', ['breed'], '/breed'],
    ['id', ['breed', 'id'], '/breed/id'],
    ['_id', ['breedId'], '/breedId'],
    ['breed_id', ['breed_id'], '/breed_id'],
    ['code', ['breed_code'], '/breed_code'],
    ['href', ['_links', 'breed', 'href'], '/_links/breed/href'],
    ['id', ['relationships', 'breed', 'data', 'id'], '/relationships/breed/data/id'],
    ['race_id', ['race', 'id'], '/race/id'],
  ])('a breed whose id is at the key %s of a breed is recognised at %j of a cat', async (key, place, found) => {
    expect(
      await findIdPlace(
        breedsBy((id) => ({ [key]: id })),
        catsBy(idAt(place) as (id: number) => object),
      ),
    ).toBe(found)
  })

  test('a number as id of a breed matches a text as breed of a cat', async () => {
    expect(
      await findIdPlace(
        breedsBy((id) => ({ id })),
        catsBy((id) => ({ breed_id: String(id) })),
      ),
    ).toBe('/breed_id')
  })

  test('the id of another cat shows no breed', async () => {
    const [first, ...others] = catsBy((id) => ({ breed_id: id }))
    expect(
      await findIdPlace(
        breedsBy((id) => ({ id })),
        [{ ...first, breed_id: 2 }, ...others],
      ),
    ).toBe('/breed_id')
  })
})

test('an empty string shows no breed', () => {
  const read = createBreedExtractor({ breed: ['breed'] })
  expect([{ breed: 'Manx' }, { breed: '' }, { breed: null }].map((cat) => read?.(cat))).toEqual([
    'Manx',
    undefined,
    undefined,
  ])
})

describe('a value is no id of a breed', () => {
  test.each<[string, (id: number) => object, (id: number) => object]>([
    ['a value that all breeds share', () => ({ id: 1 }), (id) => ({ breed_id: id })],
    ['a value under another key', (id) => ({ rank: id }), (id) => ({ breed_id: id })],
    ['a former id', (id) => ({ id }), (id) => ({ former_breed_id: id })],
    ['a value that leads to other breeds', (id) => ({ id }), (id) => ({ breed_id: id + 1 })],
  ])('a value is no id of a breed: %s', async (_, breed, cat) => {
    expect(await findIdPlace(breedsBy(breed), catsBy(cat))).toBe(undefined)
  })
})

const BREEDS = Array.from({ length: 40 }, (_, nth) => `Breed ${nth + 10}`)

/**
 * Creates a directory in which the id of a breed is its position in the list. After
 * `unchangedResponses` responses, a new breed is added at the front, so that all ids change.
 */
function createRenumberedDirectory(unchangedResponses: number): TargetResponder {
  let responses = 0
  return (target) => {
    const breeds = responses++ < unchangedResponses ? BREEDS : ['Asian', ...BREEDS]
    const cats = breeds.flatMap((breed) =>
      ['Tom', 'Mia'].map((name) => ({ name: `${name} of ${breed}`, breed, lives: 7 })),
    )
    const value = createDirectoryResponder(cats)(target)
    if (!Array.isArray(value)) return value
    if (target.split('?')[0]?.endsWith('/breeds')) return breeds.map((name, id) => ({ id, name }))
    return cats
      .filter(({ name }) => value.includes(name))
      .map(({ name, breed }) => ({ name, breed_id: breeds.indexOf(breed) }))
  }
}

test.concurrent.each(inject('extent').everything ? [40, 200] : [200])(
  'new ids after a breed is added, from response %i on, cause no failure',
  async (unchangedResponses) => {
    const { origin } = await deployDirectory(createRenumberedDirectory(unchangedResponses))
    const { verdicts, requests } = await judge({ baseUrl: origin, seed: 7 })
    expect(verdicts.filter(({ status }) => status === 'fail').map(({ reason }) => reason)).toEqual([])
    // The bound is seven times the requests of an unchanging directory: lists that changed are read again in several
    // ways, and each operation is tested for side effects on them.
    expect(requests).toBeLessThan(7_000)
  },
)
