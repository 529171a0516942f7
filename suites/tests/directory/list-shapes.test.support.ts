import { pointer } from '../../directory/readings/json.ts'
import type { Shape } from '../../directory/shapes/shapes.ts'

export const UNDECIDED = 'undecided'

/** Formats the place of the list and of the name in its elements. */
export function placesOf(shape: Shape): string {
  if (!shape) return 'nothing'
  return 'unreadable' in shape ? UNDECIDED : `${pointer(shape.list)} * ${pointer(shape.name)}`.trim()
}
