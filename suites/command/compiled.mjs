import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const command = new URL('../../dist/suites/cli.js', import.meta.url)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** What is not compiled. */
const TESTS = 'tests'

const changedAt = (path) => statSync(path).mtimeMs

/** By what the folder says of its entries, so that each file is looked at once. */
function wasChanged(folder, since) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name !== TESTS && wasChanged(path, since)
    return entry.name.endsWith('.ts') && changedAt(path) >= since
  })
}

/** The command as it was compiled in this checkout; undefined when something was edited since. */
export function compiledCommand() {
  if (!existsSync(command)) return undefined
  const compiledAt = statSync(command).mtimeMs
  const isStale =
    changedAt(`${root}package.json`) >= compiledAt ||
    ['suites', 'fixtures', 'reports'].some((room) => wasChanged(root + room, compiledAt))
  return isStale ? undefined : command
}
