import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }
import { quoteIfNeeded } from '../../../reports/text/shell.ts'

/** The name and version of this package, and the command that starts it. */
export interface SuitePackage {
  readonly name: string
  readonly version: string
  /** True if the suite runs from a checkout of its repository. */
  readonly isCheckout: boolean
  /** The command to type before the options. */
  readonly command: string
  readonly reportDirectory: string
}

/**
 * Returns the folder of the package that contains a file.
 * @throws {Error} if no folder above has a package.json
 */
export function findPackageFolder(file = fileURLToPath(import.meta.url)): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) throw new Error(`No package.json stands above ${file}: install the package anew.`)
  }
}

export function findSuitePackage(cwd: string): SuitePackage {
  const { name, version } = manifest
  const installed = { name, version, isCheckout: false, reportDirectory: 'cat-directory-report' }
  if (isSea()) return { ...installed, command: quoteIfNeeded(process.argv0) }
  const folder = findPackageFolder()
  // The published package has neither sources nor the start script.
  const isCheckout = existsSync(join(folder, 'suites', 'start.mjs')) && realpathSync(cwd) === realpathSync(folder)
  if (!isCheckout) return { ...installed, command: `npx ${name}` }
  return { ...installed, isCheckout, command: 'npm run conformance --', reportDirectory: join('reports', 'latest') }
}
