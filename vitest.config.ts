import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Every core: the whole zoo is judged, and most of its time is the zoo's own.
    maxWorkers: '100%',
    projects: [
      {
        // The suite itself put to the test.
        test: { name: 'suite', include: ['suites/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        // A deployment put to the test: CATS_BASE_URL and the other variables say which; deadlines are the suite's own.
        test: { name: 'deployment', include: ['suites/**/*.suite.ts'], testTimeout: 0, hookTimeout: 0 },
      },
    ],
  },
})
