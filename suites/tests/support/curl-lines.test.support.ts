import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

export const isCurlInstalled = spawnSync('curl', ['--version']).status === 0

/** The deadline of a curl command in seconds. */
const DEADLINE_S = 2

/**
 * Runs a curl command and returns the status and body that it prints. Leaves out header fields, which differ between
 * responses.
 */
async function runCurlCommand(line: string): Promise<string> {
  const child = spawn('sh', ['-c', `${line} --max-time ${DEADLINE_S}`], { stdio: ['ignore', 'pipe', 'ignore'] })
  const shown = await text(child.stdout)
  const heads = /^(?:HTTP\/[^]*?\r\n\r\n)+/.exec(shown)?.[0] ?? ''
  const status = /HTTP\/\S+ (\d+)[^]*$/.exec(heads.split('\r\n\r\n').at(-2) ?? '')?.[1]
  return `${status ?? 'no response'} ${shown.slice(heads.length)}`
}

/** The evidence for a violation that the curl commands of a finding give. */
export interface CurlEvidence {
  /** True if the first command alone shows the violation. */
  readonly byFirst: boolean
  /** True if the commands together show the violation. */
  readonly byAll: boolean
}

/**
 * Runs curl commands and tests whether they show a violation: they do if a deployment without the defect responds
 * differently, or if equal commands get different responses.
 * @param lines the commands, with URLs of the deployment with the defect
 * @param defectiveBaseUrl the base URL of that deployment
 * @param correctBaseUrl the base URL of the same deployment without the defect
 */
export async function runCurlLines(
  lines: readonly string[],
  defectiveBaseUrl: string,
  correctBaseUrl: string,
): Promise<CurlEvidence> {
  const seen: string[] = []
  for (const [index, line] of lines.entries()) {
    const [response = '', correctResponse = ''] = await Promise.all(
      [line, line.replaceAll(defectiveBaseUrl, correctBaseUrl)].map(runCurlCommand),
    )
    // Further commands could not change the result, and each starts two processes.
    if (response.replaceAll(defectiveBaseUrl, correctBaseUrl) !== correctResponse)
      return { byFirst: index === 0, byAll: true }
    seen.push(response)
  }
  const changes = lines.some((line, index) => lines.some((other, at) => line === other && seen[index] !== seen[at]))
  return { byFirst: false, byAll: changes }
}
