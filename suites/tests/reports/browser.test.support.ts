import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium of this machine, or the one that CHROMIUM names; undefined if there is none. */
export const browserPath: string | undefined = [process.env['CHROMIUM'] ?? '', ...places].find(
  (place) => place !== '' && existsSync(place),
)

/** True if a test without a browser must fail, not be skipped. */
export const isBrowserRequired = process.env['BROWSER_REQUIRED'] === '1'

export function launchBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('no Chromium was found: install one, or name one in CHROMIUM')
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run']
  return chromium.launch({ executablePath: browserPath, args })
}

/** A page and the offences that it committed. */
export interface WatchedPage {
  readonly page: Page
  /** Errors and warnings of the console, exceptions, dialogs, and requests to anything but the page itself. */
  readonly offences: string[]
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const page = await (await browser.newContext(options)).newPage()
  const offences: string[] = []
  page.on('console', (message) => offences.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => offences.push(`exception: ${error.message}`))
  page.on('dialog', (dialog) => {
    offences.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:')) offences.push(`request: ${request.url()}`)
  })
  await page.goto(url)
  return { page, offences }
}
