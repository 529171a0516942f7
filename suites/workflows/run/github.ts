import { appendFile } from 'node:fs/promises'
import { renderAnnotations } from '../../../reports/formats/github.ts'
import { renderMarkdown } from '../../../reports/formats/markdown.ts'
import type { Report } from '../../../reports/report/report.ts'
import { errorCodeOf } from '../../../reports/text/error-code.ts'
import { createNonce } from '../../engine/entropy.ts'
import { quoteArgument } from '../../options/options.ts'

/** The environment of a job in GitHub Actions. */
export interface GitHubEnvironment {
  /** True in a job of GitHub Actions, which executes commands that the output contains. */
  readonly isActions: boolean
  /** The file whose text GitHub shows on the page of the job. */
  readonly summaryFile: string | undefined
}

export const readGitHubEnvironment = (env: Readonly<Record<string, string | undefined>>): GitHubEnvironment => ({
  isActions: env['GITHUB_ACTIONS'] === 'true',
  summaryFile: env['GITHUB_STEP_SUMMARY'] || undefined,
})

/** Encloses a text that may come from a deployment, so that GitHub executes no commands in it. */
export function disableGitHubCommands({ isActions }: GitHubEnvironment, text: string): string {
  if (!isActions) return text
  const token = createNonce()
  return `::stop-commands::${token}\n${text}\n::${token}::\n`
}

/** Writes the annotations and the summary of the job. If the summary cannot be written, only a warning is printed. */
export async function writeToGitHub(
  { isActions, summaryFile }: GitHubEnvironment,
  report: Report,
  { write, stderr }: { readonly write: (text: string) => void; readonly stderr: (text: string) => void },
): Promise<void> {
  if (isActions) write(renderAnnotations(report))
  if (summaryFile === undefined) return
  try {
    await appendFile(summaryFile, `${renderMarkdown(report)}\n`)
  } catch (error) {
    const what = `${quoteArgument(summaryFile)} cannot be written (${errorCodeOf(error)})`
    stderr(`GITHUB_STEP_SUMMARY: ${what}. The page of the job has no summary; read it in summary.md.\n`)
  }
}
