import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The path of Chromium: the environment variable CHROMIUM, else one of the usual places; undefined if it is not
 * installed.
 */
export const browserPath: string | undefined = [process.env['CHROMIUM'] ?? '', ...places].find(
  (place) => place !== '' && existsSync(place),
)

/** True if tests that need a browser must fail without one. Otherwise they are skipped. */
export const isBrowserRequired = process.env['BROWSER_REQUIRED'] === '1'

export function launchBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('no Chromium was found: install one, or name one in CHROMIUM')
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run']
  return chromium.launch({ executablePath: browserPath, args })
}

/** A page in the browser, with a record of all that a report page must not do, e.g. load other files. */
export interface WatchedPage {
  readonly page: Page
  /** Errors and warnings in the console, exceptions, dialogs, and requests for anything but the page. */
  readonly problems: string[]
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const page = await (await browser.newContext(options)).newPage()
  const problems: string[] = []
  page.on('console', (message) => problems.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:')) problems.push(`request: ${request.url()}`)
  })
  await page.goto(url)
  return { page, problems }
}
