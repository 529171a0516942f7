import './command/beginning.mjs'
import { compiledCommand } from './command/compiled.mjs'

/**
 * Starts the command in a checkout: the compiled command, because it starts in a third of the time; else the sources.
 */
const compiled = compiledCommand()
if (compiled) await import(compiled.href)
else {
  await import('tsx')
  await import('./cli.ts')
}
