import type { RequestSenders } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { mustBeProcessedInTurn } from '../../engine/http/client/response-size.ts'
import { computeOnce } from '../../engine/memoise.ts'
import {
  createPagers,
  type DeploymentPaging,
  elementKindOf,
  type ListKind,
  operationIdByList,
  type PagersByList,
} from '../pages/pager.ts'
import type { PinnedPaging } from '../pages/pinned-pages.ts'
import { readAllPages } from '../pages/read-pages.ts'
import type { JsonPlace } from '../readings/json.ts'
import {
  fetchWhileOtherResultIsPending,
  inferFromResponseInTurn,
  runLargeTaskInTurn,
} from '../readings/large-responses.ts'
import { type ListReading, type ListShape, readList } from '../readings/list-reading.ts'
import type { ElementKind } from '../readings/name-candidates.ts'
import { findWrongPlaces, removeWrongPlaces } from '../shapes/equal-places.ts'
import { inferFilteredListShape } from '../shapes/filtered-list-shape.ts'
import { createNameTests } from '../shapes/name-tests.ts'
import { describeUnreadableShape } from '../shapes/unreadable-shape.ts'
import type { WholeListEvidence } from '../shapes/whole-list-evidence.ts'
import { type InferredShape, inferWholeListShape, readableShapeOf } from '../shapes/whole-list-shape.ts'
import { createGetRequest } from '../shared/targets.ts'
import { type ListBeginning, ShapeEvidence, type ShapeEvidenceOptions } from './shape-evidence.ts'

/** Functions that infer where in the JSON the list and its names are. Each infers this once, at its first call. */
export type ShapeInferences = Readonly<Record<ListKind, () => Promise<InferredShape>>>

/** The places of lists, names and lives that a profile pins. They take precedence over inferred places. */
export interface PinnedPlaces {
  readonly shapes: Readonly<Partial<Record<ListKind, Pick<ListShape, 'list' | 'name'>>>>
  readonly pages: Readonly<Partial<Record<ListKind, PinnedPaging>>>
  readonly lives?: JsonPlace
}

export const NO_PINS: PinnedPlaces = { shapes: {}, pages: {} }

interface ShapeInferenceOptions extends RequestSenders, ShapeEvidenceOptions {
  readonly pins: PinnedPlaces
  readonly deploymentPaging: DeploymentPaging
}

/** The number of names of a list that are used to infer shapes. */
const MAX_NAMES_USED = 50_000

/**
 * The maximum number of times that the place of the names of a list is decided between several places. Each time, fewer
 * places are left.
 */
const MAX_DECISIONS = 24

/** Infers where lists and names are in the responses of a version. */
export class ShapeInferrer {
  readonly shapes: ShapeInferences
  readonly pagers: PagersByList
  private readonly options: ShapeInferenceOptions
  private readonly evidence: ShapeEvidence
  /** The shapes that were changed because a later element showed the place of the names. */
  private readonly decidedShapes = new Map<ListKind, ListShape>()
  /** True if a list is so large that only one list may be in memory at a time. */
  private isLarge = false

  constructor(options: ShapeInferenceOptions) {
    const { targets } = options
    this.options = options
    this.pagers = createPagers(options, options.deploymentPaging)
    this.evidence = new ShapeEvidence(options, {
      inferBreedShape: () => this.shapes.breeds(),
      readBeginning: (kind) => this.readBeginning(kind),
    })
    this.shapes = {
      breeds: this.pinnedOrInferred('breeds', () =>
        this.inferShapeOfAll(targets.breeds, 'breed', this.evidence.collectForAllBreeds()),
      ),
      cats: this.pinnedOrInferred('cats', () =>
        this.inferShapeOfAll(targets.cats, 'cat', this.evidence.collectForAllCats()),
      ),
      catsOf: this.pinnedOrInferred('catsOf', () => this.inferShapeOfFiltered('breed')),
      search: this.pinnedOrInferred('search', () => this.inferShapeOfFiltered('cat')),
    }
  }

