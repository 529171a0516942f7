import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import { bundling } from '../../../.ci/bundling.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const ROOMS = ['suites', 'fixtures', 'reports']
/** Vitest loads the tests itself; what finds other files beside it must stay where it is. */
const STAYS = /^suites\/tests\/|\.suite\.ts$|^fixtures\/variants\/foreign\//

const sources = (): string[] =>
  ROOMS.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
  ).filter((file) => file.endsWith('.ts') && !STAYS.test(file))

/** Here Node.js finds the dependencies, and Vitest leaves to it what is loaded. */
function scratchFolder(): string {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'compiled-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Compiles each source once, each module into one file, so that whoever imports it gets the same one.
 * @returns the folder in which they stand as they do in the project
 */
async function compile(): Promise<string> {
  const { build } = await import('esbuild') // not for those who judge a deployment by the same configuration
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

/** What is imported by its place, from the root on. */
function sourceFile(source: string, importer = root): string | undefined {
  if (!/^(\.|\/|file:)/.test(source) || !source.endsWith('.ts')) return undefined
  return relative(root, source.startsWith('file:') ? fileURLToPath(source) : resolve(dirname(importer), source))
}

/**
 * What the tests import is compiled once for all workers: it loads five times as fast as when each has every module
 * transformed, and runs as it does for users. Where tests are run again as files change, sources are taken as they are.
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
