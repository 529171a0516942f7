import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openPoints } from '../fixtures/contract/open-points.ts'
import { type Mutant, mutants } from '../fixtures/mutants/index.ts'
import type { Deployment, Operation } from '../fixtures/variants/deployment.ts'
import { drifting, variants } from '../fixtures/variants/index.ts'

const BREEDS = ['Siamese', 'Maine Coon', 'Bengal', 'Européen', 'Lykoi+', 'Rex/Devon', 'Mix 50%25', 'Unicorn']
const CATS = ['Tom', 'Mia', 'Zoë', 'Felix', 'たま', 'Tiger + Lily', 'Salt & Pepper', '100%25 Wool', 'AC/DC', '"', '..']
const STRINGS = [
  '%',
  "'",
  '"',
  '\\',
  '[',
  '*',
  '\0',
  '\n',
  '😺',
  ' ',
  'é',
  '.',
  '_',
  'x',
  'tom',
  '__proto__',
  "' OR '1'='1",
]
const QUERIES = [
  'Smiley 😺',
  'Old Deuteronomy',
  "O'Malley",
  'Мурка',
  'シャム',
  'om',
  ' Tom ',
  'Zoe',
  'Fenix',
  'T*m',
  'T.m',
  'Tom!',
  'a'.repeat(1200),
]
const NAMES = ['Siam', 'Siamese!', 'siamese', ' Siamese', 'x/../Siamese', 'maine-coon', 'Europeen', 'a'.repeat(1200)]
const MORE_NAMES = ['Siamese\0x', 'Siamese#x', 'Siamese;x', 'Siamese,Bengal', '0']

/** Encodings that are no encodeURIComponent: octets in lower case, letters in octets, delimiters as they are. */
const encodings = (text: string): string[] => [
  encodeURIComponent(text).replace(/%../g, (octet) => octet.toLowerCase()),
  encodeURIComponent(text).replaceAll('T', '%54').replaceAll('S', '%53'),
  encodeURIComponent(text).replace(/%(?:26|2B|2F)/g, decodeURIComponent),
]

const segments = (names: readonly string[]): string[] => names.map(encodeURIComponent)

const ASKED: Readonly<Record<Operation, readonly string[]>> = {
  listCats: ['cats'],
  listBreeds: ['breeds'],
  listCatsOfBreed: [
    ...segments([...BREEDS, ...NAMES, ...MORE_NAMES, ...STRINGS]),
    ...['Européen', 'Lykoi+', 'Siamese'].flatMap(encodings),
    '%FF',
  ].map((name) => `breeds/${name}/cats`),
  searchCats: [
    ...segments([...CATS, ...BREEDS, ...STRINGS, ...QUERIES]),
    ...encodings('Zoë'),
    ...encodings('Tom'),
    ...['AC/DC', '%zz'],
  ].map((q) => `search?q=${q}`),
  getLivesLeft: [
    ...segments([...CATS, ...STRINGS, 'Nobody', 'a'.repeat(1200)]),
    ...['Zoë', 'Tom', 'Tiger + Lily', 'Salt & Pepper'].flatMap(encodings),
    ...['%zz', 'Tom'],
  ].map((name) => `cat/${name}/lives_left`),
}

/** What concerns the mutant; lists and lives come last again, for asking must not have changed them. */
function pathsFor({ breaks: { operation, versions } }: Mutant): string[] {
  const asked = operation === 'all' ? Object.values(ASKED).flat() : ASKED[operation]
  const paths = versions.flatMap((version) =>
    [...asked, 'cats', 'breeds', 'breeds/Siamese/cats'].map((path) => `/${version}/${path}`),
  )
  return [...paths, ...segments(CATS.slice(0, 4)).map((name) => `/v3/cat/${name}/lives_left`)]
}

/** Some deployments never answer: they are given this long after their honest twin has said everything. */
const PATIENCE_MS = 60

/**
 * What a deployment says to a row of requests, sent at once over one connection.
 * @param enough the connection is closed soon after this is settled, whether or not all was answered
 */
async function conversation(
  deployment: Deployment,
  paths: readonly string[],
  enough?: Promise<unknown>,
): Promise<string> {
  const { baseUrl, close } = await deployment.start()
  const { hostname, port, pathname } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  void enough?.then(() => setTimeout(() => socket.destroy(), PATIENCE_MS).unref())
  const base = pathname.replace(/\/$/, '')
  const requests = paths.map((path) => `GET ${base}${path} HTTP/1.1\r\nhost: zoo\r\n\r\n`)
  socket.write(requests.join('').replace(/\r\n$/, 'connection: close\r\n\r\n'))
  await once(socket, 'close')
  await close()
  return Buffer.concat(chunks)
    .toString('latin1')
    .replace(/^date: .*$/gim, '')
}

/** The mutant's id when nothing that is asked tells it from its twin. */
async function idOfHonest(mutant: Mutant): Promise<string[]> {
  const asked = pathsFor(mutant)
  const truth = conversation(mutant.twin, asked)
  const told = await conversation(mutant, asked, truth)
  return told === (await truth) ? [mutant.id] : []
}

const idsOf = (deployments: readonly Deployment[]): string[] => deployments.map(({ id }) => id)

describe('the zoo', () => {
  test('holds at least 60 variants and 150 mutants', () => {
    expect(variants.length).toBeGreaterThanOrEqual(60)
    expect(mutants.length).toBeGreaterThanOrEqual(150)
  })

  test('gives each deployment an id of its own', () => {
    const ids = idsOf([...variants, ...drifting, ...mutants])
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  test('has a variant for every open point that a deployment can show by itself', () => {
    const shown = new Set(variants.flatMap(({ pointValues }) => pointValues.map((value) => value.split(' ')[0])))
    const elsewhere = ['O-PAGINATION', 'O-AUTH']
    expect(openPoints.map(({ id }) => id).filter((id) => !shown.has(id) && !elsewhere.includes(id))).toEqual([])
  })

  test('starts each variant, which answers both versions and closes', async () => {
    const silent: string[] = []
    for (const variant of [...variants, ...drifting]) {
      const answers = await conversation(variant, ['/v2/cats', '/v3/cats'])
      if (!answers.startsWith('HTTP/1.1 ')) silent.push(variant.id)
    }
    expect(silent).toEqual([])
  })

  test('starts each mutant, which differs from its honest twin', async () => {
    const honest: string[] = []
    for (let from = 0; from < mutants.length; from += 8) {
      honest.push(...(await Promise.all(mutants.slice(from, from + 8).map(idOfHonest))).flat())
    }
    expect(honest).toEqual([])
  }, 20_000)

  test('names a catcher for each mutant, in a version that it breaks', () => {
    const misplaced = mutants.filter(
      ({ breaks, caughtBy }) =>
        caughtBy.length === 0 ||
        caughtBy.some(({ version }) => version !== 'v2+v3' && !breaks.versions.includes(version)),
    )
    expect(idsOf(misplaced)).toEqual([])
  })
})
