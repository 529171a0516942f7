import type { RequestSenders } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { mustBeReadAlone } from '../../engine/http/client/response-size.ts'
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
import { createBreedIdEvidence } from '../readings/breed-ids.ts'
import type { JsonPlace } from '../readings/json.ts'
import {
  fetchWhileOtherResultIsPending,
  inferFromResponseInTurn,
  runLargeTaskInTurn,
} from '../readings/large-responses.ts'
import { interpretResponse, type ListReading, type ListShape, type NameList, readList } from '../readings/list-reading.ts'
import type { ElementKind } from '../readings/name-candidates.ts'
import { type BreedIdEvidenceCollector } from '../shapes/create-shape.ts'
import { findWrongPlaces, removeWrongPlaces } from '../shapes/equal-places.ts'
import {
  type BreedResponses,
  type ControlNameResponse,
  hasDifferentCatsByBreed,
  inferFilteredListShape,
} from '../shapes/filtered-list-shape.ts'
import { createNameTests, jsonValueOf, type NameTest, passesAnyNameTest } from '../shapes/name-tests.ts'
import {
  haveListedCats,
  observeResponse,
  observeResponsesToInputs,
  type ResponseObservation,
} from '../shapes/response-observations.ts'
import { describeUnreadableShape } from '../shapes/unreadable-shape.ts'
import { type InferredShape, inferWholeListShape, type WholeListEvidence } from '../shapes/whole-list-shape.ts'
import { encodeQueryValue, encodeSegment } from '../shared/encodings.ts'
import { createGetRequest, type RequestTargets } from '../shared/targets.ts'

/** Functions that infer where in the JSON the list and its names are. Each infers this once, at its first call. */
export type ShapeInferences = Readonly<Record<ListKind, () => Promise<InferredShape>>>

/** The places of lists, names and lives that a profile pins. They take precedence over inferred places. */
export interface PinnedPlaces {
  readonly shapes: Readonly<Partial<Record<ListKind, Pick<ListShape, 'list' | 'name'>>>>
  readonly pages: Readonly<Partial<Record<ListKind, PinnedPaging>>>
  readonly lives?: JsonPlace
}

export const NO_PINS: PinnedPlaces = { shapes: {}, pages: {} }

interface ShapeInferenceOptions extends RequestSenders {
  readonly targets: RequestTargets
  readonly identifiesCat: NameTest | undefined
  readonly responsesForShape: number
  readonly pins: PinnedPlaces
  readonly deploymentPaging: DeploymentPaging
}

/** The number of names of a list that are used to infer shapes. */
const MAX_NAMES_USED = 50_000

/** The maximum number of times that the place of the names of a list is decided. Each time, fewer places are left. */
const MAX_DECISIONS = 24

/** The part of a list that is used to infer shapes: its first names, and a test whether a name is listed. */
type ListBeginning = Pick<NameList, 'names' | 'has'>
type KnownLists = Readonly<Record<'listed' | 'breeds', ListBeginning>>

export const readableShapeOf = (shape: InferredShape) => (shape && !('unreadable' in shape) ? shape : undefined)
type TargetForName = (name: string) => string

/** Infers where lists and names are in the responses of a version. */
export class ShapeInferrer {
  readonly shapes: ShapeInferences
  readonly pagers: PagersByList
  private readonly options: ShapeInferenceOptions
  private readonly findBreedIds: BreedIdEvidenceCollector
  /** The shapes that were changed because a later element showed the place of the names. */
  private readonly decidedShapes = new Map<ListKind, ListShape>()
  /** True if a list is so large that only one list may be in memory at a time. */
  private isLarge = false

