/** An error without a stack, with which vitest shows no code of this suite: it is the deployment that is to be looked at. */
export function stackless(name: string, message: string): Error {
  return Object.assign(new Error(message), { name, stack: '' })
}
