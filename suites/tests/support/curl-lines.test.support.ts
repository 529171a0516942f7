import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Curl lines are run in a shell, as users do. */
export const isCurlInstalled = spawnSync('curl', ['--version']).status === 0

/** Deadline of a curl line in seconds. */
const PATIENCE_S = 2

/** Returns the status and the body that a curl line prints; header fields differ between responses. */
async function shownBy(line: string): Promise<string> {
  const child = spawn('sh', ['-c', `${line} --max-time ${PATIENCE_S}`], { stdio: ['ignore', 'pipe', 'ignore'] })
  const shown = await text(child.stdout)
  const heads = /^(?:HTTP\/[^]*?\r\n\r\n)+/.exec(shown)?.[0] ?? ''
  const status = /HTTP\/\S+ (\d+)[^]*$/.exec(heads.split('\r\n\r\n').at(-2) ?? '')?.[1]
  return `${status ?? 'no answer'} ${shown.slice(heads.length)}`
}

async function shownInTurn(lines: readonly string[]): Promise<string[]> {
  const shown: string[] = []
  for (const line of lines) shown.push(await shownBy(line))
  return shown
}

/** Results of the curl lines of a finding. */
export interface CurlEvidence {
  /** True if the first line alone shows the violation. */
  readonly byFirst: boolean
  /** True if the lines together show the violation. */
  readonly byAll: boolean
}

/**
 * Tests whether curl lines show a violation: the deployment without the defect responds differently, or equal lines get
 * different responses.
 * @param lines the curl lines printed for one deployment
 * @param from its base URL
 * @param honest the base URL of the same deployment without the defect
 */
export async function runCurlLines(lines: readonly string[], from: string, honest: string): Promise<CurlEvidence> {
  const [seen, right] = await Promise.all([
    shownInTurn(lines),
    shownInTurn(lines.map((line) => line.replaceAll(from, honest))),
  ])
  const differs = seen.map((answer, index) => answer.replaceAll(from, honest) !== right[index])
  const changes = lines.some((line, index) => lines.some((other, at) => line === other && seen[index] !== seen[at]))
  return { byFirst: differs[0] ?? false, byAll: changes || differs.some(Boolean) }
}
