import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  conformantDirectory,
  createDirectoryResponder,
  createTemporaryFolder,
  deploy,
  deployDirectory,
  directoryWithOneCatMissing,
  firstLineOf,
  runCli,
} from './cli.test.support.ts'

const quick = ['--effort', 'quick']
const lastLine = (stdout: string): string => stdout.trimEnd().split('\n').at(-1) ?? ''

/** Writes the known violations of a deployment to a file, with `--write-known`. */
async function writeKnownViolations(origin: string): Promise<string> {
  const file = join(createTemporaryFolder(), 'known.json')
  await runCli([...quick, '--base-url', origin, '--write-known', file])
  return file
}

const withReasons = (file: string): void =>
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"reason": ".*"/g, '"reason": "waits for release 7"'))

describe('known violations', () => {
  test('known violations with the placeholder as reason are refused, with the file and the entry', async () => {
    const { origin } = await deployDirectory(directoryWithOneCatMissing)
    const file = await writeKnownViolations(origin)
    const { code, stdout, stderr } = await runCli([...quick, '--base-url', origin, '--known', file])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`--known ${JSON.stringify(file)} at /violations/0/reason: the reason of `)
    const again = await runCli([...quick, '--base-url', origin, '--write-known', file])
    expect(again.code, again.stderr).toBe(1)
    withReasons(file)
    expect((await runCli([...quick, '--base-url', origin, '--known', file])).code).toBe(0)
  })

  test('known violations pass a run of exactly the known check and the whole run', async () => {
    const { origin } = await deployDirectory(directoryWithOneCatMissing)
    const file = await writeKnownViolations(origin)
    withReasons(file)
    const { violations } = JSON.parse(readFileSync(file, 'utf8')) as { violations: { check: string }[] }
    const ids = violations.map(({ check }) => check).join(',')
    const args = [...quick, '--base-url', origin, '--known', file]
    const [whole, some] = [await runCli(args), await runCli([...args, '--only', ids])]
    expect([whole.code, some.code], some.stdout).toEqual([0, 0])
    for (const line of [firstLineOf(some.stdout), lastLine(some.stdout)])
      expect(line).toMatch(/^exit code 0: \d+ failing checks? known \(--known\); the deployment is nonconformant$/)
  })
})

test('JUnit has an error if the directory is empty and the run inconclusive', async () => {
  const { origin } = await deployDirectory(createDirectoryResponder([]))
  const { code, reports } = await runCli([...quick, '--base-url', origin])
  const junit = readFileSync(join(reports, 'junit.xml'), 'utf8')
  expect(code).toBe(3)
  expect(junit).toMatch(/failures="0" errors="[1-9]/)
  expect(junit.match(/<error /g)?.length).toBe(Number(/errors="(\d+)"/.exec(junit)?.[1]))
})

describe('a comparison', () => {
  test('the first and the last line name a comparison that fails a conformant deployment', async () => {
    const [before, now] = await Promise.all([
      deployDirectory(conformantDirectory),
      deployDirectory((target) => conformantDirectory(target) ?? (/^\/v[23]\/breeds\//.test(target) ? [] : undefined)),
    ])
    const { code, stdout } = await runCli([...quick, '--base-url', now.origin, '--against', before.origin])
    expect(code, stdout).toBe(1)
    const reason = /^exit code 1: \d+ differences? from http:\S+ \(--against\); the deployment is conformant$/
    expect(firstLineOf(stdout)).toMatch(reason)
    expect(lastLine(stdout)).toMatch(reason)
  })

  test.each([
    ['refuses all credentials', { status: 401 }, 'the other side refused the credentials'],
    [
      'redirects all requests to a login page',
      { status: 302, location: '/login' },
      'the other side refused the credentials',
    ],
    ['fails all requests', { status: 500 }, 'the other side passes no check (service/answers: '],
  ])(
    'a comparison with a deployment that %s is inconclusive, and says so',
    async (_, { status, ...headers }, reason) => {
      const form = '<title>Sign in</title><form method="post"><input type="password"></form>'
      const [good, locked] = await Promise.all([
        deployDirectory(conformantDirectory),
        deploy(({ url }, response) =>
          url === '/login'
            ? response.writeHead(200, { 'content-type': 'text/html' }).end(form)
            : response.writeHead(status, headers).end(),
        ),
      ])
      const { code, stdout } = await runCli([...quick, '--base-url', good.origin, '--against', locked.origin])
      expect(code, stdout).toBe(3)
      expect(lastLine(stdout)).toContain(reason)
      expect(stdout).not.toMatch(/different choices|\d differences?/)
    },
  )
})
