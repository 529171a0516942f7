import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundling } from './bundling.mjs'

/**
 * Compiles what the package ships, into `dist` or into the folder given: its types file by file, its code in few files,
 * for a start opens each. It is compiled beside and renamed, so that whoever starts meanwhile finds all of the old one or
 * all of the new one, and an interrupted build leaves no `dist`.
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
// Closed is what no process writes to any more: the compiler is the child of a child, and outlives it.
const [[code], isBundled] = await Promise.all([once(compiler, 'close'), bundled])
if (code === 0 && isBundled) {
  // What is edited while it is compiled is newer than what was compiled.
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