  constructor(options: ShapeInferenceOptions) {
    const { targets } = options
    this.options = options
    this.pagers = createPagers(options, options.deploymentPaging)
    this.findBreedIds = computeOnce(() => this.collectBreedIdEvidence())
    this.shapes = {
      breeds: this.pinnedOrInferred('breeds', () =>
        this.inferWholeListShape(targets.breeds, 'breed', this.collectBreedListEvidence()),
      ),
      cats: this.pinnedOrInferred('cats', () =>
        this.inferWholeListShape(targets.cats, 'cat', this.collectCatListEvidence()),
      ),
      catsOf: this.pinnedOrInferred('catsOf', () =>
        this.inferFilteredListShape('breed', (name) => this.catsOfTarget(name)),
      ),
      search: this.pinnedOrInferred('search', () =>
        this.inferFilteredListShape('cat', (name) => this.searchTarget(name)),
      ),
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

  private async inferWholeListShape(
    target: string,
    kind: ElementKind,
    evidence: Promise<WholeListEvidence>,
  ): Promise<InferredShape> {
    const infer = (exchange: Exchange, known: WholeListEvidence) => {
      this.isLarge ||= mustBeReadAlone(exchange)
      return inferWholeListShape(exchange, kind, known)
    }
    return inferFromResponseInTurn(() => this.options.sendOnce(createGetRequest(target)), evidence, infer)
  }

  /** Reads a list with the inferred shape. If an element shows which of several places is right, reads it again. */
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

  private async collectBreedListEvidence(): Promise<WholeListEvidence> {
    const { targets, sendOnce } = this.options
    return {
      nameTests: createNameTests(targets, sendOnce).breed,
      isNoName: async (name) =>
        interpretResponse(await sendOnce(createGetRequest(this.catsOfTarget(name)))).kind === 'refused',
      breeds: [],
      fetchSibling: () => this.fetchValue(targets.cats),
      fetchEmpty: () => this.fetchValue(this.searchTarget(targets.controlName())),
    }
  }

  private async collectCatListEvidence(): Promise<WholeListEvidence> {
    const { targets, sendOnce, identifiesCat } = this.options
    const { cat } = createNameTests(targets, sendOnce)
    return {
      nameTests: cat,
      isNoName: async (name) => !(await passesAnyNameTest(cat, name)),
      identifiesCat,
      fetchSearch: (text) => this.fetchValue(this.searchTarget(text)),
      fetchSibling: () => this.fetchValue(targets.breeds),
      fetchEmpty: () => this.fetchValue(this.searchTarget(targets.controlName())),
      // If the shape is unclear, the strings found by their keys may be names of cats.
      breeds: 'unreadable' in ((await this.shapes.breeds()) ?? {}) ? [] : (await this.readBeginning('breed')).names,
      collectBreedIdEvidence: this.findBreedIds,
    }
  }

  private async collectBreedIdEvidence() {
    const shape = readableShapeOf(await this.shapes.breeds())
    if (!shape) return { idColumns: [], breedTexts: [] }
    return createBreedIdEvidence(
      { value: await this.fetchValue(this.options.targets.breeds), ...shape },
      await this.readSomeBreeds(),
    )
  }

  private async inferFilteredListShape(kind: ElementKind, targetOf: TargetForName): Promise<InferredShape> {
    const catsShape = await this.shapes.cats()
    const infer = async () => {
      const [listed, breeds] = await Promise.all([this.readBeginning('cat'), this.readBeginning('breed')])
      const observations = await this.observeLists(kind, targetOf, { listed, breeds, catsShape })
      const requestControlName = () =>
        this.requestControlName(targetOf, kind === 'cat' ? { listed, breeds } : undefined)
      const searchesForBreeds = () => this.searchesForBreeds(breeds, targetOf)
      const searchFor = (breed: string) => this.fetchValue(this.searchTarget(breed))
      const furtherRequests =
        kind === 'cat'
          ? { requestControlName, searchForBreeds: searchesForBreeds }
          : { requestControlName, fetchSearch: searchFor }
      return inferFilteredListShape(observations, listed, breeds.names, catsShape, this.findBreedIds, furtherRequests)
    }
    return this.isLarge ? runLargeTaskInTurn(infer) : infer()
  }

  /** Requests listed names, to see the shape. Searches for breeds too if short names of cats are not found. */
  private async observeLists(
    kind: ElementKind,
    targetOf: TargetForName,
    { listed, breeds, catsShape }: KnownLists & { readonly catsShape: InferredShape },
  ) {
    const { sendOnce, responsesForShape } = this.options
    const { names } = kind === 'cat' ? listed : breeds
    const observeList = (of: ElementKind) => async (input: string) =>
      observeResponse(
        { input, inputKind: of, exchange: await sendOnce(createGetRequest(targetOf(input))) },
        listed,
        catsShape,
      )
    const hasEvidence = (some: readonly ResponseObservation[]) =>
      kind === 'cat' ? haveListedCats(some, listed) : hasDifferentCatsByBreed(some, listed)
    const observations = await observeResponsesToInputs(names, responsesForShape, observeList(kind), hasEvidence)
    if (kind === 'breed' || names.length === 0 || haveListedCats(observations, listed)) return observations
    const others = await Promise.all(breeds.names.slice(0, responsesForShape).map(observeList('breed')))
    return [...observations, ...others]
  }

  private async *searchesForBreeds(breeds: ListBeginning, targetOf: TargetForName): AsyncIterable<BreedResponses> {
    for (const breed of breeds.names.slice(0, this.options.responsesForShape)) {
      const cats = await this.fetchValue(this.catsOfTarget(breed))
      yield { value: await this.fetchValue(targetOf(breed)), cats }
    }
  }

  /** Requests a name that no cat or breed has. If it is refused, requests a breed whose name no cat has. */
  private async requestControlName(
    targetOf: TargetForName,
    known: KnownLists | undefined,
  ): Promise<ControlNameResponse | undefined> {
    const breed = known?.breeds.names.find((name) => !known.listed.has(name))
    for (const input of [this.options.targets.controlName(), ...(breed === undefined ? [] : [breed])]) {
      const value = await this.fetchValue(targetOf(input))
      if (value !== undefined) return { input, value }
    }
    return undefined
  }

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

  private async readSomeBreeds() {
    const some = (await this.readBeginning('breed')).names.slice(0, 3)
    return Promise.all(some.map(async (breed) => ({ breed, value: await this.fetchValue(this.catsOfTarget(breed)) })))
  }

  private catsOfTarget(breed: string): string {
    return this.options.targets.catsOf(encodeSegment(breed))
  }

  private searchTarget(text: string): string {
    return this.options.targets.search(encodeQueryValue(text))
  }

  private async fetchValue(target: string): Promise<unknown> {
    return jsonValueOf(await this.options.sendOnce(createGetRequest(target)))
  }
}
