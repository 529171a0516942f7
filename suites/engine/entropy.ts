import { createHash, randomInt, randomUUID } from 'node:crypto'

/**
 * Returns a random string that differs in each run. All other random values are derived from the seed, and so can be
 * repeated.
 */
export const createNonce = (): string => randomUUID()

export const createSeed = (): number => randomInt(-(2 ** 31), 2 ** 31)

/**
 * Derives 64 hex digits from the parts, e.g. from the seed of a run and a request number. Equal parts give equal
 * digits.
 */
export const deriveToken = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
