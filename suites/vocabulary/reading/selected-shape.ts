import type { Exchange } from '../../engine/http/exchange.ts'
import { weightOf } from '../../engine/http/remembered.ts'
import {
  arraysIn,
  besides,
  byKeys,
  candidatesOf,
  firstStringsOf,
  type Kind,
  misnamed,
  type NameCandidate,
  stringsOf,
} from './candidates.ts'
import { isSameList } from './index-of-names.ts'
import { arrayAt, brief, INPUT, pointer } from './json.ts'
import { valueOf } from './proof.ts'
import { ADVICE, isKey, listOfLists, placeText, type Shape, shapeOf } from './shapes.ts'

/** What a list of cats that an input selects was asked for with, and the answer. */
export interface Selected {
  /** The name of a breed, or of a cat, which then stands in the list. */
  readonly input: string
  readonly of: Kind
  readonly exchange: Exchange
}

const MOST_HELD_BYTES = 48 << 20

export type Keep = (selected: Selected) => readonly Selected[]

/** A shape is told from several answers; of large ones from as many as can be held, and from two at least. */
export function keeper({ least = 2, bytes: most = MOST_HELD_BYTES } = {}): Keep {
  let [kept, held] = [0, 0]
  return (selected) => {
    const bytes = weightOf(selected.exchange)
    if (kept >= least && held + bytes > most) return []
    kept++
    held += bytes
    return [selected]
  }
}

/** What is known of an array and a place in it, over several answers. */
class Evidence {
  readonly first: NameCandidate
  private readonly lists: (readonly string[])[] = []
  private readonly all: string[] = []
  readonly candidates: NameCandidate[] = []
  private inputs = 0

  constructor(first: NameCandidate) {
    this.first = first
  }

  add(candidate: NameCandidate, { input, of }: Selected): void {
    const names = stringsOf(candidate)
    this.all.push(...firstStringsOf(candidate))
    this.candidates.push(candidate)
    this.lists.push(names)
    if (of === 'cat' && names.includes(input)) this.inputs++
  }

  /**
   * Higher is likelier: what was asked for stands in it; it is another one for another input; names stand there in the
   * list of all cats too; listed cats do, and not just where there are any: a mother's name, a friend's.
   */
  score(cats: { has(name: string): boolean }, own: Shape): number[] {
    const known = this.known(cats)
    const isAsInOwn = own && 'name' in own && pointer(own.name) === pointer(this.first.name)
    const share = known / Math.max(1, this.all.length)
    return [this.inputs, this.isAlwaysOne ? 0 : 1, isAsInOwn && share > 0.5 ? 1 : 0, share, known]
  }

  known(cats: { has(name: string): boolean }): number {
    return this.all.filter((name) => cats.has(name)).length
  }

  isListOfLists(cats: { has(name: string): boolean }): boolean {
    return this.candidates.flatMap(besides).some((name) => cats.has(name))
  }

  /** Whether whatever is asked for is answered alike. */
  get isConstant(): boolean {
    return this.lists.length > 2 && this.isAlwaysOne
  }

  private get isAlwaysOne(): boolean {
    const [first, ...others] = this.lists
    return first !== undefined && others.length > 0 && others.every((list) => isSameList(first, list))
  }
}

function evidenceOf(selected: readonly Selected[]): Evidence[] {
  const found = new Map<string, Evidence>()
  for (const one of selected) {
    for (const candidate of candidatesOf(valueOf(one.exchange), 'cat')) {
      const place = candidate.list.place.map((token) => (token === one.input ? INPUT : token))
      const general = { ...candidate, list: { ...candidate.list, place } }
      const evidence = found.get(placeText(general)) ?? new Evidence(general)
      evidence.add(candidate, one)
      found.set(placeText(general), evidence)
    }
  }
  return [...found.values()]
}

const higher = (some: readonly number[], others: readonly number[]): number =>
  some.reduce((order, score, index) => order || (others[index] ?? 0) - score, 0)

/** The shape of lists of cats that an input selects, told from a few answers and from the names of all cats. */
export function selectedShape(
  selected: readonly Selected[],
  cats: { has(name: string): boolean },
  breeds: readonly string[],
  own: Shape,
): Shape {
  const alike = ({ name }: NameCandidate) => (own && 'name' in own && pointer(own.name) === pointer(name) ? 0 : 1)
  const [best] = evidenceOf(selected)
    .map((evidence) => ({ evidence, first: evidence.first, score: evidence.score(cats, own) }))
    .sort((a, b) => higher(a.score, b.score) || alike(a.first) - alike(b.first) || byKeys('cat')(a.first, b.first))
  if (best?.evidence.isListOfLists(cats)) return listOfLists(best.first)
  if (best && best.evidence.known(cats) > 0) return shapeOf(best.first, breeds, best.evidence.candidates)
  const answers = selected.map(({ exchange }) => valueOf(exchange))
  if (own && 'list' in own && answers.some((answer) => arrayAt(answer, own.list))) return own
  const varied = best && !best.evidence.isConstant ? best.first : undefined
  const isNamed = varied && (alike(varied) === 0 || isKey(varied, 'cat'))
  const wrong = misnamed(answers.flatMap(arraysIn), 'cat')
  const called = isNamed ? varied : wrong
  if (called) return shapeOf(called, breeds)
  if (!varied) return own && 'unreadable' in own ? own : undefined
  return { unreadable: `no string of ${brief(varied.list.elements[0])} is the name of a listed cat: ${ADVICE}` }
}
