import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openPoints } from '../../fixtures/contract/open-points.ts'
import { type Mutant, mutants } from '../../fixtures/mutants/index.ts'
import { timedMutants } from '../../fixtures/mutants/time/index.ts'
import type { Deployment, Operation } from '../../fixtures/variants/deployment.ts'
import { drifting, variants } from '../../fixtures/variants/index.ts'
import { catalogue } from '../catalogue.ts'
import { queryTroubles, segmentTroubles } from '../vocabulary/inputs/troubles.ts'

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
  'Hugo',
  'a'.repeat(1200),
]
const NAMES = [
  'Siam',
  'Siamese!',
  'siamese',
  'SIAMESE',
  ' Siamese',
  'x/../Siamese',
  'maine-coon',
  'Europeen',
  'a'.repeat(1200),
]
const NEAR_NAMES = [
  'Siameses',
  'Siames',
  'Siam_se',
  'Sia',
  'S',
  'Saimese',
  'Maine',
  'Maine%20Coon',
  'Européen'.normalize('NFD'),
]
const NEAR_QUERIES = [
  'Pep',
  'Cin',
  'epper',
  'Ppper',
  'Pepperx',
  'Pepper\0x',
  'TOM',
  'Old Deuteronomyx',
  'old',
  'Deuteronomy Old',
  'Burmese',
]
const MORE_NAMES = [
  'Siamese\0x',
  'Siamese#x',
  'Siamese;x',
  'Siamese?x',
  'Siamese/x',
  'Europeen',
  ' Bengal ',
  'bengal',
  'Siamese,Bengal',
  '0',
  'Burmese',
]

/** Names that are listed in some directory or other, and what means something beside them. */
const ELSEWHERE = ['Hugo', 'Cinder', 'Pepper', 'Hobbes', 'Tiger', 'Salem', 'Felix', 'Lily', 'Mia', '4711']
const LONG_NAMES = [
  'Hobbit',
  '4th of his name',
  '4th of his namex',
  'シャムネコノナカマ',
  'Достопримечательный',
  'Old Deuteronomy the Manx',
]
const marked = (name: string): string[] => [
  `^${name}`,
  `${name}$`,
  `[${name.charAt(0)}0]${name.slice(1)}`,
  `${name.slice(0, 2)}\\w${name.slice(3)}`,
  `${name.slice(0, 2)}%${name.charCodeAt(2).toString(16)}${name.slice(3)}`,
  `"${name}"`,
  `${name}x`,
  name.toLowerCase(),
  name,
]

/** Encodings that are no encodeURIComponent: octets in lower case, letters in octets, delimiters as they are. */
const encodings = (text: string): string[] => [
  encodeURIComponent(text).replace(/%../g, (octet) => octet.toLowerCase()),
  encodeURIComponent(text).replaceAll('T', '%54').replaceAll('S', '%53'),
  encodeURIComponent(text).replace(/%(?:26|2B|2F)/g, decodeURIComponent),
]

const segments = (names: readonly string[]): string[] => names.map(encodeURIComponent)

const PAGES = ['%24skip=10', 'from=30']

const ASKED: Readonly<Record<Operation, readonly string[]>> = {
  listCats: ['cats', ...PAGES.map((page) => `cats?${page}`)],
  listBreeds: ['breeds'],
  listCatsOfBreed: [
    ...segments([
      ...segmentTroubles,
      ...LONG_NAMES,
      'manx',
      'Manx',
      ...BREEDS,
      ...NAMES,
      ...NEAR_NAMES,
      ...MORE_NAMES,
      ...STRINGS,
    ]),
    ...['Européen', 'Lykoi+', 'Siamese'].flatMap(encodings),
    'Maine+Coon',
    '%FF',
  ].map((name) => `breeds/${name}/cats`),
  searchCats: [
    ...segments([...queryTroubles, ...ELSEWHERE.flatMap(marked), 'Old Deuteronomy the Manxx', ...LONG_NAMES]),
    ...segments([...CATS, ...BREEDS, ...STRINGS, ...QUERIES, ...NEAR_QUERIES]),
    ...['', 'a&q=b', 'Tiger+%2B+Lily', 'J+%26+Lily'],
    ...encodings('Zoë'),
    ...encodings('Tom'),
    ...['AC/DC', '%zz'],
  ]
    .map((q) => `search?q=${q}`)
    .concat(['search', 'search?q[]=a', 'search?q[$ne]=a']),
  getLivesLeft: [
    ...segments([...segmentTroubles, ...LONG_NAMES, 'tom j', 'Tom J', ...CATS, ...STRINGS, 'Nobody', 'a'.repeat(1200)]),
    'J%20&%20Lily',
    ...['Zoë', 'Tom', 'Tiger + Lily', 'Salt & Pepper'].flatMap(encodings),
    ...['%zz', 'Tom'],
  ].map((name) => `cat/${name}/lives_left`),
}

/** What concerns the mutant; lists and lives come last again, for asking must not have changed them. */
function pathsFor({ breaks: { operation, versions } }: Mutant): string[] {
  const asked = operation === 'all' ? Object.values(ASKED).flat() : ASKED[operation]
  const paths = versions.flatMap((version) =>
    [...asked, 'cats', 'breeds', 'breeds/Siamese/cats', 'cats', 'breeds'].map((path) => `/${version}/${path}`),
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
    const shown = new Set<string>(variants.flatMap(({ pointValues }) => pointValues.map(({ point }) => point)))
    const elsewhere = ['O-PAGINATION']
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
  })

  test('names a catcher for each mutant, in a version that it breaks', () => {
    const misplaced = mutants.filter(
      ({ breaks, caughtBy }) =>
        caughtBy.length === 0 ||
        caughtBy.some(({ version }) => version !== 'v2+v3' && !breaks.versions.includes(version)),
    )
    expect(idsOf(misplaced)).toEqual([])
  })

  test('has a mutant that names it as its catcher for every check that judges', () => {
    const catchers = new Set<string>(mutants.flatMap(({ caughtBy }) => caughtBy.map(({ check }) => check)))
    const isTold = (id: string) => timedMutants.some(({ tells }) => ['v2', 'v3', 'v2+v3'].some((one) => tells(id, one)))
    const idle = catalogue.filter(({ level, id }) => level === 'must' && !catchers.has(id) && !isTold(id))
    expect(idle.map(({ id }) => id)).toEqual([])
  })
})
