import type { OperationId } from '../../fixtures/contract/operations.ts'
import type { StatementId } from '../../fixtures/contract/statements.ts'
import type { Check } from '../engine/check.ts'
import type { Read, Subject } from '../engine/reading.ts'
import { broken, Inconclusive } from '../engine/throwables.ts'
import { all, check, each, type Inputs } from '../vocabulary/check.ts'
import type { Directories } from '../vocabulary/directory.ts'
import { firstRepeated } from '../vocabulary/found.ts'
import { type ListReading, whyNoList } from '../vocabulary/list.ts'
import { quoted } from '../vocabulary/text.ts'
import { unheardOf } from '../vocabulary/watch.ts'

/** One list that can be asked for, and the input that selects it. */
export interface Listing {
  readonly of: string
  readonly subject: Subject<ListReading>
}

/** What the four operations that answer with a list have in common, and where they differ. */
export interface ListOperation {
  readonly room: 'cats' | 'breeds' | 'breed-cats' | 'search'
  readonly operation: OperationId
  readonly shown: StatementId
  readonly named: StatementId
  /** Names the list in a sentence: "the list of all cats". */
  readonly list: string
  readonly element: 'cat' | 'breed'
  readonly requires: readonly string[]
  /** The inputs that select a list; one that says nothing where there is but one list. */
  readonly inputs: (directories: Directories, read: Read) => Promise<readonly string[]>
  readonly listing: (input: string, directories: Directories) => Listing
  /** The same lists for inputs that nobody chose, where any string is one. */
  readonly ofAny?: {
    readonly inputs: (directories: Directories, read: Read) => Promise<Inputs>
    readonly subject: (input: string, directories: Directories) => Subject<ListReading>
  }
  /** Own rule for when the operation is served, where one refused input is not yet a violation. */
  readonly isServed?: Check<Directories>
}

/** Ruling 2: does anything here answer in JSON? */
export async function answersInJson({ v2, v3 }: Directories, read: Read): Promise<boolean> {
  const subjects = [v2.cats, v3.cats, v2.breeds, v3.breeds]
  const kinds = await Promise.all(subjects.map(async (subject) => (await read(subject)).kind))
  return kinds.some((kind) => kind === 'list' || kind === 'not-a-list' || kind === 'unreadable')
}

const saysJson = (mediaType: string): boolean => /[/+]json\b/i.test(mediaType)

/** Success on names that the deployment lists: 2xx (ruling 1). */
export async function served({ of, subject }: Listing, read: Read): Promise<void> {
  const reading = await read(subject)
  if (reading.kind !== 'refused' && reading.kind !== 'failed') return
  broken({ expected: `${of} is answered with 2xx`, actual: whyNoList(reading), shownBy: [subject] })
}

async function inJson({ of, subject }: Listing, directories: Directories, read: Read): Promise<void> {
  const reading = await read(subject)
  if (reading.kind !== 'not-json') return
  if (!saysJson(reading.mediaType) && !(await answersInJson(directories, read))) {
    throw new Inconclusive('unreadable', 'nothing here answers in JSON, the only format this suite reads')
  }
  broken({
    expected: `${of} is one well-formed JSON text in UTF-8`,
    actual: `${whyNoList(reading)} (${reading.mediaType || 'no media type'})`,
    shownBy: [subject],
  })
}

/** How a deployment says that there is nothing is open; but what it calls JSON is JSON. */
async function anyInJson({ of, subject }: Listing, read: Read): Promise<void> {
  const reading = await read(subject)
  if (reading.kind !== 'not-json' || reading.isEmpty || !saysJson(reading.mediaType)) return
  broken({
    expected: `${of} is one well-formed JSON text in UTF-8, as its media type says`,
    actual: `${whyNoList(reading)} (${reading.mediaType})`,
    shownBy: [subject],
  })
}

async function anArray({ of, subject }: Listing, read: Read): Promise<void> {
  const reading = await read(subject)
  if (reading.kind !== 'not-a-list' && !(reading.kind === 'nothing' && reading.status === 200)) return
  broken({
    expected: `${of} holds a JSON array, at the top or in an envelope, where this operation's other lists stand`,
    actual: whyNoList(reading),
    shownBy: [subject],
  })
}

/** Ruling 12: a refusal is a 4xx. An error told with a 2xx is no list, and no client takes it for a refusal. */
async function noErrorAsSuccess({ of, subject }: Listing, read: Read): Promise<void> {
  const reading = await read(subject)
  if (reading.kind !== 'not-a-list' || !reading.saysError) return
  broken({
    expected: `${of} is a 4xx or an empty list`,
    actual: `a 2xx with ${whyNoList(reading)}`,
    shownBy: [subject],
  })
}

