import type { SendRequest } from '../../engine/check/readers.ts'
import { computeOnce } from '../../engine/memoise.ts'
import { type BreedIdEvidence, createBreedIdEvidence } from '../readings/breed-ids.ts'
import { interpretResponse } from '../readings/interpret-response.ts'
import type { NameList } from '../readings/list-reading.ts'
import type { ElementKind } from '../readings/name-candidates.ts'
import {
  type BreedResponses,
  type ControlNameResponse,
  type FurtherEvidenceRequests,
  hasDifferentCatsByBreed,
} from '../shapes/filtered-list-shape.ts'
import { createNameTests, jsonValueOf, type NameTest, passesAnyNameTest } from '../shapes/name-tests.ts'
import {
  haveListedCats,
  observeResponse,
  observeResponsesToInputs,
  type ResponseObservation,
} from '../shapes/response-observations.ts'
import type { WholeListEvidence } from '../shapes/whole-list-evidence.ts'
import { type InferredShape, readableShapeOf } from '../shapes/whole-list-shape.ts'
import { encodeQueryValue, encodeSegment } from '../shared/encodings.ts'
import { createGetRequest, type RequestTargets } from '../shared/targets.ts'

export interface ShapeEvidenceOptions {
  readonly targets: RequestTargets
  readonly sendOnce: SendRequest
  /** Returns whether a string is the name of a cat; undefined if no version with lives is tested. */
  readonly identifiesCat: NameTest | undefined
  /** The number of responses of an operation that are requested as evidence. */
  readonly responsesForShape: number
}

/** The part of a list that is used to infer shapes: its first names, and a test whether a name is listed. */
export type ListBeginning = Pick<NameList, 'names' | 'has'>
type KnownLists = Readonly<Record<'cats' | 'breeds', ListBeginning>>

interface WholeListReaders {
  readonly inferBreedShape: () => Promise<InferredShape>
  /** Reads the list of all cats or breeds. */
  readonly readBeginning: (kind: ElementKind) => Promise<ListBeginning>
}

/** The number of breeds whose lists of cats show which values are the ids of breeds. */
const BREEDS_READ_FOR_IDS = 3

/** Sends the requests that show where in the JSON the lists and names of a version are. */
export class ShapeEvidence {
  private readonly options: ShapeEvidenceOptions
  private readonly lists: WholeListReaders

  constructor(options: ShapeEvidenceOptions, lists: WholeListReaders) {
    this.options = options
    this.lists = lists
  }

  async collectForAllBreeds(): Promise<WholeListEvidence> {
    const { targets, sendOnce } = this.options
    return {
      nameTests: createNameTests(targets, sendOnce).breed,
      isNoName: async (name) =>
        interpretResponse(await sendOnce(createGetRequest(this.targetFor('breed', name)))).kind === 'refused',
      breeds: [],
      fetchSibling: () => this.fetchValue(targets.cats),
      fetchEmpty: () => this.search(targets.controlName()),
    }
  }

  async collectForAllCats(): Promise<WholeListEvidence> {
    const { targets, sendOnce, identifiesCat } = this.options
    const { cat } = createNameTests(targets, sendOnce)
    return {
      nameTests: cat,
      isNoName: async (name) => !(await passesAnyNameTest(cat, name)),
      identifiesCat,
      fetchSearch: (text) => this.search(text),
      fetchSibling: () => this.fetchValue(targets.breeds),
      fetchEmpty: () => this.search(targets.controlName()),
      // If the shape is unclear, the strings found by their keys may be names of cats.
      breeds:
        'unreadable' in ((await this.lists.inferBreedShape()) ?? {})
          ? []
          : (await this.lists.readBeginning('breed')).names,
      collectBreedIdEvidence: this.collectBreedIds,
    }
  }

  readonly collectBreedIds = computeOnce(async (): Promise<BreedIdEvidence> => {
    const shape = readableShapeOf(await this.lists.inferBreedShape())
    if (!shape) return { idColumns: [], breedTexts: [] }
    const value = await this.fetchValue(this.options.targets.breeds)
    const some = (await this.lists.readBeginning('breed')).names.slice(0, BREEDS_READ_FOR_IDS)
    const lists = some.map(async (breed) => ({ breed, value: await this.fetchCatsOf(breed) }))
    return createBreedIdEvidence({ value, ...shape }, await Promise.all(lists))
  })

  /**
   * Requests the lists of listed breeds, or searches for listed cats, to see the shape of these lists. Searches for
   * breeds too if no search found a cat: searches may refuse short names.
   */
  async observeFilteredLists(
    kind: ElementKind,
    { cats, breeds }: KnownLists,
    catsShape: InferredShape,
  ): Promise<readonly ResponseObservation[]> {
    const { sendOnce, responsesForShape } = this.options
    const { names } = kind === 'cat' ? cats : breeds
    const observeList = (inputKind: ElementKind) => async (input: string) =>
      observeResponse(
        { input, inputKind, exchange: await sendOnce(createGetRequest(this.targetFor(kind, input))) },
        cats,
        catsShape,
      )
    const hasEvidence = (some: readonly ResponseObservation[]) =>
      kind === 'cat' ? haveListedCats(some, cats) : hasDifferentCatsByBreed(some, cats)
    const observations = await observeResponsesToInputs(names, responsesForShape, observeList(kind), hasEvidence)
    if (kind === 'breed' || names.length === 0 || haveListedCats(observations, cats)) return observations
    const others = await Promise.all(breeds.names.slice(0, responsesForShape).map(observeList('breed')))
    return [...observations, ...others]
  }

  /** Creates the requests that are sent only if the observed lists do not show which array contains the cats. */
  createFurtherRequests(kind: ElementKind, known: KnownLists): FurtherEvidenceRequests {
    const requestControlName = () => this.requestControlName(kind, known)
    return kind === 'cat'
      ? { requestControlName, searchForBreeds: () => this.searchForBreeds(known.breeds) }
      : { requestControlName, fetchSearch: (breed) => this.search(breed) }
  }

  private async *searchForBreeds(breeds: ListBeginning): AsyncIterable<BreedResponses> {
    for (const breed of breeds.names.slice(0, this.options.responsesForShape)) {
      const cats = await this.fetchCatsOf(breed)
      yield { search: await this.search(breed), cats }
    }
  }

  /**
   * Requests a name that no cat or breed has. If a search for it is refused, searches for a breed that no cat is
   * called.
   */
  private async requestControlName(
    kind: ElementKind,
    { cats, breeds }: KnownLists,
  ): Promise<ControlNameResponse | undefined> {
    const breed = kind === 'cat' ? breeds.names.find((name) => !cats.has(name)) : undefined
    for (const input of [this.options.targets.controlName(), ...(breed === undefined ? [] : [breed])]) {
      const value = await this.fetchValue(this.targetFor(kind, input))
      if (value !== undefined) return { input, value }
    }
    return undefined
  }

  private search(text: string): Promise<unknown> {
    return this.fetchValue(this.targetFor('cat', text))
  }

  private fetchCatsOf(breed: string): Promise<unknown> {
    return this.fetchValue(this.targetFor('breed', breed))
  }

  /** Returns the request target of the list of a breed's cats, or of a search for a cat. */
  private targetFor(kind: ElementKind, name: string): string {
    const { targets } = this.options
    return kind === 'breed' ? targets.catsOf(encodeSegment(name)) : targets.search(encodeQueryValue(name))
  }

  private async fetchValue(target: string): Promise<unknown> {
    return jsonValueOf(await this.options.sendOnce(createGetRequest(target)))
  }
}
