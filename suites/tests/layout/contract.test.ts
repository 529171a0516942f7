import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { openPoints } from '../../../fixtures/contract/open-points.ts'
import { operations } from '../../../fixtures/contract/operations.ts'
import { clauses, rulingSections, rulings } from '../../../fixtures/contract/rulings.ts'
import { findStatement, type StatementId, statements } from '../../../fixtures/contract/statements.ts'

interface Described {
  readonly operationId: string
  readonly 'x-operation': string
  readonly 'x-statement': string
  readonly parameters?: readonly { readonly $ref: string }[]
  readonly responses: object
}

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get: Described }>>
  readonly components: { readonly parameters: Readonly<Record<string, { readonly name: string; readonly in: string }>> }
}

const folder = new URL('../../../fixtures/contract/', import.meta.url)
const schemaFiles = readdirSync(new URL('schemas/', folder))
const openapi = readJson('openapi.json') as OpenApi
const described = Object.entries(openapi.paths).map(([path, item]) => ({ path, operation: item.get }))

describe('the statements and open points', () => {
  test('the statements and open points keep every published id, in this order', () => {
    expect(statements.map(({ id }) => id).join(' ')).toBe(
      'S-GET S-READ-ONLY S-CAT-NAME S-CAT-BREED S-CAT-LIVES S-BREED-NAME S-LIST-CATS S-LIST-BREEDS S-CATS-OF-BREED ' +
        'S-SEARCH S-LIVES S-PARITY S-V3-ONLY S-SIDE-BY-SIDE S-HTTP S-JSON S-ROBUST',
    )
    const published =
      'O-LIST-SHAPE O-LIVES-SHAPE O-MEDIA O-SEARCH-CASE O-SEARCH-RULE O-SEARCH-WILDCARDS O-SEARCH-BLANK ' +
      'O-SEARCH-NO-Q O-SEARCH-EMPTY-Q O-SEARCH-NO-MATCH O-SEARCH-QUERY-SYNTAX O-UNKNOWN-BREED O-UNKNOWN-CAT ' +
      'O-V2-LIVES O-UNKNOWN-ROUTE O-ERROR-BODY O-NAME-MATCH O-SIZE O-ORDER O-PAGINATION O-RATE O-AUTH O-METHODS ' +
      'O-SLASH O-CACHE O-V2-DEPRECATION O-TRANSPORT'
    expect(
      openPoints
        .slice(0, published.split(' ').length)
        .map(({ id }) => id)
        .join(' '),
    ).toBe(published)
  })

  test('the statements and open points are found by id, and unknown ids are refused', () => {
    for (const { id, sentence } of statements) expect(findStatement(id).sentence).toBe(sentence)
    expect(() => findStatement('S-NINE-LIVES' as StatementId)).toThrow(RangeError)
  })

  test('the statements and open points are sentences, with a question mark if the document leaves a question', () => {
    for (const { sentence, id } of statements) expect(sentence, id).toMatch(/^\S.*\S\.$/)
    for (const { question, id } of openPoints) expect(question, id).toMatch(/^[A-Z].*\?$/)
    for (const { values, id } of openPoints) expect(values.length, id).toBeGreaterThan(0)
  })

  test('the statements name every operation in exactly one statement', () => {
    const named = statements.flatMap((shown) => ('operation' in shown ? [shown.operation] : []))
    expect(named).toEqual(operations.map(({ id }) => id))
  })
})

describe('the rulings', () => {
  test('the rulings are numbered from 1 to 17', () => {
    expect(rulings.map(({ number }) => number)).toEqual(Array.from({ length: 17 }, (_, index) => index + 1))
  })

  test('the rulings have clauses that are numbered from 1 within each ruling', () => {
    const expected = rulingSections.flatMap(({ letter, rulings: some }) =>
      some.flatMap(({ number, clauses: clausesOfRuling }) =>
        Object.keys(clausesOfRuling).map((_, index) => `${letter}${number}.${index + 1}`),
      ),
    )
    expect([...clauses.keys()]).toEqual(expected)
  })

  test('the rulings have clauses of one to three sentences each', () => {
    const countSentences = (text: string) => text.split(/(?<=[a-z)`]\.) (?=[A-Z`])/).length
    const wrong = [...clauses].filter(
      ([, { sentence }]) => !/^[^\s].*\.$/.test(sentence) || countSentences(sentence) > 3,
    )
    expect(wrong).toEqual([])
  })
})

