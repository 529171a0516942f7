import type { Asker } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { isReadAlone } from '../../engine/http/client/remembered.ts'
import { readPages } from '../pages/paged.ts'
import { createPagers, type ListName, type Pagers } from '../pages/pagers.ts'
import type { PinnedPages } from '../pages/pinned-pages.ts'
import { breedIdClues } from '../readings/breed-ids.ts'
import type { Kind } from '../readings/candidates.ts'
import { finderByHash, MOST_HELD_NAMES } from '../readings/hashed-entries.ts'
import type { Place } from '../readings/json.ts'
import { besideWait, inTurn, tellInTurn } from '../readings/large-responses.ts'
import { type ListShape, type Named, openAnswer, readList } from '../readings/list-reading.ts'
import { anyProves, proofs, valueOf, type Works } from '../shapes/proof.ts'
import { type SearchForBreed, selectedShape, showsOwn, type Uncalled } from '../shapes/selected-shape.ts'
import { type OwnListClues, ownShape, type Shape, type TellBreedIds } from '../shapes/shapes.ts'
import { lookedAt, type Sight, see, showAny } from '../shapes/sights.ts'
import { asQueryValue, asSegment } from '../shared/encodings.ts'
import { get, type Targets } from '../shared/targets.ts'

export type { ListName } from '../pages/pagers.ts'

/** The shapes of a version's lists by operation, each inferred once. */
export type Shapes = Readonly<Record<ListName, () => Promise<Shape>>>

/** Pinned places, which take precedence over inferred ones. */
export interface Pinned {
  readonly shapes: Readonly<Partial<Record<ListName, Pick<ListShape, 'list' | 'name'>>>>
  readonly pages: Readonly<Partial<Record<ListName, PinnedPages>>>
  readonly lives?: Place
}

export const NOTHING_PINNED: Pinned = { shapes: {}, pages: {} }

interface Telling {
  readonly targets: Targets
  readonly recall: Asker
  readonly identifies: Works | undefined
  readonly answersForShape: number
  readonly pinned: Pinned
}

/** The part of a list that shapes are inferred from: the first names, and whether a name is listed. */
type Listed = Pick<Named, 'names' | 'has'>

/** Keeps only the first names: there may be a long list in every response. */
function firstOf(list: Named): Listed {
  if (list.names.length <= MOST_HELD_NAMES) return list
  return { names: list.names.slice(0, MOST_HELD_NAMES), has: finderByHash(list.names) }
}

const lazily = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

export const isShape = (shape: Shape) => (shape && !('unreadable' in shape) ? shape : undefined)

type TargetOf = (name: string) => string

/** Infers the lists of one version, and how their pages lead on. */
export const tellShapes = (telling: Telling): { readonly shapes: Shapes; readonly pagers: Pagers } =>
  new ShapeTeller(telling)

class ShapeTeller {
  readonly shapes: Shapes
  readonly pagers: Pagers
  private readonly telling: Telling
  private readonly breedIds: TellBreedIds
  /** True if the lists are so large that only one is held at a time. */
  private isLarge = false

  constructor(telling: Telling) {
    const { targets, recall } = telling
    this.telling = telling
    this.pagers = createPagers(recall)
    this.breedIds = lazily(() => this.tellBreedIds())
    this.shapes = {
      breeds: this.unlessPinned('breeds', () => this.tellOwn(targets.breeds, 'breed', this.cluesToBreeds())),
      cats: this.unlessPinned('cats', () => this.tellOwn(targets.cats, 'cat', this.cluesToCats())),
      catsOf: this.unlessPinned('catsOf', () => this.tellSelected('breed', (name) => this.catsOf(name))),
      search: this.unlessPinned('search', () => this.tellSelected('cat', (name) => this.searchFor(name))),
    }
  }

  /** Breeds in elements are inferred even for pinned lists. */
  private unlessPinned(of: ListName, tell: () => Promise<Shape>): () => Promise<Shape> {
    const own = this.telling.pinned.shapes[of]
    if (!own) return lazily(tell)
    return lazily(async () => {
      const { breed, breedId } = isShape(await tell()) ?? {}
      return { breed, breedId, ...own }
    })
  }

  private async tellOwn(target: string, kind: Kind, clues: Promise<OwnListClues>): Promise<Shape> {
    const tell = (exchange: Exchange, known: OwnListClues) => {
      this.isLarge ||= isReadAlone(exchange)
      return ownShape(exchange, kind, known)
    }
    return tellInTurn(() => this.telling.recall(get(target)), clues, tell)
  }

  private async cluesToBreeds(): Promise<OwnListClues> {
    const { targets, recall } = this.telling
    return {
      proofs: proofs(targets, recall).breed,
      leadsNowhere: async (name) => openAnswer(await recall(get(this.catsOf(name)))).kind === 'refused',
      breeds: [],
      sibling: () => this.valueAt(targets.cats),
    }
  }

