import type { Version } from '../../../fixtures/contract/operations.ts'
import type { RequestSenders, Resource } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import { drawSample } from '../../engine/property/sample.ts'
import { areEqualLivesReadings, type LivesReading, readLives } from '../lives/lives-reading.ts'
import { CrossListComparison } from '../pages/cross-list-comparison.ts'
import { type DeploymentPaging, elementKindOf, type ListKind, operationIdByList } from '../pages/pager.ts'
import { readAllPages } from '../pages/read-pages.ts'
import type { JsonPlace } from '../readings/json.ts'
import { fetchWhileOtherResultIsPending } from '../readings/large-responses.ts'
import { areEqualListReadings } from '../readings/list-operations.ts'
import { type ListReading, readList } from '../readings/list-reading.ts'
import { sortNames } from '../readings/names.ts'
import { createLivesNameTest } from '../shapes/name-tests.ts'
import { describeUnreadableShape } from '../shapes/unreadable-shape.ts'
import { type InferredShape, readableShapeOf } from '../shapes/whole-list-shape.ts'
import type { ControlNameFactory } from '../shared/control-names.ts'
import type { Effort } from '../shared/effort.ts'
import { type Encoding, encodeQueryValue, encodeSegment } from '../shared/encodings.ts'
import { createGetRequest, createRequestTargets } from '../shared/targets.ts'
import { NO_PINS, type PinnedPlaces, type ShapeInferences, ShapeInferrer } from './inferred-shapes.ts'
import { type DirectoryHistory, recordReadings } from './reading-contents.ts'

export type ListResource = Resource<ListReading>

/** The resources of one version. Each can be read repeatedly. */
export interface Directory {
  readonly version: Version
  /** Returns a control name, i.e. a name that no cat or breed has. Each value of `round` gives another name. */
  controlName(round?: number): string
  readonly cats: ListResource
  readonly breeds: ListResource
  /** Returns the breeds whose lists are read: all of them, or a sample if the effort does not permit so many. */
  sampleBreeds(breeds: readonly string[]): readonly string[]
  catsOf(breed: string, encoding?: Encoding): ListResource
  search(query: string, encoding?: Encoding): ListResource
  lives(cat: string, encoding?: Encoding): Resource<LivesReading>
  /** The same operations, but a path segment or query value is sent exactly as given, without percent-encoding it. */
  readonly raw: {
    catsOf(segment: string): ListResource
    search(value: string): ListResource
    lives(segment: string): Resource<LivesReading>
    /** @param text the query string, e.g. `q=a&q=b`; `''` for a search without a query string */
    query(text: string): ListResource
  }
  readonly shapes: ShapeInferences
}

interface DirectoryOptions extends RequestSenders {
  readonly version: Version
  readonly effort: Pick<Effort, 'responsesForShape' | 'breedLists'>
  readonly seed: number
  readonly controlNames: ControlNameFactory
  readonly history: DirectoryHistory
  readonly pins: PinnedPlaces | undefined
  /** The version under test that has lives, if any. */
  readonly versionWithLives: Version | undefined
  readonly deploymentPaging: DeploymentPaging
}

