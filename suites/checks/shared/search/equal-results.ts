import type { VersionTarget } from '../../../directory/deployment.ts'
import type { ListResource } from '../../../directory/facts/directory.ts'
import { contentOfReading } from '../../../directory/facts/reading-contents.ts'
import type { NameList } from '../../../directory/readings/list-reading.ts'
import { haveSameNames } from '../../../directory/readings/name-index.ts'
import { foldText, quoted } from '../../../directory/shared/text.ts'
import type { Read } from '../../../engine/check/readers.ts'
import type { Contradiction } from '../../../engine/check/violations.ts'

const FIX_OF_EQUAL_RESULTS =
  'The query probably has no effect. Check that the parameter is `q`, and that the key of each cache contains the whole query string (Varnish: `hash_data(req.url)`; nginx: `proxy_cache_key $request_uri`; CDN: include the query string).'

const FIX_OF_CONFUSED_QUERIES =
  'Something takes one query for the other: a key of a cache or of stored results that does not contain the whole query (e.g. its hash), code that normalises queries too much, or requests that share state. Send both requests shown, the other query first.'

/** The text and details that are added to a violation if another search returned the same cats. */
interface EqualResultDetails {
  readonly suffix: string
  readonly additions: Partial<Pick<Contradiction, 'crossOperationCause' | 'fix'>>
  /** The search that returned the same cats, if it is for a listed name. The finding shows it before the wrong one. */
  readonly otherSearch?: ListResource
}

/**
 * Looks for another search that returned the same cats as the query. Returns an empty suffix and no details if there is
 * none.
 *
 * If a search for a control name finds the same cats, the query has no effect, so that all searches fail for one cause.
 * If the search for another cat finds them, and no hit contains the query, the service takes one query for the other.
 */
export async function describeEqualResults(
  query: string,
  found: NameList,
  { directory: { controlName, search, version }, history }: Pick<VersionTarget, 'directory' | 'history'>,
  read: Read,
): Promise<EqualResultDetails> {
  const control = controlName()
  const result = query === control || found.names.length === 0 ? undefined : await read(search(control))
  if (result?.kind === 'list' && haveSameNames(result, found))
    return {
      suffix: `; the search for the made-up name ${quoted(control)} returned the same`,
      additions: { crossOperationCause: 'all searches find the same cats', fix: FIX_OF_EQUAL_RESULTS },
    }
  const foldedQuery = foldText(query)
  const content = contentOfReading(found)
  const other = found.names.some((name) => foldText(name).includes(foldedQuery))
    ? undefined
    : history
        .resources(`${version} search`)
        .find(({ name, contents }) => name !== query && found.has(name) && contents.includes(content ?? ''))
  if (other === undefined) return { suffix: '', additions: {} }
  return {
    suffix: `; the search for ${quoted(other.name)} returned exactly the same`,
    additions: { crossOperationCause: 'a search gets the result of another search', fix: FIX_OF_CONFUSED_QUERIES },
    otherSearch: search(other.name),
  }
}
