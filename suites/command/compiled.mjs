import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const command = new URL('../../dist/suites/cli.js', import.meta.url)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** The folder that is not compiled. */
const TESTS = 'tests'

const changedAt = (path) => statSync(path).mtimeMs

/** Uses directory entries, so that each file is checked once. */
function wasChanged(folder, since) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name !== TESTS && wasChanged(path, since)
    return entry.name.endsWith('.ts') && changedAt(path) >= since
  })
}

/** The compiled command of this checkout; undefined if a source has changed since. */
export function compiledCommand() {
  if (!existsSync(command)) return undefined
  const compiledAt = statSync(command).mtimeMs
  const isStale =
    changedAt(`${root}package.json`) >= compiledAt ||
    ['suites', 'fixtures', 'reports'].some((folder) => wasChanged(root + folder, compiledAt))
  return isStale ? undefined : command
}
