/** Creates an error without a stack, so that vitest shows no code of this suite. */
export function createStacklessError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name, stack: '' })
}
