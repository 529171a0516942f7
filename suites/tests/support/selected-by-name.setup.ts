import type { TestProject } from 'vitest/node'

/** Fails the test run if no test matches `-t ID`. vitest itself would let it pass. */
export function setup({ vitest }: TestProject): () => Promise<void> {
  return async () => {
    const pattern = vitest.config.testNamePattern
    const tests = vitest.state.getTestModules().flatMap(({ children }) => [...children.allTests()])
    // Compares like vitest: with the titles of all enclosing suites and of the test, separated by blanks.
    if (!pattern || tests.length === 0 || tests.some(({ fullName }) => pattern.test(fullName.replaceAll(' > ', ' '))))
      return
    process.exitCode = 1
    console.error(await describeUnmatchedPattern(pattern.source, [...new Set(tests.map(({ name }) => name))]))
  }
}

async function describeUnmatchedPattern(pattern: string, titles: readonly string[]): Promise<string> {
  const { findMostSimilarWord } = await import('../../options/usage-error.ts')
  const { listDeploymentIds } = await import('../../../fixtures/service/deployments-by-id.ts')
  const ids = listDeploymentIds()
  const nearest = findMostSimilarWord(pattern, titles) ?? findMostSimilarWord(pattern, ids)
  const hint =
    nearest === undefined ? 'npm run service -- --list names all mutants and variants.' : `Did you mean ${nearest}?`
  const advice = ids.includes(pattern) ? 'This test deployment exists, but these files test others.' : hint
  return `Nothing was tested: no test of these files fits -t ${JSON.stringify(pattern)}. ${advice}`
}
