import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeChecks } from '../support/verdict-lines.ts'
import { createTemporaryFolder, readReport, runCli } from './cli.test.support.ts'
import { recordRunWithRepeatedSecret } from './recorded-secrets.test.support.ts'

const fileIn = (folder: string): string => join(folder, 'history.json')

describe('a recorded run', () => {
  test('a recorded run is judged again without a request, with the same verdicts and exit code', async () => {
    const folder = createTemporaryFolder()
    const run = await runCli(['--embedded', '--seed', '5', '--record-history', fileIn(folder)])
    expect(run.code).toBe(0)
    expect(readdirSync(folder)).toEqual(['history.json'])
    const again = await runCli(['judge-recording', fileIn(folder)])
    expect(again.code).toBe(0)
    const [one, other] = [readReport(run.reports), readReport(again.reports)]
    const verdictsIn = ({ checks }: typeof one) => checks.map(({ id, version, status }) => [id, version, status])
    expect(verdictsIn(other)).toEqual(verdictsIn(one))
    expect(other.target).toEqual(one.target)
    expect(again.stdout).toContain('no request was sent')
  })

  test('a recorded run holds no spelling of a credential', async () => {
    const { text, verdicts } = await recordRunWithRepeatedSecret(fileIn(createTemporaryFolder()))
    expect(text).not.toMatch(/tok-3f9a|dG9rLTNmOWE|746f6b2d33663961|tok%2[dD]3f9a/)
    expect(text).toContain('***')
    expect(verdicts).toBe('same')
  })
})

describe('judge-recording', () => {
  test.each([
    ['a missing file', undefined, /cannot be read \(ENOENT\)/],
    ['a text that is no JSON', 'cats', /the file is not JSON/],
    ['a recording of another version', '{"recordingVersion":2}', /recordingVersion|must have the key/],
    [
      'a HAR without a cat directory',
      '{"log":{"entries":[]}}',
      /\/log\/entries.*no request has a path with \/v2 or \/v3/,
    ],
    ['a HAR without entries', '{"log":{}}', /must have the key "entries"/],
  ])('judge-recording refuses %s', async (_, content, message) => {
    const file = fileIn(createTemporaryFolder())
    if (content !== undefined) writeFileSync(file, content)
    const { code, stderr } = await runCli(['judge-recording', file])
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })

  test('judge-recording refuses options that decide what is requested, and a call without a file', async () => {
    expect((await runCli(['judge-recording', 'x.json', '--seed', '3'])).stderr).toMatch(/^--seed: cannot be combined/)
    expect((await runCli(['judge-recording'])).stderr).toMatch(
      /^judge-recording: the file with the recording is missing/,
    )
  })
})

const entry = (path: string, body: unknown) => ({
  startedDateTime: '2026-11-27T05:00:00.000Z',
  time: 3,
  request: { method: 'GET', url: `https://cats.example.org/api${path}`, headers: [] },
  response: {
    status: 200,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    content: { size: JSON.stringify(body).length, text: JSON.stringify(body) },
  },
})

test('a HAR is judged by what it shows: the rest is not tested, and a single wrong response fails nothing', async () => {
  const file = fileIn(createTemporaryFolder())
  const entries = [entry('/v2/cats', ['Tom', 'Tom']), entry('/v2/breeds', ['Manx'])]
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries } }))
  const { code, reports } = await runCli(['judge-recording', file])
  expect(code).toBe(3)
  const { checks, target } = readReport(reports)
  expect(target.baseUrl).toBe('https://cats.example.org/api')
  expect(describeChecks({ checks }, 'fail', 'error')).toEqual([])
  expect(checks.some(({ reason = '' }) => reason.includes('the recording does not contain'))).toBe(true)
})

test('a large file with escapes is searched for keys that occur twice', async () => {
  const { findDuplicateKey } = await import('../../options/files/duplicate-keys.ts')
  const long = JSON.stringify('"\\'.repeat(6 << 20))
  expect(findDuplicateKey(`{"a":${long},"b":{"c":1}}`)).toBeUndefined()
  expect(findDuplicateKey(`{"a":${long},"a" :{"c":1}}`)).toBe('/a')
})
