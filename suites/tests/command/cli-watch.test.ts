import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  conformantDirectory,
  createTemporaryFolder,
  readReport,
  runCli,
  startCliProcess,
  type TargetResponder,
} from './cli.test.support.ts'

const lacksLives: TargetResponder = (target) =>
  target.endsWith('/lives_left') ? undefined : conformantDirectory(target)
const findNothing: TargetResponder = (target) => (/^\/v[23]\/search/.test(target) ? [] : conformantDirectory(target))

/** A deployment under development: a test can change its responses, delay its lists of breeds, or cut off a search. */
class DevelopedDeployment {
  directory: TargetResponder
  private port = 0
  private server = createServer()
  private held: Promise<void> | undefined
  /** True if the connection of the next search is closed, as by a restart. */
  cutsOff = false

  constructor(directory: TargetResponder) {
    this.directory = directory
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    this.server = createServer((request, response) => void this.respondTo(request, response))
    this.server.listen(this.port, '127.0.0.1')
    await once(this.server, 'listening')
    this.port = (this.server.address() as AddressInfo).port // an object, because the server listens on a port
  }

  stop(): void {
    this.server.close()
    this.server.closeAllConnections()
  }

  private async respondTo({ url = '', socket }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url.startsWith('/v2/breeds/')) await this.held
    if (url.includes('/search') && this.cutsOff) {
      this.cutsOff = false
      socket.destroy()
    }
    const value = this.directory(url)
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? { error: 'not found' }))
  }

  /**
   * Delays all responses to requests for breeds.
   * @returns a function that sends the delayed responses
   */
  holdBreeds(): () => void {
    let goOn = () => {}
    this.held = new Promise((resolve) => {
      goOn = resolve
    })
    return goOn
  }
}

test('--watch runs again when a file changes or the deployment restarts, starts with the failed checks, and reports changes', async () => {
  const deployment = new DevelopedDeployment(lacksLives)
  await deployment.start()
  onTestFinished(() => deployment.stop())
  const folder = createTemporaryFolder()
  const reports = join(folder, 'reports')
  mkdirSync(join(folder, 'src', 'deep'), { recursive: true })
  const save = (file: string) => writeFileSync(join(folder, file), String(deployment.directory))
  const few = ['--effort', 'quick', '--only', 'lives/is,search/finds']
  const options = [...few, '--watch', folder, '--report-dir', reports]
  deployment.stop()
  const { child, ended, waitForOutput } = startCliProcess(['--base-url', deployment.origin, ...options])
  await waitForOutput(`${deployment.origin} does not respond`)
  await deployment.start()
  await waitForOutput('\nwatching ', 2)

  deployment.directory = conformantDirectory
  // Delays the breeds, for which other checks wait, to test that a finding is printed before all checks have ended.
  const goOn = deployment.holdBreeds()
  save('src/deep/lives.js')
  await waitForOutput(`${join('src', 'deep', 'lives.js')} changed: judging again`)
  await waitForOutput('✓ lives/is-served  v3  failed before, now passed')
  // Stops the run by a change of a file.
  save('src/search.js')
  await waitForOutput(`${join('src', 'search.js')} changed: judging again`)
  goOn()
  await waitForOutput('\nwatching ', 3)
  expect(readReport(reports).verdict).toBe('partial')

  // Restarts the deployment without a change of a file.
  deployment.cutsOff = true
  save('src/search.js')
  await waitForOutput('responses were lost: judging again')
  await waitForOutput('\nwatching ', 4)

  deployment.directory = findNothing
  deployment.stop()
  await waitForOutput(`${deployment.origin} does not respond`, 2)
  await deployment.start()
  await waitForOutput(`${deployment.origin} is back: judging again`, 2)
  await waitForOutput('\nwatching ', 5)
  child.kill('SIGINT')
  const { code, stdout, stderr } = await ended
  expect([code, stderr]).toEqual([130, ''])
  const [, first = '', fixed = '', , failed = ''] = stdout.split('\nwatching ')
  expect(first).toMatch(/\n✗ nonconformant {2}http[^]*\n {2}requirement {2}S-LIVES/)
  expect(fixed).toMatch(/\n✓ lives\/is-a-count {2}v3 {2}inconclusive before, now passed\n/)
  expect(fixed).not.toContain('requirement')
  expect(failed).toMatch(/\n✗ search\/finds-every-cat-by-name {2}v3 {2}passed before, now failed\n/)
  expect(failed.match(/^ {2}requirement /gm)).toHaveLength(readReport(reports).findings.length)
  expect(stdout.match(/: judging again/g)).toHaveLength(6)
  expect(readReport(reports).verdict).toBe('nonconformant')
})

test('--watch with a missing path is refused before any request', async () => {
  const { code, stdout, stderr } = await runCli(['--base-url', 'http://127.0.0.1:1', '--watch', 'nowhere'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^--watch: "nowhere" cannot be watched \(ENOENT\)\.\n/)
})
