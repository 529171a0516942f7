import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compiledCommand } from '../../command/compiled.mjs'

/** Compiles the command once before all tests, because they start it often. */
export function setup() {
  if (compiledCommand()) return
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], { cwd, encoding: 'utf8', shell: true })
  // Runs from sources instead, more slowly: `npm run types` reports compiler errors.
  if (status !== 0) console.warn(`The command is not compiled, and starts more slowly:\n${stdout}${stderr}`)
}
