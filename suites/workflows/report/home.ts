import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where this package stands, and how it is called from here. */
export interface Home {
  readonly name: string
  readonly version: string
  /** Started in the package's own folder, as a checkout. */
  readonly isCheckout: boolean
  /** What to type before the options. */
  readonly command: string
  readonly reportDirectory: string
}

/**
 * The folder of the package that a file belongs to.
 * @throws {Error} when no folder above has a package.json: of the package only a part is there
 */
export function packageFolder(file = fileURLToPath(import.meta.url)): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) throw new Error(`No package.json stands above ${file}: install the package anew.`)
  }
}

export function findHome(cwd: string): Home {
  const folder = packageFolder()
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
  } // our own file
  // The published package has no sources, and no script that starts them.
  const isCheckout = existsSync(join(folder, 'suites', 'start.mjs')) && realpathSync(cwd) === realpathSync(folder)
  return {
    name,
    version,
    isCheckout,
    command: isCheckout ? 'npm run conformance --' : `npx ${name}`,
    reportDirectory: isCheckout ? join('reports', 'latest') : 'cat-directory-report',
  }
}
