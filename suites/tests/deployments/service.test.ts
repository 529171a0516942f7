import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { breeds } from '../../../fixtures/directory/breeds.ts'
import { cats } from '../../../fixtures/directory/cats.ts'
import { type RunningService, startService } from '../../../fixtures/service/start.ts'
import { type ClientResponse, createClient, type TestClient } from './service.test.support.ts'

const VERSIONS = ['v2', 'v3'] as const
const MALFORMED = ['%', '%zz', '%FF', '%C3%28', '%ED%A0%80', '100%', '%2'] as const
const STRANGE = [
  ...['__proto__', 'constructor', '..', '%2F', "' OR 1=1 --", '🐈‍⬛', 'e\u0301', 'x'.repeat(4000)],
  ...'.%/\\*[\u0000\n\u202e',
]

const spellings: [string, (name: string) => string][] = [
  ['encoded as needed', encodeURIComponent],
  ['encoded in every octet', (name) => hex(name).toUpperCase()],
  ['encoded in every octet, in lower case', hex],
]

let service: RunningService
let client: TestClient
const get: TestClient['get'] = (path) => client.get(path)
const ask: TestClient['send'] = (method, path) => client.send(method, path)
const listAt: TestClient['readList'] = (path) => client.readList(path)

beforeAll(async () => {
  service = await startService()
  client = createClient(service.baseUrl)
})

afterAll(async () => {
  client.close()
  await service.close()
})

describe('the directory', () => {
  test('the directory holds 50 cats and 15 breeds whose names are unique without regard to case, and in NFC', () => {
    expect([cats.length, breeds.length]).toEqual([50, 15])
    for (const names of [cats.map(({ name }) => name), breeds.map(({ name }) => name)]) {
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
      for (const name of names) expect(name.normalize('NFC')).toBe(name)
    }
  })

  test('the directory gives every cat a breed, every breed but the Korat a cat, and every count from 0 to 9 a cat', () => {
    const names = new Set<string>(breeds.map(({ name }) => name))
    for (const { breed } of cats) expect(names).toContain(breed)
    const lonely = breeds.filter(({ name }) => !cats.some(({ breed }) => breed === (name as string)))
    expect(lonely).toEqual([{ name: 'Korat' }])
    expect([...new Set(cats.map(({ lives }) => lives))].toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
  })
})

describe.each(VERSIONS)('%s', (version) => {
  test(`${version} lists every cat and every breed, as JSON`, async () => {
    const response = await get(`/${version}/cats`)
    expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json'])
    expect(JSON.parse(response.body)).toEqual(cats.map(({ name, breed }) => ({ name, breed })))
    expect(await listAt(`/${version}/breeds`)).toEqual(breeds)
  })

  test.each(spellings)(`${version} lists the cats of every breed, with its name %s`, async (_, spell) => {
    for (const { name } of breeds) {
      const owed = cats.filter(({ breed }) => breed === name).map((cat) => ({ name: cat.name, breed: cat.breed }))
      expect(await listAt(`/${version}/breeds/${spell(name)}/cats`), name).toEqual(owed)
    }
  })

  test(`${version} finds every cat by its name`, async () => {
    for (const { name } of cats) expect(await namesFound(version, name), name).toContain(name)
  })

  test(`${version} finds all cats of a breed by its name`, async () => {
    for (const { name } of breeds) {
      const owed = cats.filter(({ breed }) => breed === name).map((cat) => cat.name)
      expect(await namesFound(version, name), name).toEqual(owed)
    }
  })

  test.each([
    ['in any case', 'LuNa', ['Luna']],
    ['inside a name', 'arfiel', ['Garfield']],
    ['without accents', 'eclair', ['Éclair']],
    ['decomposed', 'Bjo\u0308rk', ['Björk']],
    ['with ß as SS', 'STRAUSS', ['Strauß']],
    ['ending in a sigma within a word', 'οδυσ', ['Οδυσσέας']],
    ['that nothing matches', 'no such cat', []],
    ['of an accent alone', '\u0301', []],
    ['that is a wildcard elsewhere', '_', []],
    ['that is a wildcard elsewhere', '.*', []],
    ['that is only one character of a name', '%', ['100% Cat']],
  ])(`${version} finds the names that contain a query %s: %j`, async (_, query, owed) => {
    expect(await namesFound(version, query)).toEqual(owed)
  })

  test(`${version} reads a plus sign in a query as a blank, the first of several q, and no other parameter`, async () => {
    const found = async (query: string) => (await listAt(`/${version}/search${query}`)).map(({ name }) => name)
    expect(await found('?q=Salt+%26+Pepper')).toEqual(['Salt & Pepper'])
    expect(await found('?q=C%2B%2B')).toEqual(['C++'])
    expect(await found('?%71=Luna')).toEqual(['Luna'])
    expect(await found('?x=%zz&q=Luna&q=Felix')).toEqual(['Luna'])
    expect(await found('?q=a=b')).toEqual([])
  })

  test.each(['', '?', '?q', '?q=', '?x=1'])(
    `${version} finds every cat if the query is absent or empty: search%s`,
    async (query) => {
      expect(await listAt(`/${version}/search${query}`)).toHaveLength(cats.length)
    },
  )

  test(`${version} responds 404 with a problem for an unlisted breed`, async () => {
    for (const name of ['Tabby', 'maine coon', ' Siamese', 'Maine+Coon', ...STRANGE]) {
      expectProblem(await get(`/${version}/breeds/${encodeURIComponent(name)}/cats`), 404)
    }
  })

  test(`${version} responds 400 with a problem to malformed percent-encoding in a path or a query`, async () => {
    for (const malformed of MALFORMED) {
      expectProblem(await get(`/${version}/breeds/${malformed}/cats`), 400)
      expectProblem(await get(`/${version}/search?q=${malformed}`), 400)
      expectProblem(await get(`/${version}/${malformed}`), 400)
    }
  })

  test(`${version} responds with a list to every query, however strange`, async () => {
    for (const query of STRANGE) expect(await namesFound(version, query), query).toBeInstanceOf(Array)
  })

  test(`${version} responds to HEAD as to GET, without a body`, async () => {
    for (const path of ['cats', 'breeds', 'breeds/Korat/cats', 'search?q=luna']) {
      const response = await ask('HEAD', `/${version}/${path}`)
      expect([response.status, response.headers['content-type'], response.body]).toEqual([200, 'application/json', ''])
    }
    expect((await ask('HEAD', `/${version}/breeds/Tabby/cats`)).status).toBe(404)
  })

  test(`${version} refuses every other method with 405 and Allow`, async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const response = await ask(method, `/${version}/cats`)
      expectProblem(response, 405)
      expect(response.headers.allow).toBe('GET, HEAD')
    }
  })

  test(`${version} serves nothing beside its operations`, async () => {
    for (const path of [
      '',
      '/',
      '/cats/',
      '//cats',
      '/Cats',
      '/cat',
      '/cat/Luna',
      '/breeds//cats',
      '/breeds/Siamese',
      '/..',
    ]) {
      expectProblem(await get(`/${version}${path}`), 404)
    }
  })

  test(`${version} accepts the prefix itself in an equivalent encoding`, async () => {
    expect(await listAt(`/%76${version[1]}/%63ats`)).toHaveLength(cats.length)
  })
})

