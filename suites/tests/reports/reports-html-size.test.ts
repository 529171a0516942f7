import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { type Report, render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import type { Verdict } from '../../engine/check/verdict.ts'
import { browserPath, isBrowserRequired, launchBrowser, openPage } from './browser.test.support.ts'
import { HOSTILE_TEXT, reportContext, runResults } from './reports.test.support.ts'

/** Creates the report of a run with 5,000 exchanges and 250 findings, each with four exchanges and these inputs. */
function createLargeReport(inputs: readonly string[] = []): Report {
  const excerpt = JSON.stringify(Array.from({ length: 200 }, (_, index) => ({ name: `Cat ${index}` })))
  const [cited] = runResults.nonconformant.exchanges.values()
  if (cited === undefined) throw new Error('the run has no exchange')
  const ids = Array.from({ length: 5000 }, (_, index) => index + 1)
  const query = encodeURIComponent(Buffer.from(inputs[0] ?? 'Tom').toString()) // Without lone surrogates.
  const url = `http://127.0.0.1:4010/v3/search?q=${query}`
  const verdicts = Array.from({ length: 250 }, (_, index): Verdict => {
    const exchanges = ids.slice(index * 4, index * 4 + 4)
    const actual = `status ${index} for ${JSON.stringify(inputs[0] ?? 'Tom')}`
    return {
      check: { id: `own/check-${index}`, title: 'a title', statements: [], level: 'must', operation: 'searchCats' },
      version: 'v3',
      status: 'fail',
      inputsTested: 20,
      finding: { expected: 'a list', actual, exchanges, ...(inputs.length > 0 && { inputs }) },
    }
  })
  const startedAt = runResults.nonconformant.startedAt.getTime()
  const sent = ids.map((id) => ({ target: '/v3/cats', askedAt: startedAt + id, ms: id % 977, status: 200 }))
  const exchanges = new Map(ids.map((id) => [id, { ...cited, id, url, excerpt }]))
  const traffic = { sent, changes: [] }
  const result = { ...runResults.nonconformant, verdicts, exchanges, traffic }
  return buildReport(result, { ...reportContext, isRecordingAll: true })
}

const inputsOfFindings = {
  'no inputs': [],
  'twelve inputs of 150 characters': Array(12).fill('x'.repeat(150)),
  'twenty inputs that take most bytes when they are escaped': Array(20).fill('\u200b'.repeat(200)),
  'twenty hostile inputs': Array(20).fill(HOSTILE_TEXT.repeat(10)),
}

test.each(Object.entries(inputsOfFindings))(
  'report.html stays below 2 MB with 5,000 exchanges and 250 findings: %s',
  (_, inputs) => {
    const report = createLargeReport(inputs)
    expect([report.exchanges.length, report.findings.length]).toEqual([5000, 250])
    const page = render(report, 'report.html')
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000)
    // A browser lays out 20,000 elements in less than a second. Elements in closed cards are not laid out.
    expect(page.match(/<[a-z]/g)?.length).toBeLessThan(20_000)
    expect(page.match(/<details open>/g)).toHaveLength(5)
    expect(page.match(/<article class="card finding fail"/g)).toHaveLength(250)
    expect(page).toMatch(/<article [^>]*id="finding-1"[^]*?<dt>request<\/dt>[^]*?id="finding-2"/)
  },
)

test.runIf(browserPath !== undefined || isBrowserRequired)(
  'report.html with 5,000 exchanges and 250 findings filters findings, and opens the last one from its index',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cats-html-'))
    const file = join(folder, 'report.html')
    writeFileSync(file, render(createLargeReport(inputsOfFindings['twenty hostile inputs']), 'report.html'))
    const browser = await launchBrowser()
    try {
      const { page, problems } = await openPage(browser, pathToFileURL(file).href)
      await page.locator('body').press('/')
      await page.keyboard.type('check-249')
      await page.locator('#finding-250:visible').waitFor()
      expect(await page.locator('.finding:visible').count()).toBe(1)
      await page.getByRole('button', { name: 'Clear' }).click()
      expect(await page.locator('.finding:visible').count()).toBe(250)
      await page.getByRole('list', { name: 'Index of findings' }).getByRole('link').last().click()
      await page.locator('#finding-250 details[open]').waitFor()
      expect(problems).toEqual([])
    } finally {
      await browser.close()
      rmSync(folder, { recursive: true })
    }
  },
)
