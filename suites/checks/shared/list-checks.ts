import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { StatementId } from '../../../fixtures/contract/statements.ts'
import type { Deployment, VersionTarget } from '../../directory/deployment.ts'
import type { InputSample } from '../../directory/inputs/listed-names.ts'
import type { TestStrings } from '../../directory/inputs.ts'
import { namesOfReading } from '../../directory/readings/names.ts'
import type { Check } from '../../engine/check/check.ts'
import type { Read } from '../../engine/check/readers.ts'
import { addControlNameToInputs } from './add-control-name.ts'
import { type CheckProbe, defineCheck, forAll, forEach, probeOnce } from './check.ts'
import type { CheckId } from './ids.ts'
import {
  assertArray,
  assertArrayOrRefusal,
  assertElementsHaveNames,
  assertJson,
  assertJsonForArbitraryString,
  assertNoDuplicates,
  assertNoNamelessElements,
  assertServed,
  type TestedList,
} from './list-assertions.ts'

type TestStringFactory = (target: VersionTarget, read: Read) => Promise<TestStrings>

/** The properties in which the four operations that return a list differ. */
interface ListCheckOptions {
  /** The prefix of the operation's check ids, e.g. `cats` of `cats/is-served`. */
  readonly prefix: 'cats' | 'breeds' | 'breed-cats' | 'search'
  readonly operation: OperationId
  readonly listStatement: StatementId
  readonly nameStatement: StatementId
  /** The list as a noun phrase, e.g. "the list of all cats". */
  readonly listDescription: string
  readonly element: 'cat' | 'breed'
  readonly requires: readonly CheckId[]
  /** Returns the listed names that each select a list, e.g. breeds; undefined if the operation has only one list. */
  readonly inputs?: (target: VersionTarget, read: Read) => Promise<readonly string[] | InputSample<string>>
  /** Creates the strings that each select a list; undefined if the operation has only one list. */
  readonly strings?: TestStringFactory
  /** Creates the list that an input or a string selects. */
  readonly createTestedList: (
    input: string,
    target: VersionTarget,
  ) => Pick<TestedList, 'description' | 'resource' | 'namesAtFault'>
  /** Further probes of the check `is-json`. */
  readonly furtherJsonProbes?: readonly CheckProbe[]
  /** The check used instead of `is-served` if it is no violation that a single input is refused. */
  readonly servedCheck?: Check<Deployment>
}

type ListAssertion = (list: TestedList, read: Read, target: VersionTarget) => Promise<void>

/**
 * The number of lists of the operation that must all lack their names at the usual place in the JSON. Only then, the
 * service was changed during the run, and no check fails.
 */
const SIMILAR_LISTS = 3

function createListProbes({ prefix, inputs, strings, createTestedList, element }: ListCheckOptions) {
  const createList = (input: string, target: VersionTarget): TestedList => ({
    ...createTestedList(input, target),
    element,
    isSearch: prefix === 'search',
    // Takes the names from an earlier reading: a new one finds none if they have moved to another place in the JSON.
    async findSimilarLists() {
      const selected = (await inputs?.(target, target.readForDisplay)) ?? ['']
      const names = 'inputs' in selected ? selected.inputs : selected
      return names.slice(0, SIMILAR_LISTS).map((name) => createTestedList(name, target).resource)
    },
  })
  const createStringProbe = (createStrings: TestStringFactory, assert: ListAssertion): CheckProbe =>
    forAll(
      createStrings,
      (input, target) => [createTestedList(input, target).resource],
      (input, target, read) => assert(createList(input, target), read, target),
    )
  return {
    /** Reports if every list is empty: a requirement about their names cannot be tested then (R16.1). */
    reportIfEmpty: (async ({ target, read, reportNoData }) => {
      const selected = (await inputs?.(target, read)) ?? ['']
      for (const input of 'inputs' in selected ? selected.inputs : selected)
        if (namesOfReading(await read(createTestedList(input, target).resource)).length > 0) return
      reportNoData()
    }) satisfies CheckProbe,
    /** Creates a probe that tests the list for each listed name, or the operation's only list. */
    forListedNames: (assert: ListAssertion): CheckProbe =>
      inputs
        ? forEach<string>(inputs, (input, target, read) => assert(createList(input, target), read, target))
        : probeOnce((target: VersionTarget, read) => assert(createList('', target), read, target)),
    /** Creates a probe that tests the list for each generated string; none if the operation has only one list. */
    forStrings: (assert: ListAssertion): CheckProbe[] => (strings ? [createStringProbe(strings, assert)] : []),
    /**
     * Creates a probe like `forStrings`, but without strings that lead to another route in a path, e.g. `..`. No string
     * in a query does.
     */
    forStringsOnSameRoute: (assert: ListAssertion): CheckProbe[] => {
      if (!strings) return []
      if (prefix === 'search') return [createStringProbe(strings, assert)]
      const assertIfSameRoute: ListAssertion = async (list, read, target) => {
        if (!list.namesAtFault?.some(target.allowances.anotherRoute)) await assert(list, read, target)
      }
      return [createStringProbe(addControlNameToInputs(strings), assertIfSameRoute)]
    },
  }
}

