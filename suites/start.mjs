import './command/beginning.mjs'
import { compiledCommand } from './command/compiled.mjs'

/** Starts the command in a checkout: as it was compiled, for that starts in a third of the time; else from its sources. */
const compiled = compiledCommand()
if (compiled) await import(compiled.href)
else {
  await import('tsx')
  await import('./cli.ts')
}
