import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { StatementId } from '../../../fixtures/contract/statements.ts'
import type { Deployment, OneVersion } from '../../directory/deployment.ts'
import type { Drawn } from '../../directory/inputs/own-names.ts'
import type { Strings } from '../../directory/inputs.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { quoted } from '../../directory/shared/text.ts'
import type { Check } from '../../engine/check/check.ts'
import type { Read, Subject } from '../../engine/check/readers.ts'
import { withUnheardOf } from './any-string.ts'
import { check, forAll, forEach, once, type Try } from './check.ts'
import type { CheckId } from './ids.ts'
import {
  anArray,
  anArrayOrRefusal,
  anyInJson,
  inJson,
  type Listing,
  onlyOnce,
  served,
  withNames,
  withoutNameless,
} from './list-assertions.ts'

/** What the four operations that answer with a list have in common, and where they differ. */
export interface ListOperation {
  /** What the ids of its checks begin with. */
  readonly prefix: 'cats' | 'breeds' | 'breed-cats' | 'search'
  readonly operation: OperationId
  readonly shown: StatementId
  readonly named: StatementId
  /** Names the list in a sentence: "the list of all cats". */
  readonly list: string
  readonly element: 'cat' | 'breed'
  readonly requires: readonly CheckId[]
  /** The inputs that select a list; undefined where there is but one list. */
  readonly inputs?: (target: OneVersion, read: Read) => Promise<readonly string[] | Drawn<string>>
  readonly listing: (input: string, target: OneVersion) => Listing
  /** The same lists for inputs that nobody chose, where any string is one. */
  readonly ofAny?: AnyList
  /** Own way to try that the operation is served, where one refused input is not yet a violation. */
  readonly isServed?: Check<Deployment>
}

interface AnyList {
  readonly strings: (target: OneVersion, read: Read) => Promise<Strings>
  readonly subject: (input: string, target: OneVersion) => Subject<ListReading>
}

type AssertListing = (listing: Listing, target: OneVersion, read: Read) => Promise<void>

/** So many lists show where an operation puts them. */
const LIKES = 3

/** What a string leads to: made of thousands, and told of few. */
class OfAnyString implements Listing {
  private readonly input: string
  readonly about: readonly string[]
  readonly subject: Listing['subject']
  readonly likes: NonNullable<Listing['likes']>

  constructor(input: string, subject: Listing['subject'], likes: NonNullable<Listing['likes']>) {
    this.input = input
    this.about = [input]
    this.subject = subject
    this.likes = likes
  }

  get of(): string {
    return `what ${quoted(this.input)} leads to`
  }
}

/** Ways to try a promise on the lists of an operation. */
function triesOn({ inputs, listing, ofAny }: ListOperation) {
  /** Names that were listed at first: what stands elsewhere lists none any more. */
  const likes = (target: OneVersion) => async () => {
    const selected = await inputs?.(target, target.glance)
    if (!selected) return [listing('', target).subject]
    const names = 'inputs' in selected ? selected.inputs : selected
    return names.slice(0, LIKES).map((name) => listing(name, target).subject)
  }
  const leadingFrom = (input: string, subject: Listing['subject'], target: OneVersion): Listing =>
    new OfAnyString(input, subject, likes(target))
  const ownListing = (input: string, target: OneVersion) => ({ ...listing(input, target), likes: likes(target) })
  const strings = ({ strings: given, subject }: AnyList, assert: AssertListing): Try =>
    forAll(
      given,
      (input, target) => [subject(input, target)],
      (input, target, read) => assert(leadingFrom(input, subject(input, target), target), target, read),
    )
  return {
    /** The lists that listed names select. */
    listed: (assert: AssertListing): Try =>
      inputs
        ? forEach<string>(inputs, (input, target, read) => assert(ownListing(input, target), target, read))
        : once((target: OneVersion, read) => assert(ownListing('', target), target, read)),
    /** What strings lead to that nobody chose; none where there is but one list. */
    any: (assert: AssertListing): Try[] => (ofAny ? [strings(ofAny, assert)] : []),
    /** What strings lead to that are names in a path, and nothing else. */
    unlessElsewhere: (assert: AssertListing): Try[] => {
      const ofNames: AssertListing = async (listing, target, read) => {
        const isElsewhere = listing.about?.some(target.excuses.anotherRoute)
        if (!isElsewhere) await assert(listing, target, read)
      }
      return ofAny ? [strings({ ...ofAny, strings: withUnheardOf(ofAny.strings) }, ofNames)] : []
    },
  }
}

/** The promises that every list keeps, in the order in which each is the ground of the next. */
export function listPromises(operation: ListOperation): Check<Deployment>[] {
  return [
    operation.isServed ?? isServed(operation),
    isJson(operation),
    isAList(operation),
    haveNames(operation),
    namesStandOnce(operation),
  ]
}

const isSearch = ({ prefix }: ListOperation): boolean => prefix === 'search'

const facts = ({ operation }: ListOperation) => ({ operation, level: 'must' }) as const

