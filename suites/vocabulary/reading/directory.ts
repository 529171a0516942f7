import type { Version } from '../../../fixtures/contract/operations.ts'
import type { Exchange, Request } from '../../engine/http/exchange.ts'
import { isReadAlone } from '../../engine/http/remembered.ts'
import type { Asker, Subject } from '../../engine/judging/readers.ts'
import type { Effort } from '../effort.ts'
import { asQueryValue, asSegment, type Encoding } from '../encodings.ts'
import { unheardOf } from '../unheard-of.ts'
import { breedIdClues } from './breed-ids.ts'
import type { Kind } from './candidates.ts'
import { finderByHash, MOST_HELD_NAMES } from './hashed-entries.ts'
import type { Place } from './json.ts'
import { besideWait, inTurn, tellInTurn } from './large-answers.ts'
import { isSameReading, type ListReading, type ListShape, type Named, readList } from './list-reading.ts'
import { isSameLives, type LivesReading, readLives } from './lives-reading.ts'
import { readPages } from './paged.ts'
import { type Others, Pager } from './pager.ts'
import { hasLives, proofs, valueOf, type Works } from './proof.ts'
import { selectedShape, showsOwn, type Uncalled } from './selected-shape.ts'
import { type OwnListClues, ownShape, type Shape } from './shapes.ts'
import { lookedAt, see, showAny } from './sights.ts'
import { get, type Targets, targetsIn } from './targets.ts'

/** Can be read as a list. */
export type List = Subject<ListReading>

/** Everything that can be asked of one version, each as a subject that can be read once or again. */
export interface Directory {
  readonly version: Version
  readonly cats: List
  readonly breeds: List
  catsOf(breed: string, encoding?: Encoding): List
  search(query: string, encoding?: Encoding): List
  lives(cat: string, encoding?: Encoding): Subject<LivesReading>
  /** The same operations with a segment or value that is sent as it stands, percent signs and all. */
  readonly raw: {
    catsOf(segment: string): List
    search(value: string): List
    lives(segment: string): Subject<LivesReading>
    /** A search with a whole query string, or with none at all where it is empty. */
    query(text: string): List
  }
  /** Where this version keeps its lists, by operation; told once. */
  readonly shapes: {
    cats(): Promise<Shape>
    breeds(): Promise<Shape>
    catsOf(): Promise<Shape>
    search(): Promise<Shape>
  }
}

const lazily = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

const isShape = (shape: Shape) => (shape && !('unreadable' in shape) ? shape : undefined)

/** Where things are said to stand, whatever would be found. */
export interface Pinned {
  readonly shapes: Readonly<Partial<Record<keyof Directory['shapes'], Pick<ListShape, 'list' | 'name'>>>>
  /** The links to next pages. */
  readonly next: Readonly<Partial<Record<keyof Directory['shapes'], Place>>>
  readonly lives?: Place
}

/**
 * @param recall answers from the run's cache: what the shapes are told from is asked once
 * @param withLives the version in which lives can be asked for, where that may be asked
 */
export function createDirectory(
  version: Version,
  recall: Asker,
  { answersForShape }: Pick<Effort, 'answersForShape'>,
  pinned: Pinned = { shapes: {}, next: {} },
  withLives?: Version,
): Directory {
  const targets = targetsIn(version)
  const identifies = withLives && hasLives(targetsIn(withLives), recall)
  const pagers = createPagers(targets, recall, (kind) => listOf(kind))
  const { shapes, listOf } = createShapes({ targets, recall, identifies, answersForShape, pagers, pinned })
  const list = (target: string, of: keyof Directory['shapes']): List => ({
    key: target,
    isSame: isSameReading,
    holds: (reading) => (reading.kind === 'list' ? reading.names : undefined),
    async take(ask) {
      const [first, shape] = await besideWait(() => ask(get(target)), shapes[of]())
      const kind = of === 'breeds' ? 'breed' : 'cat'
      const readPage = (page: Exchange) => readShaped(page, kind, shape)
      return readPages(first, { kind, ask, readPage, list: isShape(shape)?.list, next: pinned.next[of] }, pagers[of])
    },
  })
  const lives = (segment: string, cat?: string): Subject<LivesReading> => ({
    key: targets.lives(segment),
    isSame: isSameLives,
    movesAlone: true,
    take: async (ask) => readLives(await ask(get(targets.lives(segment))), pinned.lives, cat),
  })
  const catsOf = (segment: string) => list(targets.catsOf(segment), 'catsOf')
  const search = (value: string) => list(targets.search(value), 'search')
  return {
    version,
    shapes,
    cats: list(targets.cats, 'cats'),
    breeds: list(targets.breeds, 'breeds'),
    catsOf: (breed, encoding) => catsOf(asSegment(breed, encoding)),
    search: (query, encoding) => search(asQueryValue(query, encoding)),
    lives: (cat, encoding) => lives(asSegment(cat, encoding), cat),
    raw: { catsOf, search, lives: (segment) => lives(segment), query: (text) => list(targets.query(text), 'search') },
  }
}

