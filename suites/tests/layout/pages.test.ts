import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { environmentVariableOf } from '../../options/option.ts'
import { allOptions } from '../../options/table.ts'
import { createTemporaryFolder, packageRoot, runCli } from '../command/cli.test.support.ts'
import { callAfterTests } from '../support/at-end.test.support.ts'

const docs = readdirSync(join(packageRoot, 'suites', 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `suites/docs/${name}`)
const pages = ['README.md', ...docs]
const textOf = (page: string): string => readFileSync(join(packageRoot, page), 'utf8')
const readme = textOf('README.md')

test.each(pages)('the page %s is short enough to read in one go', (page) => {
  const words = textOf(page).split(/\s+/).length
  expect(words).toBeLessThan(page === 'README.md' ? 1200 : 800)
})

test.each(pages)('the page %s links to files that exist', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(join(packageRoot, dirname(page), link)))).toEqual([])
})

test.each(['.github/CONTRIBUTING.md', 'suites/README.md'])('the page %s names files and folders that exist', (page) => {
  const paths = [...textOf(page).matchAll(/`((?:suites|fixtures|reports)\/[\w./-]*)`/g)].map(([, path = '']) => path)
  const written = ['reports/power/bench.json']
  expect(paths.filter((path) => !written.includes(path) && !existsSync(join(packageRoot, path)))).toEqual([])
})

test('every picture of a report is small, and the page on reports shows it', () => {
  const pictures = readdirSync(join(packageRoot, 'suites', 'docs', 'pictures'))
  expect(pictures).toHaveLength(5)
  for (const name of pictures) {
    expect(textOf('suites/docs/reports.md')).toContain(`](pictures/${name})`)
    expect(statSync(join(packageRoot, 'suites', 'docs', 'pictures', name)).size).toBeLessThan(150_000)
  }
})

test('the README links to every page', () => {
  expect(docs.filter((page) => !readme.includes(`](${page})`))).toEqual([])
})

const published = [...pages, 'package.json', '.github/actions/conformance/action.yml', '.github/CONTRIBUTING.md']

test.each(published)('the page %s names no address that does not exist', (page) => {
  const text = textOf(page)
  expect(text).not.toMatch(/github\.com|githubusercontent|npmjs\.com|unpkg/)
  const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host = '']) => host)
  expect(hosts.filter((host) => !/(^|\.)example\.org$|^localhost$|^127\.0\.0\.1$/.test(host))).toEqual([])
})

/** Options on the pages that belong to other programs, e.g. npm, node, curl and docker. */
const OTHER_OPTIONS = [
  'file',
  'tag',
  'rm',
  'network',
  'user',
  'save-dev',
  'as',
  'port',
  'list',
  'format',
  'reporter',
  'path-as-is',
  'compressed',
  'version',
]

test.each(pages)('the page %s names no option and no variable that does not exist', (page) => {
  const text = textOf(page)
  const flags = new Set([...allOptions.map(({ flag }) => flag.slice(2)), ...OTHER_OPTIONS])
  const options = [...text.matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)].map(([, name = '']) => name)
  expect(options.filter((name) => !flags.has(name))).toEqual([])
  const variables = [...text.matchAll(/CATS_[A-Z_]+/g)].map(([name]) => name)
  expect(variables.filter((name) => !allOptions.some((row) => environmentVariableOf(row) === name))).toEqual([])
})

/** Returns the rows of a finding, each as one line. Leaves out the response, which differs from run to run. */
function findingRowsOf(text: string, baseUrl: string): string[] {
  const lines = text
    .replaceAll(baseUrl, 'URL')
    .replace(/npx cat-directory-conformance|npm run conformance --/g, 'COMMAND')
  const joined = lines
    .replace(/ --effort \w+/g, '')
    .replace(/ \\\n/g, ' ')
    .split('\n')
  return joined.filter((line) => !/│|· \d+ ms/.test(line)).map((line) => line.trim().replace(/\s+/g, ' '))
}

test('the finding in the README is what the command prints', async () => {
  const running = await mutants.find(({ id }) => id === 'cats-doubled')?.start()
  if (!running) throw new Error('the mutant cats-doubled does not exist')
  callAfterTests(() => running.close())
  const shown = /^```\n(✗ [^]*?)```/m.exec(readme)?.[1] ?? 'no finding'
  const args = ['--base-url', String(running.baseUrl), '--seed', '42', '--only', 'cats/']
  const { stdout } = await runCli(args, { cwd: createTemporaryFolder() })
  const printed = findingRowsOf(stdout, String(running.baseUrl))
  expect(printed).toEqual(expect.arrayContaining(findingRowsOf(shown, 'http://127.0.0.1:4010').filter(Boolean)))
})

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n')

test('the passing run in the README is what the command prints', async () => {
  const shown = /^```\n(✓ [^]*?)```/m.exec(readme)?.[1] ?? 'no run'
  const { stdout } = await runCli(['--embedded'], { cwd: createTemporaryFolder() })
  expect(linesOf(shown).filter((line) => !linesOf(stdout).includes(line))).toEqual([])
})

test('the page on the layout names folders and files that exist', () => {
  const [, tree = ''] = /^```\n([^]*?)```/m.exec(textOf('suites/docs/layout.md')) ?? []
  let folder = ''
  const missing = tree.split('\n').flatMap((line) => {
    const [names = ''] = line.trim().split(/ {2,}/)
    if (/^\S/.test(line)) folder = names
    const paths = names.split(' ').filter(Boolean)
    return paths.map((name) => (/^\S/.test(line) ? name : join(folder, name)))
  })
  expect(missing.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([])
})
