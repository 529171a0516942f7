import { Inconclusive } from '../../engine/inconclusive.ts'
import type { Read, Subject } from '../../engine/judging/readers.ts'
import { type ListReading, type Named, whyNoList } from './list-reading.ts'

/**
 * The list that a reading is.
 * @throws {Inconclusive} when it is none: the checks of its own operation say why
 */
export function requireList(reading: ListReading): Named {
  if (reading.kind === 'list') return reading
  if (reading.kind === 'nothing' && reading.status === 204) return NOTHING
  throw new Inconclusive(
    reading.kind === 'unreadable' ? 'unreadable' : 'prerequisite',
    `no list could be read: ${whyNoList(reading)}`,
  )
}

const NOTHING: Named = {
  kind: 'list',
  names: [],
  size: 0,
  pages: 1,
  has: () => false,
  nameless: undefined,
  breedOf: new Map(),
}

/** The names of a list, each once. */
export async function distinctNames(subject: Subject<ListReading>, read: Read): Promise<readonly string[]> {
  const list = requireList(await read(subject))
  const known = distinct.get(list) ?? [...new Set(list.names)]
  distinct.set(list, known)
  return known
}

const distinct = new WeakMap<Named, readonly string[]>()

/**
 * What an input finds. A refusal of what nothing has counts as finding nothing (ruling 11), and so does success
 * without a list: how a deployment says so is an open point.
 * @returns undefined when the answer is a failure, which other checks judge
 * @throws {Inconclusive} when what was found cannot be read
 */
export function foundBy(reading: ListReading): Named | undefined {
  switch (reading.kind) {
    case 'list':
      return reading
    case 'refused':
    case 'nothing':
    case 'not-a-list':
    case 'not-json':
      return NOTHING
    case 'failed':
      return undefined
    case 'unreadable':
      throw new Inconclusive('unreadable', reading.why)
  }
}

export const namesIn = (reading: ListReading): readonly string[] => (reading.kind === 'list' ? reading.names : [])
