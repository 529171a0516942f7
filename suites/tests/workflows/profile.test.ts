import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type OpenPoint, openPoints } from '../../../fixtures/contract/open-points.ts'
import { NOT_OBSERVED, variants } from '../../../fixtures/variants/index.ts'
import { arbitraryCodePoint } from '../../directory/inputs/arbitraries.ts'
import { removeVaryingParts } from '../../judge/profile/compare-values.ts'
import { inferSchema } from '../../judge/profile/element-schema.ts'
import { parseProfile } from '../../judge/profile/profile.ts'
import { JsonFileError } from '../../options/files/json-file.ts'
import { renderExplanation } from '../../workflows/lookup/explain.ts'
import {
  allObservedOpenPoints,
  expectedValueFor,
  formatOpenPoint,
} from '../deployments/expected-observations.test.support.ts'

const shipped = new URL('../../../fixtures/contract/profiles/', import.meta.url)
const shippedProfiles = readdirSync(shipped).map(
  (name) => [name, readFileSync(new URL(name, shipped), 'utf8')] as const,
)

const textOf = (pins: readonly unknown[]): string => JSON.stringify({ profileVersion: 1, pins })

function refusal(text: string): JsonFileError {
  try {
    parseProfile(text)
  } catch (error) {
    if (error instanceof JsonFileError) return error
    throw error
  }
  throw new Error(`accepted, although invalid: ${text}`)
}

describe('a profile', () => {
  test.each(openPoints.flatMap(({ places }: OpenPoint) => (places ? [places] : [])))(
    'a profile accepts the pin that --explain shows: %o',
    (places) => {
      expect(renderExplanation(places['point'] ?? '')).toContain('"point":')
      expect(parseProfile(textOf([places])).pins).toEqual([places])
    },
  )

  test('a profile can pin every value that the test deployments show, at every place', () => {
    const values = allObservedOpenPoints.flatMap((place) => {
      const shown = new Set(variants.map((variant) => expectedValueFor(place, variant.expectedObservations)))
      return [...shown]
        .filter((value) => value !== NOT_OBSERVED && !value.includes('…'))
        .map((value) => ({ place, value }))
    })
    expect(values.length).toBeGreaterThan(100)
    for (const { place, value } of values) {
      const { id: point, operation, version } = place
      const pins = [
        {
          point,
          ...(operation !== undefined && { operation }),
          version,
          value: removeVaryingParts({ id: point, value }),
        },
      ]
      expect(() => parseProfile(textOf(pins)), `${formatOpenPoint(place)} ${value}`).not.toThrow()
    }
  })

  test('a profile survives being written and read again', () => {
    const pin = fc.constantFrom(...allObservedOpenPoints).chain(({ id: point, operation, version }) =>
      fc.record(
        {
          point: fc.constant(point),
          ...(operation !== undefined && { operation: fc.constant(operation) }),
          version: fc.constant(version),
          says: fc.string({ unit: arbitraryCodePoint }),
        },
        { requiredKeys: ['point', 'says'] },
      ),
    )
    const pins = fc.uniqueArray(pin, { minLength: 1, selector: (one) => JSON.stringify({ ...one, says: '' }) })
    fc.assert(
      fc.property(pins, fc.string(), (all, about) => {
        const profile = { profileVersion: 1, about, pins: all }
        expect(parseProfile(JSON.stringify(profile))).toEqual(profile)
      }),
    )
  })

  test('a malformed profile is refused, with the place and the allowed values', () => {
    const good = { point: 'O-SEARCH-CASE', value: 'yes' }
    const cases = [
      ['', ''],
      ['[]', ''],
      ['{"profileVersion": 2, "pins": []}', '/profileVersion'],
      ['{"pins": []}', ''],
      ['{"profileVersion": 1}', ''],
      ['{"profileVersion": 1, "pins": {}}', '/pins'],
      ['{"profileVersion": 1, "pins": [], "pin": []}', '/pin'],
      [textOf([]), '/pins'],
      [textOf([good, good]), '/pins/1'],
      [textOf([{ point: 'O-SEARCH-CASES', value: 'yes' }]), '/pins/0/point'],
      [textOf([{ value: 'yes' }]), '/pins/0'],
      [textOf([{ point: 'O-SEARCH-CASE' }]), '/pins/0'],
      [textOf([{ ...good, valeu: 'yes' }]), '/pins/0/valeu'],
      [textOf([{ ...good, operation: 'listCats' }]), '/pins/0/operation'],
      [textOf([{ ...good, version: 'v4' }]), '/pins/0/version'],
      [textOf([{ ...good, schema: {} }]), '/pins/0/schema'],
      [textOf([{ ...good, list: '/data' }]), '/pins/0/list'],
      [textOf([{ ...good, value: [] }]), '/pins/0/value'],
      [textOf([{ ...good, value: ['yes', 'maybe'] }]), '/pins/0/value/1'],
      [textOf([{ point: 'O-LIST-SHAPE', schema: { type: 'cat' } }]), '/pins/0/schema/type'],
      [textOf([{ point: 'O-LIST-SHAPE', schema: { $ref: 'https://h/' } }]), '/pins/0/schema'],
      [textOf([{ point: 'O-LIST-SHAPE', list: 'data', name: '' }]), '/pins/0/list'],
      [textOf([{ point: 'O-LIST-SHAPE', list: '/data' }]), '/pins/0'],
      [textOf([{ point: 'O-UNKNOWN-ROUTE', operation: 'listCats', value: 'no answer' }]), '/pins/0/operation'],
      ...allObservedOpenPoints.flatMap(({ id: point }) =>
        ['', 'maybe', 7, null].map(
          (value) => [textOf([good, { point, value }].slice(point === good.point ? 1 : 0)), '/value'] as const,
        ),
      ),
    ] as const
    expect(cases.length).toBeGreaterThan(100)
    for (const [text, pointer] of cases) {
      const error = refusal(text)
      expect(error.pointer.endsWith(pointer), `${text}\n${error.message}`).toBe(true)
      expect(error.allowed, text).not.toBe('')
    }
  })

  test('a report in place of a profile is recognised', () => {
    const error = refusal('{"schemaVersion": 1, "verdict": "conformant", "checks": []}')
    expect(error.message).toContain('the file is a report of this suite')
  })

  test.each(shippedProfiles)('the shipped profile %s can be read, and editors find its schema', (_, text) => {
    const profile = parseProfile(text)
    expect(profile.pins.length).toBeGreaterThan(3)
    expect(() => readFileSync(new URL(String(profile.$schema), shipped))).not.toThrow()
  })
})

describe('an inferred schema', () => {
  test('an inferred schema accepts all its sources', async () => {
    const { compileSchema: schemaValidator } = await import('../../judge/profile/profile.ts')
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (values) => {
        const validate = schemaValidator(inferSchema(values) ?? false, '')
        for (const value of values) expect(validate(JSON.parse(JSON.stringify(value)))).toBe(true)
      }),
    )
  })

  test.each([
    ['lacks a key', { name: 'Tom' }],
    ['has another type', { name: 'Tom', age: '7' }],
    ['is no object', 'Tom'],
    ['is null', null],
  ])('an inferred schema rejects an element that %s', async (_, value) => {
    const { compileSchema: schemaValidator } = await import('../../judge/profile/profile.ts')
    const validate = schemaValidator(
      inferSchema([
        { name: 'Tom', age: 7 },
        { name: 'Mia', age: 2 },
      ]) ?? false,
      '',
    )
    expect(validate(value)).toBe(false)
    expect(validate({ name: 'Zoë', age: 1, colour: 'black' })).toBe(true)
  })
})
