import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundling } from './bundling.mjs'

/**
 * Builds the command as a single executable (https://nodejs.org/api/single-executable-applications.html) into
 * `dist.binary`, or into the file given. It runs on machines without Node.js, of the same system and processor.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const suffix = process.platform === 'win32' ? '.exe' : ''
const output = resolve(process.argv[2] ?? join(root, 'dist.binary', `cat-directory-conformance${suffix}`))
/** The marker in an executable of Node.js that accepts an application. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const [major, minor] = process.versions.node.split('.').map(Number)
/** From this version on, Node.js writes the executable itself. */
const writesExecutable = major > 25 || (major === 25 && minor >= 5)

const scratch = mkdtempSync(join(tmpdir(), 'cats-binary-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

if (!readFileSync(process.execPath).includes(FUSE))
  fail('was built without support for single executables', 'Install Node.js from nodejs.org, and run this again.')
const main = join(scratch, 'main.cjs')
await bundle(main)
mkdirSync(dirname(output), { recursive: true })
if (writesExecutable) run(process.execPath, '--build-sea', writeConfig(main, output))
else injectInto(output, main)
if (process.platform === 'darwin') run('codesign', '--sign', '-', output)
chmodSync(output, 0o755)
console.log(`${output} (Node.js ${process.versions.node}, ${process.platform} ${process.arch})`)

/** One file in CommonJS, the only kind that the executables of all supported versions of Node.js start. */
async function bundle(outfile) {
  const { splitting: _, packages: __, ...common } = bundling
  await build({
    ...common,
    absWorkingDir: root,
    entryPoints: ['suites/cli.ts'],
    outfile,
    format: 'cjs',
    minifySyntax: true,
    define: { 'import.meta.url': 'undefined' },
    plugins: [{ name: 'bundled-requires', setup: bundleRequires }],
  })
}

/** esbuild bundles the packages that modules load on demand only if `require` is the global one. */
function bundleRequires({ onLoad }) {
  onLoad({ filter: /(?:undici|ajv|dotenv)\.ts$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replace(/^const require = createRequire\(.*\)$/m, ''),
    loader: 'ts',
  }))
}

function writeConfig(main, file) {
  const config = join(scratch, 'config.json')
  writeFileSync(config, JSON.stringify({ main, output: file, disableExperimentalSEAWarning: true }))
  return config
}

function injectInto(file, main) {
  const blob = join(scratch, 'application.blob')
  run(process.execPath, '--experimental-sea-config', writeConfig(main, blob))
  copyFileSync(process.execPath, file)
  const isMac = process.platform === 'darwin'
  if (isMac) run('codesign', '--remove-signature', file)
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : []
  const inject = [file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...segment]
  run('npx', '--yes', 'postject@1.0.0-alpha.6', ...inject)
}

function run(command, ...args) {
  const { status, error, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32' && command === 'npx',
  })
  if (status !== 0) fail(`cannot run ${command} ${args[0]}`, error?.message ?? stderr)
}

function fail(what, advice) {
  console.error(`No executable was built: Node.js ${process.versions.node} (${process.execPath}) ${what}.\n${advice}`)
  process.exit(1)
}
