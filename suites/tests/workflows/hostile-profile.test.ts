import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { judge } from '../../judge/library-options.ts'
import {
  conformantDirectory,
  createDirectoryResponder,
  createTemporaryFolder,
  deployDirectory,
  readReport,
  runCli,
  type TargetResponder,
} from '../command/cli.test.support.ts'

const pinOf = (schema: object) => ({ point: 'O-LIST-SHAPE', operation: 'listCats', schema })
const textOf = (pins: readonly unknown[]): string => JSON.stringify({ profileVersion: 1, pins })

/**
 * A schema in which each definition contains two references to the next one: expanded, it doubles with each definition.
 */
const doubled = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 51 }, (_, nth) => {
      const next = { $ref: `#/$defs/d${nth + 1}` }
      return [`d${nth}`, nth === 50 ? { type: 'string' } : { allOf: [next, next] }]
    }),
  ),
}

async function judgedWith(profile: string | Buffer, directory: TargetResponder = conformantDirectory) {
  const file = join(createTemporaryFolder(), 'profile.json')
  writeFileSync(file, profile)
  const { origin } = await deployDirectory(directory)
  return runCli(['--base-url', origin, '--profile', file, '--only', 'pinned/'])
}

describe('a profile', () => {
  test.each([
    [
      'refers to another file',
      textOf([pinOf({ $ref: 'https://schemas.example/cat.json' })]),
      'at /pins/0/schema: the value is not a valid JSON Schema: no schema is at the reference "https://schemas.example/cat.json".',
    ],
    [
      'has an unknown keyword',
      textOf([pinOf({ type: 'object', propertys: { name: { type: 'string' } } })]),
      'at /pins/0/schema: the value is not a valid JSON Schema: there is no keyword "propertys"',
    ],
    [
      'has an unknown type',
      textOf([pinOf({ properties: { name: { type: 'text' } } })]),
      'at /pins/0/schema/properties/name/type: the value is not a valid JSON Schema: it must be "array", or "boolean", or',
    ],
    [
      'requires the same key twice',
      textOf([pinOf({ required: ['id', 'name', 'id'] })]),
      'JSON Schema: it must not have the same element twice (at index 0 and 2).',
    ],
    [
      'has an unknown dialect',
      textOf([pinOf({ $schema: 'https://schemas.example/x' })]),
      'JSON Schema: the value of "$schema" is unknown: "https://schemas.example/x".',
    ],
    [
      'pins a choice twice',
      textOf([{ point: 'O-RATE', value: ['none', 'none'] }]),
      'at /pins/0/value: it must not have the same element twice (at index 0 and 1).',
    ],
    ['pins nothing', textOf([{ point: 'O-RATE' }]), 'at /pins/0: it must'],
    [
      'has a schema of 70 kB',
      textOf([pinOf({ enum: Array.from({ length: 10_000 }, (_, at) => `${at}`.padStart(4, '0')) })]),
      'at /pins/0/schema: the value is not a valid JSON Schema: it has 70010 characters, more than 50000',
    ],
    ['is longer than a megabyte', `${' '.repeat(1_000_000)}{}`, 'the profile has 1000002 characters.'],
    [
      'has a key twice',
      '{"profileVersion":1,"pins":[{"point":"O-RATE","value":"a,:{\\"","v\\u0061lue":"none"}]}',
      'at /pins/0/value: the object already has this key.',
    ],
    [
      'is not in UTF-8',
      Buffer.from(`${textOf([{ point: 'O-RATE', value: 'none' }]).slice(0, -1)},\n "about":"caf\xe9"}`, 'latin1'),
      'is not UTF-8 (line 2, octet 14)',
    ],
  ])('a profile that %s is refused with the place', async (_, profile, message) => {
    const { code, stderr } = await judgedWith(profile)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test.each([
    ['with a pattern of exponential time', { pattern: '^(\\w+\\s?)*$' }],
    ['that doubles a subschema 50 times', doubled],
    ['that refers to itself without end', { $ref: '#' }],
  ])('a pinned schema %s makes its check inconclusive, without stalling the run', async (_, schema) => {
    const cats = ['Miaumiaumiaumiaumiaumiaumiaumiaumiaumiaumiau!', 'Tom'].map((name) => ({
      name,
      breed: 'Manx',
      lives: 7,
    }))
    const profile = textOf([pinOf(schema)])
    const { code, reports } = await judgedWith(profile, createDirectoryResponder(cats))
    expect(code).toBe(3)
    const checks = readReport(reports).checks.filter(({ status }) => status !== 'not-applicable')
    for (const { status, reason } of checks)
      expect([status, reason]).toEqual(['inconclusive', expect.stringContaining('Simplify the schema: avoid')])
  })

  test('a profile with references, patterns and named subschemas within bounds is enforced', async () => {
    const schema = { $ref: '#/$defs/name', $defs: { name: { type: 'string', pattern: '^(\\w+\\W*)*$', maxLength: 3 } } }
    const { code, stdout } = await judgedWith(textOf([pinOf(schema)]))
    expect([code, stdout]).toEqual([1, expect.stringContaining('must have at most 3 characters')])
  })

  test('a profile that the command refuses is refused by the library, too', async () => {
    const profile = { profileVersion: 1, pins: [pinOf({ propertys: {} })] } as const
    await expect(judge({ baseUrl: 'http://127.0.0.1:9', profile })).rejects.toThrow(
      /^profile\/pins\/0\/schema: the value is not a valid JSON Schema: .*"propertys"/,
    )
  })
})
