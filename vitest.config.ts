import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { createCompiledSourcesPlugin } from './suites/tests/support/compiled-sources.ts'
import { extentWithAllCases, type TestExtentName, testExtents } from './suites/tests/support/extent.test.support.ts'

/**
 * The longest files first, so that the workers end at about the same time. Files that mostly wait alternate with files
 * that mostly compute, so that the cores are busy from beginning to end.
 */
const LONGEST = [
  ...['power-time-1', 'power-time-2', 'power-independent-services', 'power-null-servers', 'power-mutants-2'],
  ...['power-mutants-1', 'releases', 'against', 'power-variants', 'mutant-pairs', 'expected-observations'],
  ...['allowances', 'overload', 'vitest-entry-point', 'simulation-properties', 'known', 'power-quick', 'outages'],
  ...['curl-lines', 'dying-processes', 'rare-strings', 'recording', 'end-during-reading', 'network', 'package'],
  ...['pinned-pages', 'alterations', 'without-node', 'compressed-responses', 'max-failures', 'reports-html'],
  ...['report-file', 'hostile-', 'cli-', 'rechecks', 'connection-limit', 'profile-command', 'replay', 'power-'],
]

const rank = ({ moduleId }: TestSpecification): number => {
  const index = LONGEST.findIndex((start) => moduleId.includes(`/${start}`))
  return index < 0 ? LONGEST.length : index
}

class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => rank(a) - rank(b)))
  }
}

const isExtentName = (mode: string): mode is TestExtentName => Object.hasOwn(testExtents, mode)

const isSelectedByName = process.argv.some((one) => /^(-t|--testNamePattern)(=|$)/.test(one))

export default defineConfig(({ mode }) => ({
  test: {
    // Twice as many as cores: who judges what is away, slow or in motion waits more than it works; most of all where little is tried.
    maxWorkers: 2 * availableParallelism() + (mode === 'full' ? 0 : 2),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [createCompiledSourcesPlugin()],
        // The tests of the suite itself. Only a test that never ends exceeds the time limit.
        test: {
          name: 'suite',
          include: ['suites/**/*.test.ts'],
          globalSetup: ['suites/tests/support/build.setup.mjs', 'suites/tests/support/selected-by-name.setup.ts'],
          setupFiles: ['suites/tests/support/at-end.setup.mjs'],
          provide: {
            startedAt: Date.now(),
            extent: {
              ...testExtents[isExtentName(mode) ? mode : 'short'],
              ...(isSelectedByName && extentWithAllCases),
            },
          },
          // Modules stay loaded and compiled in a worker for its next file.
          isolate: false,
          // Garbage is collected in fewer, larger steps, by the thread that made it, and code is compiled when it is first
          // run: each saves some 5 % of the CPU, of which there are fewer than workers.
          execArgv: [
            '--min-semi-space-size=64',
            '--max-semi-space-size=64',
            '--single-threaded-gc',
            '--always-sparkplug',
          ],
          // Deployments in motion keep those who judge them waiting more than busy.
          maxConcurrency: 8,
          testTimeout: 1_200_000,
          hookTimeout: 1_200_000,
        },
      },
      {
        plugins: [createCompiledSourcesPlugin()],
        // A deployment put to the test: CATS_BASE_URL and the other variables say which; deadlines are the suite's own.
        test: { name: 'deployment', include: ['suites/**/*.suite.ts'], testTimeout: 0, hookTimeout: 0 },
      },
    ],
  },
}))
