import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { ListReading, NameList } from '../../directory/readings/list-reading.ts'
import { NO_SHOWN_BREEDS } from '../../directory/readings/name-index.ts'
import type { Resource } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'

export type LookupTable = ReadonlySet<unknown> | readonly unknown[]

/** A response, the function that reads it, and the expected result. */
export interface ReadingCase {
  readonly response: unknown
  readonly reads: unknown
  read(): unknown
}

/** Creates cases that all use the same function to read their responses. */
export const createReadingCases = <R>(
  read: (response: R) => unknown,
  rows: readonly (readonly [response: R, reads: unknown])[],
): readonly ReadingCase[] => rows.map(([response, reads]) => ({ response, reads, read: () => read(response) }))

/** Runs an action while an entry is missing in a table. */
async function without<R>(table: LookupTable, entry: unknown, act: () => Promise<R>): Promise<R> {
  const entries = table instanceof Set ? undefined : (table as unknown[])
  const index = entries?.indexOf(entry) ?? -1
  if (table instanceof Set) table.delete(entry)
  entries?.splice(index, 1)
  try {
    return await act()
  } finally {
    if (table instanceof Set) table.add(entry)
    entries?.splice(index, 0, entry)
  }
}

const shown = (entry: unknown): unknown => (typeof entry === 'function' ? String(entry) : entry)

/**
 * Tests that each case has the expected result, and that each entry of a table is needed: without the entry, some case
 * has another result.
 */
export function testLookupTables<K extends string>(
  tables: Readonly<Record<K, LookupTable>>,
  rows: Readonly<Record<K, readonly ReadingCase[]>>,
): void {
  describe.each(Object.keys(tables) as K[])('%s', (name) => {
    test.each(rows[name])(`the table "${name}" reads $response as $reads`, async ({ read, reads }) => {
      expect(await read()).toEqual(reads)
    })

    test(`each entry of the table "${name}" is needed by a row`, async () => {
      const missed = async (): Promise<boolean> => {
        for (const { read, reads } of rows[name]) if (!isDeepStrictEqual(await read(), reads)) return true
        return false
      }
      const idle: unknown[] = []
      for (const entry of [...tables[name]]) if (!(await without(tables[name], entry, missed))) idle.push(shown(entry))
      expect(idle, 'entries that no row needs').toEqual([])
    })
  })
}

/** Creates an exchange whose response is a JSON value. */
export const createExchange = (value: unknown, fields: Readonly<Record<string, string>> = {}): Exchange => ({
  id: 1,
  request: { method: 'GET', target: '/v2/search?q=a', follow: true },
  url: 'http://cats.test/v2/search?q=a',
  outcome: { kind: 'response', status: 200, fields: Object.entries(fields), body: { kind: 'json', value } },
  askedAt: 0,
  ms: 1,
  excerpt: '',
  requestHeaders: {},
  redirectedFrom: [],
})

/** Creates a resource that is always read as a list of these names. Reading it sends no request. */
export const createListResource = (key: string, names: readonly string[]): Resource<ListReading> => ({
  key,
  readWith: async () => listOf(names),
})

function listOf(names: readonly string[]): NameList {
  const all = new Set(names)
  const size = names.length
  return {
    kind: 'list',
    names,
    size,
    pages: 1,
    has: (name) => all.has(name),
    namelessElement: undefined,
    breedOf: NO_SHOWN_BREEDS,
  }
}
