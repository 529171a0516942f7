import type { Asker, Subject } from '../engine/reading.ts'
import type { Exchange, Request } from '../engine/session.ts'
import type { Kind } from './candidates.ts'
import { asQueryValue, asSegment, type Encoding } from './encoding.ts'
import { essenceOfList, type ListReading, readList } from './list.ts'
import { essenceOfLives, type LivesReading, readLives } from './lives.ts'
import { readPages } from './paged.ts'
import { isFilled, mentions, ownShape, type Shape, selectedShape } from './shapes.ts'
import type { Watch } from './watch.ts'

export type Version = 'v2' | 'v3'

/** Everything that can be asked of one version, each as a subject that can be read once or again. */
export interface Directory {
  readonly version: Version
  readonly cats: Subject<ListReading>
  readonly breeds: Subject<ListReading>
  catsOf(breed: string, encoding?: Encoding): Subject<ListReading>
  search(query: string, encoding?: Encoding): Subject<ListReading>
  lives(cat: string, encoding?: Encoding): Subject<LivesReading>
  /** The same operations with a segment or value that is sent as it is written, percent signs and all. */
  readonly written: {
    catsOf(segment: string): Subject<ListReading>
    search(value: string): Subject<ListReading>
    lives(segment: string): Subject<LivesReading>
  }
  /** Where this version keeps its lists, by operation; told once. */
  readonly shapes: {
    cats(): Promise<Shape>
    breeds(): Promise<Shape>
    catsOf(): Promise<Shape>
    search(): Promise<Shape>
  }
}

/** What a check is asked with: the version it judges, and both for those that compare. */
export interface Directories {
  readonly here: Directory
  readonly v2: Directory
  readonly v3: Directory
  /** Whether what is listed was seen to change, early in the run and at its end. */
  readonly watch: Watch
}

const get = (target: string): Request => ({ method: 'GET', target, follow: true })

/** How many answers of an operation its shape is told from. */
const REFERENCES = 6

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

const isShape = (shape: Shape) => (shape && !('unreadable' in shape) ? shape : undefined)

/**
 * @param recall answers from the run's memory: what the shapes are told from is asked once
 */
export function createDirectory(version: Version, recall: Asker): Directory {
  const targets = {
    cats: `/${version}/cats`,
    breeds: `/${version}/breeds`,
    catsOf: (segment: string) => `/${version}/breeds/${segment}/cats`,
    search: (value: string) => `/${version}/search?q=${value}`,
    lives: (segment: string) => `/${version}/cat/${segment}/lives_left`,
  }
  const shapes = createShapes(targets, recall)
  const list = (target: string, kind: Kind, shapeOf: () => Promise<Shape>): Subject<ListReading> => ({
    key: target,
    essence: essenceOfList,
    async take(ask) {
      const [first, shape] = await Promise.all([ask(get(target)), shapeOf()])
      return readPages(first, ask, (page) => readShaped(page, kind, shape))
    },
  })
  const lives = (segment: string): Subject<LivesReading> => ({
    key: targets.lives(segment),
    essence: essenceOfLives,
    take: async (ask) => readLives(await ask(get(targets.lives(segment)))),
  })
  const catsOf = (segment: string) => list(targets.catsOf(segment), 'cat', shapes.catsOf)
  const search = (value: string) => list(targets.search(value), 'cat', shapes.search)
  return {
    version,
    shapes,
    cats: list(targets.cats, 'cat', shapes.cats),
    breeds: list(targets.breeds, 'breed', shapes.breeds),
    catsOf: (breed, encoding) => catsOf(asSegment(breed, encoding)),
    search: (query, encoding) => search(asQueryValue(query, encoding)),
    lives: (cat, encoding) => lives(asSegment(cat, encoding)),
    written: { catsOf, search, lives },
  }
}

function readShaped(exchange: Exchange, kind: Kind, shape: Shape): ListReading {
  if (!shape || !('unreadable' in shape)) return readList(exchange, kind, shape)
  const reading = readList(exchange, kind, undefined)
  return reading.kind === 'list' && reading.names.length > 0 ? { kind: 'unreadable', why: shape.unreadable } : reading
}

interface Targets {
  readonly cats: string
  readonly breeds: string
  catsOf(segment: string): string
  search(value: string): string
  lives(segment: string): string
}

function createShapes(targets: Targets, recall: Asker): Directory['shapes'] {
  const isBreed = async (name: string) => isFilled(await recall(get(targets.catsOf(asSegment(name)))))
  const isCat = async (name: string) => {
    const [lives, hits] = await Promise.all([
      recall(get(targets.lives(asSegment(name)))),
      recall(get(targets.search(asQueryValue(name)))),
    ])
    return readLives(lives).kind === 'count' || mentions(hits, name)
  }
  const breeds = once(async () => ownShape(await recall(get(targets.breeds)), 'breed', { works: isBreed, breeds: [] }))
  const cats = once(async () =>
    ownShape(await recall(get(targets.cats)), 'cat', { works: isCat, breeds: await namesOf('breed') }),
  )
  const namesOf = async (kind: Kind): Promise<readonly string[]> => {
    const [target, shape] = kind === 'cat' ? [targets.cats, cats] : [targets.breeds, breeds]
    const first = await recall(get(target))
    const own = isShape(await shape())
    const reading = await readPages(first, recall, (page) => readList(page, kind, own))
    return reading.kind === 'list' ? reading.names : []
  }
  const selected = (kind: Kind, targetOf: (name: string) => string) =>
    once(async () => {
      const [catNames, breedNames, own] = await Promise.all([namesOf('cat'), namesOf('breed'), cats()])
      const chosen = (kind === 'cat' ? catNames : breedNames).slice(0, REFERENCES)
      const answers = await Promise.all(chosen.map((name) => recall(get(targetOf(name)))))
      return selectedShape(answers, new Set(catNames), breedNames, own)
    })
  return {
    breeds,
    cats,
    catsOf: selected('breed', (name) => targets.catsOf(asSegment(name))),
    search: selected('cat', (name) => targets.search(asQueryValue(name))),
  }
}