describe('the schemas', () => {
  test('the schemas are JSON Schema 2020-12 and all compile', () => {
    expect(schemaFiles.length).toBe(5)
    const ajv = contractSchemas()
    for (const file of schemaFiles) expect(ajv.getSchema(file), file).toBeTypeOf('function')
  })

  const list = '[{"name":"Luna"}]'
  test.each([
    ['name', ['"Luna"', '""', '"タマ"'], ['9', 'null', '["Luna"]']],
    ['lives-count', ['0', '9', '10', '9.0'], ['-1', '8.5', '"9"', 'null']],
    [
      'lives-answer',
      ['9', '{"lives":9}', '{"data":{"cat":"Luna","left":0}}'],
      ['{}', '-1', '{"lives":"9"}', '[9]', '{"lives":-1}'],
    ],
    ['list-element', ['"Luna"', '{"name":"Luna"}', '{"cat":{"name":"Luna"}}'], ['9', '{}', '{"name":9}', 'null']],
    [
      'list',
      ['[]', '["Luna"]', list, `{"cats":${list}}`, `{"a":{"b":[]}}`],
      ['{}', '"Luna"', '[9]', '{"cats":9}', 'null'],
    ],
  ])('the schema %s accepts what is shown or left open, and refuses the rest', (name, accepted, refused) => {
    const validate = contractSchemas().getSchema(`${name}.schema.json`)
    for (const text of accepted) expect(validate?.(JSON.parse(text)), text).toBe(true)
    for (const text of refused) expect(validate?.(JSON.parse(text)), text).toBe(false)
  })
})

describe('the OpenAPI document', () => {
  const isOpenApi = openApiValidator()

  test('the OpenAPI document is valid in every part of OpenAPI 3.1 that it uses, and uses no other', () => {
    isOpenApi(openapi)
    expect(isOpenApi.errors ?? []).toEqual([])
  })

  test.each([
    ['without paths', { ...openapi, paths: undefined }],
    ['of another OpenAPI', { ...openapi, openapi: '3.0.4' }],
    ['with a field that OpenAPI does not know', { ...openapi, endpoints: {} }],
    ['with a method other than GET', { ...openapi, paths: { '/v2/cats': { post: described[0]?.operation } } }],
    ['with a path parameter that may be absent', withParameter({ name: 'name', in: 'path', schema: {} })],
    ['with a schema that is none', withParameter({ name: 'q', in: 'query', schema: { type: 'text' } })],
  ])('the OpenAPI document is not valid %s', (_, invalid) => {
    expect(isOpenApi(JSON.parse(JSON.stringify(invalid)))).toBe(false)
  })

  test('the OpenAPI document resolves every reference', () => {
    const references = [...referencesIn(openapi)]
    expect(references.length).toBeGreaterThan(9)
    for (const reference of references) {
      if (reference.startsWith('#')) expect(at(openapi, reference), reference).toBeTypeOf('object')
      else expect(schemaFiles, reference).toContain(reference.replace(/^schemas\//, ''))
    }
  })

  test('the OpenAPI document declares exactly the parameters that each path template names', () => {
    for (const { path, operation } of described) {
      const inTemplate = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = parametersOf(operation)
      expect(
        declared.filter((one) => one.in === 'path').map(({ name }) => name),
        path,
      ).toEqual(inTemplate)
    }
  })

  test('the OpenAPI document gives every operation a unique id', () => {
    const ids = described.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('the OpenAPI document holds every operation of the contract in each of its versions, and no other', () => {
    const owed = operations.flatMap(({ id, versions, path, parameters }) =>
      versions.map((version) => ({
        path: path.replace('{version}', version).replace(/\{\?.*\}$/, ''),
        operation: id,
        id: `${id}${version.toUpperCase()}`,
        parameters: parameters.map((one) => ({ name: one.name, in: one.in })),
        statement: statements.find((shown) => 'operation' in shown && shown.operation === id)?.id,
      })),
    )
    const held = described.map(({ path, operation }) => ({
      path: `${path}`,
      operation: operation['x-operation'],
      id: operation.operationId,
      parameters: parametersOf(operation),
      statement: operation['x-statement'],
    }))
    expect(held.toSorted(byPath)).toEqual(owed.toSorted(byPath))
  })

  test('the OpenAPI document gives each v2 operation its v3 counterpart, with the same parameters and responses (S-PARITY)', () => {
    const v2 = described.filter(({ path }) => path.startsWith('/v2/'))
    expect(v2.length).toBe(4)
    for (const { path, operation } of v2) {
      const counterpart = openapi.paths[path.replace('/v2/', '/v3/')]?.get
      expect({ ...counterpart, operationId: operation.operationId }).toEqual(operation)
    }
  })

  test('the OpenAPI document shows lives_left in v3 only (S-V3-ONLY)', () => {
    const paths = described.map(({ path }) => path).filter((path) => path.includes('lives_left'))
    expect(paths).toEqual(['/v3/cat/{name}/lives_left'])
  })
})

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8'))
}

function contractSchemas(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true })
  for (const file of schemaFiles) ajv.addSchema(readJson(`schemas/${file}`) as object, file)
  return ajv
}

function openApiValidator(): ValidateFunction {
  // Ignores "format", an annotation in JSON Schema 2020-12. Strict types are off: the meta-schema checks the schemas.
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictRequired: false, validateFormats: false })
  return ajv.compile(readJson('openapi.schema.json') as object)
}

function withParameter(parameter: object): object {
  return { ...openapi, components: { ...openapi.components, parameters: { parameter } } }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1
}

function parametersOf(operation: Described): { name: string | undefined; in: string | undefined }[] {
  return (operation.parameters ?? []).map(({ $ref }) => {
    const parameter = openapi.components.parameters[$ref.replace('#/components/parameters/', '')]
    return { name: parameter?.name, in: parameter?.in }
  })
}

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string') yield member
    yield* referencesIn(member)
  }
}

function at(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
}
