import { toJsonPointer } from '../../directory/readings/json.ts'
import { type InferredShape, inferWholeListShape } from '../../directory/shapes/whole-list-shape.ts'
import { createExchange } from '../layout/tables.test.support.ts'

export const UNDECIDED_SHAPE = 'undecided'

/** Formats where the list is and where the name is in its elements, e.g. `/data * /name`. */
export function formatListPlaces(shape: InferredShape): string {
  if (!shape) return 'nothing'
  return 'unreadable' in shape ? UNDECIDED_SHAPE : `${toJsonPointer(shape.list)} * ${toJsonPointer(shape.name)}`.trim()
}

export const BREED_NAMES = ['Manx', 'Korat']

/**
 * Infers the shape of a list of cats. Only requests with the strings in `working` succeed, so only these can be names.
 */
export const inferShape = (response: unknown, working: readonly string[]) =>
  inferWholeListShape(createExchange(response), 'cat', {
    nameTests: [async (name) => working.includes(name)],
    breeds: BREED_NAMES,
  })
