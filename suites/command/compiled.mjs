import { existsSync, readdirSync, statSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const command = new URL('dist/suites/cli.js', root)

const isSource = (path) => path.endsWith('.ts') && !/\.test(?:\.support)?\.ts$/.test(path)
const changedAt = (path) => statSync(new URL(path, root)).mtimeMs

/** The command as it was compiled in this checkout; undefined when something was edited since. */
export function compiledCommand() {
  if (!existsSync(command)) return undefined
  const compiledAt = statSync(command).mtimeMs
  const sources = ['suites', 'fixtures', 'reports'].flatMap((room) =>
    readdirSync(new URL(room, root), { recursive: true })
      .map((path) => `${room}/${String(path)}`)
      .filter(isSource),
  )
  return [...sources, 'package.json'].every((path) => changedAt(path) < compiledAt) ? command : undefined
}
