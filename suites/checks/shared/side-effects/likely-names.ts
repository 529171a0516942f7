import type { DirectoryState } from '../../../directory/changes/directory-state.ts'
import { selectNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { DirectoryEntries } from '../../../directory/readings/entries.ts'
import { interpretResponse } from '../../../directory/readings/interpret-response.ts'
import {
  type ElementKind,
  findNameCandidates,
  firstNameStringsOf,
} from '../../../directory/readings/name-candidates.ts'
import { createGetRequest } from '../../../directory/shared/targets.ts'
import type { Read, Resource } from '../../../engine/check/readers.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'

/** A resource whose key is its request target, e.g. the list `/v2/cats`. */
type Target = Pick<Resource<unknown>, 'key'>

/**
 * Creates a request whose response is not interpreted, because that would take further requests: to find the names, and
 * to find out whether the response is a page of a longer list.
 */
export const createRawResource = ({ key }: Target): Resource<Exchange> => ({
  key: `${key} as it is`,
  readWith: (send) => send(createGetRequest(key)),
})

/** Reads one response of a list. Returns the strings that are most likely the names, without proof. */
export async function readLikelyNames(list: Target, kind: ElementKind, read: Read): Promise<readonly string[]> {
  const decoded = interpretResponse(await read(createRawResource(list)))
  const [likeliest] = decoded.kind === 'json' ? findNameCandidates(decoded.value, kind) : []
  return likeliest ? selectNamesForPaths(firstNameStringsOf(likeliest)) : []
}

/** Reads one response of each list. Returns the likely names of each list, by the key of its `createRawResource`. */
export async function readLikelyState(
  lists: readonly Target[],
  kind: ElementKind,
  read: Read,
): Promise<DirectoryState> {
  const readings = lists.map(async (list) => {
    const names = await readLikelyNames(list, kind, read)
    return [createRawResource(list).key, new DirectoryEntries(new Map(names.map((name) => [name, ''])))] as const
  })
  return new Map(await Promise.all(readings))
}