function readShaped(exchange: Exchange, kind: Kind, shape: Shape): ListReading {
  if (!shape || !('unreadable' in shape)) return readList(exchange, kind, shape)
  const reading = readList(exchange, kind, undefined)
  const isUntold = reading.kind === 'unreadable' || (reading.kind === 'list' && reading.size > 0)
  return isUntold ? { kind: 'unreadable', why: shape.unreadable } : reading
}

type Pagers = Readonly<Record<keyof Directory['shapes'], Pager>>

/** All lists of a version lead on alike, or are tried one by one. */
function createPagers(targets: Targets, recall: Asker, listOf: ListOf): Pagers {
  const ways: Pager['ways'] = []
  const nothing = unheardOf(0, targets.version)
  const all = get(targets.cats)
  const part = (kind: Kind, targetOf: (name: string) => string): Others => ({
    ofNothing: get(targetOf(nothing)),
    ofSome: () => someOf(listOf, kind, targetOf),
    all,
  })
  return {
    cats: new Pager(recall, ways),
    breeds: new Pager(recall, ways, { ofSome: async () => [all], all }),
    catsOf: new Pager(
      recall,
      ways,
      part('breed', (name) => targets.catsOf(asSegment(name))),
    ),
    search: new Pager(
      recall,
      ways,
      part('cat', (name) => targets.search(asQueryValue(name))),
    ),
  }
}

/** What shapes are told by: the first names, and whether one is listed. */
type Listed = Pick<Named, 'names' | 'has'>
type ListOf = (kind: Kind) => Promise<Listed>

/** The others are not held while shapes are told: there may be such a list in every answer. */
function firstOf(list: Named): Listed {
  if (list.names.length <= MOST_HELD_NAMES) return list
  return { names: list.names.slice(0, MOST_HELD_NAMES), has: finderByHash(list.names) }
}

/** What the first names select. */
const someOf = async (listOf: ListOf, kind: Kind, targetOf: (name: string) => string): Promise<readonly Request[]> =>
  (await listOf(kind)).names.slice(0, 3).map((name) => get(targetOf(name)))

interface Shaping {
  readonly targets: Targets
  readonly recall: Asker
  readonly identifies: Works | undefined
  readonly answersForShape: number
  readonly pagers: Pagers
  readonly pinned: Pinned
}

