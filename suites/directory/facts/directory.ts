import type { Version } from '../../../fixtures/contract/operations.ts'
import type { Asker, Subject } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { isSameLives, type LivesReading, readLives } from '../lives/lives-reading.ts'
import { OtherLists } from '../pages/other-lists.ts'
import { readPages } from '../pages/paged.ts'
import type { Kind } from '../readings/candidates.ts'
import { besideWait } from '../readings/large-responses.ts'
import { isSameReading } from '../readings/list-operations.ts'
import { type ListReading, readList } from '../readings/list-reading.ts'
import { hasLives } from '../shapes/proof.ts'
import type { Shape } from '../shapes/shapes.ts'
import type { ControlNames } from '../shared/control-names.ts'
import type { Effort } from '../shared/effort.ts'
import { asQueryValue, asSegment, type Encoding } from '../shared/encodings.ts'
import { get, targetsIn } from '../shared/targets.ts'
import { isShape, type ListName, NOTHING_PINNED, type Pinned, type Shapes, tellShapes } from './inferred-shapes.ts'

/** A subject that can be read as a list. */
export type List = Subject<ListReading>

/** All operations of one version, each as a subject that can be read repeatedly. */
export interface Directory {
  readonly version: Version
  /** An unlisted name made up by the suite as a control; each round has another. */
  controlName(round?: number): string
  readonly cats: List
  readonly breeds: List
  catsOf(breed: string, encoding?: Encoding): List
  search(query: string, encoding?: Encoding): List
  lives(cat: string, encoding?: Encoding): Subject<LivesReading>
  /** The same operations with a raw segment or value, percent signs included. */
  readonly raw: {
    catsOf(segment: string): List
    search(value: string): List
    lives(segment: string): Subject<LivesReading>
    /** A search with a whole query string, or without one if it is empty. */
    query(text: string): List
  }
  readonly shapes: Shapes
}

export interface DirectoryOptions {
  readonly version: Version
  /** Sends each request once: for the requests that infer the shapes. */
  readonly recall: Asker
  readonly effort: Pick<Effort, 'answersForShape'>
  readonly controlNames: ControlNames
  readonly pinned: Pinned | undefined
  /** The version in which lives can be requested, if there is one. */
  readonly withLives: Version | undefined
}

export function createDirectory(options: DirectoryOptions): Directory {
  const { version, recall, effort, controlNames, pinned = NOTHING_PINNED, withLives } = options
  const { answersForShape } = effort
  const targets = targetsIn(version, controlNames)
  const identifies = withLives && hasLives(targetsIn(withLives, controlNames), recall)
  const { shapes, pagers } = tellShapes({ targets, recall, identifies, answersForShape, pinned })
  const others = new OtherLists(targets, {
    first: async (target, of) => readShaped(await recall(get(target)), kindOf(of), await shapes[of]()),
    whole: (target, of, input) => list(target, of, input).take(recall),
  })
  const list = (target: string, of: ListName, input?: string): List => ({
    key: target,
    isSame: isSameReading,
    holds: (reading) => (reading.kind === 'list' ? reading.names : undefined),
    async take(ask) {
      const [first, shape] = await besideWait(() => ask(get(target)), shapes[of]())
      const readPage = (page: Exchange) => readShaped(page, kindOf(of), shape)
      const lacksNames = others.lacksNames(of, input)
      return readPages(
        first,
        { ask, readPage, list: isShape(shape)?.list, pinned: pinned.pages[of], lacksNames },
        pagers[of],
      )
    },
  })
  const lives = (segment: string, cat?: string): Subject<LivesReading> => ({
    key: targets.lives(segment),
    isSame: isSameLives,
    movesAlone: true,
    take: async (ask) => readLives(await ask(get(targets.lives(segment))), pinned.lives, cat),
  })
  const catsOf = (segment: string, breed?: string) => list(targets.catsOf(segment), 'catsOf', breed)
  const search = (value: string, query?: string) => list(targets.search(value), 'search', query)
  return {
    version,
    controlName: targets.controlName,
    shapes,
    cats: list(targets.cats, 'cats'),
    breeds: list(targets.breeds, 'breeds'),
    catsOf: selectedBy(asSegment, catsOf),
    search: selectedBy(asQueryValue, search),
    lives: selectedBy(asSegment, lives),
    raw: { catsOf, search, lives: (segment) => lives(segment), query: (text) => list(targets.query(text), 'search') },
  }
}

const kindOf = (of: ListName): Kind => (of === 'breeds' ? 'breed' : 'cat')

/** The subject for a name, memoised in its usual encoding. */
function selectedBy<S>(
  encode: typeof asSegment,
  select: (encoded: string, text: string) => S,
): (text: string, encoding?: Encoding) => S {
  const plain = new Map<string, S>()
  return (text, encoding) => {
    if (encoding) return select(encode(text, encoding), text)
    const selected = plain.get(text) ?? select(encode(text), text)
    plain.set(text, selected)
    return selected
  }
}

function readShaped(exchange: Exchange, kind: Kind, shape: Shape): ListReading {
  if (!shape || !('unreadable' in shape)) return readList(exchange, kind, shape)
  const reading = readList(exchange, kind, undefined)
  const isUntold = reading.kind === 'unreadable' || (reading.kind === 'list' && reading.size > 0)
  return isUntold ? { kind: 'unreadable', why: shape.unreadable } : reading
}
