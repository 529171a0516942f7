import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import { bundling } from '../../../.ci/bundling.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const FOLDERS = ['suites', 'fixtures', 'reports']
/** The files that are not compiled: vitest loads tests itself, and independent services need the files beside them. */
const NOT_COMPILED = /^suites\/tests\/|\.suite\.ts$|^fixtures\/variants\/independent\//

const sources = (): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ).filter((file) => file.endsWith('.ts') && !NOT_COMPILED.test(file))

/**
 * Creates a folder for the compiled modules below `node_modules`: from there Node.js finds the dependencies, and vitest
 * leaves the modules to Node.js.
 */
function createScratchFolder(): string {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'compiled-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Compiles each source into one module that all importers share.
 * @returns the folder of the modules, which have the same paths as in the project
 */
async function compileSources(): Promise<string> {
  const { build } = await import('esbuild') // imported here, because users who run the suite with this configuration do not need it
  const outdir = createScratchFolder()
  await build({
    absWorkingDir: root,
    entryPoints: sources(),
    outbase: root,
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[hash]',
    ...bundling,
  })
  return outdir
}

/** Returns the path of an imported source, relative to the root; undefined for other imports. */
function findSourcePath(source: string, importer = root): string | undefined {
  if (!/^(\.|\/|file:)/.test(source) || !source.endsWith('.ts')) return undefined
  return relative(root, source.startsWith('file:') ? fileURLToPath(source) : resolve(dirname(importer), source))
}

/**
 * Creates a vitest plugin that compiles the sources once for all workers. This is five times as fast as vitest's own
 * transformation, and tests the code that users run. In watch mode, the sources are not compiled.
 */
export function createCompiledSourcesPlugin(): Plugin {
  let isWatched = false
  let compiled: Promise<string> | undefined
  return {
    name: 'compiled-sources',
    enforce: 'pre',
    configureVitest({ vitest }) {
      isWatched = vitest.config.watch
    },
    async resolveId(source, importer) {
      const file = findSourcePath(source, importer)
      if (isWatched || file === undefined) return
      compiled ??= compileSources()
      const js = join(await compiled, file.replace(/\.ts$/, '.mjs'))
      return existsSync(js) ? js : undefined
    },
  }
}
