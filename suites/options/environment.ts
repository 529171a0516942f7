import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodeOf } from '../../reports/text/error-code.ts'
import { normaliseProxyUrl } from '../engine/http/client/proxy.ts'
import type { TransportOptions } from '../engine/http/client/undici-network.ts'
import { type DotenvAssignment, parseDotenv } from './dotenv.ts'
import { environmentVariableOf, isDecisiveOption, valueSourceOf } from './option.ts'
import { allOptions, optionTable } from './table.ts'
import { findMostSimilarWord, UsageError } from './usage-error.ts'
import { parseYesOrNo } from './values.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const isSuiteVariable = (name: string): boolean => name.startsWith('CATS_')

/** Stores, for an environment, the assignments in `.env` that set its variables. */
const dotenvAssignments = new WeakMap<Environment, ReadonlyMap<string, DotenvAssignment>>()

/** Returns the assignment in `.env` from which a variable came; undefined if it came from elsewhere. */
export const dotenvAssignmentOf = (env: Environment, name: string): DotenvAssignment | undefined =>
  dotenvAssignments.get(env)?.get(name)

/**
 * Returns the name of a variable for errors, e.g. `CATS_SEED (.env, line 3)`. Replaces special characters by question
 * marks.
 */
function describeVariable(env: Environment, name: string): string {
  const line = dotenvAssignmentOf(env, name)?.line
  return name.replace(/\W/g, '?') + (line === undefined ? '' : ` (.env, line ${line})`)
}

/**
 * Returns the environment with the variables of `.env` added. `process.env` stays unchanged.
 * @param cwd the folder of `.env`
 * @param ambient the environment without the variables of `.env`
 * @param argv the command line, where `--no-env-file` may be
 */
export function loadEnvironment(
  cwd: string,
  ambient: Environment = process.env,
  argv: readonly string[] = [],
): Environment {
  const text = isEnvFileRead(argv, ambient) ? readIfExists(join(cwd, '.env')) : undefined
  if (text === undefined) return { ...ambient }
  const decisive = allOptions.filter(isDecisiveOption).map(environmentVariableOf)
  /**
   * Returns whether the environment sets a variable, so that `.env` must not set it. An empty variable of this suite
   * usually comes from a missing CI secret, and counts as not set. Empty variables that decide what is judged count as
   * set, and so do those of other programs (an empty `http_proxy` turns the proxy off).
   */
  const isSet = (name: string) =>
    isSuiteVariable(name) && !decisive.includes(name) ? !!ambient[name]?.trim() : ambient[name] !== undefined
  const added = [...parseDotenv(text, isSuiteVariable)].filter(([name]) => !isSet(name))
  const env: Environment = { ...ambient, ...Object.fromEntries(added.map(([name, { value }]) => [name, value])) }
  dotenvAssignments.set(env, new Map(added))
  return env
}

/** Returns whether `.env` is to be read: neither the command line nor the environment has `--no-env-file`. */
function isEnvFileRead(argv: readonly string[], ambient: Environment): boolean {
  const { noEnvFile } = optionTable
  const variable = environmentVariableOf(noEnvFile)
  const value = ambient[variable]?.trim()
  return !argv.includes(noEnvFile.flag) && !(value && parseYesOrNo(value, valueSourceOf(noEnvFile, false)))
}

/** Returns the content of a file; undefined if the file does not exist. */
function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'ENOENT') return undefined
    throw new UsageError({
      where: '.env',
      what: `the file .env exists but cannot be read (${code}).`,
      expected: 'a readable text file with one NAME=value per line, or no such file',
      advice: 'make the file .env readable for this user, or remove the file',
    })
  }
}

/** Refuses variables that would silently have no effect, e.g. because their names are misspelt. */
export function refuseInvalidVariables(env: Environment): void {
  const known: readonly string[] = allOptions.map(environmentVariableOf)
  const isUnknown = (name: string) => isSuiteVariable(name) && !known.includes(name) && !!env[name]?.trim()
  const unknown = Object.keys(env).find(isUnknown)
  if (unknown !== undefined) {
    const nearest = findMostSimilarWord(unknown, known)
    throw new UsageError({
      where: describeVariable(env, unknown),
      what: 'no option has this variable.',
      expected: 'one of the variables in .env.example',
      advice: nearest ? `did you mean ${nearest}?` : 'unset the variable; .env.example lists all variables',
    })
  }
  const { noEnvFile } = optionTable
  const name = environmentVariableOf(noEnvFile)
  if (dotenvAssignmentOf(env, name)?.value.trim())
    throw new UsageError({
      where: describeVariable(env, name),
      what: 'the variable has no effect in the file .env.',
      expected: 'no such line in .env',
      advice: `give ${noEnvFile.flag}, or set ${name} in the environment`,
    })
}

/** Reads the common proxy variables, e.g. `https_proxy`. Lower case takes precedence over upper case, as in curl. */
export function readProxies(env: Environment): NonNullable<TransportOptions['proxies']> {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) refuseInvalidProxy(name, env[name])
  const valueOf = (name: string) => (env[name.toLowerCase()] ?? env[name]) || undefined
  const [httpProxy, httpsProxy, noProxy] = [valueOf('HTTP_PROXY'), valueOf('HTTPS_PROXY'), valueOf('NO_PROXY')]
  return { ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }), ...(noProxy && { noProxy }) }
}

/** Refuses a value that is not the URL of a proxy. The error does not show the value, which may contain a password. */
function refuseInvalidProxy(where: string, value: string | undefined): void {
  if (!value) return
  const url = normaliseProxyUrl(value.trim())
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw new UsageError({
    where,
    what: 'the value is not the URL of a proxy.',
    expected: 'http://host:port, or http://user:password@host:port if the proxy requires credentials',
    advice: `unset ${where}, or add the host of the deployment to NO_PROXY`,
  })
}
