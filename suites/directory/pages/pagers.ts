import type { Asker } from '../../engine/check/readers.ts'
import type { Request } from '../../engine/http/client/exchange.ts'
import type { Kind } from '../readings/candidates.ts'
import { asQueryValue, asSegment } from '../shared/encodings.ts'
import { get, type Targets } from '../shared/targets.ts'
import { type Others, Pager } from './pager.ts'

export type ListName = 'cats' | 'breeds' | 'catsOf' | 'search'

export type Pagers = Readonly<Record<ListName, Pager>>

/** All lists of a version lead on alike, or are tried one by one. */
export function createPagers(
  targets: Targets,
  recall: Asker,
  namesOf: (kind: Kind) => Promise<readonly string[]>,
): Pagers {
  const ways: Pager['ways'] = []
  const nothing = targets.controlName()
  const all = get(targets.cats)
  const part = (kind: Kind, targetOf: (name: string) => string): Others => ({
    ofNothing: get(targetOf(nothing)),
    ofSome: async (): Promise<readonly Request[]> =>
      (await namesOf(kind)).slice(0, 3).map((name) => get(targetOf(name))),
    all,
  })
  const ofBreed = part('breed', (name) => targets.catsOf(asSegment(name)))
  const ofQuery = part('cat', (name) => targets.search(asQueryValue(name)))
  return {
    cats: new Pager(recall, ways),
    breeds: new Pager(recall, ways, { ofSome: async () => [all], all }),
    catsOf: new Pager(recall, ways, ofBreed),
    search: new Pager(recall, ways, ofQuery),
  }
}