describe('lives_left', () => {
  test.each(spellings)('lives_left returns the lives of every cat in v3, with its name %s', async (_, spell) => {
    for (const { name, lives } of cats) {
      const response = await get(`/v3/cat/${spell(name)}/lives_left`)
      expect(JSON.parse(response.body), name).toEqual({ name, lives_left: lives })
    }
  })

  test('lives_left reads a raw plus sign in a path as a plus sign', async () => {
    expect(JSON.parse((await get('/v3/cat/C++/lives_left')).body)).toEqual({ name: 'C++', lives_left: 9 })
  })

  test('lives_left does not exist in v2 or in any list', async () => {
    for (const { name } of cats) expectProblem(await get(`/v2/cat/${encodeURIComponent(name)}/lives_left`), 404)
    for (const version of VERSIONS) expect((await get(`/${version}/cats`)).body).not.toContain('lives')
  })

  test('lives_left responds 404 for an unlisted cat, 400 to malformed percent-encoding, 405 to other methods', async () => {
    for (const name of ['Nobody', 'luna', 'Luna ', 'C  ', ...STRANGE]) {
      expectProblem(await get(`/v3/cat/${encodeURIComponent(name)}/lives_left`), 404)
    }
    for (const dots of ['..', '%2E%2E', '%2e']) expectProblem(await get(`/v3/cat/${dots}/lives_left`), 404)
    for (const malformed of MALFORMED) expectProblem(await get(`/v3/cat/${malformed}/lives_left`), 400)
    expectProblem(await ask('DELETE', '/v3/cat/Luna/lives_left'), 405)
  })

  test('lives_left does not change with requests', async () => {
    const responses = await Promise.all(Array.from({ length: 9 }, () => get('/v3/cat/Luna/lives_left')))
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
  })
})

async function namesFound(version: string, query: string): Promise<string[]> {
  return (await listAt(`/${version}/search?q=${encodeURIComponent(query)}`)).map(({ name }) => name)
}

function expectProblem({ status, headers, body }: ClientResponse, expected: number): void {
  expect([status, headers['content-type']]).toEqual([expected, 'application/problem+json'])
  expect(JSON.parse(body)).toEqual({ title: expect.any(String), status, detail: expect.any(String) })
}

function hex(name: string): string {
  return [...Buffer.from(name)].map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join('')
}
