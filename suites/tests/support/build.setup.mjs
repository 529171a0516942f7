import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compiledCommand } from '../../command/compiled.mjs'

/** Compiles the command once, before all tests: they start it so often that each start must be quick. */
export function setup() {
  if (compiledCommand()) return
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], { cwd, encoding: 'utf8', shell: true })
  // From its sources it does the same, more slowly: what does not compile is for `npm run types` to say.
  if (status !== 0) console.warn(`The command is not compiled, and starts more slowly:\n${stdout}${stderr}`)
}
