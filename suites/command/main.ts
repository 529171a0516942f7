import { exitCodes } from '../options/exit-code.ts'
import {
  addVariableNameToError,
  buildHelpText,
  type Environment,
  loadEnvironment,
  type Options,
  parseOptions,
  UsageError,
} from '../options/options.ts'
import { findSuitePackage, type SuitePackage } from '../workflows/report/suite-package.ts'
import type { CommandContext } from '../workflows/run/command.ts'

/** The parts of the Node.js process that the command uses, so that tests can replace them. */
export interface ProcessLike extends Pick<CommandContext, 'progress' | 'colour' | 'width' | 'startEmbedded'> {
  /** The folder in which `.env` is looked for. */
  readonly cwd: string
  readonly env: Environment
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** Called once, at the start of a run. The returned signal is aborted when the user interrupts the run. */
  readonly interruption: () => AbortSignal
  /** Called once, at the start of a run. */
  readonly exposeGarbageCollection: () => Promise<void>
}

/**
 * Runs the command.
 * @returns the exit code; never rejects
 */
export async function main(argv: readonly string[], processLike: ProcessLike): Promise<number> {
  try {
    if (argv[0] === 'matrix') {
      processLike.stdout(await (await import('../workflows/matrix/matrix.ts')).renderReportMatrix(argv.slice(1)))
      return exitCodes.conformant.code
    }
    if (argv[0] === 'judge-recording') {
      const { judgeRecording } = await import('../workflows/judge-recording/judge-recording.ts')
      const [, ...args] = argv
      const env = loadEnvironment(processLike.cwd, processLike.env, args)
      return await judgeRecording(args, env, await createContext(processLike))
    }
    const options = parseOptions(argv, loadEnvironment(processLike.cwd, processLike.env, argv))
    return await runMode(options, processLike).catch((error: unknown) => {
      throw addVariableNameToError(error, options.outsideOptions)
    })
  } catch (error) {
    const isUsage = error instanceof UsageError
    const hasAdvice = isUsage || (error instanceof Error && error.name === 'ReportWriteError')
    const text = hasAdvice
      ? error.message
      : `This suite failed, not the deployment: ${error instanceof Error ? error.stack : String(error)}`
    processLike.stderr(`${text}\n`)
    return isUsage ? exitCodes.misused.code : exitCodes.suiteFailed.code
  }
}

async function createContext(processLike: ProcessLike): Promise<CommandContext> {
  await processLike.exposeGarbageCollection()
  const { readGitHubEnvironment } = await import('../workflows/run/github.ts')
  return {
    ...processLike,
    suitePackage: findSuitePackage(processLike.cwd),
    github: readGitHubEnvironment(processLike.env),
    write: processLike.stdout,
    interruption: processLike.interruption(),
  }
}

/**
 * Runs the mode that the options select, e.g. `--help`, and returns the exit code. Imports the modules of each mode on
 * demand, so that e.g. `--help` does not load all checks.
 */
async function runMode(options: Options, processLike: ProcessLike): Promise<number> {
  const suitePackage = findSuitePackage(processLike.cwd)
  const print = (text: string): number => {
    processLike.stdout(text)
    return exitCodes.conformant.code
  }
  switch (options.mode) {
    case 'help':
      return print(buildHelpText())
    case 'version':
      return print(`${suitePackage.version}\n`)
    case 'list':
      return print((await import('../workflows/lookup/explain.ts')).renderCheckList(options))
    case 'plan':
      return print(await (await import('../workflows/lookup/plan.ts')).renderPlan(options))
    case 'service':
      return print((await import('../workflows/lookup/service-page.ts')).renderServicePage())
    case 'openapi':
      return print((await import('../workflows/lookup/service-page.ts')).renderOpenApi())
    case 'explain':
      return print((await import('../workflows/lookup/explain.ts')).renderExplanation(options.explain ?? ''))
    case 'run': {
      await refuseUnusableTls(options.transport?.tls)
      refuseAccidentalEmbedded(options, suitePackage, processLike.env)
      const context = await createContext(processLike)
      if (options.replayFile !== undefined)
        return (await import('../workflows/replay/replay.ts')).replayFindings(options.replayFile, options, context)
      const { runCommand } = await import('../workflows/run/command.ts')
      if (options.watch === undefined) return runCommand(options, context)
      return (await import('../workflows/watch/watch.ts')).watchDeployment(options.watch, options, context)
    }
  }
}

/**
 * Throws a usage error if no base URL is given in CI: the embedded service would be judged, probably by mistake. In a
 * checkout of the suite, this is allowed.
 */
function refuseAccidentalEmbedded(
  { baseUrl, embedded, replayFile }: Options,
  { isCheckout }: Pick<SuitePackage, 'isCheckout'>,
  { CI: ci = '' }: Environment,
): void {
  const isCi = !/^(|0|false|no|off)$/i.test(ci.trim())
  if (baseUrl !== undefined || embedded || replayFile !== undefined || isCheckout || !isCi) return
  throw new UsageError({
    where: '--base-url',
    what: 'is missing, and CI is set: your deployment would not be tested.',
    expected: 'the URL of the deployment to test',
    advice: '--base-url https://cats.example.org/api, or --embedded to test the reference service',
  })
}

/** Throws a usage error before the first request if a certificate or key is unusable. */
async function refuseUnusableTls(tls: NonNullable<Options['transport']>['tls']): Promise<void> {
  if (!tls?.ca && !tls?.cert) return
  const { createSecureContext } = await import('node:tls')
  const unusable = (['ca', 'cert'] as const).find((name) => {
    const { ca, cert, key } = tls
    try {
      createSecureContext(name === 'ca' ? { ...(ca && { ca }) } : { ...(cert && { cert }), ...(key && { key }) })
      return false
    } catch {
      return true
    }
  })
  if (unusable === undefined) return
  throw new UsageError({
    where: unusable === 'ca' ? '--ca' : '--cert, --key',
    what:
      unusable === 'ca'
        ? 'the file contains no readable certificate.'
        : 'the certificate or the key cannot be read, or the two do not belong together.',
    expected: 'files in PEM format, with a key that is not encrypted',
    advice: 'check the files with openssl x509 -text and openssl pkey -check',
  })
}
