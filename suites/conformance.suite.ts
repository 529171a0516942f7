import { afterAll, beforeAll, describe, test } from 'vitest'
import { startService } from '../fixtures/service/start.ts'
import { catalogue } from './catalogue.ts'
import { scopesOf } from './engine/plan.ts'
import type { RunResult, Scope, Verdict } from './engine/verdict.ts'
import { isSelected, judge } from './judge.ts'
import { loadEnvironment, parseOptions } from './options.ts'
import { judgeOptions } from './target.ts'

const env = loadEnvironment(process.cwd())
const options = parseOptions([], env)
const isMeant = isSelected(options.only)

let result: RunResult
let embedded: Awaited<ReturnType<typeof startService>> | undefined

beforeAll(async () => {
  embedded = options.baseUrl ? undefined : await startService()
  const baseUrl = options.baseUrl?.href ?? embedded?.baseUrl ?? ''
  result = await judge(judgeOptions(options, baseUrl, env, new AbortController().signal))
})
afterAll(() => embedded?.close())

const described = ({ reason, finding }: Verdict): string =>
  [reason, finding && `expected ${finding.expected}`, finding?.counterexample && `for ${finding.counterexample}`]
    .filter(Boolean)
    .join('\n')

/** The catalogue × the prefixes: vitest's filters, reporters and watch mode work on checks as on any test. */
describe.each<Scope>(['v2', 'v3', 'v2+v3'])('%s', (scope) => {
  for (const { id, title, versions } of catalogue) {
    if (!isMeant(id) || !scopesOf(versions).includes(scope)) continue
    test(`${id}: ${title}`, ({ skip }) => {
      const verdict = result.verdicts.find(({ check, version }) => check.id === id && version === scope)
      if (!verdict) throw new Error(`no verdict for ${id} (${scope})`)
      if (verdict.status === 'not-applicable') skip(verdict.reason)
      if (verdict.status !== 'pass' && verdict.status !== 'warn') throw new Error(described(verdict))
    })
  }
})
