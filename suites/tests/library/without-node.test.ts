import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { createCleanEnvironment, createTemporaryFolder, packageRoot } from '../command/cli.test.support.ts'
import { callAfterTests } from '../support/at-end.test.support.ts'
import { linkDependencies, manifestOf } from './package.test.support.ts'

const { everything } = inject('extent')
const binaryScript = join(packageRoot, '.ci', 'binary.mjs')

describe('the single executable', () => {
  test('the single executable is not built by a Node.js that cannot build one, and a message says so', () => {
    const folder = createTemporaryFolder()
    const node = join(folder, 'node')
    const executable = readFileSync(process.execPath)
    // Creates a copy of Node.js without support for single executables: the build script looks for this marker.
    for (let at = executable.indexOf('NODE_SEA_FUSE_'); at >= 0; at = executable.indexOf('NODE_SEA_FUSE_'))
      executable.write('X', at)
    writeFileSync(node, executable)
    chmodSync(node, 0o755)
    const { status, stderr, stdout } = spawnSync(node, [binaryScript, join(folder, 'command')], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^No executable was built: Node\.js \S+ \(.*\) was built without support for .*\.\nInstall /)
    expect(existsSync(join(folder, 'command'))).toBe(false)
  })

  test.runIf(everything)(
    'the single executable judges a deployment where there is neither Node.js nor the package',
    async () => {
      const running = await mutants.find(({ id }) => id === 'cats-doubled')?.start()
      if (!running) throw new Error('the mutant cats-doubled does not exist')
      callAfterTests(() => running.close())
      const folder = createTemporaryFolder()
      const built = spawnSync(process.execPath, [binaryScript, join(folder, 'command')], { encoding: 'utf8' })
      expect([built.status, built.stderr]).toEqual([0, ''])
      /** Runs the executable asynchronously: the deployment runs in this process, which must not be blocked. */
      const run = async (...args: readonly string[]) => {
        const child = spawn('./command', args, { cwd: folder, env: { PATH: '/nonexistent' } })
        const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
        return { status, stdout }
      }
      const { status, stdout } = await run(
        '--base-url',
        String(running.baseUrl),
        '--effort',
        'quick',
        '--pin',
        'pin.json',
      )
      expect(status, stdout).toBe(1)
      expect(stdout).toContain('the list of all cats (v2) contains "Tom" twice')
      expect(stdout).toMatch(/^ +\.\/command --base-url /m)
      expect(readFileSync(join(folder, 'pin.json'), 'utf8')).not.toContain('$schema')
      expect(readdirSync(join(folder, 'cat-directory-report'))).toContain('report.html')
      expect(await run('--embedded', '--only', 'cats/')).toMatchObject({ status: 0 })
    },
  )
})

/** The instructions of the Dockerfile, one array for each build stage. */
const stages = readFileSync(join(packageRoot, '.ci', 'Dockerfile'), 'utf8')
  .split(/^FROM .*\n/m)
  .slice(1)
  .map((stage) => stage.split('\n').filter((line) => /^[A-Z]/.test(line)))

/** Returns the COPY instructions of a stage, as pairs of source and target. */
const copiesIn = (stage: readonly string[] = []) =>
  stage.flatMap((line) => {
    const [, text] = /^COPY (?:--from=\S+ )?(.*)$/.exec(line) ?? []
    const paths = text?.split(' ') ?? []
    return paths.slice(0, -1).map((source) => ({ source, target: paths.at(-1) ?? '' }))
  })

describe('the image', () => {
  const [build, image = []] = stages

  test('the image starts the command as an unprivileged user', () => {
    expect(image.slice(-2)).toEqual(['USER node', 'ENTRYPOINT ["node", "/suite/dist/suites/cli.js"]'])
  })

  test('the image copies files of this repository, and no file that may contain a secret', () => {
    const sources = copiesIn(build).map(({ source }) => source)
    expect(sources.filter((source) => !existsSync(join(packageRoot, source)))).toEqual([])
    expect(sources.filter((source) => source === '.' || source.startsWith('.env'))).toEqual([])
  })

  test.runIf(everything)(
    'the image contains what the command needs: the steps of its recipe, taken here, lead to a verdict',
    () => {
      const scratch = mkdtempSync(join(tmpdir(), 'cats-image-'))
      const suite = join(scratch, 'build')
      for (const { source, target } of copiesIn(build))
        cpSync(join(packageRoot, source), join(suite, target === './' ? source : target), { recursive: true })
      const root = join(scratch, 'root')
      linkDependencies(manifestOf(packageRoot), join(root, 'suite'))
      symlinkSync(join(packageRoot, 'node_modules'), join(suite, 'node_modules'), 'junction')
      const env = { ...createCleanEnvironment(), npm_config_offline: 'true' }
      const built = spawnSync('npm', ['run', 'build'], { cwd: suite, env, encoding: 'utf8' })
      expect(built.status, built.stderr).toBe(0)
      for (const { source, target } of copiesIn(image).filter(({ source }) => !source.endsWith('node_modules'))) {
        const to = join(root, target.endsWith('/') ? join(target, 'package.json') : target)
        mkdirSync(dirname(to), { recursive: true })
        cpSync(join(suite, source.replace('/suite/', '')), to, { recursive: true })
      }
      const args = [join(root, 'suite', 'dist', 'suites', 'cli.js'), '--embedded', '--effort', 'quick']
      const { status, stdout } = spawnSync(process.execPath, args, {
        cwd: createTemporaryFolder(),
        env,
        encoding: 'utf8',
      })
      expect([status, stdout]).toEqual([0, expect.stringMatching(/^\n?✓ conformant/)])
    },
  )
})
