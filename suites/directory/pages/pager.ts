import type { Asker } from '../../engine/check/readers.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { arraysIn, type Kind } from '../readings/candidates.ts'
import { type Place, pointer } from '../readings/json.ts'
import { valueOf } from '../shapes/proof.ts'
import type { Way } from './next-page.ts'
import { type Fact, numberIn } from './page-facts.ts'
import { pageSigns } from './page-signs.ts'

/** What else a total may be of, that an answer shows. */
export interface Others {
  /** What selects nothing: a total that its answer shows too is none of what was asked for. */
  readonly ofNothing?: Request
  /** What selects something, each something else. */
  readonly ofSome: () => Promise<readonly Request[]>
  /** All cats. */
  readonly all: Request
}

/** So many lists are tried on which nothing leads on; fewer where all that is tried is ignored. */
const MOST_TRIED = 6
const MOST_IGNORED = 2

/** So many lists are tried on which something that is not called so may lead on. */
const MOST_TRIED_UNNAMED = 2

/** How a deployment leads from page to page: what led on once is tried first for every list. */
export class Pager {
  /** Answers from the run's cache: what is tried to find a way is asked once. */
  readonly recall: Asker
  /** Ways that led on, for all lists of a version. */
  readonly ways: Way[]
  private readonly others: Others | undefined
  private last: Promise<unknown> = Promise.resolve()
  private fruitless = 0
  private readonly tried = new Map<string, number>()

  constructor(recall: Asker, ways: Way[], others?: Others) {
    this.recall = recall
    this.ways = ways
    this.others = others
  }

  /** Tries one list after the other: what led on is known to the next, and where nothing does, few are tried. */
  async inTurn<T>(attempt: () => Promise<T>): Promise<T> {
    const turn = this.last.then(attempt, attempt)
    this.last = turn.catch(() => {})
    return turn
  }

  get isHopeless(): boolean {
    return this.fruitless >= MOST_TRIED
  }

  /** @param isUnderstood whether something tried was refused, or found nothing: what is ignored will be ignored again */
  nothingLedOn(isUnderstood: boolean): void {
    this.fruitless += isUnderstood ? 1 : MOST_TRIED / MOST_IGNORED
  }

  /** Of what is not called so, what has not led nowhere before. */
  worthTrying(unnamed: readonly Fact[]): readonly Fact[] {
    return unnamed.filter(({ place }) => {
      const times = this.tried.get(pointer(place)) ?? 0
      this.tried.set(pointer(place), times + 1)
      return times < MOST_TRIED_UNNAMED
    })
  }

  /** Whether totals are the same where nothing is found; or where something else is found, and are those of all cats. */
  async areOfAnythingElse(
    totals: readonly Fact[],
    here: Exchange,
    list: Place | undefined,
    kind: Kind,
  ): Promise<boolean> {
    if (!this.others || totals.length === 0) return false
    const { ofNothing, ofSome, all } = this.others
    const standIn = async (request: Request) => {
      const said = pageSigns(await this.recall(request), { all: 0, here: 0 }, list, kind).totals
      return totals.every((total) => said.some((other) => textOf(other) === textOf(total)))
    }
    if (ofNothing && (await standIn(ofNothing))) return true
    const sizes = new Set(arraysIn(valueOf(await this.recall(all))).map(({ elements }) => elements.length))
    if (!totals.every((total) => sizes.has(numberIn(total) ?? 0))) return false
    const some = (await ofSome()).filter(({ target }) => !here.url.endsWith(target))
    return (await Promise.all(some.map(standIn))).some(Boolean)
  }
}

const textOf = (total: Fact): string => `${pointer(total.place)} ${numberIn(total)}`
