import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Report, render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import type { Verdict } from '../../engine/check/verdict.ts'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'
import { browserPath, isBrowserRequired, launchBrowser, openPage } from './browser.test.support.ts'
import { HOSTILE_TEXT, reportContext, runResults, sampleReports } from './reports.test.support.ts'

const { everything } = inject('extent')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Texts with which a page that does not escape them would run a script, load a file or navigate away. */
const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  "'><svg/onload=alert(3)>",
  '</pre></code></style><script>alert(4)</script>',
  'javascript:alert(5)',
  '<!--',
  '-->',
  ']]>',
  '{{7*7}}',
  '&lt;b&gt;',
  HOSTILE_TEXT,
  'x'.repeat(5000),
  '猫'.repeat(400),
]
const attack = attacks.join(' ')

/** Creates the report of a run with findings of all kinds, in which every text from the deployment is an attack. */
function hostileReport(): Report {
  const finding = {
    expected: attack,
    actual: `it says ${JSON.stringify(attack)}`,
    counterexample: attack,
    exchanges: [1, 2, 3],
  }
  const facts = { statements: ['S-SEARCH'], operation: 'searchCats' }
  const ends = (status: Verdict['status'], level: 'must' | 'should', index: number): Verdict => ({
    check: { ...facts, id: `search/check-${index}`, title: attacks[index] ?? attack, level },
    version: (['v2', 'v3', 'v2+v3'] as const)[index % 3] ?? 'v2',
    status,
    inputsTested: index,
    ...(status !== 'pass' && { reason: attack }),
    ...(['fail', 'warn', 'inconclusive'].includes(status) && index < 9 && { finding }),
  })
  const statuses = ['fail', 'warn', 'inconclusive', 'pass', 'error', 'not-applicable'] as const
  const verdicts = Array.from({ length: 24 }, (_, index) =>
    ends(statuses[index % 6] ?? 'pass', index % 5 === 0 ? 'should' : 'must', index),
  )
  const exchanges = new Map(
    [...runResults.nonconformant.exchanges].map(([id, exchange]): [number, ExchangeSummary] => [
      id,
      { ...exchange, mediaType: attack, excerpt: attack, requestHeaders: { 'x-request-id': attack } },
    ]),
  )
  const start = runResults.nonconformant.startedAt.getTime()
  const sent = Array.from({ length: 3000 }, (_, index) => ({
    target: '/v3/search?q=',
    askedAt: start + index,
    ms: (index * 7919) % 900,
    status: [200, 404, 500, 0][index % 4] ?? 200,
    ...(index % 50 === 0 && { again: 'lost' as const }),
  }))
  const changes = [{ at: start + 500, description: attack }]
  const placeOf = (target: string) => ({ operation: attacks[target.length % 5] ?? 'other', version: 'v3' })
  const observations = [{ id: 'O-LIST-SHAPE', version: 'v2', operation: attack, value: attack, evidence: [1] }]
  return buildReport(
    {
      ...runResults.nonconformant,
      verdicts,
      exchanges,
      observations,
      notExercised: attacks,
      traffic: { sent, changes },
    },
    { ...reportContext, operationOf: placeOf, baseUrl: `http://127.0.0.1/${encodeURIComponent(attacks[1] ?? '')}` },
  )
}

function oneFindingReport(): Report {
  const [failed] = runResults.nonconformant.verdicts.filter(({ status }) => status === 'fail')
  if (failed === undefined) throw new Error('the run has no failure')
  const check = { ...failed.check, fix: 'Escape it.' }
  return buildReport(
    { ...runResults.nonconformant, verdicts: [...runResults.conformant.verdicts, { ...failed, check }] },
    reportContext,
  )
}

const pages: Readonly<Record<string, Report>> = {
  ...sampleReports,
  hostile: hostileReport(),
  oneFinding: oneFindingReport(),
}

describe('report.html', () => {
  it('report.html is self-contained, and its policy blocks everything else', () => {
    const text = render(pages['hostile'] ?? hostileReport(), 'report.html')
    expect(text).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;sha256-/,
    )
    const tags = (text.match(/<[a-z!/][^>]*>/gi) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'))
    expect(tags.filter((tag) => tag.startsWith('<script'))).toEqual(['<script>'])
    expect(
      tags.filter((tag) => /^<(?:img|iframe|object|base|link(?! rel="" href=""))|\s(?:on\w+|style|src)=/.test(tag)),
    ).toEqual([])
    expect([...text.matchAll(/href="([^"]*)"/g)].filter(([, to = '']) => !/^(#[a-z0-9-]+|data:,)$/.test(to))).toEqual(
      [],
    )
  })

  it('report.html stays small with any number of requests', () => {
    const series = [
      {
        operation: 'searchCats',
        version: 'v3',
        requests: Array.from({ length: 20_000 }, (_, i) => [i, i % 977, 200, 0] as const),
      },
    ]
    const report = { ...hostileReport(), durationMs: 20_000, traffic: { series, motion: [] } }
    expect(render(report, 'report.html').length).toBeLessThan(1_000_000)
  })
})

if (browserPath === undefined && !isBrowserRequired)
  describe('report.html in a browser', () => {
    it.skip('report.html in a browser was NOT tested: no Chromium was found (apt-get install chromium, or name one in CHROMIUM)', () => {})
  })
