interface ObjectLevel {
  /** Undefined within an array. */
  readonly keys: Set<string> | undefined
  /** The key or index of the value that is being read. */
  at: string | number
}

const escapePointerKey = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * Finds a key that occurs twice in an object; `JSON.parse` silently keeps the last one.
 * @param json a well-formed JSON text
 * @returns a JSON Pointer to the second one; undefined if there is none
 */
export function findDuplicateKey(json: string): string | undefined {
  const levels: ObjectLevel[] = []
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[[\]{},]/g)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[')
      levels.push({ keys: token === '{' ? new Set() : undefined, at: token === '{' ? '' : 0 })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',' && typeof level?.at === 'number') level.at++
    else if (token.endsWith(':') && level?.keys) {
      const key: unknown = JSON.parse(token.replace(/\s*:$/, ''))
      level.at = String(key)
      if (level.keys.has(level.at)) return levels.map(({ at }) => `/${escapePointerKey(at)}`).join('')
      level.keys.add(level.at)
    }
  }
  return undefined
}
