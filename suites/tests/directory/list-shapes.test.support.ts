import { toJsonPointer } from '../../directory/readings/json.ts'
import type { InferredShape } from '../../directory/shapes/own-shape.ts'
import { inferWholeListShape } from '../../directory/shapes/own-shape.ts'
import { createExchange } from '../layout/tables.test.support.ts'

export const UNDECIDED = 'undecided'

/** Formats the place of the list and of the name in its elements. */
export function formatPlaces(shape: InferredShape): string {
  if (!shape) return 'nothing'
  return 'unreadable' in shape ? UNDECIDED : `${toJsonPointer(shape.list)} * ${toJsonPointer(shape.name)}`.trim()
}

export const BREEDS = ['Manx', 'Korat']

/** Infers the shape of a list of cats in which these strings work as names. */
export const inferShape = (answer: unknown, working: readonly string[]) =>
  inferWholeListShape(createExchange(answer), 'cat', {
    nameTests: [async (name) => working.includes(name)],
    breeds: BREEDS,
  })
