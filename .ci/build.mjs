import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundling } from './bundling.mjs'

/**
 * Compiles the package into `dist`, or into the given folder: types file by file, code in few files, because a start opens
 * each. Compiles into a temporary folder and renames it. A command that starts meanwhile finds the old build or the new
 * one, and an interrupted build leaves no `dist`.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const dist = resolve(process.argv[2] ?? join(root, 'dist'))
const startedAt = new Date()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => compiler.kill(signal))
const scratch = mkdtempSync(`${dist}.`)
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

const built = join(scratch, 'new')
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
const config = join(root, '.ci', 'tsconfig.build.json')
const compiler = spawn(process.execPath, [tsc, '-p', config, '--outDir', built])
compiler.stdout.pipe(process.stdout)
compiler.stderr.pipe(process.stderr)
const { files } = JSON.parse(readFileSync(config, 'utf8'))
const bundled = build({
  absWorkingDir: root,
  entryPoints: files.map((file) => join(dirname(config), file)),
  outbase: root,
  outdir: built,
  chunkNames: 'suites/chunks/[name]-[hash]',
  ...bundling,
}).then(
  () => true,
  () => false,
)
// Waits for `close`, not `exit`: the compiler is a grandchild and outlives the child.
const [[code], isBundled] = await Promise.all([once(compiler, 'close'), bundled])
if (code === 0 && isBundled) {
  // A source that is edited during the compilation must be newer than the result.
  utimesSync(join(built, 'suites', 'cli.js'), startedAt, startedAt)
  replace(dist, built)
} else process.exitCode = 1

/** Two builds that end together both try; the last one stays. */
function replace(old, fresh, tries = 10) {
  try {
    renameSync(old, join(scratch, `old-${tries}`))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  try {
    renameSync(fresh, old)
  } catch (error) {
    if (tries === 0) throw error
    replace(old, fresh, tries - 1)
  }
}
