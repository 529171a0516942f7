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

/** Something with a request target, e.g. a list; only the target is used. */
type Target = Pick<Resource<unknown>, 'key'>

/**
 * Creates a request whose response is not interpreted. Finding the names in it, and whether it is a page of a longer
 * list, would take further requests.
 */
export const createRawResource = ({ key }: Target): Resource<Exchange> => ({
  key: `${key} as it is`,
  readWith: (send) => send(createGetRequest(key)),
})

/** Reads one response of a list. Returns the strings that are most likely the names, without proof. */
export async function readLikelyNames(list: Target, kind: ElementKind, read: Read): Promise<readonly string[]> {
  const opened = interpretResponse(await read(createRawResource(list)))
  const [likeliest] = opened.kind === 'json' ? findNameCandidates(opened.value, kind) : []
  return likeliest ? selectNamesForPaths(firstNameStringsOf(likeliest)) : []
}

/** Reads one response of each list. The state has the likely names, and the keys of the uninterpreted requests. */
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
