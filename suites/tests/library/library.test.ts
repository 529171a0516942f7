import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startService } from '../../../fixtures/service/start.ts'
import { type JudgeOptions, judge } from '../../index.ts'
import { conformance } from '../../vitest.ts'
import { PLACEHOLDER_REASON } from '../../workflows/baseline/known.ts'
import { packageRoot } from '../command/cli.test.support.ts'

const baseUrl = 'http://127.0.0.1:9'
const KNOWN = { check: 'cats/is-served', version: 'v2' }

describe('the library accepts the input of the command, and nothing else', () => {
  test.each<[object, string]>([
    [{ concurrency: 0 }, 'concurrency: "0" is out of bounds.'],
    [{ concurrency: Number.NaN }, 'concurrency: "NaN" is not a whole number.'],
    [{ concurrency: '16' }, 'concurrency: is a string.'],
    [{ record: 'everything' }, 'record: "everything" is not one of the allowed values.'],
    [{ timeoutMs: -1 }, 'timeoutMs: "-1" is out of bounds.'],
    [{ requestsPerSecond: 0 }, 'requestsPerSecond: "0" is not a rate.'],
    [{ retries: 1.5 }, 'retries: "1.5" is not a whole number.'],
    [{ seed: 2 ** 31 }, 'seed: "2147483648" is out of bounds.'],
    [{ effort: 'max' }, 'effort: "max" is not one of the allowed values.'],
    [{ versions: ['v4'] }, 'versions: "v4" is not one of the allowed values.'],
    [{ versions: 'v2' }, 'versions: is a string.'],
    [{ only: ['Search!'] }, 'only: "Search!" is not the id of a check.'],
    [
      { headers: { 'X-Key': 'a\nb' } },
      'headers: the value contains a line break, a control character or a character outside Latin-1.',
    ],
    [{ headers: { Host: 'h' } }, 'headers: the HTTP client itself sets the header Host.'],
    [{ baseUrl: 'ftp://h' }, 'baseUrl: "ftp://h" is not an http or https URL.'],
    [{ baseUrl: undefined }, 'baseUrl: is missing.'],
    [{ nope: 1 }, 'nope: there is no such option.'],
    [{ concurency: 4 }, 'did you mean concurrency?'],
    [{ reportDir: 'out' }, 'reportDir: there is no such option.'],
    [{ only: ['zzz'] }, 'only: no check is called "zzz".'],
    [{ only: ['search/', 'serch/'] }, 'did you mean search/'],
  ])('the library refuses the options %j', async (options, message) => {
    const judging = judge({ baseUrl, ...options } as JudgeOptions) // as a program without types may pass them
    await expect(judging).rejects.toThrow(TypeError)
    await expect(judging).rejects.toThrow(message)
  })

  test.each([undefined, null, 'http://h', []])('the library refuses %j in place of options', async (options) => {
    const judging = judge(options as unknown as JudgeOptions) // as a program without types may pass them
    await expect(judging).rejects.toThrow(/^options: must be an object\.\n {2}expected /)
  })

  test('the library refuses input of other modes beside the options', async () => {
    const judging = { check: [] } as object
    await expect(judge({ baseUrl }, judging)).rejects.toThrow(
      /^check: there is no such option\.[^]*did you mean checks\?/,
    )
  })

  test.each<[object, string]>([
    [{ nope: 1 }, 'nope: there is no such option.'],
    [{ onVerdict: () => {} }, 'onVerdict: there is no such option.'],
    [{ only: ['zzz'] }, 'only: no check is called "zzz".'],
    [
      { profile: { profileVersion: 1, pins: [{ point: 'O-LIST-SHAPE', schema: { propertys: {} } }] } },
      'profile/pins/0/schema: the value is not a valid JSON Schema: there is no keyword "propertys"',
    ],
    [{ profile: {} }, 'profile'],
    [
      { known: { knownVersion: 1, violations: [{ check: 'cats/is-servd', version: 'v2', reason: 'told' }] } },
      'known/violations/0/check: no check is called cats/is-servd.',
    ],
    [
      { known: { knownVersion: 1, violations: [{ ...KNOWN, reason: PLACEHOLDER_REASON }] } },
      'known/violations/0/reason: the reason of cats/is-served (v2) is still the placeholder.',
    ],
  ])('the library refuses the options %j under vitest, before any test exists', (options, message) => {
    const registering = () => conformance({ baseUrl, ...options })
    expect(registering).toThrow(message)
    expect(registering).toThrow(expect.objectContaining({ name: 'TypeError', stack: '' }))
  })
})

test('the library leaves its host unchanged: no timer, no listener, no flag of V8', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const folder = mkdtempSync(join(tmpdir(), 'cats-library-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const events = ['exit', 'SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection', 'warning']
  const code = `import { judge } from ${JSON.stringify(pathToFileURL(join(packageRoot, 'suites/judge/judge.ts')).href)}
    const listening = () => ${JSON.stringify(events)}.map((name) => process.listenerCount(name)).join()
    const before = listening()
    const { conclusion } = await judge({ baseUrl: ${JSON.stringify(service.baseUrl)}, effort: 'quick' })
    const left = process.getActiveResourcesInfo().filter((name) => /Timeout|Immediate|TCP/.test(name))
    console.log(JSON.stringify([conclusion, listening() === before, left, typeof globalThis.gc]))`
  writeFileSync(join(folder, 'host.mjs'), code)
  const child = spawn(process.execPath, ['--import', 'tsx', join(folder, 'host.mjs')], { cwd: packageRoot })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(stdout, stderr).toBe(`${JSON.stringify(['conformant', true, [], 'undefined'])}\n`)
})
