import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }
import { quoteForShellIfNeeded } from '../../../reports/text/shell.ts'

/** The name and version of this package, and the command that starts it. */
export interface SuitePackage {
  readonly name: string
  readonly version: string
  /** True if the suite was started in a checkout of its repository, not from the published package. */
  readonly isCheckout: boolean
  /** The command that starts the suite, e.g. `npx cat-directory-conformance`. Options follow it. */
  readonly command: string
  /** The folder for reports if `--report-dir` is not given. */
  readonly reportDirectory: string
}

/**
 * Finds the folder of the package to which a file belongs.
 * @throws {Error} if no folder above the file has a package.json
 */
export function findPackageFolder(file = fileURLToPath(import.meta.url)): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder))
      throw new Error(`No folder above ${file} contains a package.json: install the package again.`)
  }
}

/**
 * Returns the facts about this package, which depend on how the suite was started: from a checkout, from the published
 * package, or as a single executable.
 * @param cwd the current directory
 */
export function findSuitePackage(cwd: string): SuitePackage {
  const { name, version } = manifest
  const installed = { name, version, isCheckout: false, reportDirectory: 'cat-directory-report' }
  if (isSea()) return { ...installed, command: quoteForShellIfNeeded(process.argv0) }
  const folder = findPackageFolder()
  // The start script shows that this is a checkout: the published package does not contain it.
  const isCheckout = existsSync(join(folder, 'suites', 'start.mjs')) && realpathSync(cwd) === realpathSync(folder)
  if (!isCheckout) return { ...installed, command: `npx ${name}` }
  return { ...installed, isCheckout, command: 'npm run conformance --', reportDirectory: join('reports', 'latest') }
}
