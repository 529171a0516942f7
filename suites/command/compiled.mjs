import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const command = new URL('../../dist/suites/cli.js', import.meta.url)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** The folder that is not compiled. */
const TESTS = 'tests'

const changeTimeOf = (path) => statSync(path).mtimeMs

/** Returns whether a source file below the folder was changed at or after a time, in ms since 1970. */
function hasChangedSince(folder, since) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name !== TESTS && hasChangedSince(path, since)
    return entry.name.endsWith('.ts') && changeTimeOf(path) >= since
  })
}

/** The compiled command of this checkout; undefined if a source has changed since. */
export function compiledCommand() {
  if (!existsSync(command)) return undefined
  const compiledAt = statSync(command).mtimeMs
  const isStale =
    changeTimeOf(`${root}package.json`) >= compiledAt ||
    ['suites', 'fixtures', 'reports'].some((folder) => hasChangedSince(root + folder, compiledAt))
  return isStale ? undefined : command
}