function createShapes({ targets, recall, identifies, answersForShape, pagers, pinned }: Shaping): {
  shapes: Directory['shapes']
  listOf: ListOf
} {
  const { cat, breed } = proofs(targets, recall)
  const valueAt = async (target: string) => valueOf(await recall(get(target)))
  const hits = (text: string) => valueAt(targets.search(asQueryValue(text)))
  /** A breed that elements show is found where they are pinned as anywhere. */
  const unlessPinned = (of: keyof Directory['shapes'], told: () => Promise<Shape>) => {
    const own = pinned.shapes[of]
    if (!own) return told
    return lazily(async () => {
      const { breed, breedId } = isShape(await told()) ?? {}
      return { breed, breedId, ...own }
    })
  }
  /** Whether the lists of this version are so large that their names are not held by several at once. */
  let isLarge = false
  const ownShapeAt = (target: string, kind: Kind, clues: () => Promise<OwnListClues>) =>
    lazily(() =>
      tellInTurn(
        () => recall(get(target)),
        clues(),
        (exchange, known) => {
          isLarge ||= isReadAlone(exchange)
          return ownShape(exchange, kind, known)
        },
      ),
    )
  const breeds = unlessPinned(
    'breeds',
    ownShapeAt(targets.breeds, 'breed', async () => ({
      proofs: breed,
      breeds: [],
      sibling: () => valueAt(targets.cats),
    })),
  )
  const cats = unlessPinned(
    'cats',
    ownShapeAt(targets.cats, 'cat', async () => ({
      proofs: cat,
      identifies,
      hits,
      parts,
      sibling: () => valueAt(targets.breeds),
      breeds: (await listOf('breed')).names,
      breedIds,
    })),
  )
  const listOf: ListOf = async (kind) => {
    const [target, shape] = kind === 'cat' ? [targets.cats, cats] : [targets.breeds, breeds]
    const [first, told] = await besideWait<Shape>(() => recall(get(target)), shape())
    const own = isShape(told)
    const readPage = (page: Exchange) => readList(page, kind, own)
    const of = kind === 'cat' ? 'cats' : 'breeds'
    const paging = { kind, ask: recall, readPage, list: own?.list, next: pinned.next[of] }
    const reading = await readPages(first, paging, pagers[of])
    return reading.kind === 'list' ? firstOf(reading) : { names: [], has: () => false }
  }
  const listsOfSome = async () => {
    const some = (await listOf('breed')).names.slice(0, 3)
    return Promise.all(some.map(async (breed) => ({ breed, value: await valueAt(targets.catsOf(asSegment(breed))) })))
  }
  const parts = async () => (await listsOfSome()).map(({ value }) => value)
  const breedIds = lazily(async () => {
    const own = isShape(await breeds())
    return own
      ? breedIdClues({ value: await valueAt(targets.breeds), ...own }, await listsOfSome())
      : { ids: [], homes: [] }
  })
  /** What is answered, unless it is refused, to what no cat is called. */
  const uncalled = async (input: string, targetOf: (name: string) => string): Promise<Uncalled | undefined> => {
    const value = await valueAt(targetOf(input))
    return value === undefined ? undefined : { input, value }
  }
  const selected = (kind: Kind, targetOf: (name: string) => string) =>
    lazily(async () => {
      const own = await cats()
      const tell = async () => {
        const [listed, breedsListed] = await Promise.all([listOf('cat'), listOf('breed')])
        const { names } = kind === 'cat' ? listed : breedsListed
        const look = async (input: string) =>
          see({ input, of: kind, exchange: await recall(get(targetOf(input))) }, listed, own)
        const sights = await lookedAt(names, answersForShape, look, (some) =>
          kind === 'cat' ? showAny(some, listed) : showsOwn(some, listed),
        )
        async function* searchesForBreeds() {
          for (const breed of breedsListed.names.slice(0, answersForShape)) {
            const cats = await valueAt(targets.catsOf(asSegment(breed)))
            yield { value: await valueAt(targetOf(breed)), cats }
          }
        }
        const askUncalled = async () => {
          const ofBreed = kind === 'cat' ? breedsListed.names.find((name) => !listed.has(name)) : undefined
          const nothing = await uncalled(unheardOf(0, targets.version), targetOf)
          return nothing ?? (ofBreed === undefined ? undefined : uncalled(ofBreed, targetOf))
        }
        const tellers = kind === 'cat' ? { askUncalled, searchesForBreeds } : { askUncalled }
        return selectedShape(sights, listed, breedsListed.names, own, breedIds, tellers)
      }
      return isLarge ? inTurn(tell) : tell()
    })
  return {
    listOf,
    shapes: {
      breeds,
      cats,
      catsOf: unlessPinned(
        'catsOf',
        selected('breed', (name) => targets.catsOf(asSegment(name))),
      ),
      search: unlessPinned(
        'search',
        selected('cat', (name) => targets.search(asQueryValue(name))),
      ),
    },
  }
}
