import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { judge } from '../../judge/judge.ts'
import { exampleValueOf, takesValue, type ValueOption } from '../../options/option.ts'
import { type Options, parseOptions } from '../../options/options.ts'
import { allOptions, optionTable } from '../../options/table.ts'
import { findSuitePackage } from '../../workflows/report/suite-package.ts'
import { runCommand } from '../../workflows/run/command.ts'
import { nonInteractiveContext } from '../support/surroundings.test.support.ts'

/** Wraps options in a proxy that records which of them are read. Copying all of them does not count as reading. */
function recordReads<T extends object>(options: T, read: Set<string>, path = ''): T {
  return new Proxy(options, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      const isPart = typeof value === 'object' && value !== null && !Array.isArray(value) && name !== 'signal'
      if (!isPart) read.add(`${path}${String(name)}`)
      return isPart ? recordReads(value, read, `${path}${String(name)}.`) : value
    },
    ownKeys: (target) => (path === '' ? [] : Reflect.ownKeys(target)),
  })
}

const fieldsOf = (options: object, path = ''): string[] =>
  Object.entries(options).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? fieldsOf(value, `${path}${name}.`)
      : [`${path}${name}`],
  )

/** The contents of the files that options read, by option. An option that is not listed reads a certificate. */
const contentsByOption: Readonly<Record<string, string>> = {
  '--profile': '{"profileVersion":1,"pins":[{"point":"O-RATE","version":"v2+v3","value":"none"}]}',
  '--key': '-----BEGIN PRIVATE KEY-----',
  '--known': '{"knownVersion":1,"violations":[]}',
  // An output file, which is empty before the run.
  '--pin': '',
  '--write-known': '',
  '--events': '',
  '--record-history': '',
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cats-options-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Returns a valid value of an option as a user would type it. It writes a file if the option reads one. */
function createValidValue(row: ValueOption, folder: string): string {
  if (row.placeholder !== 'FILE') return exampleValueOf(row)
  const file = join(folder, row.flag)
  writeFileSync(file, contentsByOption[row.flag] ?? '-----BEGIN CERTIFICATE-----')
  return file
}

/** Returns the parsed options of a command line with every option, except options that start no run. */
function parseEveryOption(folder: string): Options {
  // Leaves out options that cannot be combined with others. Other tests cover them.
  const specialFlags: readonly string[] = [
    optionTable.watch,
    optionTable.replayFile,
    optionTable.pinFile,
    optionTable.embedded,
    optionTable.tokenCommand,
  ].map(({ flag }) => flag)
  const given = allOptions.filter((row) => !row.isMode && !specialFlags.includes(row.flag))
  const args = given.flatMap((row) => (takesValue(row) ? [row.flag, createValidValue(row, folder)] : [row.flag]))
  const proxies = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '*' }
  // Sets `--pin` by its variable, because on the command line it cannot be combined with `--only`.
  const env = { ...proxies, CATS_PIN: createValidValue(optionTable.pinFile, folder) }
  return parseOptions(args, env)
}

test('every result of an option is read by a run', async () => {
  const folder = temporaryFolder()
  const options = { ...parseEveryOption(folder), baseUrl: 'http://127.0.0.1:9', reportDir: join(folder, 'reports') }
  const read = new Set<string>()
  const signal = AbortSignal.abort() // ends the run before its first request
  await judge(recordReads({ ...options, signal }, read))
  await runCommand(recordReads(options, read), {
    suitePackage: findSuitePackage(folder),
    write: () => {},
    ...nonInteractiveContext,
    colour: false,
    width: 100,
    interruption: signal,
    startEmbedded: () => Promise.reject(new Error('a base URL is given')),
  })
  // `main` reads these options before a run begins, so the recording does not include them.
  const usedByEntryPoints = ['mode', 'noEnvFile']
  expect(
    fieldsOf(options)
      .filter((field) => !read.has(field))
      .toSorted(),
  ).toEqual(usedByEntryPoints)
})
