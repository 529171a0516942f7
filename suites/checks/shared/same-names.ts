import type { IncompleteListSign, ListReading, NameList } from '../../directory/readings/list-reading.ts'
import { areEqualLists } from '../../directory/readings/name-index.ts'
import { describeUnreadableShape } from '../../directory/shapes/unreadable-shape.ts'
import { findOperationOfTarget } from '../../directory/shared/targets.ts'
import { formatCount, quoted } from '../../directory/shared/text.ts'
import type { Resource } from '../../engine/check/readers.ts'
import { reportViolation } from '../../engine/check/violations.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { createChangingPagesError, FIX_OF_PAGING_FAULT, findPagingFault, formatFaultSuffix } from './paging-faults.ts'

/** Advice if a list has a name that another list has in another form. */
export const FIX_OF_ALTERED_NAMES =
  'Both lists probably have the same cats under different names. Read the name from the same column for every list, and do not convert it (case, accents, white space, HTML escapes, encoding). If a cat was renamed, update search indexes and caches too.'

/** A list to compare. `description` is a noun phrase, e.g. `the first result` or `v2`. */
interface ComparedList {
  readonly description: string
  readonly list: NameList
  readonly resource: Resource<ListReading>
}

/**
 * Returns a cause that contains the number of found names, e.g. `v2 finds 10`; none if nothing was found. Lists that are
 * cut off at the same limit have equal numbers of names, so that their findings share this cause.
 */
export const createTruncationCauses = (count: number, { version }: { readonly version: string }): readonly string[] =>
  count > 0 ? [`${version} finds ${count}`] : []

/**
 * Creates the error for a list that may be incomplete.
 * @param problem what cannot be decided or is missing, e.g. `the list of all cats does not contain "Tom"`
 */
function createIncompleteListError(
  problem: string,
  resource: Resource<ListReading>,
  { names }: NameList,
  { description, advice, url, isChanging }: IncompleteListSign,
): Inconclusive {
  if (isChanging) return createChangingPagesError()
  const reason = `${problem}. The response may be only one page of a longer list: it has ${formatCount(names.length, 'name')}, and ${description}. No next page could be fetched`
  return new Inconclusive('unreadable', reason, { resource, url, advice })
}

/**
 * Requires that nothing in the response says that there are more pages.
 * @param description the list as a noun phrase
 * @param consequence what is impossible with an incomplete list, as a clause, e.g. `no matching rule can be inferred`
 * @throws {Inconclusive} if the list may be incomplete
 */
export function requireLastPage(
  description: string,
  resource: Resource<ListReading>,
  list: ListReading,
  consequence: string,
): void {
  const sign = list.kind === 'list' ? list.findIncompleteSign?.(undefined) : undefined
  if (list.kind !== 'list' || !sign) return
  throw createIncompleteListError(`${consequence} from ${description}`, resource, list, sign)
}

/**
 * Requires that the list is known to be complete. It may be incomplete if the missing name is in another array of the
 * response (R3.7), if the names are at another place than in earlier responses, or if a sign in the response says that
 * there are more pages (R17.11).
 * @param description the list as a noun phrase
 * @param resource the list, whose response the report shows with the reason
 * @param missing the missing name; or a description of it if the name itself is unknown, e.g. `the breed of "Tom"`
 * @param totals the numbers of names that the list would have if it were complete, computed from other lists
 * @throws {Inconclusive} if the list may be incomplete
 */
export function requireCompleteList(
  description: string,
  resource: Resource<ListReading>,
  list: NameList,
  missing: string | { readonly description: string },
  totals: readonly number[] = [],
): void {
  if (list.namesElsewhere)
    throw new Inconclusive('drift', `the names of ${description} are at another place in the JSON than before`, {
      resource,
    })
  const sign = list.findIncompleteSign?.(totals)
  const missingName = typeof missing === 'string' ? quoted(missing) : missing.description
  if (sign) throw createIncompleteListError(`${description} does not contain ${missingName}`, resource, list, sign)
  if (typeof missing !== 'string' || !list.namesInOtherArrays?.includes(missing)) return
  const unreadable = `${description} does not contain ${missingName}, which is in another array of the same response, and it is unknown whether both arrays belong to one list`
  const { operation = 'listCats' } = findOperationOfTarget(resource.key) ?? {}
  const problem = { unreadable, remedy: 'serve all names in one array', places: list.pinnablePlaces ?? [] }
  const { text, advice } = describeUnreadableShape(operation, problem)
  throw new Inconclusive('unreadable', text, { resource, advice })
}

/**
 * The list that a finding shows first: the list that is probably wrong. For a listed name this is the list without the
 * name, for an unlisted name the list with the name.
 */
export type ListShownFirst = 'the list without the name' | 'the list with the name'

/** The texts and names of a finding about two different lists. */
interface DifferenceOptions {
  readonly shownFirst?: ListShownFirst
  /** Further names that the finding depends on, e.g. the breed of a missing cat. */
  readonly otherNames?: readonly string[]
  readonly causes?: readonly string[]
  /** A cause that findings of other operations share, so that all are reported as one. */
  readonly crossOperationCause?: string
  /** Returns further causes, derived from the list that lacks names. Called only if the other list lacks none. */
  readonly causesOf?: (lacking: ComparedList) => readonly string[]
}

const describeWithCount = ({ description, list: { names } }: ComparedList): string =>
  `${description} (${formatCount(names.length, 'name')})`

/**
 * Fails if two lists contain different names.
 * @param subject what both lists are, e.g. `the list of all cats` in two versions
 * @throws {Inconclusive} if the list that lacks a name may be incomplete
 */
export function assertSameNames(
  one: ComparedList,
  other: ComparedList,
  subject: string,
  options: DifferenceOptions = {},
): void {
  const { shownFirst = 'the list without the name', otherNames = [], causes = [], causesOf = () => [] } = options
  if (areEqualLists(one.list.names, other.list.names)) return
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    const missing = a.list.names.filter((name) => !b.list.has(name))
    const [name] = missing
    if (name === undefined) continue
    requireCompleteList(`${subject}: ${b.description}`, b.resource, b.list, name, [
      a.list.names.length,
      b.list.names.length + missing.length,
    ])
    const faultOfA = findPagingFault(a.list, { index: a.list.names.indexOf(name) })
    const fault = faultOfA ?? findPagingFault(b.list, 'missing name')
    const suffix =
      fault === undefined ? '' : formatFaultSuffix(`in ${(faultOfA === undefined ? b : a).description}, ${fault}`)
    const crossOperationCause = fault ?? options.crossOperationCause
    const missingInA = b.list.names.filter((other) => !a.list.has(other))
    reportViolation({
      expected: `the same names in ${one.description} and ${other.description}`,
      actual: `${subject}: ${quoted(name)} is in ${describeWithCount(a)} but not in ${describeWithCount(b)}${suffix}`,
      defectKind: `${a.description} has ${quoted(name)}, ${b.description} has not (${formatCount(one.list.names.length, 'name')} in ${one.description}, ${other.list.names.length} in ${other.description})${formatFaultSuffix(fault)}`,
      shownBy: shownFirst === 'the list without the name' ? [a.resource, b.resource] : [b.resource, a.resource],
      names: { missing: [...missing, ...missingInA], others: otherNames },
      causes: [...causes, ...(missingInA.length === 0 ? causesOf(b) : [])],
      ...(crossOperationCause !== undefined && { crossOperationCause }),
      ...(fault !== undefined && { fix: FIX_OF_PAGING_FAULT }),
    })
  }
}
