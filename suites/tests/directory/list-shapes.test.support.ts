import { toJsonPointer } from '../../directory/readings/json.ts'
import type { InferredShape } from '../../directory/shapes/own-shape.ts'
import { inferWholeListShape } from '../../directory/shapes/own-shape.ts'
import { answered } from '../layout/tables.test.support.ts'

export const UNDECIDED = 'undecided'

/** Formats the place of the list and of the name in its elements. */
export function placesOf(shape: InferredShape): string {
  if (!shape) return 'nothing'
  return 'unreadable' in shape ? UNDECIDED : `${toJsonPointer(shape.list)} * ${toJsonPointer(shape.name)}`.trim()
}

export const BREEDS = ['Manx', 'Korat']

/** Infers the shape of a list of cats in which these strings work as names. */
export const shapeOf = (answer: unknown, working: readonly string[]) =>
  inferWholeListShape(answered(answer), 'cat', { nameTests: [async (name) => working.includes(name)], breeds: BREEDS })