  /** Uses the pinned places of list and name, if there are any. The place of the breed is always inferred. */
  private pinnedOrInferred(of: ListKind, infer: () => Promise<InferredShape>): () => Promise<InferredShape> {
    const pinned = this.options.pins.shapes[of]
    const inferOnce = computeOnce(async (): Promise<InferredShape> => {
      const inferred = await infer()
      if (pinned) {
        const { breed, breedId } = readableShapeOf(inferred) ?? {}
        return { breed, breedId, ...pinned, isPinned: true }
      }
      // Names this operation in the advice: its list may be read with the shape of the list of all cats.
      if (inferred === undefined || !('unreadable' in inferred)) return inferred
      const { text, advice } = describeUnreadableShape(operationIdByList[of], inferred)
      return { unreadable: text, advice }
    })
    return () => (this.decidedShapes.has(of) ? Promise.resolve(this.decidedShapes.get(of)) : inferOnce())
  }

  private async inferShapeOfAll(
    target: string,
    kind: ElementKind,
    evidence: Promise<WholeListEvidence>,
  ): Promise<InferredShape> {
    const infer = (exchange: Exchange, known: WholeListEvidence) => {
      this.isLarge ||= mustBeProcessedInTurn(exchange)
      return inferWholeListShape(exchange, kind, known)
    }
    return inferFromResponseInTurn(() => this.options.sendOnce(createGetRequest(target)), evidence, infer)
  }

  /** Infers the shape of the lists of a breed's cats (`breed`), or of the results of searches for cats (`cat`). */
  private async inferShapeOfFiltered(kind: ElementKind): Promise<InferredShape> {
    const catsShape = await this.shapes.cats()
    const infer = async () => {
      const [cats, breeds] = await Promise.all([this.readBeginning('cat'), this.readBeginning('breed')])
      const observations = await this.evidence.observeFilteredLists(kind, { cats, breeds }, catsShape)
      const furtherRequests = this.evidence.createFurtherRequests(kind, { cats, breeds })
      return inferFilteredListShape(
        observations,
        cats,
        breeds.names,
        catsShape,
        this.evidence.collectBreedIds,
        furtherRequests,
      )
    }
    return this.isLarge ? runLargeTaskInTurn(infer) : infer()
  }

  /**
   * Reads a list with the inferred shape. If an element shows which of several possible places contains the names, reads
   * the list again with the corrected shape.
   */
  async readWithShape(
    of: ListKind,
    read: (shape: Promise<InferredShape>) => Promise<ListReading>,
  ): Promise<ListReading> {
    let reading = await read(this.shapes[of]())
    for (let nth = 0; nth < MAX_DECISIONS && (await this.decideBetweenPlaces(of, reading)); nth++)
      reading = await read(this.shapes[of]())
    return reading
  }

  /** Returns whether the shape has changed because a place of the names was decided. */
  private async decideBetweenPlaces(of: ListKind, reading: ListReading): Promise<boolean> {
    if (reading.kind !== 'unreadable' || !reading.differingStrings) return false
    const kind = elementKindOf(of)
    const { targets, sendOnce, identifiesCat } = this.options
    const tests = kind === 'cat' && identifiesCat ? [identifiesCat] : createNameTests(targets, sendOnce)[kind]
    const wrong = await findWrongPlaces(reading.differingStrings, kind, tests)
    const shape = readableShapeOf(await this.shapes[of]())
    if (wrong.length === 0 || !shape) return false
    this.decidedShapes.set(of, removeWrongPlaces(shape, wrong))
    return true
  }

  /** Reads the list of all cats or breeds; no names if it is unreadable. */
  private async readBeginning(kind: ElementKind): Promise<ListBeginning> {
    const { targets, sendOnce, pins } = this.options
    const of = kind === 'cat' ? 'cats' : 'breeds'
    const reading = await this.readWithShape(of, async (pending) => {
      const [first, inferred] = await fetchWhileOtherResultIsPending(
        () => sendOnce(createGetRequest(targets[of])),
        pending,
      )
      const shape = readableShapeOf(inferred)
      const readPage = (page: Exchange, list?: JsonPlace) =>
        readList(page, kind, shape && list ? { ...shape, list } : shape)
      return readAllPages(
        first,
        { send: sendOnce, readPage, list: shape?.list, pinned: pins.pages[of] },
        this.pagers[of],
      )
    })
    if (reading.kind !== 'list') return { names: [], has: () => false }
    return reading.names.length <= MAX_NAMES_USED
      ? reading
      : { names: reading.names.slice(0, MAX_NAMES_USED), has: reading.has }
  }
}
