/** Returns the error code of the operating system, e.g. `EACCES`; `unknown` if the error has none. */
export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