else
  describe('report.html in a browser', () => {
    let browser: Browser
    const folder = mkdtempSync(join(tmpdir(), 'cats-html-'))
    const urlOf = (name: string): string => {
      const file = join(folder, `${name}.html`)
      writeFileSync(file, render(pages[name] ?? hostileReport(), 'report.html'))
      return pathToFileURL(file).href
    }
    beforeAll(async () => {
      browser = await launchBrowser()
    })
    afterAll(async () => {
      await browser?.close()
      rmSync(folder, { recursive: true })
    })

    const views = [
      { colorScheme: 'light', width: 1440 },
      { colorScheme: 'dark', width: 390 },
      { colorScheme: 'light', width: 768 },
      { colorScheme: 'dark', width: 1440 },
      { colorScheme: 'light', width: 390 },
      { colorScheme: 'dark', width: 768 },
    ] as const
    const tested = everything ? views : views.slice(0, 3)
    const selected = Object.keys(pages).filter((name) => everything || name === 'hostile' || name === 'nonconformant')

    it.each(selected)(
      'report.html shows %s in a browser, in light and dark, wide and narrow: nothing runs, loads or scrolls sideways, and axe reports no violation',
      async (name) => {
        const { page, problems } = await openPage(browser, urlOf(name))
        await page.evaluate(axe)
        for (const { colorScheme, width } of tested) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize({ width, height: 900 })
          const [content, view] = await page.evaluate<number[]>(
            '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
          )
          expect(content, `${colorScheme}, ${width}`).toBe(view)
          const violations = await page.evaluate(async () => {
            const { axe } = globalThis as unknown as {
              axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
            }
            return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
          })
          expect(violations, `${colorScheme}, ${width}`).toEqual([])
        }
        expect(problems).toEqual([])
        await page.context().close()
      },
    )

    it('report.html filters by status, version and words, shows the number of matches, and resets', async () => {
      const { page, problems } = await openPage(browser, urlOf('nonconformant'))
      const shown = () => page.locator('[data-item]:visible').count()
      const all = await shown()
      await page.getByRole('button', { name: /failed/ }).click()
      const failed = await page
        .locator('[data-item]:visible')
        .evaluateAll((items) => items.map((item) => item.getAttribute('data-status')))
      expect(failed.length).toBeGreaterThan(1)
      expect(failed.every((status) => status?.includes('fail'))).toBe(true)
      await page.getByRole('button', { name: 'v3', exact: true }).click()
      expect(await shown()).toBeLessThan(failed.length)
      await page.getByRole('button', { name: 'Clear' }).click()
      expect(await shown()).toBe(all)
      await page.locator('body').press('/')
      await page.keyboard.type('survives-every')
      expect(await page.getByRole('status').textContent()).toMatch(/^2 of \d+ entries match$/)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      expect(await shown()).toBe(all)
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('report.html copies a curl line unchanged, and links the matrix to findings', async () => {
      const { page, problems } = await openPage(browser, urlOf('nonconformant'), {
        permissions: ['clipboard-read', 'clipboard-write'],
        reducedMotion: 'reduce',
      })
      const [copy] = await page.getByRole('button', { name: 'Copy' }).all()
      await copy?.click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        pages['nonconformant']?.findings[0]?.finding.curl[0],
      )
      const link = page.locator('.matrix a').first()
      const target = page.locator(`${await link.getAttribute('href')} details`)
      // Clicks the same link twice: the second click must work too, although the address stays the same.
      for (let click = 0; click < 2; click++) {
        await target.locator('summary').click()
        await target.and(page.locator(':not([open])')).waitFor()
        await link.click()
        await target.and(page.locator('[open]')).waitFor()
      }
      expect(problems).toEqual([])
      await page.context().close()
    })

    it.each([
      { width: 390, height: 844 },
      { width: 768, height: 1024 },
      { width: 1440, height: 900 },
    ])('report.html shows defect, versions and fix on the first screen: $width px', async (viewport) => {
      const { page } = await openPage(browser, urlOf('oneFinding'), { viewport })
      const index = page.getByRole('list', { name: 'Index of findings' })
      expect(await index.textContent()).toMatch(/status 500.*search\/survives-every-string.*v3.*fix Escape it\./)
      const { y = 0, height = 0 } = (await index.boundingBox()) ?? {}
      expect(y).toBeGreaterThan(0)
      expect(y + height).toBeLessThan(viewport.height)
      const cards = await page.locator('.class').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
      const [sizes, rows] = [cards.map((card) => Math.round(card.width)), cards.map((card) => card.top)]
      expect([new Set(sizes).size, new Set(rows).size]).toEqual([1, viewport.width < 704 ? 3 : 1])
      await page.context().close()
    })

    it('report.html shows everything without scripts, too', async () => {
      const { page } = await openPage(browser, urlOf('nonconformant'), { javaScriptEnabled: false })
      expect(await page.locator('#filters').isVisible()).toBe(false)
      expect(await page.locator('.finding').count()).toBe((pages['nonconformant']?.findings.length ?? 0) + 1) // Adds one for the check with an error.
      await page.context().close()
    })
  })
