import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { arbitraryCodePoint } from '../../directory/inputs/arbitraries.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { judge } from '../../judge/judge.ts'
import { JsonFileError } from '../../options/files/json-file.ts'
import { compareWithBaseline, createBaseline } from '../../workflows/baseline/gate.ts'
import { type KnownViolations, parseBaseline } from '../../workflows/baseline/known.ts'
import {
  conformantDirectory,
  createTemporaryFolder,
  deploy,
  deployDirectory,
  directoryWithOneCatMissing,
  readReport,
  runCli,
  type TargetResponder,
} from '../command/cli.test.support.ts'
import { quickEffort } from '../support/extent.test.support.ts'

const { everything } = inject('extent')
/** Uses quick effort, because the handling of known violations does not depend on the effort. */
const quickOptions = ['--effort', 'quick']

const fileWith = (value: unknown): string => {
  const file = join(createTemporaryFolder(), 'known.json')
  writeFileSync(file, JSON.stringify(value))
  return file
}
const knownIn = (file: string): KnownViolations => parseBaseline(readFileSync(file, 'utf8'), catalogue)

/** Returns the file with a reason for each violation, as people add them. */
const withReasons = ({ violations, ...file }: KnownViolations, reason = 'the importer is old'): KnownViolations => ({
  ...file,
  violations: violations.map((one) => ({ ...one, reason })),
})

const entry = { check: 'cats/names-stand-once', version: 'v2', reason: 'the importer doubles names' }
const textOf = (...violations: readonly unknown[]): string => JSON.stringify({ knownVersion: 1, violations })

