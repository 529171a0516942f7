import { randomUUID } from 'node:crypto'

/** The target with a query parameter that nobody asked before: caches that go by the URL have no copy of that. */
export const pastCaches = (target: string): string => `${target}${target.includes('?') ? '&' : '?'}_=${randomUUID()}`
