import type { OperationId } from '../../fixtures/contract/operations.ts'
import type { Directory } from '../directory/facts/directory.ts'
import { findNextLink } from '../directory/pages/link-header.ts'
import type { ListReading } from '../directory/readings/list-reading.ts'
import type { Reader, Subject } from '../engine/check/readers.ts'
import { observeOperation } from './shared/observe.ts'

/**
 * Describes how the pages of a list continue, from the requests that were sent; undefined if it may be a page that was
 * not followed.
 */
async function describePages(
  subject: Subject<ListReading>,
  { read, exchangesFor }: Reader,
): Promise<string | undefined> {
  const reading = await read(subject)
  const [first, second] = exchangesFor(subject)
  if (reading.kind !== 'list' || first?.outcome.kind !== 'response') return undefined
  if (!second) return reading.findIncompleteSign?.([]) ? undefined : 'none'
  if (findNextLink(first.outcome.fields) !== undefined) return 'Link rel=next'
  const { body } = first.outcome
  const isBare = body.kind === 'json' && Array.isArray(body.value)
  return isBare ? 'a header' : 'a link, cursor or number in the body'
}

/** Creates the observer of O-PAGINATION for an operation. A list whose pages cannot be followed is not observed. */
const createPaginationObserver = (operation: OperationId, subjectOf: (directory: Directory) => Subject<ListReading>) =>
  observeOperation('O-PAGINATION', operation, async ({ target: { directory }, readings }) => {
    const subject = subjectOf(directory)
    const value = await describePages(subject, readings)
    return value === undefined ? undefined : { value, shownBy: [subject] }
  })

export const paginationObservers = [
  createPaginationObserver('listCats', ({ cats }) => cats),
  createPaginationObserver('listBreeds', ({ breeds }) => breeds),
]