describe('known violations', () => {
  test('known violations let the gate pass, and leave the verdict unchanged', async () => {
    const { origin } = await deployDirectory(directoryWithOneCatMissing)
    const file = join(createTemporaryFolder(), 'known.json')
    const writing = await runCli([...quickOptions, '--base-url', origin, '--write-known', file, '--seed', '1'])
    expect(writing.code).toBe(1)
    const { length } = knownIn(file).violations
    expect(length).toBeGreaterThan(0)
    expect(writing.stdout).toMatch(new RegExp(`\\n${length} known violations? in .*known\\.json\\n`))
    const reason = 'the importer loses cats'
    const known = fileWith(withReasons(knownIn(file), reason))
    const { code, stdout, reports } = await runCli([
      ...quickOptions,
      '--base-url',
      origin,
      '--known',
      known,
      '--seed',
      '2',
    ])
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('the gate is passed')
    const { verdict, checks } = readReport(reports)
    expect(verdict).toBe('nonconformant')
    for (const { status, known } of checks) expect(known).toEqual(status === 'fail' ? { reason } : undefined)
    const failures = readFileSync(join(reports, 'junit.xml'), 'utf8').match(/<failure message="[^"]*"/g) ?? []
    expect(failures.length).toBeGreaterThan(0)
    for (const failure of failures) expect(failure).toContain(`"known (${reason}): `)
  })

  test('known violations that are fixed are stale: the gate fails, and says what to delete', async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const { code, stdout } = await runCli([
      ...quickOptions,
      '--base-url',
      origin,
      '--known',
      fileWith({ knownVersion: 1, violations: [entry] }),
    ])
    expect(code).toBe(1)
    expect(stdout).toContain('cats/names-stand-once (v2) is fixed: delete its entry')
  })

  test('known violations that were not exercised do not count as fixed', async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const file = fileWith({ knownVersion: 1, violations: [entry] })
    const { code, stdout } = await runCli(['--base-url', origin, '--known', file, '--only', 'breeds/'])
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('not tested in this run, so kept: cats/names-stand-once (v2)')
  })

  test('known violations do not let a gate pass if no response comes, or too little is decided', async () => {
    const silent = await deploy(({ socket }) => socket.destroy())
    const empty = await deployDirectory((target) => (/\/(cats|breeds|search)(\?|$)/.test(target) ? [] : undefined))
    const unreached = await runCli([
      ...quickOptions,
      '--base-url',
      silent.origin,
      '--known',
      fileWith({ knownVersion: 1, violations: [entry] }),
    ])
    const undecided = await runCli([
      ...quickOptions,
      '--base-url',
      empty.origin,
      '--known',
      fileWith({ knownVersion: 1, violations: [] }),
    ])
    expect([unreached.code, undecided.code]).toEqual([3, 3])
    expect(unreached.stdout).toContain(
      '\nknown violations: nothing was tested, so the run cannot be compared with the known violations\n',
    )
    expect(undecided.stdout).toContain('known; the gate is not passed: other checks are inconclusive\n')
  })

  test('known violations that expired, or fail in another way, count as new', async () => {
    const { origin } = await deployDirectory(directoryWithOneCatMissing)
    const file = join(createTemporaryFolder(), 'known.json')
    await runCli([...quickOptions, '--base-url', origin, '--write-known', file])
    const { violations } = withReasons(knownIn(file))
    const expired = fileWith({
      knownVersion: 1,
      violations: violations.map((one) => ({ ...one, expires: '2020-02-29' })),
    })
    const past = await runCli([...quickOptions, '--base-url', origin, '--known', expired])
    expect(past.code).toBe(1)
    expect(past.stdout).toContain('expired on 2020-02-29')
    const fileWithOtherCause = fileWith({
      knownVersion: 1,
      violations: violations.map((one) => ({ ...one, cause: 'something else' })),
    })
    const other = await runCli([...quickOptions, '--base-url', origin, '--known', fileWithOtherCause])
    expect(other.code).toBe(1)
    expect(other.stdout).toContain('fails for another cause than the known one')
  })

  test('known violations keep their reasons when they are written again, and fixed ones are removed', async () => {
    const directoryWithTwoDefects: TargetResponder = (target) =>
      target.endsWith('lives_left') ? -1 : directoryWithOneCatMissing(target)
    const { origin } = await deployDirectory(directoryWithTwoDefects)
    const file = join(createTemporaryFolder(), 'known.json')
    const write = () => runCli([...quickOptions, '--base-url', origin, '--write-known', file])
    await write()
    const [first, second] = knownIn(file).violations
    if (!first || !second) throw new Error('fewer than two checks failed')
    const words = { reason: 'the importer', issue: 'https://issues.test/1' }
    const handwritten = [
      { ...first, ...words, expires: '2020-02-29' },
      { check: second.check, version: second.version, ...words },
    ]
    writeFileSync(file, textOf(...handwritten, entry))
    expect((await write()).code).toBe(1)
    const { violations } = knownIn(file)
    expect(violations.slice(0, 2)).toEqual(handwritten)
    const placeholder = 'Write here why this violation is not fixed yet.'
    expect(violations.slice(2).filter(({ check, reason }) => check === entry.check || reason !== placeholder)).toEqual(
      [],
    )
  })

  test.each([
    ['no JSON', '{'],
    ['something else', '{"name": "cats"}'],
    ['a check that there is not', textOf({ ...entry, check: 'cats/no-such-check' })],
  ])('known violations do not overwrite %s, and no request is sent', async (_, text) => {
    const { origin, connections } = await deployDirectory(directoryWithOneCatMissing)
    const file = join(createTemporaryFolder(), 'known.json')
    writeFileSync(file, text)
    const { code, stderr } = await runCli(['--base-url', origin, '--write-known', file])
    expect([code, connections(), readFileSync(file, 'utf8')]).toEqual([2, 0, text])
    expect(stderr).toMatch(/^--write-known/)
  })

  test('known violations cover nothing else', async () => {
    const { origin } = await deployDirectory(directoryWithOneCatMissing)
    const file = fileWith({ knownVersion: 1, violations: [] })
    const { code, stdout } = await runCli([...quickOptions, '--base-url', origin, '--known', file])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ {2}unknown {2}\S+ \(v2/m)
  })

  test('known violations survive being written and read again', () => {
    const some = fc.uniqueArray(
      fc.constantFrom(...catalogue.flatMap(({ id, scopes }) => scopes.map((version) => ({ check: id, version })))),
    )
    const words = fc.record(
      {
        reason: fc.string({ unit: arbitraryCodePoint }).filter((text) => /\S/.test(text)),
        issue: fc.webUrl(),
        expires: fc
          .date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2999-12-31') })
          .map((date) => date.toISOString().slice(0, 10)),
        cause: fc.string({ minLength: 1, unit: arbitraryCodePoint }),
      },
      { requiredKeys: ['reason'] },
    )
    fc.assert(
      fc.property(some, words, (places, more) => {
        const known = { knownVersion: 1 as const, violations: places.map((place) => ({ ...place, ...more })) }
        expect(parseBaseline(JSON.stringify(known), catalogue)).toEqual(known)
      }),
    )
  })

  test('malformed known violations are refused, with the place and the allowed values', () => {
    const wrong = ['', ' ', 7, null, {}, []]
    const cases: readonly (readonly [text: string, pointer: string])[] = [
      ['', ''],
      ['{', ''],
      ['[]', ''],
      ['{"knownVersion": 1}', ''],
      ['{"knownVersion": 2, "violations": []}', '/knownVersion'],
      ['{"knownVersion": 1, "violations": [], "known": 1}', '/known'],
      [textOf(entry, entry), '/violations/1'],
      [textOf({ ...entry, check: 'cats/no-such-check' }), '/violations/0/check'],
      [textOf({ ...entry, check: 'lives/is-served' }), '/violations/0/version'],
      [textOf({ ...entry, expires: '2026-02-30' }), '/violations/0/expires'],
      [textOf({ ...entry, expires: 'never' }), '/violations/0/expires'],
      [textOf({ ...entry, issue: 'javascript:alert(1)' }), '/violations/0/issue'],
      [textOf({ ...entry, reasn: 'x' }), '/violations/0/reasn'],
      ...Object.keys(entry).flatMap((key) =>
        wrong.map((value) => [textOf({ ...entry, [key]: value }), `/violations/0/${key}`] as const),
      ),
      ...['issue', 'expires', 'cause'].flatMap((key) =>
        wrong
          .filter((value) => value !== ' ' || key !== 'cause')
          .map((value) => [textOf({ ...entry, [key]: value }), `/violations/0/${key}`] as const),
      ),
      ...wrong
        .filter((value) => typeof value !== 'object' || value === null || Array.isArray(value))
        .map((value) => [textOf(value), '/violations/0'] as const),
    ]
    for (const [text, pointer] of cases) {
      let error: unknown
      try {
        parseBaseline(text, catalogue)
      } catch (thrown) {
        error = thrown
      }
      expect(error, text).toBeInstanceOf(JsonFileError)
      expect((error as JsonFileError).pointer, text).toBe(pointer)
      expect((error as JsonFileError).allowed, text).not.toBe('')
    }
  })

  const some = mutants.filter((_, index) => index % (everything ? 32 : 300) === 3)
  test.each(some.map(({ id }, index) => [id, index] as const))(
    'known violations of %s are the same with another seed',
    async (_, index) => {
      const running = await some[index]?.start()
      if (!running) throw new Error('the mutant does not exist')
      try {
        const options = { baseUrl: running.baseUrl, timeoutMs: 2_000, bounds: quickEffort }
        const first = await judge({ ...options, seed: 11 })
        const again = await judge({ ...options, seed: 22 })
        const { unknown, problems } = compareWithBaseline(again, withReasons(createBaseline(first)), new Date())
        // With another seed, another check may fail. Only violations that both runs found must be recognised as known.
        const inBoth = unknown.filter(({ check, version }) =>
          first.verdicts.some((one) => one.status === 'fail' && one.check.id === check.id && one.version === version),
        )
        expect(inBoth.map(({ check }) => check.id)).toEqual([])
        expect(problems.filter((problem) => problem.includes('otherwise'))).toEqual([])
      } finally {
        await running.close()
      }
    },
  )
})
