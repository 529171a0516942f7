import { afterAll } from 'vitest'
import { startService } from '../fixtures/service/start.ts'
import { createStacklessError } from './command/stackless.ts'
import { loadEnvironment, type Options, parseOptions, UsageError } from './options/options.ts'
import { conformance, conformanceOptionNames } from './vitest.ts'
import { readInputFiles } from './workflows/run/option-files.ts'

/** Refuses options that compare, write or show something, because tests have no use for them. */
function refuseCommandOnlyOptions(options: Options): void {
  const { against, replayFile, pinFile, writeKnownFile, watch, mode } = options
  const given = { against, replay: replayFile, pin: pinFile, write_known: writeKnownFile, watch }
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? (mode === 'run' ? [] : [mode])
  if (name === undefined) return
  const variable = `CATS_${name.toUpperCase()}`
  throw new UsageError({
    where: variable,
    what: 'only the command uses this option, not vitest.',
    expected: 'only options about how the deployment is tested',
    advice: `unset ${variable}, or run npm run conformance`,
  })
}

/** Leaves out the options about a run and its reports, which only the command uses. */
const selectConformanceOptions = <T extends object>(options: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(options).filter(([name]) => Object.hasOwn(conformanceOptionNames, name)),
  ) as Partial<T> // Entries of the same object.

async function readOptions(cwd: string) {
  try {
    const options = parseOptions([], loadEnvironment(cwd))
    refuseCommandOnlyOptions(options)
    return selectConformanceOptions({ ...options, ...(await readInputFiles(options)) })
  } catch (error) {
    throw error instanceof UsageError ? createStacklessError(error.name, error.message) : error
  }
}

let stopEmbedded: (() => Promise<void>) | undefined
afterAll(() => stopEmbedded?.())

/** Starts the reference service if no base URL is given. */
async function startEmbedded(): Promise<string> {
  const { baseUrl, close } = await startService()
  stopEmbedded = close
  return baseUrl
}

const { baseUrl = startEmbedded, ...options } = await readOptions(process.cwd())
conformance({ ...options, baseUrl, embedded: baseUrl === startEmbedded })
