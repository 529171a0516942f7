import fc from 'fast-check'
import { type Composition, compositionFeatures } from '../../../fixtures/variants/composed/compose.ts'
import { directoryByName } from '../../../fixtures/variants/composed/directories.ts'
import { type ElementChoice, elementFeatures } from '../../../fixtures/variants/composed/elements.ts'
import { type PageChoice, pageFeatures } from '../../../fixtures/variants/composed/pages.ts'

const keysOf = <K extends string>(of: Readonly<Record<K, unknown>>): K[] => Object.keys(of) as K[]

const oneOf = <K extends string>(of: Readonly<Record<K, unknown>>): fc.Arbitrary<K> => fc.constantFrom(...keysOf(of))

/** Draws the simple value in `weight` of ten cases. */
const inCases = <S, T>(simple: S, weight: number, other: fc.Arbitrary<T>): fc.Arbitrary<S | T> =>
  fc.oneof({ weight, arbitrary: fc.constant(simple) }, { weight: 10 - weight, arbitrary: other })

const elementChoices: fc.Arbitrary<ElementChoice> = fc.record({
  id: oneOf(elementFeatures.ids),
  name: inCases('the element itself' as const, 1, oneOf(elementFeatures.names)),
  extras: fc.shuffledSubarray(keysOf(elementFeatures.extras), { maxLength: 6 }),
  wrapper: inCases('none' as const, 6, oneOf(elementFeatures.wrappers)),
  isNameLast: fc.boolean(),
})

const pageChoices: fc.Arbitrary<PageChoice> = fc.record({
  request: inCases('none' as const, 3, oneOf(pageFeatures.requests)),
  size: fc.constantFrom(10, 5, 20, 25),
  sign: oneOf(pageFeatures.leastSigns),
  furtherSigns: fc.shuffledSubarray(keysOf(pageFeatures.signs), { maxLength: 5 }),
  signsIn: inCases('body' as const, 8, fc.constant('header fields' as const)),
  form: inCases('plain' as const, 6, oneOf(pageFeatures.forms)),
  place: oneOf(pageFeatures.places),
  unrelated: fc.shuffledSubarray(keysOf(pageFeatures.unrelated), { maxLength: 4 }),
  fields: oneOf(pageFeatures.fields),
  sizeParameter: fc.constantFrom(undefined, 'limit', 'per_page', 'pageSize', 'count', 'size', 'rows'),
  paged: fc.constantFrom('all lists', 'searches', 'all cats', 'lists of cats'),
})

/** Permissible deployments that combine features of public APIs at random, the simplest features first. */
export const compositions: fc.Arbitrary<Composition> = fc.record({
  element: elementChoices,
  pages: pageChoices,
  hits: inCases(undefined, 7, elementChoices),
  v3: inCases(undefined, 6, fc.record({ element: elementChoices, pages: pageChoices })),
  acceptsIds: inCases(false, 8, fc.constant(true)),
  directory: fc.oneof(oneOf(directoryByName), fc.integer({ min: 1, max: 1_000_000 })),
  rule: oneOf(compositionFeatures.rules),
  lives: oneOf(compositionFeatures.lives),
  miss: oneOf(compositionFeatures.misses),
})
