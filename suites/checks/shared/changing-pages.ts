import { Inconclusive } from '../../engine/inconclusive.ts'

export const createChangingPagesError = (): Inconclusive =>
  new Inconclusive(
    'drift',
    'the list changes while its pages are read: a name that moves from one page to another can be missed',
  )
