import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { renderAnnotations } from '../../../reports/formats/github.ts'
import { type Report, render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { deploy } from '../command/cli.test.support.ts'
import { HOSTILE_TEXT, reportContext, runResults, sampleReports } from './reports.test.support.ts'

const nonconformant = sampleReports['nonconformant'] ?? buildReport(runResults.nonconformant, reportContext)

/** Parses GitHub workflow commands as a runner does: each begins a line, and its parts are unescaped in this order. */
function parseWorkflowCommands(text: string) {
  return [...text.matchAll(/^::(\w+) title=(.*?)::(.*)$/gm)].map(([, name, title = '', message = '']) => ({
    name,
    title: title.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%0A', '\n').replaceAll('%25', '%'),
    message: message.replaceAll('%0A', '\n').replaceAll('%25', '%'),
  }))
}

describe('annotations of GitHub Actions', () => {
  it('annotations of GitHub Actions contain each finding and each error in one command, with any text', () => {
    const text = renderAnnotations(nonconformant)
    const commands = parseWorkflowCommands(text)
    const failed = nonconformant.checks.filter(({ status }) => status === 'fail' || status === 'error')
    expect(commands.map(({ name, title }) => [name, title])).toEqual(
      failed.map(({ id, version }) => ['error', `${id} ${version}`]),
    )
    expect(text.trimEnd().split('\n')).toHaveLength(commands.length)
    expect(commands[0]?.message).toMatch(/^status 500\nexpected /)
    expect(commands[0]?.message).toContain("/v3/search?q=%25'")
  })

  it('annotations of GitHub Actions are at most ten, and the last states how many more there are', () => {
    const [failed] = nonconformant.findings
    if (failed === undefined) throw new Error('the report has no finding')
    const findings = Array.from({ length: 25 }, (_, index) => ({ ...failed, id: `search/odd-${index}` }))
    const commands = parseWorkflowCommands(renderAnnotations({ ...nonconformant, findings, checks: [] }))
    expect(commands).toHaveLength(10)
    expect(commands.at(-1)?.message).toContain('16 more findings')
  })

  it('annotations of GitHub Actions warn of an inconclusive run, and are absent for a conformant one', () => {
    const of = (name: string) => renderAnnotations(sampleReports[name] ?? nonconformant)
    expect(parseWorkflowCommands(of('inconclusive'))).toMatchObject([{ name: 'warning' }])
    expect(of('conformant')).toBe('')
  })
})

describe('summary.md', () => {
  it('summary.md shows the verdict first, then each finding with its curl line', () => {
    const text = render(nonconformant, 'summary.md')
    expect(text).toMatch(/^# ✗ nonconformant: `http:\/\/127\.0\.0\.1:4010\/api`\n/)
    expect(text).toContain('### ✗ status 500\n\n`search/survives-every-string` v3: ')
    expect(text).toContain('- **requirement** ')
    expect(text).toContain("curl -sS -g -i --path-as-is --compressed -H 'Accept: application/json'")
  })

  it('summary.md contains no markup from the deployment: no tag, no link, no line', () => {
    const text = render(nonconformant, 'summary.md')
    const outsideCode = text.replace(/(?<![\\`])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '')
    expect(outsideCode).not.toMatch(/<b>|(?<!\\)\[x\]/)
    expect(text).not.toMatch(/^ *✓ conformant/m)
  })

  it("summary.md stays below GitHub's limit of one MiB, with any number of findings", () => {
    const long = HOSTILE_TEXT.repeat(2000)
    const findings = nonconformant.findings.flatMap((cause) =>
      Array.from({ length: 100 }, () => ({ ...cause, finding: { ...cause.finding, actual: long } })),
    )
    expect(Buffer.byteLength(render({ ...nonconformant, findings }, 'summary.md'))).toBeLessThan(1 << 20)
  })
})

describe('exchanges.har', () => {
  const logOf = (report: Report) =>
    (JSON.parse(render(report, 'exchanges.har')) as { log: { entries: Entry[]; comment?: string } }).log // the form in which renderHar wrote it
  const entriesOf = (report: Report) => logOf(report).entries
  interface Entry {
    readonly request: { readonly url: string; readonly queryString: unknown }
    readonly response: { readonly status: number; readonly headers: unknown }
    readonly comment: string
  }

  it('exchanges.har contains the exchanges of findings, not those of open points only, with the checks that cite them', () => {
    const [first] = entriesOf(nonconformant)
    expect(entriesOf(nonconformant).map(({ comment }) => comment.split(';')[0])).toEqual(['exchange 1', 'exchange 2'])
    expect(first).toMatchObject({
      request: { url: `${reportContext.baseUrl}/v3/search?q=%25`, queryString: [{ name: 'q', value: '%' }] },
      response: { status: 500 },
    })
    expect(first?.comment).toContain('search/survives-every-string (v3): fail')
    expect(entriesOf(sampleReports['conformant'] ?? nonconformant)).toEqual([])
  })

  it('exchanges.har states what it leaves out and how to get it, and describes the run', () => {
    const { requests, notExercised } = sampleReports['conformant'] ?? nonconformant
    const cited = `0 of ${requests} exchanges: only those that findings cite; with --record all, the file contains all exchanges`
    expect(logOf(sampleReports['conformant'] ?? nonconformant).comment).toBe([cited, ...notExercised].join('; '))
  })

  it('exchanges.har contains every exchange if all were recorded', () => {
    const { entries, comment } = logOf(buildReport(runResults.conformant, { ...reportContext, isRecordingAll: true }))
    expect(entries).toHaveLength(4)
    expect(comment).toBe(runResults.conformant.notExercised.join('; '))
  })
})

describe('badge.json', () => {
  it('badge.json shows the verdict and its extent', () => {
    expect(JSON.parse(render(nonconformant, 'badge.json'))).toEqual({
      schemaVersion: 1,
      label: 'cat directory',
      message: 'nonconformant · v2 ✗ · v3 ✗ · parity ?',
      color: 'red',
      isError: true,
    })
  })
})

describe('findings.sh', () => {
  it('findings.sh repeats the requests of the selected findings unchanged', async () => {
    const { origin, requests } = await deploy((_, response) => response.end('[]'))
    const text = render(buildReport(runResults.nonconformant, reportContext), 'findings.sh').replaceAll(
      'http://127.0.0.1:4010',
      origin,
    )
    const folder = mkdtempSync(join(tmpdir(), 'cats-script-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const script = join(folder, 'findings.sh')
    writeFileSync(script, text)
    expect(text).toMatch(/^[\n -~]+$/)
    const run = (...args: string[]) =>
      new Promise<number | null>((resolve) =>
        spawn('bash', [script, ...args], { stdio: 'ignore' }).once('close', (code) => resolve(code)),
      )
    expect(await run('search/survives')).toBe(0)
    expect(requests.map(({ target }) => target)).toEqual(['/api/v3/search?q=%25'])
    expect(await run()).toBe(0)
    const asked = requests.length
    expect(asked).toBeGreaterThan(3)
    expect(await run('nosuch')).toBe(2)
    expect(requests.length).toBe(asked)
  })

  it('findings.sh shows no control character from a deployment, and its other text unchanged', async () => {
    const { origin } = await deploy((_, response) => response.end('Mi\u00fcsli\u001b[2J\u009b2J\u0007\u007f\tTom\r\n'))
    const text = render(buildReport(runResults.nonconformant, reportContext), 'findings.sh').replaceAll(
      'http://127.0.0.1:4010',
      origin,
    )
    const { stdout } = await promisify(execFile)('bash', ['-c', text, 'findings.sh', 'search/survives'])
    expect(stdout).toContain('Mi\u00fcsli?[2J?2J??\tTom\n')
    expect(stdout).not.toMatch(/(?![\t\n])\p{Cc}/u)
  })

  it('findings.sh reports a missing masked header before any request', () => {
    const [exchange] = [...runResults.nonconformant.exchanges.values()]
    if (exchange === undefined) throw new Error('the report has no exchange')
    const masked = { ...exchange, requestHeaders: { accept: '*/*', authorization: '***' } }
    const text = render(
      buildReport({ ...runResults.nonconformant, exchanges: new Map([[1, masked]]) }, reportContext),
      'findings.sh',
    )
    const { status, stderr } = spawnSync('bash', ['-c', text], { env: { PATH: process.env['PATH'] }, encoding: 'utf8' })
    expect(status).not.toBe(0)
    expect(stderr).toContain('AUTHORIZATION: is masked in reports')
  })
})
