import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { StatementId } from '../../../fixtures/contract/statements.ts'
import type { Deployment, OneVersion } from '../../directory/deployment.ts'
import type { Drawn } from '../../directory/inputs/own-names.ts'
import type { Strings } from '../../directory/inputs.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { quoted } from '../../directory/shared/text.ts'
import type { Check } from '../../engine/check/check.ts'
import type { Read, Subject } from '../../engine/check/readers.ts'
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
import { withControlName } from './with-control-name.ts'

/** The common part of the four operations that return a list, and their differences. */
export interface ListOperation {
  /** The prefix of the ids of its checks. */
  readonly prefix: 'cats' | 'breeds' | 'breed-cats' | 'search'
  readonly operation: OperationId
  readonly shown: StatementId
  readonly named: StatementId
  /** The list in words, after GET: "the list of all cats". */
  readonly list: string
  readonly element: 'cat' | 'breed'
  readonly requires: readonly CheckId[]
  /** The inputs that select a list; undefined if there is only one list. */
  readonly inputs?: (target: OneVersion, read: Read) => Promise<readonly string[] | Drawn<string>>
  readonly listing: (input: string, target: OneVersion) => Listing
  /** The same lists for generated strings, if any string selects one. */
  readonly ofAny?: AnyList
  /** A special check that the operation is served, if a single refused input is no violation. */
  readonly isServed?: Check<Deployment>
}

interface AnyList {
  readonly strings: (target: OneVersion, read: Read) => Promise<Strings>
  readonly subject: (input: string, target: OneVersion) => Subject<ListReading>
}

type AssertListing = (listing: Listing, target: OneVersion, read: Read) => Promise<void>

/** The number of lists that show where an operation puts its names. */
const LIKES = 3

/** The list for one string. A class, because thousands are created and few are described. */
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

/** Probes on the lists of an operation. */
function triesOn({ inputs, listing, ofAny }: ListOperation) {
  /** Lists with the names read first: if the place of the names has changed, the list has no names any more. */
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
    /** The lists for listed names. */
    listed: (assert: AssertListing): Try =>
      inputs
        ? forEach<string>(inputs, (input, target, read) => assert(ownListing(input, target), target, read))
        : once((target: OneVersion, read) => assert(ownListing('', target), target, read)),
    /** The lists for generated strings; none if there is only one list. */
    any: (assert: AssertListing): Try[] => (ofAny ? [strings(ofAny, assert)] : []),
    /** The lists for generated strings that are names in a path and cannot lead to another route. */
    unlessElsewhere: (assert: AssertListing): Try[] => {
      const ofNames: AssertListing = async (listing, target, read) => {
        const isElsewhere = listing.about?.some(target.excuses.anotherRoute)
        if (!isElsewhere) await assert(listing, target, read)
      }
      return ofAny ? [strings({ ...ofAny, strings: withControlName(ofAny.strings) }, ofNames)] : []
    },
  }
}

/** The titles of the checks by operation. They appear in reports, for readers who have never seen this file. */
const TITLES = {
  cats: {
    isJson: 'the list of all cats is one JSON text',
    isAList: 'the list of all cats is a JSON array',
    haveNames: 'every listed cat has a name',
    standOnce: 'the list of all cats has each cat once',
  },
  breeds: {
    isJson: 'the list of all breeds is one JSON text',
    isAList: 'the list of all breeds is a JSON array',
    haveNames: 'every listed breed has a name',
    standOnce: 'the list of all breeds has each breed once',
  },
  'breed-cats': {
    isJson: "a breed's list is one JSON text",
    isAList: "a breed's list is a JSON array",
    haveNames: "every cat in a breed's list has a name",
    standOnce: "a breed's list has each cat once",
  },
  search: {
    isJson: 'a search result is one JSON text',
    isAList: 'a search result is a JSON array',
    haveNames: 'every hit has a name',
    standOnce: 'a search returns each cat once',
  },
} as const

/** The requirements on every list, each of them a prerequisite of the next. */
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
    why: 'Clients cannot use the operation at all.',
    how: `1. GET ${of.list}. 2. Follow redirects within the origin, at most five. 3. It must get a 2xx with a readable body.`,
    fix: 'Route the path under both prefixes and answer with 2xx. If the route exists, check the base URL, the credentials and the log of the service.',
    tries: [triesOn(of).listed((listing, _, read) => served(listing, read))],
  })

