/**
 * Returns a random string that differs in each run. All other random values are derived from the seed, and so can be
 * repeated.
 */
export const createNonce = (): string => crypto.randomUUID()

/** Returns a random whole number of 32 bits. */
export const createSeed = (): number => crypto.getRandomValues(new Int32Array(1))[0] ?? 0
