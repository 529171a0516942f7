import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { callAfterTests } from '../support/at-end.test.support.ts'
import { conformantDirectory, readReport, runCli } from './cli.test.support.ts'

const SECRET = 'tok-3f9a'
const SPELLINGS = [SECRET, 'tok%2D3f9a', Buffer.from(SECRET).toString('base64'), Buffer.from(SECRET).toString('hex')]

/**
 * Records a run against a deployment that repeats the credential in many encodings, and judges the recording.
 * @returns the stored text with all decoded bodies, and whether both runs have the same verdicts
 */
export async function recordRunWithRepeatedSecret(file: string): Promise<{ text: string; verdicts: string }> {
  const server = createServer(({ url = '', method }, response) => {
    const value = conformantDirectory(url)
    const body = JSON.stringify(value ?? { error: 'not found', sent: SPELLINGS })
    const isEncoded = url.includes('breeds')
    response.writeHead(value === undefined ? 404 : 200, {
      'content-type': 'application/json',
      'x-sent': SPELLINGS.join(' '),
      'set-cookie': 'session=abcdef',
      ...(isEncoded && { 'content-encoding': 'gzip' }),
    })
    response.end(method === 'HEAD' ? undefined : isEncoded ? gzipSync(body) : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  callAfterTests(() => void server.close())
  const { port } = server.address() as AddressInfo
  const args = ['--base-url', `http://127.0.0.1:${port}`, '--token', SECRET, '--seed', '5']
  const run = await runCli([...args, '--record-history', file])
  const again = await runCli(['judge-recording', file])
  const statusesOf = ({ reports }: typeof run) =>
    JSON.stringify(readReport(reports).checks.map(({ id, version, status }) => [id, version, status]))
  const stored = readFileSync(file, 'utf8')
  const { bodies } = JSON.parse(stored) as { bodies: Record<string, { base64?: string }> }
  const decoded = Object.values(bodies).flatMap(({ base64 }) =>
    base64 === undefined ? [] : gunzipSync(Buffer.from(base64, 'base64')).toString(),
  )
  return {
    text: [stored, ...decoded].join('\n'),
    verdicts: statusesOf(run) === statusesOf(again) ? 'same' : 'other',
  }
}