async function names({ of, subject }: Listing, element: string, read: Read): Promise<void> {
  const reading = await read(subject)
  if (reading.kind === 'unreadable') throw new Inconclusive('unreadable', `${of}: ${reading.why}`)
  if (reading.kind !== 'list' || reading.nameless === undefined) return
  broken({
    expected: `every ${element} in ${of} has a name, a string, at the same place`,
    actual: `an element without: ${reading.nameless}`,
    shownBy: [subject],
  })
}

async function onlyOnce({ of, subject }: Listing, element: string, read: Read): Promise<void> {
  const reading = await read(subject)
  const repeated = reading.kind === 'list' ? firstRepeated(reading.names) : undefined
  if (repeated === undefined) return
  broken({
    expected: `${of} holds each ${element} once`,
    actual: `${quoted(repeated)} stands in it more than once`,
    shownBy: [subject],
  })
}

const leadingFrom = (input: string, subject: Listing['subject']): Listing => ({
  of: `what ${quoted(input)} leads to`,
  subject,
})

/** The promises that every list keeps, in the order in which each is the ground of the next. */
export function listPromises({
  room,
  operation,
  shown,
  named,
  list,
  element,
  requires,
  inputs,
  listing,
  isServed,
  ofAny,
}: ListOperation): Check<Directories>[] {
  const common = { operation, versions: 'each', level: 'must' } as const
  const tries = (ask: (listing: Listing, directories: Directories, read: Read) => Promise<void>) =>
    each(inputs, (input, directories, read) => ask(listing(input, directories), directories, read))
  const ofAnything = (ask: (listing: Listing, read: Read) => Promise<void>) =>
    ofAny
      ? [
          all(
            ofAny.inputs,
            (input, directories) => [ofAny.subject(input, directories)],
            (input, directories, read) => ask(leadingFrom(input, ofAny.subject(input, directories)), read),
          ),
        ]
      : []
  const ofNothing = (ask: (listing: Listing, read: Read) => Promise<void>) =>
    ofAny
      ? [
          each(
            ({ here }) => [unheardOf(0, here.version)],
            (input, directories, read) => ask(leadingFrom(input, ofAny.subject(input, directories)), read),
          ),
        ]
      : []
  const id = (name: string) => `${room}/${name}`
  return [
    isServed ??
      check({
        ...common,
        id: id('is-served'),
        title: `${list} is served`,
        statements: [shown, 'S-GET'],
        requires,
        why: 'Everything else that is said of this operation rests on its being there.',
        how: `GET for ${list}; redirects within the origin are followed, at most five.`,
        fix: 'Route the path under both prefixes and answer with 2xx. If the path is right, look at the base URL and the credentials.',
        tries: tries((listing, _, read) => served(listing, read)),
      }),
    check({
      ...common,
      id: id('is-json'),
      title: `${list} is one JSON text`,
      statements: ['S-JSON'],
      requires: [id('is-served')],
      why: 'A client that cannot parse the answer has no answer.',
      how: 'The body is decoded as UTF-8, strictly, and parsed as one JSON text, whatever its media type.',
      fix: 'Serialise with a JSON library, in UTF-8, and write nothing before or after.',
      tries: [tries(inJson), ...ofAnything((listing, read) => anyInJson(listing, read))],
    }),
    check({
      ...common,
      id: id('is-a-list'),
      title: `${list} holds an array`,
      statements: [shown],
      requires: [id('is-json')],
      why: 'A list that is sometimes an object, null or a number breaks every loop over it.',
      how: 'The array is found by evidence, at the top or in an envelope, once for the operation.',
      fix: 'Answer with an array, also when it is empty, always at the same place.',
      tries: [tries((listing, _, read) => anArray(listing, read)), ...ofNothing(noErrorAsSuccess)],
    }),
    check({
      ...common,
      id: id('have-names'),
      title: `every ${element} in ${list} has a name`,
      statements: [named],
      requires: [id('is-a-list')],
      why: `The name is what identifies a ${element} in the paths; without it the ${element} cannot be asked about.`,
      how: 'The place of the name is told once for the operation; every element must have a string there.',
      fix: 'Give every element its name, a string, in the same field.',
      tries: tries((listing, _, read) => names(listing, element, read)),
    }),
    check({
      ...common,
      id: id('names-stand-once'),
      title: `each ${element} stands once in ${list}`,
      statements: [named, shown],
      requires: [id('have-names')],
      why: `Two elements of one name cannot be told apart: a name identifies a ${element}.`,
      how: 'The names of the list are compared exactly, code point by code point.',
      fix: 'List distinct rows; a join that multiplies them is the usual cause.',
      tries: [
        tries((listing, _, read) => onlyOnce(listing, element, read)),
        ...ofAnything((listing, read) => onlyOnce(listing, element, read)),
      ],
    }),
  ]
}
