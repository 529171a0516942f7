import type { OperationId } from '../../fixtures/contract/operations.ts'
import type { Directory } from '../directory/facts/directory.ts'
import { findNextLink } from '../directory/pages/link-header.ts'
import type { ListReading } from '../directory/readings/list-reading.ts'
import type { Reader, Resource } from '../engine/check/readers.ts'
import type { Exchange } from '../engine/http/client/exchange.ts'
import type { ObservedChoice } from '../engine/run/plan.ts'
import { createObserver } from './shared/observe.ts'

/** Describes how the first page of a list leads to the next, e.g. `Link rel=next`. */
function describeNextPage({ outcome }: Exchange): string {
  if (outcome.kind === 'response' && findNextLink(outcome.fields) !== undefined) return 'Link rel=next'
  const isBare = outcome.kind === 'response' && outcome.body.kind === 'json' && Array.isArray(outcome.body.value)
  return isBare ? 'a header' : 'a link, cursor or number in the body'
}

/** Describes the pages of a list. Returns undefined if the list may be a page whose successors were not found. */
async function describePages(
  resource: Resource<ListReading>,
  { read, exchangesFor }: Reader,
): Promise<Omit<ObservedChoice, 'shownBy'> | undefined> {
  const reading = await read(resource)
  const [first] = exchangesFor(resource)
  if (reading.kind !== 'list' || first?.outcome.kind !== 'response') return undefined
  const { pages, pageSize, size } = reading
  if (pages > 1) return { value: describeNextPage(first) + (pageSize === undefined ? '' : `; pages of ${pageSize}`) }
  if (reading.findIncompleteSign?.([])) return undefined
  return { value: 'none', alsoFits: [`pages of ${Math.max(size, 1)} or more`] }
}

/** Creates an observer of how an operation paginates its list (O-PAGINATION). */
const createPaginationObserver = (
  operation: OperationId,
  resourceOf: (directory: Directory) => Resource<ListReading>,
) =>
  createObserver({ id: 'O-PAGINATION', operation }, async ({ target: { directory }, readings }) => {
    const resource = resourceOf(directory)
    const choice = await describePages(resource, readings)
    return choice && { ...choice, shownBy: [resource] }
  })

export const paginationObservers = [
  createPaginationObserver('listCats', ({ cats }) => cats),
  createPaginationObserver('listBreeds', ({ breeds }) => breeds),
]
