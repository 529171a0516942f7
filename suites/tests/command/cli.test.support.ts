import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, inject } from 'vitest'
import { startService } from '../../../fixtures/service/start.ts'
import { parseReport } from '../../../reports/report/parse.ts'
import type { Report } from '../../../reports/report/report.ts'
import { main, type ProcessLike } from '../../command/main.ts'
import { callAfterTests } from '../support/at-end.test.support.ts'

export const packageRoot = fileURLToPath(new URL('../../..', import.meta.url))
export const cliPath = fileURLToPath(new URL('../../start.mjs', import.meta.url))

/** Creates a folder that is deleted after all tests of the file. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cats-cli-'))
  callAfterTests(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The report directory of the run. */
  readonly reports: string
}

export interface CliProcess {
  readonly child: ChildProcess
  readonly ended: Promise<CommandResult>
  /** Resolves when the output contains these words as often as `times` says. */
  readonly waitForOutput: (words: string, times?: number) => Promise<void>
}

export interface CommandRunOptions {
  /** The working directory; by default an empty folder, so that no `.env` of this repository is read. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Returns the environment of this process without the variables that the command reads, e.g. `CATS_…` and those of CI
 * systems.
 */
export function createCleanEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(CATS_|GITHUB_|CI$)/.test(name)))
}

/** Removes lines about progress. They appear every ten seconds, so that only busy machines print them. */
export const removeProgressLines = (stderr: string): string =>
  stderr.replace(/^(?:[\d,]+ of [\d,]+ checks · )?[\d,]+ requests? · .*\n/gm, '')

/**
 * The default effort of these tests: quick, because they are about the command and not about its requests. `npm run
 * test:full` uses the command's own default.
 */
const defaultEffort = inject('extent').everything ? undefined : 'quick'

const environmentOf = (reports: string, env: CommandRunOptions['env']) => ({
  ...createCleanEnvironment(),
  CATS_REPORT_DIR: reports,
  ...(defaultEffort && { CATS_EFFORT: defaultEffort }),
  ...env,
})

/**
 * Starts the command in a process of its own, with a report directory of its own (`CATS_REPORT_DIR`, which
 * `--report-dir` overrides).
 */
export function startCliProcess(args: readonly string[], { cwd, env }: CommandRunOptions = {}): CliProcess {
  const reports = join(createTemporaryFolder(), 'reports')
  const child = spawn(process.execPath, [cliPath, ...args], {
    cwd: cwd ?? createTemporaryFolder(),
    env: environmentOf(reports, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  callAfterTests(() => child.kill('SIGKILL'))
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (more: string) => void (stdout += more))
  const written = Promise.all([text(child.stderr), once(child, 'close')])
  const resultOf = ([stderr]: readonly [string, ...unknown[]]) => ({
    code: child.exitCode,
    stdout,
    stderr: removeProgressLines(stderr),
    reports,
  })
  const waitForOutput = async (words: string, times = 1): Promise<void> => {
    while (stdout.split(words).length <= times) {
      const more = once(child.stdout, 'data')
      const end = written.then(() => expect.fail(`ended without the output ${words}: ${stdout}`))
      await Promise.race([more, end])
    }
  }
  return { child, ended: written.then(resultOf), waitForOutput }
}

/** Runs the command in this process. Tests of signals, closed outputs, exit codes or memory use `runCliProcess`. */
export async function runCli(args: readonly string[], { cwd, env }: CommandRunOptions = {}): Promise<CommandResult> {
  const reports = join(createTemporaryFolder(), 'reports')
  const around = {
    cwd: cwd ?? createTemporaryFolder(),
    env: environmentOf(reports, env),
    startEmbedded: startService,
  }
  return { ...(await runMain(args, around)), reports }
}

/** Runs the command's main function without a terminal, and captures its output. */
export async function runMain(
  args: readonly string[],
  around: Pick<ProcessLike, 'cwd' | 'env' | 'startEmbedded'>,
): Promise<Omit<CommandResult, 'reports'>> {
  const written = { stdout: '', stderr: '' }
  const code = await main(args, {
    ...around,
    stdout: (text) => void (written.stdout += text),
    stderr: (text) => void (written.stderr += text),
    progress: { isTerminal: false, width: 80, write: () => {} },
    colour: false,
    width: 100,
    interruption: () => new AbortController().signal,
    exposeGarbageCollection: () => Promise.resolve(),
  })
  return { code, ...written }
}

/** Runs the command in a process of its own, to its end. */
export function runCliProcess(args: readonly string[], options?: CommandRunOptions): Promise<CommandResult> {
  return startCliProcess(args, options).ended
}

export const firstLineOf = (output: string): string => output.split('\n', 1)[0] ?? ''

/** Returns the cause and the next step that the output shows under the verdict, as one line. */
export function extractDiagnosis(output: string): string {
  const [, verdict = '', rows = ''] = /^([?✗✓…] .*\n)((?: {2}.*\n)*)/m.exec(output) ?? []
  const texts = rows.split(/\n(?= {2}\S)/).map((row) => row.trim().replace(/\s*\n\s*/g, ' '))
  const textOf = (label: string) => texts.flatMap((text) => (text.startsWith(`${label} `) ? [text.slice(10)] : []))
  return verdict === '' ? '' : [...textOf('cause'), ...textOf('next')].join(' ')
}

/**
 * Reads report.json.
 * @throws {Error} if the file is missing, invalid by the shipped schema, or cites exchanges that it does not contain
 */
export function readReport(folder: string): Report {
  return parseReport(readFileSync(join(folder, 'report.json'), 'utf8'))
}

export interface RunningStub {
  readonly origin: string
  readonly requests: { readonly method: string; readonly target: string; readonly headers: IncomingHttpHeaders }[]
  /** Returns how many connections were opened, with or without a request. */
  readonly connections: () => number
}

/**
 * Listens on a free loopback port until all tests of the file have ended.
 * @param closeConnections ends the connections that are still open
 * @returns the origin
 */
export async function listenOnFreePort(server: Server, closeConnections: () => void = () => {}): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  callAfterTests(() => {
    server.close()
    closeConnections()
  })
  const { port } = server.address() as AddressInfo // an object, because the server listens on a port
  return `http://127.0.0.1:${port}`
}

/** Serves on a free loopback port until all tests of the file have ended. */
export async function deploy(listener: RequestListener): Promise<RunningStub> {
  const requests: RunningStub['requests'] = []
  let connections = 0
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', target: request.url ?? '', headers: request.headers })
    listener(request, response)
  })
  server.on('connection', () => connections++)
  const origin = await listenOnFreePort(server, () => server.closeAllConnections())
  return { origin, requests, connections: () => connections }
}