export function createDirectory(options: DirectoryOptions): Directory {
  const { version, sendOnce, send, effort, seed, controlNames, history, pins = NO_PINS } = options
  const { versionWithLives, deploymentPaging } = options
  const { responsesForShape, breedLists } = effort
  const targets = createRequestTargets(version, controlNames)
  const identifiesCat =
    versionWithLives && createLivesNameTest(createRequestTargets(versionWithLives, controlNames), sendOnce)
  const inferrer = new ShapeInferrer({
    targets,
    sendOnce,
    send,
    identifiesCat,
    responsesForShape,
    pins,
    deploymentPaging,
  })
  const { shapes, pagers } = inferrer
  const sampleBreeds = memoiseByObject((breeds: readonly string[]) =>
    breeds.length > breedLists ? drawSample(sortNames(breeds), breedLists, seed, String) : breeds,
  )
  const otherLists = new CrossListComparison(targets, {
    readFirstPage: (target, of) =>
      inferrer.readWithShape(of, async (inferred) => {
        const [page, shape] = await fetchWhileOtherResultIsPending(() => sendOnce(createGetRequest(target)), inferred)
        return readWithShape(page, of, shape)
      }),
    readAllPages: (target, of, input) => list(target, of, input).readWith(sendOnce),
    sampleBreeds,
  })
  const list = (target: string, of: ListKind, input?: string): ListResource => ({
    key: target,
    isSame: areEqualListReadings,
    sharedMemory: (reading) => (reading.kind === 'list' ? reading.names : undefined),
    readWith: (send) =>
      inferrer.readWithShape(of, async (inferred) => {
        const [first, shape] = await fetchWhileOtherResultIsPending(() => send(createGetRequest(target)), inferred)
        const readable = readableShapeOf(shape)
        const readPage = (page: Exchange, place?: JsonPlace) =>
          readWithShape(page, of, readable && place ? { ...readable, list: place } : shape)
        const lacksNames = otherLists.createMissingNamesTest(of, input)
        return readAllPages(
          first,
          { send, readPage, list: readable?.list, pinned: pins.pages[of], lacksNames },
          pagers[of],
        )
      }),
  })
  const lives = (segment: string, cat?: string): Resource<LivesReading> => ({
    key: targets.lives(segment),
    isSame: areEqualLivesReadings,
    changesAlone: true,
    readWith: async (send) => {
      const exchange = await send(createGetRequest(targets.lives(segment)))
      deploymentPaging.noteResponseWithoutList(exchange)
      return readLives(exchange, pins.lives, cat)
    },
  })
  const catsOf = (segment: string, breed?: string) => list(targets.catsOf(segment), 'catsOf', breed)
  const search = (value: string, query?: string) => list(targets.search(value), 'search', query)
  const recordedList = (of: ListKind, resource: ListResource, name = '') =>
    recordReadings(resource, { history, group: `${version} ${of}`, name })
  const recordedLives = (segment: string, cat: string) =>
    recordReadings(lives(segment, cat), { history, group: `${version} lives`, name: cat })
  return {
    version,
    controlName: targets.controlName,
    shapes,
    cats: recordedList('cats', list(targets.cats, 'cats')),
    breeds: recordedList('breeds', list(targets.breeds, 'breeds')),
    sampleBreeds,
    catsOf: memoiseResources(encodeSegment, (segment, name) => recordedList('catsOf', catsOf(segment, name), name)),
    search: memoiseResources(encodeQueryValue, (value, query) => recordedList('search', search(value, query), query)),
    lives: memoiseResources(encodeSegment, recordedLives),
    raw: { catsOf, search, lives: (segment) => lives(segment), query: (text) => list(targets.query(text), 'search') },
  }
}

/** Creates a function that returns the resource for a text. Memoises the resources for texts in the usual encoding. */
function memoiseResources<S>(
  encode: typeof encodeSegment,
  createResource: (encoded: string, text: string) => S,
): (text: string, encoding?: Encoding) => S {
  const plain = new Map<string, S>()
  return (text, encoding) => {
    if (encoding) return createResource(encode(text, encoding), text)
    const resource = plain.get(text) ?? createResource(encode(text), text)
    plain.set(text, resource)
    return resource
  }
}

/** Reads a page. If the shape is unknown, only an empty list, or a response without a list, can be read. */
function readWithShape(exchange: Exchange, of: ListKind, shape: InferredShape): ListReading {
  const isReadable = !shape || !('unreadable' in shape)
  const reading = readList(exchange, elementKindOf(of), isReadable ? shape : undefined)
  if (isReadable) {
    if (reading.kind !== 'unreadable') return reading
    const { text, advice } = describeUnreadableShape(operationIdByList[of], { unreadable: reading.why, ...reading })
    return { ...reading, why: text, advice }
  }
  const mayNeedOtherShape = reading.kind === 'unreadable' || (reading.kind === 'list' && reading.size > 0)
  return mayNeedOtherShape ? { kind: 'unreadable', why: shape.unreadable, advice: shape.advice } : reading
}