/** The titles of the checks, by operation. */
const TITLES = {
  cats: {
    isJson: 'the list of all cats is one JSON text',
    isAList: 'the list of all cats is a JSON array',
    haveNames: 'every listed cat has a name',
    standOnce: 'the list of all cats contains each cat once',
  },
  breeds: {
    isJson: 'the list of all breeds is one JSON text',
    isAList: 'the list of all breeds is a JSON array',
    haveNames: 'every listed breed has a name',
    standOnce: 'the list of all breeds contains each breed once',
  },
  'breed-cats': {
    isJson: "a breed's list is one JSON text",
    isAList: "a breed's list is a JSON array",
    haveNames: "every cat in a breed's list has a name",
    standOnce: "a breed's list contains each cat once",
  },
  search: {
    isJson: 'a search result is one JSON text',
    isAList: 'a search result is a JSON array',
    haveNames: 'every hit has a name',
    standOnce: 'a search returns each cat once',
  },
} as const

/** Creates the five checks of an operation that returns lists. Each is a prerequisite of the next. */
export function createListChecks(options: ListCheckOptions): Check<Deployment>[] {
  return [
    options.servedCheck ?? createServedCheck(options),
    createJsonCheck(options),
    createArrayCheck(options),
    createNamesCheck(options),
    createDuplicatesCheck(options),
  ]
}

const commonFactsOf = ({ operation }: ListCheckOptions) => ({ operation, level: 'must' }) as const

const createServedCheck = (options: ListCheckOptions) =>
  defineCheck({
    ...commonFactsOf(options),
    id: `${options.prefix}/is-served`,
    title: `${options.listDescription} is served`,
    statements: [options.listStatement, 'S-GET'],
    clauses: ['R1.1', 'R1.2', 'R1.3', 'R13.10', 'T5.4'],
    requires: options.requires,
    why: 'Clients cannot use the operation at all.',
    how: `1. GET ${options.listDescription}. 2. Follow at most five redirects within the origin. 3. The response must be a 2xx, and its body must arrive completely.`,
    fix: 'Route the path under both prefixes and answer with 2xx. If the route exists, check the base URL, the credentials and the log of the service.',
    probes: [createListProbes(options).forListedNames(assertServed)],
  })

const createJsonCheck = (options: ListCheckOptions) =>
  defineCheck({
    ...commonFactsOf(options),
    id: `${options.prefix}/is-json`,
    title: TITLES[options.prefix].isJson,
    statements: ['S-JSON'],
    clauses: ['R2.2', 'R2.1'],
    requires: [`${options.prefix}/is-served`],
    why: 'A client that parses JSON gets an exception instead of a list.',
    how: `1. GET ${options.listDescription}. 2. Decode the body strictly as UTF-8. 3. The body must be exactly one JSON text, whatever its media type says.`,
    fix: 'Serialise with a JSON library, in UTF-8, and write nothing before or after the JSON text. PHP: `display_errors=0`; Python: `json.dumps(…, allow_nan=False)`. Send error pages with an error status, not with 200.',
    probes: [
      createListProbes(options).forListedNames(assertJson),
      ...createListProbes(options).forStrings(assertJsonForArbitraryString),
      ...(options.furtherJsonProbes ?? []),
    ],
  })