/** A directory as a function: maps a request target to a JSON value, or to undefined for 404. */
export type TargetResponder = (target: string) => unknown

/** Serves a directory. Each response is delayed by `lateMs` milliseconds. */
export function deployDirectory(directory: TargetResponder, lateMs = 0): Promise<RunningStub> {
  return deploy(({ url = '' }, response) => {
    const value = directory(url)
    const sendResponse = () => {
      response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(value ?? { error: 'not found' }))
    }
    if (lateMs === 0) sendResponse()
    else setTimeout(sendResponse, lateMs)
  })
}

interface StubCat {
  readonly name: string
  readonly breed: string
  readonly lives: number
}

const cats: readonly StubCat[] = [
  { name: 'Luna', breed: 'Maine Coon', lives: 7 },
  { name: 'Salt & Pepper', breed: 'Korat', lives: 9 },
  { name: 'C++', breed: 'Korat', lives: 0 },
  { name: 'Éclair', breed: 'Siamese', lives: 3 },
  { name: '100% Cat', breed: 'Siamese', lives: 9 },
]
export const catNames = cats.map(({ name }) => name)

/** Creates a conformant cat directory, which shares no code with the reference service. */
export function createDirectoryResponder(cats: readonly StubCat[]): TargetResponder {
  const breedNames = [...new Set(cats.map(({ breed }) => breed))]
  const namesWhere = (isMeant: (cat: StubCat) => boolean) => cats.filter(isMeant).map((cat) => cat.name)
  return (target) => {
    const [path = '', query = ''] = target.split('?')
    const segments = path.split('/').slice(1).map(decoded)
    const [version = '', kind, name, rest] = segments
    if (!/^v[23]$/.test(version) || segments.includes(undefined)) return undefined
    const route = segments.map((segment, index) => (index === 2 ? '_' : segment)).join('/')
    if (name === undefined && kind === 'cats') return namesWhere(() => true)
    if (name === undefined && kind === 'breeds') return breedNames
    if (name === undefined && kind === 'search') {
      const q = new URLSearchParams(query).get('q') ?? ''
      return namesWhere((cat) => cat.name.includes(q) || cat.breed.includes(q))
    }
    if (kind === 'breeds' && rest === 'cats' && route.split('/').length === 4) {
      return breedNames.includes(name ?? '') ? namesWhere((cat) => cat.breed === name) : undefined
    }
    return route === 'v3/cat/_/lives_left' ? cats.find((cat) => cat.name === name)?.lives : undefined
  }
}

export const conformantDirectory = createDirectoryResponder(cats)

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** The conformant directory, except that the v2 list of all cats lacks the first cat. */
export const directoryWithOneCatMissing: TargetResponder = (target) =>
  target.split('?')[0] === '/v2/cats' ? catNames.slice(1) : conformantDirectory(target)
