import type { NameList } from '../../directory/readings/list-reading.ts'
import { formatCount, quoted } from '../../directory/shared/text.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'

/** The name that a fault in the paging may explain: a missing one, or a wrong one at an index in the list. */
type AffectedName = 'missing name' | { readonly index: number }

/**
 * Describes the fault in the paging that explains a missing or wrong name: a link drops a parameter, leads to no list
 * or leads back to an earlier page, or the links end too early.
 * @returns undefined if no fault was found that explains the name
 */
export function findPagingFault(
  { lostParameters, hasEarlyEnd, pageWithoutLink, brokenLink, names }: NameList,
  affected: AffectedName,
): string | undefined {
  const isMissing = affected === 'missing name'
  if (lostParameters && (isMissing || affected.index >= lostParameters.after))
    return `the link to the next page drops the parameter ${lostParameters.parameters.join(', ')}`
  if (!isMissing) return undefined
  if (brokenLink !== undefined) return brokenLink
  const end = `the links or tokens to the next page end after ${formatCount(names.length, 'name')}`
  if (pageWithoutLink !== undefined)
    return `${end}, although a request for ${quoted(pageWithoutLink)}, which the suite guessed, returns further names`
  return hasEarlyEnd ? `${end}, although the list has more` : undefined
}

/** The advice if a link or token to the next page has a fault. */
export const FIX_OF_PAGING_FAULT =
  'Look at the link or token to the next page in the response shown. It must keep all parameters of the request, in the form that the service accepts. Each page except the last must have such a link or token, so that the pages together contain every element.'

const FIX_OF_PAGE_BOUNDARIES =
  'The list has several pages: check whether elements are lost or repeated between two of them. Sort the whole list by a unique key, and begin each page with the element that follows the last element of the previous page (`WHERE key > last`, or the exact offset). If all pages are right, serve this list and the other lists from the same rows.'

/**
 * Returns the advice for a list that lacks or repeats a name because of its pages. Returns no advice if no fault was
 * found and the list has one page.
 * @param fault the fault that was found in the links between the pages
 */
export function adviseOnPages(fault: string | undefined, { pages }: NameList): { readonly fix?: string } {
  if (fault !== undefined) return { fix: FIX_OF_PAGING_FAULT }
  return pages > 1 ? { fix: FIX_OF_PAGE_BOUNDARIES } : {}
}

/** Returns the fault as the end of a sentence, e.g. `; the link drops …`. Returns an empty text without a fault. */
export const formatFaultSuffix = (fault: string | undefined): string => (fault === undefined ? '' : `; ${fault}`)

/** Creates the error for a paged list that cannot be judged, because its pages change while they are read. */
export const createChangingPagesError = (): Inconclusive =>
  new Inconclusive(
    'drift',
    'the list changes while its pages are read: a name that moves from one page to another can be missed',
  )
