import type { Exchange } from '../../engine/http/client/exchange.ts'
import { findOperationOfTarget } from '../shared/targets.ts'
import { isContainer } from './json.ts'

/** Returns whether a JSON value contains an empty array, and no array with elements. */
function hasOnlyEmptyArrays(value: unknown): boolean {
  let hasEmptyArray = false
  const rest: unknown[] = [value]
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    if (Array.isArray(one) && one.length > 0) return false
    hasEmptyArray ||= Array.isArray(one)
    if (isContainer(one)) for (const member of Object.values(one)) rest.push(member)
  }
  return hasEmptyArray
}

/**
 * Returns whether a response is an empty list of all cats or all breeds. Without names, most checks can test nothing.
 * Returns false for later pages, i.e. if the request has a query string: the last page of a list may be empty.
 */
export function isEmptyCompleteList({ request, outcome }: Exchange): boolean {
  const { operation } = findOperationOfTarget(request.target) ?? {}
  const isComplete = operation === 'listCats' || operation === 'listBreeds'
  if (!isComplete || request.target.includes('?') || outcome.kind !== 'response') return false
  if (outcome.status === 204) return true
  return outcome.status === 200 && outcome.body.kind === 'json' && hasOnlyEmptyArrays(outcome.body.value)
}
