import type { Check } from '../check/check.ts'

/**
 * Validates the list of checks before a run: ids are unique, required checks exist, and no check depends on itself.
 * @throws {TypeError} with the name of the check to change
 */
export function validateCatalogue<T>(checks: readonly Check<T>[]): void {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const ids = checks.map(({ id }) => id)
  const repeatedId = ids.find((id, index) => ids.indexOf(id) < index)
  if (repeatedId !== undefined)
    refuse(`two checks have the id ${JSON.stringify(repeatedId)}: give your own check another id`)
  for (const { id, requires } of checks) {
    const missing = requires.find((other) => !byId.has(other))
    if (missing !== undefined) refuse(`${id} requires ${JSON.stringify(missing)}, but no check has this id`)
  }
  const done = new Set<string>()
  const waits = (id: string, path: readonly string[]): void => {
    if (path.includes(id))
      refuse(`${[...path, id].join(' depends on ')}: a check must not depend on itself through requires or explainedBy`)
    if (done.has(id)) return
    const { requires = [], explainedBy = [] } = byId.get(id) ?? {}
    for (const other of [...requires, ...explainedBy]) waits(other, [...path, id])
    done.add(id)
  }
  for (const id of ids) waits(id, [])
}

function refuse(what: string): never {
  throw new TypeError(`checks: ${what}.`)
}
