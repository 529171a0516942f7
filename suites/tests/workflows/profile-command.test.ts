import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  catNames,
  conformantDirectory,
  createTemporaryFolder,
  deploy,
  deployDirectory,
  readReport,
  runCli,
  type TargetResponder,
} from '../command/cli.test.support.ts'

const textOf = (pins: readonly unknown[]): string => JSON.stringify({ profileVersion: 1, pins })

describe('the command', () => {
  // Clauses V4.1 and V4.3 of the contract.
  test('the command writes observations with --pin, and holds the same deployment to them with --profile', async () => {
    const file = join(createTemporaryFolder(), 'profile.json')
    const { origin } = await deployDirectory(conformantDirectory)
    const pinning = await runCli(['--effort', 'standard', '--base-url', origin, '--pin', file])
    expect(pinning.code).toBe(0)
    const { pins } = JSON.parse(readFileSync(file, 'utf8'))
    expect(pinning.stdout).toContain(`\n${pins.length} choices pinned in ${file}\n`)
    const { code, reports, stdout } = await runCli(['--base-url', origin, '--profile', file])
    expect(code, stdout).toBe(0)
    const checks = readReport(reports).checks.filter(({ level }) => level === 'pinned')
    expect(checks.length).toBeGreaterThan(40)
    expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['pass']))
  })

  test('the command pins with --pin no property of the environment, e.g. the HTTP version, unless the file pins it already', async () => {
    const file = join(createTemporaryFolder(), 'profile.json')
    const { origin } = await deployDirectory(conformantDirectory)
    const pinnedPoints = async () => {
      await runCli(['--effort', 'quick', '--base-url', origin, '--pin', file])
      const { pins }: { pins: { point: string }[] } = JSON.parse(readFileSync(file, 'utf8'))
      return pins.map(({ point }) => point).filter((point) => ['O-TRANSPORT', 'O-RATE', 'O-AUTH'].includes(point))
    }
    expect(await pinnedPoints()).toEqual([])
    writeFileSync(file, textOf([{ point: 'O-TRANSPORT', value: 'HTTP/2' }]))
    expect(await pinnedPoints()).toEqual(['O-TRANSPORT'])
  })

  // Clause V4.2 of the contract.
  test('the command fails a deployment with another choice, once for both versions, with exchanges as evidence', async () => {
    const folder = createTemporaryFolder()
    const file = join(folder, 'profile.json')
    writeFileSync(
      file,
      textOf([
        { point: 'O-UNKNOWN-BREED', value: 'empty list' },
        { point: 'O-LIST-SHAPE', operation: 'listCats', schema: { const: catNames[0] } },
      ]),
    )
    const { origin } = await deployDirectory(conformantDirectory)
    const { code, reports, stdout } = await runCli(['--base-url', origin, '--profile', file])
    expect(code).toBe(1)
    const { checks } = readReport(reports)
    const failing = checks.filter(({ status }) => status === 'fail')
    expect(failing.map(({ id, version }) => `${id} ${version}`)).toEqual([
      'pinned/O-LIST-SHAPE/listCats v2',
      'pinned/O-LIST-SHAPE/listCats v3',
      'pinned/O-UNKNOWN-BREED/listCatsOfBreed v2',
      'pinned/O-UNKNOWN-BREED/listCatsOfBreed v3',
    ])
    expect(failing.filter(({ cause }) => cause === undefined)).toHaveLength(2)
    for (const { finding } of failing) expect(finding?.exchanges.length).toBeGreaterThan(0)
    const fixes = failing.map(({ finding }) => finding?.fix)
    expect(fixes[0]).toContain('If the change is intended, edit the profile at /pins/1/schema')
    expect(fixes[2]).toContain('/pins/0/value: "empty list" → "status 404, application/json"')
    expect(stdout).toMatch(/expected +empty list/)
    expect(stdout).toMatch(
      /✗ O-UNKNOWN-BREED \(listCatsOfBreed\) is "status 404, application\/json", but the profile pins another\s+value/,
    )
    const only = ['--only', 'pinned/O-UNKNOWN-BREED/listCatsOfBreed', '--versions', 'v2']
    expect((await runCli(['--base-url', origin, '--profile', file, ...only])).code).toBe(1)
  })

  test('the command keeps earlier pins with --pin if the run observes less, and says so', async () => {
    const file = join(createTemporaryFolder(), 'profile.json')
    const pins = [
      { point: 'O-SIZE', operation: 'searchCats', version: 'v3', value: '64 characters and more' },
      { point: 'O-UNKNOWN-BREED', value: 'empty list' },
    ]
    writeFileSync(file, textOf(pins))
    const { origin } = await deployDirectory(conformantDirectory)
    const { stdout } = await runCli(['--effort', 'quick', '--versions', 'v2', '--base-url', origin, '--pin', file])
    expect(stdout).toMatch(
      /\n\d+ choices pinned in .*; 2 of these pins are unchanged, because this run did not observe their open points\n/,
    )
    const written: { pins: { point: string; operation?: string; version: string; value: string }[] } = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const pinned = written.pins.filter(({ point }) => pins.some((pin) => pin.point === point))
    expect(pinned.map(({ point, version, value }) => `${point} ${version}: ${value}`)).toEqual([
      'O-UNKNOWN-BREED v2: status 404, application/json',
      'O-UNKNOWN-BREED v3: empty list',
      'O-SIZE v3: 64 characters and more',
    ])
  })

  test('the command lists with --pin the lists without a schema', async () => {
    const members = Array.from({ length: 90 }, (_, at) => [`${'long'.repeat(80)}${at}`, at] as const)
    const dressed: TargetResponder = (target) => {
      const value = conformantDirectory(target)
      return Array.isArray(value) ? value.map((name) => ({ name, ...Object.fromEntries(members) })) : value
    }
    const { origin } = await deployDirectory(dressed)
    const file = join(createTemporaryFolder(), 'profile.json')
    const { stdout } = await runCli(['--effort', 'quick', '--base-url', origin, '--pin', file])
    expect(stdout).toContain('\nO-LIST-SHAPE listCats v3 is pinned without a schema, ')
  })

  test('the command leaves a profile unchanged if nothing was observed, and says so', async () => {
    const file = join(createTemporaryFolder(), 'profile.json')
    const text = textOf([{ point: 'O-SEARCH-CASE', value: 'yes' }])
    writeFileSync(file, text)
    const { origin } = await deploy(({ socket }) => socket.destroy())
    const { code, stdout } = await runCli(['--base-url', origin, '--pin', file])
    expect([code, readFileSync(file, 'utf8')]).toEqual([3, text])
    expect(stdout).toContain(`\nno choice was observed, so ${file} was not changed\n`)
  })

  test.each([
    ['a key', { point: 'O-SEARCH-CASE', vale: 'no' }, '/pins/0/vale', 'did you mean value?'],
    [
      'a value',
      { point: 'O-SEARCH-CASE', value: 'No' },
      '/pins/0/value',
      '`yes` if search is case-sensitive, otherwise `no`',
    ],
  ])(
    'the command refuses a profile with %s that is unknown, with its place and the allowed values',
    async (_, pin, place, allowed) => {
      const file = join(createTemporaryFolder(), 'profile.json')
      writeFileSync(file, textOf([pin]))
      const { code, stderr } = await runCli(['--profile', file])
      expect(code).toBe(2)
      expect(stderr).toContain(place)
      expect(stderr).toContain(allowed)
    },
  )

  test.each(['--profile', '--pin'])(
    'the command refuses a file for %s that is missing or cannot be written',
    async (flag) => {
      const { code, stderr } = await runCli(
        [flag, join(createTemporaryFolder(), 'a-file-is-here', '\u0041', 'x.json')].map((one) =>
          flag === '--pin' && one.endsWith('x.json') ? '/dev/null/x.json' : one,
        ),
      )
      expect(code).toBe(2)
      expect(stderr).toContain(flag)
    },
  )
})