const isServed = (of: ListOperation) =>
  check({
    ...facts(of),
    id: `${of.prefix}/is-served`,
    title: `${of.list} is served`,
    statements: [of.shown, 'S-GET'],
    clauses: ['R1.1', 'R1.2', 'R1.3', 'R13.10', 'T5.4'],
    requires: of.requires,
    why: 'Everything else that is said of this operation rests on its being there.',
    how: `GET for ${of.list}; redirects within the origin are followed, at most five.`,
    fix: 'Route the path under both prefixes and answer with 2xx. If the path is right, look at the base URL and the credentials.',
    tries: [triesOn(of).listed((listing, _, read) => served(listing, read))],
  })

const isJson = (of: ListOperation) =>
  check({
    ...facts(of),
    id: `${of.prefix}/is-json`,
    title: `${of.list} is one JSON text`,
    statements: ['S-JSON'],
    clauses: ['R2.2', 'R2.1'],
    requires: [`${of.prefix}/is-served`],
    why: 'A client that cannot parse the answer has no answer.',
    how: 'The body is decoded as UTF-8, strictly, and parsed as one JSON text, whatever its media type.',
    fix: 'Serialise with a JSON library, in UTF-8, and write nothing before or after.',
    tries: [
      triesOn(of).listed(inJson),
      ...triesOn(of).any((listing, _, read) => anyInJson(listing, isSearch(of), read)),
    ],
  })

/** Clauses about how a list is found, whatever it is wrapped in. */
const LIST_CLAUSES = ['R3.1', 'R3.2', 'R3.3', 'R3.4', 'R3.5', 'R3.6', 'R3.7', 'R3.10', 'R17.1', 'R17.7'] as const

const isAList = (of: ListOperation) =>
  check({
    ...facts(of),
    id: `${of.prefix}/is-a-list`,
    title: `${of.list} holds an array`,
    statements: [of.shown],
    clauses: ['R3.8', ...LIST_CLAUSES, ...(isSearch(of) ? (['R3.9'] as const) : [])],
    requires: [`${of.prefix}/is-json`],
    why: 'A list that is sometimes an object, null or a number breaks every loop over it.',
    how: 'The array is found by evidence, at the top or in an envelope, once for the operation.',
    fix: 'Answer with an array, also when it is empty, always at the same place.',
    tries: [
      triesOn(of).listed((listing, _, read) => anArray(listing, read)),
      // In a path a string may lead to another route; a search is one whatever is searched for.
      ...(isSearch(of) ? triesOn(of).any : triesOn(of).unlessElsewhere)((listing, _, read) =>
        anArrayOrRefusal(listing, isSearch(of), read),
      ),
    ],
  })

/** What listed names select, at the end too: a search is looked at to the end by other checks. */
const listedAgain = (of: ListOperation, assert: AssertListing): Try[] =>
  isSearch(of) ? [] : [triesOn(of).listed(assert)]

const haveNames = (of: ListOperation) =>
  check({
    ...facts(of),
    id: `${of.prefix}/have-names`,
    title: `every ${of.element} in ${of.list} has a name`,
    statements: [of.named],
    clauses: ['R4.2', 'R4.1', 'R4.3'],
    requires: [`${of.prefix}/is-a-list`],
    // A cat without a name has none in the lists that inputs select either.
    explainedBy: of.inputs ? ['cats/have-names'] : [],
    why: `The name is what identifies a ${of.element} in the paths; without it the ${of.element} cannot be asked about.`,
    how: 'The place of the name is told once for the operation; every element must have a string there.',
    fix: 'Give every element its name, a string, in the same field.',
    tries: [
      triesOn(of).listed((listing, _, read) => withNames(listing, of.element, read)),
      // What nothing is called has no row, and none of nulls.
      ...(isSearch(of) ? triesOn(of).any : triesOn(of).unlessElsewhere)((listing, _, read) =>
        withoutNameless(listing, of.element, read),
      ),
    ],
    triesAgain: listedAgain(of, (listing, _, read) => withoutNameless(listing, of.element, read)),
  })

/** The clause by which the list of an operation has each name once. */
const ONCE = { cats: 'R5.1', breeds: 'R5.2', 'breed-cats': 'R5.1', search: 'R8.2' } as const

const namesStandOnce = (of: ListOperation) =>
  check({
    ...facts(of),
    id: `${of.prefix}/names-stand-once`,
    title: `each ${of.element} stands once in ${of.list}`,
    statements: [of.named, of.shown],
    clauses: [ONCE[of.prefix], 'R17.2', 'R17.3', 'R17.4'],
    requires: [`${of.prefix}/have-names`],
    why: `Two elements of one name cannot be told apart: a name identifies a ${of.element}.`,
    how: 'The names of the list are compared exactly, code point by code point.',
    fix: 'List distinct rows; a join that multiplies them is the usual cause.',
    tries: [
      triesOn(of).listed((listing, _, read) => onlyOnce(listing, of.element, read)),
      ...triesOn(of).any((listing, _, read) => onlyOnce(listing, of.element, read)),
    ],
    triesAgain: listedAgain(of, (listing, _, read) => onlyOnce(listing, of.element, read)),
  })
