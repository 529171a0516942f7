import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { proxyUrl } from '../engine/http/client/proxy.ts'
import type { Transport } from '../engine/http/client/transport.ts'
import { type Assigned, parseDotenv } from './dotenv.ts'
import { isDecisive, sourceOf, variableOf } from './option.ts'
import { rows, table } from './table.ts'
import { nearest, UsageError } from './usage-error.ts'
import { yesOrNo } from './values.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const isOwn = (name: string): boolean => name.startsWith('CATS_')

/** The variables of each environment that came from `.env`. */
const origins = new WeakMap<Environment, ReadonlyMap<string, Assigned>>()

/** Returns the line of `.env` that assigns a variable; undefined if the variable came from elsewhere. */
export const originOf = (env: Environment, name: string): Assigned | undefined => origins.get(env)?.get(name)

/** Adds the line of `.env` to an error. */
export function withOrigin(error: unknown, env: Environment): unknown {
  if (!(error instanceof UsageError)) return error
  const name = /^\w+/.exec(error.misuse.where)?.[0] ?? ''
  const line = originOf(env, name)?.line
  return line === undefined
    ? error
    : new UsageError({ ...error.misuse, where: `${error.misuse.where} (.env, line ${line})` })
}

/**
 * The environment with what `.env` adds to it; nothing is written back to the process.
 *
 * @param cwd where `.env` is looked for
 * @param ambient what is set already, and wins
 * @param argv may hold `--no-env-file`
 * @throws UsageError when there is a `.env` that cannot be read, or that says what cannot be meant
 */
export function loadEnvironment(
  cwd: string,
  ambient: Environment = process.env,
  argv: readonly string[] = [],
): Environment {
  const text = readsEnvFile(argv, ambient) ? readIfThere(join(cwd, '.env')) : undefined
  if (text === undefined) return { ...ambient }
  const decisive = rows.filter(isDecisive).map(variableOf)
  // An empty variable is usually a missing CI secret: `.env` may fill it, unless it decides what is judged. An empty
  // `http_proxy` turns a proxy off.
  const isSet = (name: string) =>
    isOwn(name) && !decisive.includes(name) ? !!ambient[name]?.trim() : ambient[name] !== undefined
  const added = [...parseDotenv(text, isOwn)].filter(([name]) => !isSet(name))
  const env: Environment = { ...ambient, ...Object.fromEntries(added.map(([name, { value }]) => [name, value])) }
  origins.set(env, new Map(added))
  return env
}

function readsEnvFile(argv: readonly string[], ambient: Environment): boolean {
  const { noEnvFile } = table
  const variable = variableOf(noEnvFile)
  const set = ambient[variable]?.trim()
  return !argv.includes(noEnvFile.flag) && !(set && yesOrNo(set, sourceOf(noEnvFile, false)))
}

/** @throws UsageError if `.env` says that it must not be read */
export function refuseOwnSwitch(env: Environment): void {
  const name = variableOf(table.noEnvFile)
  if (!originOf(env, name)?.value.trim()) return
  const advice = `give ${table.noEnvFile.flag}, or set ${name} in the environment`
  throw new UsageError({ where: name, what: 'has no effect in .env.', expected: 'nothing here', advice })
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (code === 'ENOENT') return undefined
    throw new UsageError({
      where: '.env',
      what: `the file is there but cannot be read (${code}).`,
      expected: 'a readable text file with one NAME=value a line, or none',
      advice: 'make .env readable for this user, or take it away',
    })
  }
}

/**
 * Refuses unknown variables, because a misspelled one would silently leave the default in force.
 *
 * @throws UsageError for a `CATS_…` variable that belongs to no option
 */
export function refuseUnknownVariables(env: Environment): void {
  const known: readonly string[] = rows.map(variableOf)
  const isUnknown = (name: string) => isOwn(name) && !known.includes(name) && !!env[name]?.trim()
  const unknown = Object.keys(env).find(isUnknown)
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  const advice = meant ? `did you mean ${meant}?` : 'unset it; .env.example lists every variable'
  const expected = 'a variable of .env.example, in the environment or in .env'
  throw new UsageError({ where: quotable(unknown), what: 'there is no such variable.', expected, advice })
}

/** Names of variables may contain anything but `=` and NUL. */
function quotable(name: string): string {
  return name.replace(/\W/g, '?')
}

/** The usual variables in either case; lower case takes precedence, as in curl. */
export function proxiesOf(env: Environment): NonNullable<Transport['proxies']> {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) refuseUnlessProxy(name, env[name])
  const either = (name: string) => (env[name.toLowerCase()] ?? env[name]) || undefined
  const [httpProxy, httpsProxy, noProxy] = [either('HTTP_PROXY'), either('HTTPS_PROXY'), either('NO_PROXY')]
  return { ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }), ...(noProxy && { noProxy }) }
}

/** The value may contain a password, so it is not shown. */
function refuseUnlessProxy(where: string, value: string | undefined): void {
  const url = value ? proxyUrl(value.trim()) : 'http://none'
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw new UsageError({
    where,
    what: 'is no URL of a proxy.',
    expected: 'http://host:port, with user:password@ before the host where the proxy asks for it',
    advice: `unset ${where}, or name the host in NO_PROXY`,
  })
}
