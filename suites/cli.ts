#!/usr/bin/env node
import { findHome } from './home.ts'
import { helpText, loadEnvironment, parseOptions, UsageError } from './options.ts'

const SUITE_FAILED = 4
const BAD_USAGE = 2

/** Runs the command; what it needs for judging is imported only when it judges. */
async function main(argv: readonly string[]): Promise<number> {
  const home = findHome(process.cwd())
  const env = loadEnvironment(process.cwd())
  const options = parseOptions(argv, env)
  switch (options.mode) {
    case 'help':
      return say(helpText())
    case 'version':
      return say(`${home.version}\n`)
    case 'list':
      return say((await import('./explain.ts')).listText())
    case 'explain':
      return say((await import('./explain.ts')).explainText(options.explain ?? ''))
    case 'run': {
      const { runCommand } = await import('./command.ts')
      return runCommand(options, {
        home,
        env,
        write: say,
        progress: process.stderr.isTTY && !process.env['CI'] ? progress : undefined,
        colour: process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
        width: process.stdout.columns ?? 100,
        interrupted: interruption(),
        startEmbedded: async () => (await import('../fixtures/service/start.ts')).startService(),
      })
    }
  }
}

function say(text: string): number {
  process.stdout.write(text)
  return 0
}

const progress = (text: string): void => void process.stderr.write(`\r\x1b[2K${text}`)

/** The first signal ends the run in good order, with reports; the second at once. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => (controller.signal.aborted ? process.exit(130) : controller.abort()))
  }
  return controller.signal
}

/** Whoever reads our output may close it early (`| head`): the verdict stands all the same. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof UsageError
  const isKnown = isUsage || (error instanceof Error && error.name === 'ReportWriteError')
  const text = isKnown
    ? error.message
    : `This suite failed, not the deployment: ${error instanceof Error ? error.stack : String(error)}`
  process.stderr.write(`${text}\n`)
  process.exitCode = isUsage ? BAD_USAGE : SUITE_FAILED
}
