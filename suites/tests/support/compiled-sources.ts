import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import { bundling } from '../../../.ci/bundling.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const ROOMS = ['suites', 'fixtures', 'reports']
/** Files that stay uncompiled: vitest loads the tests itself, and some files find others next to them. */
const STAYS = /^suites\/tests\/|\.suite\.ts$|^fixtures\/variants\/independent\//

const sources = (): string[] =>
  ROOMS.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
  ).filter((file) => file.endsWith('.ts') && !STAYS.test(file))

/** Node.js finds the dependencies in this folder, and vitest leaves loading from it to Node.js. */
function scratchFolder(): string {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'compiled-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Compiles each source once into one module, so that all importers share one instance.
 * @returns the folder of the modules, with the same paths as in the project
 */
async function compile(): Promise<string> {
  const { build } = await import('esbuild') // not needed by users who judge a deployment with the same configuration
  const outdir = scratchFolder()
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

/** Resolves an import by its path from the root. */
function sourceFile(source: string, importer = root): string | undefined {
  if (!/^(\.|\/|file:)/.test(source) || !source.endsWith('.ts')) return undefined
  return relative(root, source.startsWith('file:') ? fileURLToPath(source) : resolve(dirname(importer), source))
}

/**
 * Compiles the imports of tests once for all workers, which loads five times as fast as transforming each module per
 * worker, and runs the code that users run. In watch mode the sources are used directly.
 */
export function compiledSources(): Plugin {
  let isWatched = false
  let compiled: Promise<string> | undefined
  return {
    name: 'compiled-sources',
    enforce: 'pre',
    configureVitest({ vitest }) {
      isWatched = vitest.config.watch
    },
    async resolveId(source, importer) {
      const file = sourceFile(source, importer)
      if (isWatched || file === undefined) return
      compiled ??= compile()
      const js = join(await compiled, file.replace(/\.ts$/, '.mjs'))
      return existsSync(js) ? js : undefined
    },
  }
}
