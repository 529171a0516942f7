import { toJsonPointer } from '../../directory/readings/json.ts'
import type { InferredShape } from '../../directory/shapes/shapes.ts'

export const UNDECIDED = 'undecided'

/** Formats the place of the list and of the name in its elements. */
export function placesOf(shape: InferredShape): string {
  if (!shape) return 'nothing'
  return 'unreadable' in shape ? UNDECIDED : `${toJsonPointer(shape.list)} * ${toJsonPointer(shape.name)}`.trim()
}
