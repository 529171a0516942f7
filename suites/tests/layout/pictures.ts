import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import type { TestDeployment } from '../../../fixtures/deployment/deployment.ts'
import { editCats, editLives } from '../../../fixtures/mutants/defects.ts'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { createMultiDefectMutant } from '../../../fixtures/mutants/mutant.ts'
import { ANY_INPUT, respondWith404, restrictToOperation } from '../../../fixtures/mutants/several/two-defects.ts'
import { objectShape } from '../../../fixtures/mutants/shapes.ts'
import { respondWithJson500 } from '../../../fixtures/mutants/strings/fragile-mutant.ts'
import { variants } from '../../../fixtures/variants/index.ts'
import { launchBrowser } from '../reports/browser.test.support.ts'

/**
 * The port of the deployment whose reports the pictures of the documentation show. `npm run pictures` takes them; it
 * needs Chromium.
 */

const PORT = 4010
const VIEWPORT = { width: 1000, height: 640 }
const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
const cli = fileURLToPath(new URL('../../start.mjs', import.meta.url))

const manyDefects = createMultiDefectMutant(
  'many-defects',
  'six defects in all operations',
  'all v2+v3',
  [
    restrictToOperation(
      'listCats',
      ANY_INPUT,
      editCats((cats) => [...cats, ...cats.slice(0, 1)]),
      ['v2'],
    ),
    restrictToOperation('listCatsOfBreed', /^Bengal$/, respondWith404),
    restrictToOperation('listCatsOfBreed', /"/, respondWithJson500),
    restrictToOperation('searchCats', /'/, respondWithJson500, ['v3']),
    restrictToOperation(
      'searchCats',
      /^Felix$/,
      editCats(() => []),
    ),
    restrictToOperation(
      'getLivesLeft',
      /^Zoë$/,
      editLives(() => -1),
    ),
  ],
  'cats/names-stand-once',
  objectShape,
)

const findById = (all: readonly TestDeployment[], id: string): TestDeployment => {
  const found = all.find((one) => one.id === id)
  if (found === undefined) throw new Error(`there is no deployment ${id}`)
  return found
}

interface Picture {
  /** The judged deployment; undefined for a picture of an unreachable one. */
  readonly deployment?: TestDeployment
  readonly exitCode: number
}

const pictures: Readonly<Record<string, Picture>> = {
  conformant: { deployment: findById(variants, 'objects'), exitCode: 0 },
  'one-finding': { deployment: findById(mutants, 'cats-doubled'), exitCode: 1 },
  'many-findings': { deployment: manyDefects, exitCode: 1 },
  inconclusive: { deployment: findById(variants, 'directory-empty'), exitCode: 3 },
  unreachable: { exitCode: 3 },
}

async function judgeForPicture({ deployment, exitCode }: Picture, reports: string): Promise<void> {
  const running = await deployment?.start(undefined, PORT)
  try {
    const code = await runCommand(reports)
    if (code !== exitCode) throw new Error(`the run ended with exit code ${code}, not ${exitCode}`)
  } finally {
    await running?.close()
  }
}

/** Runs the command in a process of its own, because the deployment in this process must not be blocked. */
async function runCommand(reports: string): Promise<number | null> {
  const options = ['--base-url', `http://127.0.0.1:${PORT}`, '--seed', '42', '--report-dir', reports]
  const child = spawn(process.execPath, [cli, ...options], { stdio: 'ignore' })
  return new Promise((resolve) => child.once('close', resolve))
}

async function takePicture(browser: Browser, name: string, reports: string): Promise<void> {
  const page = await (await browser.newContext({ viewport: VIEWPORT, colorScheme: 'light' })).newPage()
  await page.goto(pathToFileURL(join(reports, 'report.html')).href)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.context().close()
}

const work = mkdtempSync(join(tmpdir(), 'cats-pictures-'))
mkdirSync(folder, { recursive: true })
const browser = await launchBrowser()
try {
  for (const [name, picture] of Object.entries(pictures)) {
    const reports = join(work, name)
    await judgeForPicture(picture, reports)
    await takePicture(browser, name, reports)
  }
} finally {
  await browser.close()
  rmSync(work, { recursive: true })
}
