import type { Surroundings } from '../../workflows/run/command.ts'

/** Nobody watches, and no CI is told. */
export const unwatched: Pick<Surroundings, 'stderr' | 'progress' | 'github'> = {
  stderr: () => {},
  progress: { isTerminal: false, width: 80, write: () => {} },
  github: { isActions: false, summaryFile: undefined },
}