  private async cluesToCats(): Promise<OwnListClues> {
    const { targets, recall, identifies } = this.telling
    const { cat } = proofs(targets, recall)
    return {
      proofs: cat,
      leadsNowhere: async (name) => !(await anyProves(cat, name)),
      identifies,
      hits: (text) => this.valueAt(this.searchFor(text)),
      parts: async () => (await this.listsOfSome()).map(({ value }) => value),
      sibling: () => this.valueAt(targets.breeds),
      breeds: (await this.listOf('breed')).names,
      breedIds: this.breedIds,
    }
  }

  private async tellBreedIds() {
    const own = isShape(await this.shapes.breeds())
    if (!own) return { ids: [], homes: [] }
    return breedIdClues({ value: await this.valueAt(this.telling.targets.breeds), ...own }, await this.listsOfSome())
  }

  private async tellSelected(kind: Kind, targetOf: TargetOf): Promise<Shape> {
    const own = await this.shapes.cats()
    const tell = async () => {
      const [listed, breeds] = await Promise.all([this.listOf('cat'), this.listOf('breed')])
      const sights = await this.look(kind, targetOf, { listed, breeds, own })
      const askUncalled = () => this.uncalled(targetOf, kind === 'cat' ? { listed, breeds } : undefined)
      const searchesForBreeds = () => this.searchesForBreeds(breeds, targetOf)
      const searchFor = (breed: string) => this.valueAt(this.searchFor(breed))
      const tellers = kind === 'cat' ? { askUncalled, searchesForBreeds } : { askUncalled, searchFor }
      return selectedShape(sights, listed, breeds.names, own, this.breedIds, tellers)
    }
    return this.isLarge ? inTurn(tell) : tell()
  }

  /** The lists for listed names. A search may refuse all names of cats as too short, so breeds are searched too. */
  private async look(
    kind: Kind,
    targetOf: TargetOf,
    { listed, breeds, own }: { readonly listed: Listed; readonly breeds: Listed; readonly own: Shape },
  ) {
    const { recall, answersForShape } = this.telling
    const { names } = kind === 'cat' ? listed : breeds
    const lookAt = (of: Kind) => async (input: string) =>
      see({ input, of, exchange: await recall(get(targetOf(input))) }, listed, own)
    const tells = (some: readonly Sight[]) => (kind === 'cat' ? showAny(some, listed) : showsOwn(some, listed))
    const sights = await lookedAt(names, answersForShape, lookAt(kind), tells)
    if (kind === 'breed' || names.length === 0 || showAny(sights, listed)) return sights
    const others = await Promise.all(breeds.names.slice(0, answersForShape).map(lookAt('breed')))
    return [...sights, ...others]
  }

  private async *searchesForBreeds(breeds: Listed, targetOf: TargetOf): AsyncIterable<SearchForBreed> {
    for (const breed of breeds.names.slice(0, this.telling.answersForShape)) {
      const cats = await this.valueAt(this.catsOf(breed))
      yield { value: await this.valueAt(targetOf(breed)), cats }
    }
  }

  /**
   * The response to a control name, unless it is refused.
   * @param known a breed that can be requested instead, if it is the name of no cat
   */
  private async uncalled(
    targetOf: TargetOf,
    known: { readonly listed: Listed; readonly breeds: Listed } | undefined,
  ): Promise<Uncalled | undefined> {
    const breed = known?.breeds.names.find((name) => !known.listed.has(name))
    for (const input of [this.telling.targets.controlName(), ...(breed === undefined ? [] : [breed])]) {
      const value = await this.valueAt(targetOf(input))
      if (value !== undefined) return { input, value }
    }
    return undefined
  }

  private async listOf(kind: Kind): Promise<Listed> {
    const { targets, recall, pinned } = this.telling
    const of = kind === 'cat' ? 'cats' : 'breeds'
    const [first, told] = await besideWait<Shape>(() => recall(get(targets[of])), this.shapes[of]())
    const own = isShape(told)
    const readPage = (page: Exchange) => readList(page, kind, own)
    const paging = { ask: recall, readPage, list: own?.list, pinned: pinned.pages[of] }
    const reading = await readPages(first, paging, this.pagers[of])
    return reading.kind === 'list' ? firstOf(reading) : { names: [], has: () => false }
  }

  private async listsOfSome() {
    const some = (await this.listOf('breed')).names.slice(0, 3)
    return Promise.all(some.map(async (breed) => ({ breed, value: await this.valueAt(this.catsOf(breed)) })))
  }

  private catsOf(breed: string): string {
    return this.telling.targets.catsOf(asSegment(breed))
  }

  private searchFor(text: string): string {
    return this.telling.targets.search(asQueryValue(text))
  }

  private async valueAt(target: string): Promise<unknown> {
    return valueOf(await this.telling.recall(get(target)))
  }
}
