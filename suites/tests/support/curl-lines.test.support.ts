import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Lines are pasted into a shell, as people do. */
export const curlIsHere = spawnSync('curl', ['--version']).status === 0

/** Who has not answered by then is silent. */
const PATIENCE_S = 2

/** The status and the body that a printed line shows; fields differ from one answer to the next anyway. */
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

/** What printed lines show, once they are pasted. */
export interface Shown {
  /** The first line alone. */
  readonly byFirst: boolean
  /** The lines together. */
  readonly byAll: boolean
}

/**
 * Whether lines show what is wrong: an honest deployment answers them otherwise, or equal ones are answered otherwise.
 * @param lines as they are printed for one deployment
 * @param from its base URL
 * @param honest the base URL of the same deployment without the defect
 */
export async function shows(lines: readonly string[], from: string, honest: string): Promise<Shown> {
  const [seen, right] = await Promise.all([
    shownInTurn(lines),
    shownInTurn(lines.map((line) => line.replaceAll(from, honest))),
  ])
  const differs = seen.map((answer, index) => answer.replaceAll(from, honest) !== right[index])
  const changes = lines.some((line, index) => lines.some((other, at) => line === other && seen[index] !== seen[at]))
  return { byFirst: differs[0] ?? false, byAll: changes || differs.some(Boolean) }
}