/** Clauses of the contract on finding the list in a response of any shape. */
const LIST_CLAUSES = ['R3.1', 'R3.2', 'R3.3', 'R3.4', 'R3.5', 'R3.6', 'R3.7', 'R3.10', 'R17.1', 'R17.7'] as const

const createArrayCheck = (options: ListCheckOptions) =>
  defineCheck({
    ...commonFactsOf(options),
    id: `${options.prefix}/is-a-list`,
    title: TITLES[options.prefix].isAList,
    statements: [options.listStatement],
    clauses: ['R3.8', ...LIST_CLAUSES, ...(options.prefix === 'search' ? (['R3.9'] as const) : [])],
    requires: [`${options.prefix}/is-json`],
    why: 'A client that loops over the list fails if the response has an object, null or a number instead.',
    how: `1. GET ${options.listDescription}. 2. Find the array with the names, at the top level or in an envelope. If several arrays are possible, the suite sends the strings of each array as names, in a path or in a search: the right array is the one for whose strings the service always finds something. 3. Every response of the operation must have an array at the same place.`,
    fix: 'Send an array, even if it is empty, and always at the same place in the JSON. PHP: `array_values` before `json_encode`; Go: `make([]T, 0)` instead of a nil slice.',
    probes: [
      createListProbes(options).forListedNames(assertArray),
      ...createListProbes(options).forStringsOnSameRoute(assertArrayOrRefusal),
    ],
  })

const createNamesCheck = (options: ListCheckOptions) =>
  defineCheck({
    ...commonFactsOf(options),
    id: `${options.prefix}/have-names`,
    title: TITLES[options.prefix].haveNames,
    statements: [options.nameStatement],
    clauses: ['R4.2', 'R4.1', 'R4.3'],
    requires: [`${options.prefix}/is-a-list`],
    // If a cat has no name in the list of all cats, it has none in other lists either: one cause, one finding.
    explainedBy: options.inputs ? ['cats/have-names'] : [],
    why: `The name identifies the ${options.element} in paths: without it a client cannot request anything about the ${options.element}.`,
    how: `1. GET ${options.listDescription}. 2. Find the place of the name in the elements. It must be the same place in all lists of the operation. 3. In every list, each element must have a string at this place.`,
    fix: 'Give every element its name, as a string, in the same member. If the data comes from YAML or CSV, make sure that names that look like numbers, `true` or `null` stay strings: importers convert them (in YAML, quote them).',
    probes: [
      createListProbes(options).forListedNames(assertElementsHaveNames),
      // A list for an unlisted name must not contain an element without a name either, e.g. null.
      ...createListProbes(options).forStringsOnSameRoute(assertNoNamelessElements),
    ],
    describe: createListProbes(options).reportIfEmpty,
  })

/** For each operation, the clause of the contract by which no list contains a name twice. */
const DUPLICATE_CLAUSES = { cats: 'R5.1', breeds: 'R5.2', 'breed-cats': 'R5.1', search: 'R8.2' } as const

const createDuplicatesCheck = (options: ListCheckOptions) =>
  defineCheck({
    ...commonFactsOf(options),
    id: `${options.prefix}/names-stand-once`,
    title: TITLES[options.prefix].standOnce,
    statements: [options.nameStatement, options.listStatement],
    clauses: [DUPLICATE_CLAUSES[options.prefix], 'R17.2', 'R17.3', 'R17.4'],
    requires: [`${options.prefix}/have-names`],
    why: `A client counts or shows the ${options.element} twice, and cannot tell the two apart.`,
    how: `1. GET all pages of ${options.listDescription}. 2. Compare the names exactly, code point by code point. 3. No name may occur twice in the same list.`,
    fix: 'Select distinct rows (`SELECT DISTINCT`): the usual cause is a join that multiplies rows. If lists are paginated, order them by a unique column, and keep all parameters in the link to the next page.',
    probes: [
      createListProbes(options).forListedNames(assertNoDuplicates),
      ...createListProbes(options).forStrings(assertNoDuplicates),
    ],
    describe: createListProbes(options).reportIfEmpty,
    // Other probes repeat searches at the end of the run.
    probesAfterChange:
      options.prefix === 'search' ? [] : [createListProbes(options).forListedNames(assertNoDuplicates)],
  })
