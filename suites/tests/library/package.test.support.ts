import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createCleanEnvironment, packageRoot } from '../command/cli.test.support.ts'

export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly keywords: readonly string[]
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies: Readonly<Record<string, string>>
}

/**
 * Copies the working tree to a folder, so that builds and packages leave the repository's `dist` unchanged.
 * @param folder the path of the copy
 */
export function copyRepositoryTo(folder: string): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', list, { cwd: packageRoot }).toString().split('\0').filter(Boolean)
  for (const file of files) {
    if (existsSync(join(packageRoot, file))) cpSync(join(packageRoot, file), join(folder, file))
  }
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'), 'junction')
}

/**
 * Creates files that most working trees contain, but that are not under version control. The package must not contain
 * them.
 * @param folder the path of a copy of the repository
 */
export function createUntrackedFiles(folder: string): void {
  const files = [
    '.env',
    'dist/stale.js',
    'dist.interrupted/new/suites/cli.js',
    'reports/latest/report.json',
    'core.tgz',
  ]
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '{}')
  }
}

/**
 * Packs a tree as npm would publish it, and unpacks the tarball as npm would install it.
 * @param scratch a folder for the tarball
 * @param installed the folder of the package in a user's project
 * @param options options of npm
 * @returns the files in the tarball
 * @throws {Error} if npm fails
 */
export function packAndInstall(
  tree: string,
  scratch: string,
  installed: string,
  options: readonly string[] = [],
): readonly string[] {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', scratch, ...options], {
    cwd: tree,
    env: { ...createCleanEnvironment(), npm_config_offline: 'true' },
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`)
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }] // the form that npm documents
  execFileSync('tar', ['-xzf', join(scratch, filename), '-C', scratch])
  cpSync(join(scratch, 'package'), installed, { recursive: true })
  return files.map(({ path }) => path)
}

export const manifestOf = (folder: string): PackageManifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageManifest // the package.json of this project

/** Creates a user's project, with the steps that the README describes. */
export function initialiseProject(project: string): void {
  mkdirSync(project, { recursive: true })
  const { status, stderr } = spawnSync('npm', ['init', '-y'], {
    cwd: project,
    env: { ...createCleanEnvironment(), npm_config_offline: 'true' },
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm init failed:\n${stderr}`)
}

/** Links a package into a project. The package must be installed in this repository. */
export function linkPackage(name: string, project: string): void {
  const link = join(project, 'node_modules', name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join(packageRoot, 'node_modules', name), link, 'junction')
}

/**
 * Links dependencies of the package into a project: only those that the package declares, so that a missing declaration
 * is noticed.
 */
export function linkDependencies({ dependencies }: PackageManifest, project: string): void {
  for (const name of Object.keys(dependencies)) linkPackage(name, project)
}

/** Returns the first example in a README that imports a name. */
export function findExample(readme: string, name: string): string {
  const examples = [...readme.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = '']) => code)
  const found = examples.find((code) => code.includes(`import { ${name}`))
  if (found === undefined) throw new Error(`the README has no example that imports ${name}`)
  return found
}