const isJson = (of: ListOperation) =>
  check({
    ...facts(of),
    id: `${of.prefix}/is-json`,
    title: TITLES[of.prefix].isJson,
    statements: ['S-JSON'],
    clauses: ['R2.2', 'R2.1'],
    requires: [`${of.prefix}/is-served`],
    why: 'A client that parses JSON gets an exception instead of a list.',
    how: `1. GET ${of.list}. 2. Decode the body strictly as UTF-8. 3. Parse it as exactly one JSON text, whatever its media type.`,
    fix: 'Serialise with a JSON library, in UTF-8, and write nothing before or after it. PHP: `display_errors=0`; Python: `json.dumps(…, allow_nan=False)`; send error pages with a 4xx.',
    tries: [
      triesOn(of).listed(inJson),
      ...triesOn(of).any((listing, _, read) => anyInJson(listing, isSearch(of), read)),
    ],
  })

/** Clauses about how a list is found, whatever its envelope. */
const LIST_CLAUSES = ['R3.1', 'R3.2', 'R3.3', 'R3.4', 'R3.5', 'R3.6', 'R3.7', 'R3.10', 'R17.1', 'R17.7'] as const

const isAList = (of: ListOperation) =>
  check({
    ...facts(of),
    id: `${of.prefix}/is-a-list`,
    title: TITLES[of.prefix].isAList,
    statements: [of.shown],
    clauses: ['R3.8', ...LIST_CLAUSES, ...(isSearch(of) ? (['R3.9'] as const) : [])],
    requires: [`${of.prefix}/is-json`],
    why: 'A client that loops over the list fails if it is an object, null or a number.',
    how: `1. GET ${of.list}. 2. Find the array, bare or in an envelope, whose strings work in paths and searches. 3. Every response of the operation must have an array at this place.`,
    fix: 'Send an array, also if it is empty, always at the same place. PHP: `array_values` before `json_encode`; Go: `make([]T, 0)` instead of a nil slice.',
    tries: [
      triesOn(of).listed((listing, _, read) => anArray(listing, read)),
      // In a path a string may lead to another route; a search is a search for any string.
      ...(isSearch(of) ? triesOn(of).any : triesOn(of).unlessElsewhere)((listing, _, read) =>
        anArrayOrRefusal(listing, isSearch(of), read),
      ),
    ],
  })

/** The lists for listed names, also at the end of the run; other checks test searches until the end. */
const listedAgain = (of: ListOperation, assert: AssertListing): Try[] =>
  isSearch(of) ? [] : [triesOn(of).listed(assert)]

const haveNames = (of: ListOperation) =>
  check({
    ...facts(of),
    id: `${of.prefix}/have-names`,
    title: TITLES[of.prefix].haveNames,
    statements: [of.named],
    clauses: ['R4.2', 'R4.1', 'R4.3'],
    requires: [`${of.prefix}/is-a-list`],
    // A cat without a name has none in other lists either.
    explainedBy: of.inputs ? ['cats/have-names'] : [],
    why: `The name identifies the ${of.element} in paths: without it a client cannot request anything about the ${of.element}.`,
    how: `1. GET ${of.list}. 2. Find the place of the name in the elements, once for the operation. 3. Every element must have a string there.`,
    fix: 'Give every element its name, as a string, in the same member. Names that look like numbers, `true` or null need quotes (YAML and CSV importers convert them).',
    tries: [
      triesOn(of).listed((listing, _, read) => withNames(listing, of.element, read)),
      // An unlisted name must have no row, and no row of nulls.
      ...(isSearch(of) ? triesOn(of).any : triesOn(of).unlessElsewhere)((listing, _, read) =>
        withoutNameless(listing, of.element, read),
      ),
    ],
    triesAgain: listedAgain(of, (listing, _, read) => withoutNameless(listing, of.element, read)),
  })

/** The clause by which the list of an operation contains each name once. */
const ONCE = { cats: 'R5.1', breeds: 'R5.2', 'breed-cats': 'R5.1', search: 'R8.2' } as const

const namesStandOnce = (of: ListOperation) =>
  check({
    ...facts(of),
    id: `${of.prefix}/names-stand-once`,
    title: TITLES[of.prefix].standOnce,
    statements: [of.named, of.shown],
    clauses: [ONCE[of.prefix], 'R17.2', 'R17.3', 'R17.4'],
    requires: [`${of.prefix}/have-names`],
    why: `A client counts or shows the ${of.element} twice, and cannot tell the two apart.`,
    how: `1. GET ${of.list}, all of its pages. 2. Compare the names exactly, code point by code point. 3. Each may occur once.`,
    fix: 'Select distinct rows: a join that multiplies them is the usual cause. If lists come in pages, order them by a unique column, and keep all parameters in the link to the next page.',
    tries: [
      triesOn(of).listed((listing, _, read) => onlyOnce(listing, of.element, read)),
      ...triesOn(of).any((listing, _, read) => onlyOnce(listing, of.element, read)),
    ],
    triesAgain: listedAgain(of, (listing, _, read) => onlyOnce(listing, of.element, read)),
  })
