import { findOperationOfTarget } from '../../directory/shared/targets.ts'

const OTHER_OPERATION = { operation: 'other', version: 'other' } as const

/**
 * Creates a function that returns the operation and version of a request target.
 * @param baseUrl the base URL; a target that is not below it has the operation `other`
 */
export function createOperationFinder(
  baseUrl: string,
): (target: string) => { readonly operation: string; readonly version: string } {
  const above = URL.canParse(baseUrl) ? new URL(baseUrl).pathname.replace(/\/+$/, '') : ''
  return (target) => {
    if (!target.startsWith(`${above}/`)) return OTHER_OPERATION
    const below = target.slice(above.length)
    const found = findOperationOfTarget(below)
    if (found) return { operation: found.operation, version: found.version }
    const version = /^\/(v\d+)(?=[/?]|$)/.exec(below)?.[1]
    return { ...OTHER_OPERATION, ...(version !== undefined && { version }) }
  }
}
