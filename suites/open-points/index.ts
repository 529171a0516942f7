import type { Observer } from '../engine/run.ts'
import type { Directories } from '../vocabulary/directory.ts'

/** What is looked at where the document is silent, in the contract's order. */
export const observers: readonly Observer<Directories>[] = []
