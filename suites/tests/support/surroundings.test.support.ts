import type { CommandContext } from '../../workflows/run/command.ts'

/** A context of the command outside a terminal and outside CI. */
export const nonInteractiveContext: Pick<CommandContext, 'stderr' | 'progress' | 'github'> = {
  stderr: () => {},
  progress: { isTerminal: false, width: 80, write: () => {} },
  github: { isActions: false, summaryFile: undefined },
}
