import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { judge } from '../../judge/judge.ts'
import { parseOptions, UsageError } from '../../options/options.ts'
import { conformantDirectory, deploy, runCli } from '../command/cli.test.support.ts'

function fileWith(text: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'cats-strings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'strings.txt')
  writeFileSync(file, text)
  return file
}

const stringsOf = (text: string | Buffer) => parseOptions(['--strings', fileWith(text)], {}).strings

describe('a file of strings', () => {
  test.each([
    ['one a line', 'Tom\nMia\n', ['Tom', 'Mia']],
    ['lines of any system, blanks kept', ' Tom \r\nMia', [' Tom ', 'Mia']],
    ['without a byte order mark, empty lines and repetitions', '\ufeffTom\n\n\nTom\n', ['Tom']],
    ['in quotation marks as JSON has them', '"a\\u0000b"\n""\n"\\n"', ['a\0b', '', '\n']],
    ['with quotation marks elsewhere as they stand', '"\nsay "hi"', ['"', 'say "hi"']],
  ])('a file of strings is read %s', (_, text, strings) => {
    expect(stringsOf(text)).toEqual(strings)
  })

  test.each([
    ['nothing', '\n\n', 'contains no string'],
    ['what is no JSON string', 'Tom\n"a\\qb"', 'line 2, .* is not a valid JSON string'],
    ['an unclosed quotation mark', 'a\n"x', 'line 2, .* begins with a quotation mark that is not closed'],
    ['half a character', '"\\ud800"', 'line 1, .* half of a surrogate pair'],
    ['other octets than UTF-8', Buffer.from([0x54, 0xff]), 'is not UTF-8'],
    ['too many strings', Array.from({ length: 1001 }, (__, at) => at).join('\n'), 'contains 1001 strings'],
    ['too much', 'x'.repeat(1_000_001), 'is larger than a megabyte'],
  ])('a file of strings that holds %s is refused', (_, text, what) => {
    expect(() => stringsOf(text)).toThrow(UsageError)
    expect(() => stringsOf(text)).toThrow(new RegExp(what))
  })

  test('a missing file of strings is refused with exit code 2', async () => {
    const { code, stderr } = await runCli(['--strings', join(tmpdir(), 'no-such-strings.txt')])
    expect(code).toBe(2)
    expect(stderr).toMatch(/--strings: ".*no-such-strings.txt" cannot be read \(ENOENT\)/)
  })
})

test("a defect that shows only with a user's string is found in searches, breeds and cats, with quick effort too", async () => {
  const { origin } = await deploy(({ url = '' }, response) => {
    const value = conformantDirectory(url)
    const status = url.includes('Purr%2042') ? 500 : value === undefined ? 404 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? {}))
  })
  const failing = async (strings: readonly string[]) =>
    (await judge({ baseUrl: origin, seed: 7, effort: 'quick', strings })).verdicts
      .filter(({ status }) => status === 'fail')
      .map(({ check, version, finding }) => `${check.id} ${version} ${finding?.counterexample}`)
  expect(await failing([])).toEqual([])
  const found = await failing(['Purr 42'])
  for (const id of ['breed-cats', 'search', 'lives'])
    expect(found).toContainEqual(expect.stringMatching(`^${id}/survives-every-string .*"Purr 42"`))
})
