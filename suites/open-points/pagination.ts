import type { OperationId } from '../../fixtures/contract/operations.ts'
import type { Directory } from '../directory/facts/directory.ts'
import { nextLink } from '../directory/pages/link-header.ts'
import type { ListReading } from '../directory/readings/list-reading.ts'
import type { Reader, Subject } from '../engine/check/readers.ts'
import { observe } from './shared/observe.ts'

/** Returns how a list leads on to its next page, from the requests that followed; nothing if it may be a page. */
async function pagesOf(subject: Subject<ListReading>, { read, evidence }: Reader): Promise<string | undefined> {
  const reading = await read(subject)
  const [first, second] = evidence(subject)
  if (reading.kind !== 'list' || first?.outcome.kind !== 'response') return undefined
  if (!second) return reading.signOfMore?.([]) ? undefined : 'none'
  if (nextLink(first.outcome.fields) !== undefined) return 'Link rel=next'
  const { body } = first.outcome
  const isBare = body.kind === 'json' && Array.isArray(body.value)
  return isBare ? 'a header' : 'a link, cursor or number in the body'
}

/** The observer of O-PAGINATION of an operation; a list that cannot be followed is not observed. */
const pagination = (operation: OperationId, subjectOf: (directory: Directory) => Subject<ListReading>) =>
  observe('O-PAGINATION', operation, async ({ target: { directory }, readings }) => {
    const subject = subjectOf(directory)
    const value = await pagesOf(subject, readings)
    return value === undefined ? undefined : { value, shownBy: [subject] }
  })

export const paginations = [
  pagination('listCats', ({ cats }) => cats),
  pagination('listBreeds', ({ breeds }) => breeds),
]
