import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compiledCommand } from '../../command/compiled.mjs'

/** Compiles the command once before all tests, because many of them start it. */
export function setup() {
  if (compiledCommand()) return
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], { cwd, encoding: 'utf8', shell: true })
  // Tests then run the command from its sources, which is slower. `npm run types` shows the compiler's errors.
  if (status !== 0) console.warn(`The command is not compiled, and starts more slowly:\n${stdout}${stderr}`)
}
