import { createHash, randomInt, randomUUID } from 'node:crypto'

/** A string that no other run has. The only randomness of this suite that comes from no seed. */
export const newNonce = (): string => randomUUID()

/** A seed for a run that was given none. */
export const newSeed = (): number => randomInt(-(2 ** 31), 2 ** 31)

/** Salts the hashes of names, so that no deployment can choose names that collide; no result depends on it. */
export const processSalt: number = randomInt(2 ** 32)

/** Returns 64 hex digits, the same for the same parts: values that a run derives from its seed and its nonce. */
export const tokenOf = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
