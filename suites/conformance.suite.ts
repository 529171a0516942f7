import { afterAll } from 'vitest'
import { startService } from '../fixtures/service/start.ts'
import { refuseUnknownChecks } from './command/explain.ts'
import { stackless } from './command/stackless.ts'
import { loadEnvironment, type Options, parseOptions, UsageError } from './options/options.ts'
import { conformance } from './vitest.ts'

function optionsFrom(cwd: string): Options {
  try {
    const options = parseOptions([], loadEnvironment(cwd))
    refuseUnknownChecks(options.only ?? [])
    return options
  } catch (error) {
    throw error instanceof UsageError ? stackless(error.name, error.message) : error
  }
}

let stop: (() => Promise<void>) | undefined
afterAll(() => stop?.())

/** The service that the suite brings along, where no other is named. */
async function startEmbedded(): Promise<string> {
  const { baseUrl, close } = await startService()
  stop = close
  return baseUrl
}

const { baseUrl = startEmbedded, ...options } = optionsFrom(process.cwd())
conformance({ ...options, baseUrl, embedded: baseUrl === startEmbedded })
