import { createHash, randomInt, randomUUID } from 'node:crypto'

/** Returns a string that no other run has. This is the only randomness of the suite that comes from no seed. */
export const createNonce = (): string => randomUUID()

/** Returns a seed for a run without `--seed`. */
export const createSeed = (): number => randomInt(-(2 ** 31), 2 ** 31)

/** Salts the hashes of names, so that no deployment can choose names that collide. No result depends on it. */
export const processSalt: number = randomInt(2 ** 32)

/** Derives 64 hex digits from the parts, e.g. from a run's seed and nonce. Equal parts give equal digits. */
export const deriveToken = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
