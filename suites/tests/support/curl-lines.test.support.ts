import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

export const isCurlInstalled = spawnSync('curl', ['--version']).status === 0

/** The deadline of each request of a curl line in seconds. */
const DEADLINE_S = 2

/**
 * Runs a curl line and returns what it prints, with only the status of each head: header fields differ between
 * responses. Of redirects, only the last head counts.
 */
async function runCurlLine(line: string): Promise<string> {
  const script = `curl() { command curl --max-time ${DEADLINE_S} "$@"; }; ${line}`
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const shown = await text(child.stdout)
  return shown.replaceAll(/(?:HTTP\/\S+ (\d+)[^]*?\r\n\r\n)+/g, '$1 ')
}

/** The evidence for a violation that the curl lines of a finding give. */
export interface CurlEvidence {
  /** True if the first line alone shows the violation. */
  readonly byFirst: boolean
  /** True if the lines together show the violation. */
  readonly byAll: boolean
}

/**
 * Runs curl lines and tests whether they show a violation: they do if a deployment without the defect responds
 * differently.
 * @param lines the lines, with URLs of the deployment with the defect
 * @param defectiveBaseUrl the base URL of that deployment
 * @param correctBaseUrl the base URL of the same deployment without the defect
 */
export async function runCurlLines(
  lines: readonly string[],
  defectiveBaseUrl: string,
  correctBaseUrl: string,
): Promise<CurlEvidence> {
  for (const [index, line] of lines.entries()) {
    const [response = '', correctResponse = ''] = await Promise.all(
      [line, line.replaceAll(defectiveBaseUrl, correctBaseUrl)].map(runCurlLine),
    )
    // Further lines could not change the result, and each starts several processes.
    if (response.replaceAll(defectiveBaseUrl, correctBaseUrl) !== correctResponse)
      return { byFirst: index === 0, byAll: true }
  }
  return { byFirst: false, byAll: false }
}
