import type { Read } from '../../engine/judging/readers.ts'
import type { OneVersion } from '../../vocabulary/deployment.ts'
import { asSegment } from '../../vocabulary/encodings.ts'
import {
  type Drawn,
  type EncodedName,
  encodedNames,
  pathNames,
  someEncodedNames,
} from '../../vocabulary/inputs/own-names.ts'
import type { Try } from './check.ts'

const FEW = 4

/** Some of the cats' names, in other encodings; of few cats all. */
export async function catsEncoded(target: OneVersion, read: Read): Promise<Drawn<EncodedName>> {
  const all = encodedNames(await pathNames(target.directory.cats, read), asSegment)
  const areFew = all.length <= FEW * target.effort.namesPerEncoding
  return areFew ? { inputs: all, from: all.length } : someEncodedNames(all, target)
}

/**
 * Asks for the lives of each of these cats by all names of hers in a row, while nothing else is asked: of servers that
 * answer by turns, the one that does not know her is then among those that are asked, where they are no more than her names.
 */
export const asksByAllNames: Try = async ({ target, read }) => {
  const { inputs } = await catsEncoded(target, read)
  const { lives } = target.directory
  const asked = [...new Set(inputs.map(({ name }) => name))].flatMap((name) => [
    lives(name),
    ...inputs.filter((one) => one.name === name).map(({ encoding }) => lives(name, encoding)),
  ])
  await Promise.all(asked.map(read))
}
