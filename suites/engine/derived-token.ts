import { createHash } from 'node:crypto'

/**
 * Derives 64 hex digits from the parts, e.g. from the seed of a run and a request number. Equal parts give equal
 * digits.
 */
export const deriveToken = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
