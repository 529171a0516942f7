import { exits } from '../options/exit-code.ts'
import {
  type Environment,
  helpText,
  loadEnvironment,
  type Options,
  parseOptions,
  UsageError,
} from '../options/options.ts'
import { findHome, type Home } from '../workflows/report/home.ts'
import type { Surroundings } from '../workflows/run/command.ts'

/** The parts of the process that the command needs. */
export interface ProcessLike extends Pick<Surroundings, 'progress' | 'colour' | 'width' | 'startEmbedded'> {
  /** The folder of `.env`. */
  readonly cwd: string
  readonly env: Environment
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** Called once when a run begins; aborted when the user interrupts it. */
  readonly interruption: () => AbortSignal
}

/**
 * Runs the command.
 * @returns the exit code; never rejects
 */
export async function main(argv: readonly string[], around: ProcessLike): Promise<number> {
  try {
    if (argv[0] === 'matrix') {
      around.stdout(await (await import('../workflows/matrix/matrix.ts')).matrixText(argv.slice(1)))
      return exits.conformant.code
    }
    return await show(parseOptions(argv, loadEnvironment(around.cwd, around.env, argv)), around)
  } catch (error) {
    const isUsage = error instanceof UsageError
    const isKnown = isUsage || (error instanceof Error && error.name === 'ReportWriteError')
    const text = isKnown
      ? error.message
      : `This suite failed, not the deployment: ${error instanceof Error ? error.stack : String(error)}`
    around.stderr(`${text}\n`)
    return isUsage ? exits.misused.code : exits.suiteFailed.code
  }
}

/** Imports modules for judging only if it judges. */
async function show(options: Options, around: ProcessLike): Promise<number> {
  const home = findHome(around.cwd)
  const say = (text: string): number => {
    around.stdout(text)
    return exits.conformant.code
  }
  switch (options.mode) {
    case 'help':
      return say(helpText())
    case 'version':
      return say(`${home.version}\n`)
    case 'list':
      return say((await import('../workflows/lookup/explain.ts')).listText(options))
    case 'plan':
      return say(await (await import('../workflows/plan/plan.ts')).planText(options))
    case 'service':
      return say((await import('../workflows/lookup/service-page.ts')).servicePage())
    case 'openapi':
      return say((await import('../workflows/lookup/openapi.ts')).openapiText())
    case 'explain':
      return say((await import('../workflows/lookup/explain.ts')).explainText(options.explain ?? ''))
    case 'run': {
      await refuseUnusableTls(options.transport?.tls)
      refuseEmbeddedByOversight(options, home, around.env)
      const github = (await import('../workflows/run/github.ts')).gitHubOf(around.env)
      const interrupted = around.interruption()
      if (options.replayFile !== undefined)
        return (await import('../workflows/replay/replay.ts')).replay(options.replayFile, options, {
          ...around,
          write: around.stdout,
          interrupted,
        })
      const { runCommand } = await import('../workflows/run/command.ts')
      const surroundings = { ...around, home, github, write: around.stdout, interrupted }
      if (options.watch === undefined) return runCommand(options, surroundings)
      return (await import('../workflows/watch/watch.ts')).watch(options.watch, options, surroundings)
    }
  }
}

/** Refuses to judge the embedded service in CI, where a base URL was more likely lost than left out. */
function refuseEmbeddedByOversight(
  { baseUrl, embedded, replayFile }: Options,
  { isCheckout }: Pick<Home, 'isCheckout'>,
  { CI: ci = '' }: Environment,
): void {
  const isCi = !/^(|0|false|no|off)$/i.test(ci.trim())
  if (baseUrl !== undefined || embedded || replayFile !== undefined || isCheckout || !isCi) return
  throw new UsageError({
    where: '--base-url',
    what: 'is missing, and CI is set: nothing of yours would be judged.',
    expected: 'the URL of the deployment',
    advice: '--base-url https://cats.example.org/api, or --embedded for the embedded reference service',
  })
}

/** Refuses unusable certificates and keys before any request. */
async function refuseUnusableTls(tls: NonNullable<Options['transport']>['tls']): Promise<void> {
  if (!tls?.ca && !tls?.cert) return
  const { createSecureContext } = await import('node:tls')
  const refused = (['ca', 'cert'] as const).find((name) => {
    const { ca, cert, key } = tls
    try {
      createSecureContext(name === 'ca' ? { ...(ca && { ca }) } : { ...(cert && { cert }), ...(key && { key }) })
      return false
    } catch {
      return true
    }
  })
  if (refused === undefined) return
  throw new UsageError({
    where: refused === 'ca' ? '--ca' : '--cert, --key',
    what:
      refused === 'ca'
        ? 'the file holds no certificate that can be read.'
        : 'the certificate and the key cannot be read, or do not belong together.',
    expected: 'files in PEM format, and the key not encrypted',
    advice: 'look at them with openssl x509 -text and openssl pkey -check',
  })
}
