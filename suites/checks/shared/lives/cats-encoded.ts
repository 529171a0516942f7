import type { OneVersion } from '../../../directory/deployment.ts'
import { allotment } from '../../../directory/inputs/input-budget.ts'
import {
  type Drawn,
  type EncodedName,
  encodedNames,
  pathNames,
  someEncodedNames,
} from '../../../directory/inputs/own-names.ts'
import { asSegment } from '../../../directory/shared/encodings.ts'
import type { Read } from '../../../engine/check/readers.ts'

/** Enough names beside those in each encoding. */
const FEW = 4

/** Memoised per list, because drawing from many names takes time. */
const drawnFrom = new WeakMap<readonly string[], Drawn<EncodedName>>()

/** Groups the requests by name, so that replicas that take turns get different encodings of it. */
function byName(encoded: readonly EncodedName[]): EncodedName[] {
  const names = new Map([...new Set(encoded.map(({ name }) => name))].map((name, at) => [name, at]))
  return encoded.toSorted((a, b) => (names.get(a.name) ?? 0) - (names.get(b.name) ?? 0))
}

function drawn(names: readonly string[], target: OneVersion): Drawn<EncodedName> {
  const few = FEW * target.effort.namesPerEncoding
  const all = names.length <= few ? encodedNames(names, asSegment) : []
  const areFew = names.length <= few && all.length <= few
  const { inputs, from } = areFew ? { inputs: all, from: all.length } : someEncodedNames(names, asSegment, target)
  return { inputs: byName(inputs), from }
}

/** A sample of the cats' names in other encodings; all of them if there are few. */
export async function catsEncoded(target: OneVersion, read: Read): Promise<Drawn<EncodedName>> {
  const { directory, effort } = target
  const all = await pathNames(directory.cats, read)
  const names = effort.strings === 'all' ? all : (await allotment(target, directory, read)).drawn('cats', all)
  const known = drawnFrom.get(names) ?? drawn(names, target)
  drawnFrom.set(names, known)
  return known
}
