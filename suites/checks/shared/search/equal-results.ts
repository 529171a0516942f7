import type { VersionTarget } from '../../../directory/deployment.ts'
import type { NameList } from '../../../directory/readings/list-reading.ts'
import { haveSameNames } from '../../../directory/readings/name-index.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read } from '../../../engine/check/readers.ts'

const FIX_OF_EQUAL_RESULTS =
  'The query probably has no effect. Check that the parameter is `q`, and that the key of each cache contains the whole query string (Varnish: `hash_data(req.url)`; nginx: `proxy_cache_key $request_uri`; CDN: include the query string).'

/**
 * Returns what to add to a violation if a search for a control name finds the same cats, so that the query has no
 * effect. Then all searches fail for one cause.
 */
export async function describeEqualResults(
  query: string,
  { names, has }: NameList,
  { controlName, search }: VersionTarget['directory'],
  read: Read,
) {
  const control = controlName()
  const other = query === control || names.length === 0 ? undefined : await read(search(control))
  const areEqual = other?.kind === 'list' && haveSameNames(other, { names, has })
  return {
    suffix: areEqual ? `; the search for the made-up name ${quoted(control)} returned the same` : '',
    facts: areEqual ? { crossOperationCause: 'all searches find the same cats', fix: FIX_OF_EQUAL_RESULTS } : {},
  }
}
