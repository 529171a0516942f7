import { toJsonPointer } from '../../directory/readings/json.ts'

interface ObjectLevel {
  /** The keys of the object that were read so far; undefined for an array. */
  readonly keys: Set<string> | undefined
  /** The key or index of the value that is being read. */
  at: string | number
}

/**
 * Finds a key that occurs twice in an object. `JSON.parse` would silently use the last value.
 * @param json a well-formed JSON text
 * @returns the JSON Pointer of the second occurrence; undefined if there is none
 */
export function findDuplicateKey(json: string): string | undefined {
  const levels: ObjectLevel[] = []
  for (const token of tokensIn(json)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[')
      levels.push({ keys: token === '{' ? new Set() : undefined, at: token === '{' ? '' : 0 })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',' && typeof level?.at === 'number') level.at++
    else if (token.endsWith(':') && level?.keys) {
      const key: unknown = JSON.parse(token.replace(/\s*:$/, ''))
      level.at = String(key)
      if (level.keys.has(level.at)) return toJsonPointer(levels.map(({ at }) => String(at)))
      level.keys.add(level.at)
    }
  }
  return undefined
}

/**
 * Yields brackets, commas and strings; a key together with its colon. A regular expression for whole strings is not
 * used, because it overflows the stack on long ones.
 */
function* tokensIn(json: string): Generator<string> {
  const start = /["[\]{},]/g
  const colon = /\s*:/y
  for (let found = start.exec(json); found; found = start.exec(json)) {
    if (found[0] === '"') {
      colon.lastIndex = start.lastIndex = endOfString(json, found.index)
      if (colon.test(json)) start.lastIndex = colon.lastIndex
    }
    yield json.slice(found.index, start.lastIndex)
  }
}

/** Returns the index after the end of the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end + 1
}

/**
 * Returns whether the quotation mark at an index belongs to the string, because it follows a backslash that is not
 * escaped.
 */
function isEscaped(json: string, index: number): boolean {
  let slashes = 0
  while (json[index - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}
