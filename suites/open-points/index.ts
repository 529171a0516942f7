import type { OpenPointId } from '../../fixtures/contract/open-points.ts'
import type { OperationId } from '../../fixtures/contract/operations.ts'
import { field } from '../engine/answer.ts'
import type { Observer } from '../engine/plan.ts'
import type { Reader, Subject } from '../engine/reading.ts'
import type { Exchange } from '../engine/session.ts'
import { inferRule } from '../vocabulary/answers.ts'
import type { Directories, Directory } from '../vocabulary/directory.ts'
import { listed } from '../vocabulary/found.ts'
import { pointer } from '../vocabulary/json.ts'
import { type ListReading, mediaTypeOf, whyNoList } from '../vocabulary/list.ts'
import { whyNoCount } from '../vocabulary/lives.ts'
import type { Shape } from '../vocabulary/shapes.ts'
import { unheardOf } from '../vocabulary/watch.ts'

type Seen = ReturnType<Observer<Directories>['observe']>

const observe = (
  id: OpenPointId,
  observation: Pick<Observer<Directories>, 'versions' | 'observe'> & { operation?: OperationId },
): Observer<Directories> => ({ id, ...observation })

const shapeText = (shape: Shape): string | undefined => {
  if (!shape) return undefined
  if ('unreadable' in shape) return shape.unreadable
  const list = pointer(shape.list) === '' ? 'bare array' : `array at ${pointer(shape.list)}`
  const name = shape.name.length === 0 ? 'strings' : `name at ${pointer(shape.name)}`
  return `${list}, ${name}${shape.breed ? `, breed at ${pointer(shape.breed)}` : ''}`
}

const listShape = (
  operation: OperationId,
  of: keyof Directory['shapes'],
  subjectOf: (here: Directory, memory: Reader) => Promise<Subject<ListReading> | undefined>,
) =>
  observe('O-LIST-SHAPE', {
    versions: 'each',
    operation,
    async observe({ here }, memory): Seen {
      const [value, subject] = [shapeText(await here.shapes[of]()), await subjectOf(here, memory)]
      if (value === undefined || !subject) return undefined
      await memory.read(subject)
      return { value, shownBy: [subject] }
    },
  })

const media = (
  operation: OperationId,
  versions: 'each' | 'v3',
  subjectOf: (here: Directory, memory: Reader) => Promise<Subject<unknown> | undefined>,
) =>
  observe('O-MEDIA', {
    versions,
    operation,
    async observe({ here }, memory): Seen {
      const subject = await subjectOf(here, memory)
      if (!subject) return undefined
      await memory.read(subject)
      const [exchange] = memory.evidence(subject)
      return exchange && { value: mediaText(exchange), shownBy: [subject] }
    },
  })

function mediaText(exchange: Exchange): string {
  const { outcome } = exchange
  const coding = outcome.kind === 'response' ? field(outcome, 'content-encoding') : undefined
  return `${mediaTypeOf(exchange) || 'none'}${coding ? `, ${coding}` : ''}`
}

const firstBreed = async (here: Directory, { read }: Reader) =>
  (await listed(here.breeds, read)).slice(0, 1).map((breed) => here.catsOf(breed))[0]
const firstSearch = async (here: Directory, { read }: Reader) =>
  (await listed(here.cats, read)).slice(0, 1).map((cat) => here.search(cat))[0]
const firstLives = async (here: Directory, { read }: Reader) =>
  (await listed(here.cats, read)).slice(0, 1).map((cat) => here.lives(cat))[0]

const emptyText = (reading: ListReading): string =>
  reading.kind === 'list' && reading.names.length === 0 ? 'empty list' : whyNoList(reading)

/** What an input that nothing has is answered with. */
const ofNothing = (id: OpenPointId, operation: OperationId, subjectOf: (here: Directory) => Subject<ListReading>) =>
  observe(id, {
    versions: 'each',
    operation,
    async observe({ here }, { read }): Seen {
      return { value: emptyText(await read(subjectOf(here))), shownBy: [subjectOf(here)] }
    },
  })

/** What is looked at where the document is silent, in the contract's order; no more is asked for it than a handful of requests. */
export const observers: readonly Observer<Directories>[] = [
  listShape('listCats', 'cats', async (here) => here.cats),
  listShape('listBreeds', 'breeds', async (here) => here.breeds),
  listShape('listCatsOfBreed', 'catsOf', firstBreed),
  listShape('searchCats', 'search', firstSearch),
  observe('O-LIVES-SHAPE', {
    versions: 'v3',
    operation: 'getLivesLeft',
    async observe({ here }, memory): Seen {
      const subject = await firstLives(here, memory)
      const reading = subject && (await memory.read(subject))
      if (!subject || reading?.kind !== 'count') return undefined
      return { value: reading.place === '' ? 'bare number' : `number at ${reading.place}`, shownBy: [subject] }
    },
  }),
  media('listCats', 'each', async (here) => here.cats),
  media('getLivesLeft', 'v3', firstLives),
  observe('O-SEARCH-CASE', {
    versions: 'each',
    operation: 'searchCats',
    async observe({ here }, memory): Seen {
      const inference = await inferRule(here, memory)
      if (!inference || inference.contradiction) return undefined
      return { value: inference.rule.ignores.includes('case') ? 'no' : 'yes', shownBy: [] }
    },
  }),
  observe('O-SEARCH-RULE', {
    versions: 'each',
    operation: 'searchCats',
    async observe({ here }, memory): Seen {
      const inference = await inferRule(here, memory)
      if (!inference) return undefined
      const { rule, contradiction, explained, asked } = inference
      const name = `${rule.name}${rule.ignores.includes('accents') ? ', accent-folding' : ''}`
      return contradiction
        ? {
            value: `unexplained (${name} explains ${explained} of ${asked} queries)`,
            shownBy: [here.search(contradiction.query)],
          }
        : { value: `${name} (explains all ${asked} queries)`, shownBy: [] }
    },
  }),
  ofNothing('O-SEARCH-NO-MATCH', 'searchCats', (here) => here.search(unheardOf(0, here.version))),
  ofNothing('O-SEARCH-EMPTY-Q', 'searchCats', (here) => here.search('')),
  ofNothing('O-UNKNOWN-BREED', 'listCatsOfBreed', (here) => here.catsOf(unheardOf(0, here.version))),
  observe('O-UNKNOWN-CAT', {
    versions: 'v3',
    operation: 'getLivesLeft',
    async observe({ here }, { read }): Seen {
      const subject = here.lives(unheardOf(0, here.version))
      return { value: whyNoCount(await read(subject)), shownBy: [subject] }
    },
  }),
  observe('O-ORDER', {
    versions: 'both',
    operation: 'listCats',
    async observe({ v2, v3 }, { read }): Seen {
      const [two, three] = await Promise.all([read(v2.cats), read(v3.cats)])
      if (two.kind !== 'list' || three.kind !== 'list' || two.names.length < 2) return undefined
      const isSame = two.names.length === three.names.length && two.names.every((name, i) => name === three.names[i])
      return { value: isSame ? 'equal in both versions' : 'differs between the versions', shownBy: [v2.cats, v3.cats] }
    },
  }),
]