// Clauses R3.5 and R9.7 of the contract.
describe('pinned pointers of a profile', () => {
  const size = 2

  /**
   * A directory that needs a profile: two members may be the name, two numbers may be the lives, and no link to the
   * next page can be recognised.
   */
  const dressed: TargetResponder = (target) => {
    const [path = '', query = ''] = target.split('?')
    const parameters = new URLSearchParams(query)
    const from = Number(parameters.get('ab') ?? 0)
    parameters.delete('ab')
    const value = conformantDirectory(`${path}?${parameters.toString()}`)
    if (typeof value === 'number') return { alpha: value + 1, beta: value }
    if (!Array.isArray(value)) return value
    const names = value.map(String)
    const weiter =
      from + size < names.length
        ? `${path}?${[query.replace(/&?ab=\d+/, ''), `ab=${from + size}`].filter(Boolean).join('&')}`
        : ''
    return { herd: names.slice(from, from + size).map((name) => ({ one: name, two: name })), weiter }
  }
  const pins = [
    { point: 'O-LIST-SHAPE', list: '/herd', name: '/two', next: '/weiter' },
    { point: 'O-LIVES-SHAPE', lives: '/beta' },
  ]

  test('pinned pointers of a profile override inferred places', async () => {
    const file = join(createTemporaryFolder(), 'profile.json')
    writeFileSync(file, textOf(pins))
    const { origin } = await deployDirectory(dressed)
    const { code, stdout, reports } = await runCli(['--base-url', origin, '--profile', file])
    expect(code, stdout).toBe(0)
    const values = new Set(
      readReport(reports)
        .openPoints.filter(({ id }) => /SHAPE/.test(id))
        .map(({ value }) => value),
    )
    expect(values).toEqual(new Set(['array at /herd, name at /two', 'number at /beta']))
    expect((await runCli(['--base-url', origin])).code).not.toBe(0)
  })
})
