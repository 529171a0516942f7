#!/usr/bin/env node
import { interruption } from './command/beginning.mjs'
import type { ProcessLike } from './command/main.ts'

const { stdout, stderr, env } = process
/**
 * Equals `exitCodes.suiteFailed`, which is not imported: the command must exit with it even if no module can be loaded.
 */
const SUITE_FAILED = 4

/**
 * The reason why output was lost. If the reader closes the output early (`| head`), the verdict stays valid; any other
 * error loses output.
 */
let lostOutputReason: string | undefined
const onWritten = (error?: NodeJS.ErrnoException | null): void => {
  if (error && error.code !== 'EPIPE') lostOutputReason ??= error.code ?? error.message
}
stdout.on('error', onWritten)
stderr.on('error', () => {})
process.once('exit', () => {
  if (lostOutputReason === undefined) return
  stderr.write(`The output is incomplete, because it could not be written (${lostOutputReason}).\n`)
  process.exitCode = SUITE_FAILED
})

/**
 * Makes garbage collection available, as `node --expose-gc` does, to release large responses of a hostile deployment
 * immediately.
 */
async function exposeGarbageCollection(): Promise<void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')])
  setFlagsFromString('--expose-gc')
  globalThis.gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc> // Exposed by the flag.
}

const commandProcess: ProcessLike = {
  cwd: process.cwd(),
  env,
  stdout: (text) => void stdout.write(text, onWritten),
  stderr: (text) => void stderr.write(text),
  progress: {
    isTerminal: stderr.isTTY && !env['CI'],
    width: stderr.columns ?? 80,
    write: (text) => void stderr.write(text),
  },
  colour: stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  width: stdout.columns ?? 100,
  interruption: () => interruption,
  exposeGarbageCollection,
  startEmbedded: async () => (await import('../fixtures/service/start.ts')).startService(),
}

async function runCommand(): Promise<void> {
  const { main } = await import('./command/main.ts')
  process.exitCode = await main(process.argv.slice(2), commandProcess)
}

// Set early, because a process that ends without a verdict must not exit with 0.
process.exitCode = SUITE_FAILED
void runCommand() // `beginning.mjs` handles a rejection.
