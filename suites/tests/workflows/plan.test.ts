import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defineDeploymentCheck, forEach } from '../../checks/shared/check.ts'
import { readList } from '../../directory/readings/list-reading.ts'
import { createGetRequest } from '../../directory/shared/targets.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { observers } from '../../open-points/index.ts'
import { parseOptions } from '../../options/options.ts'
import { renderPlan } from '../../workflows/plan/plan.ts'
import { APPROXIMATE_REQUESTS } from '../../workflows/plan/text.ts'
import { command, conformant, deployDirectory, packageRoot, temporaryFolder } from '../command/cli.test.support.ts'

const planOf = (...argv: string[]) => renderPlan(parseOptions(['--plan', '--seed', '1', ...argv], {}))

/** Returns the part of the plan about one check. */
const partOf = (text: string, id: string): string =>
  text
    .trimEnd()
    .split('\n\n')
    .find((part) => part.startsWith(`${id} `)) ?? `nothing is said of ${id}`

/** Replaces the values in request targets by placeholders. */
const kindOf = (target: string): string =>
  target
    .replace(/[?&]_=[0-9a-f-]{36}$/, '')
    .replace(/^\/(v[23])\/breeds\/[^/]*\/cats$/, '/$1/breeds/…/cats')
    .replace(/^\/(v[23])\/cat\/[^/]*\/lives_left$/, '/$1/cat/…/lives_left')
    .replace(/^(\/v[23]\/search\?q=).*$/, '$1…')

const kindsIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}(?:GET|HEAD|OPTIONS) <base>(\S*?(?:<[^>]*>\S*)?)$/gm)].flatMap(([, path = '']) => {
    const [, versions = '', rest = ''] = /^\/\{?([v\d,]+)\}?(.*)$/.exec(path) ?? []
    return versions.split(',').map((version) => kindOf(`/${version}${rest.replace(/<[^>]*>/, 'x')}`))
  })

describe('--plan', () => {
  test('sends nothing, writes nothing and ends with 0', async () => {
    const { origin, requests } = await deployDirectory(conformant)
    const { code, stdout, stderr, reports } = await command(['--plan', '--base-url', origin, '--wait', '5'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`GET ${origin}/{v2,v3}/breeds/<each listed breed>/cats`)
    expect(requests).toEqual([])
    expect(existsSync(reports)).toBe(false)
  })

  test('lists every check and every open point', async () => {
    const text = await planOf()
    for (const { id } of [...catalogue, ...observers]) expect(partOf(text, id)).not.toContain('nothing is said')
  })

  test.each(['quick', 'standard'])('lists all kinds of requests that a run of effort %s sends', async (effort) => {
    const { origin, requests } = await deployDirectory(conformant)
    await command(['--base-url', origin, '--effort', effort, '--seed', '1'])
    const told = new Set(kindsIn(await planOf('--effort', effort)))
    const sent = requests.map(({ target }) => kindOf(target)).filter((kind) => !/Zq[a-z]+v[a-z]n[a-z]/.test(kind))
    expect(requests.length).toBeGreaterThan(0)
    expect([...new Set(sent)].filter((kind) => !told.has(kind))).toEqual([])
  })

  test('lists the requests of a new check automatically', async () => {
    const mine = defineDeploymentCheck({
      id: 'service/answers',
      title: 'what is newly promised',
      operation: 'all',
      level: 'must',
      statements: ['S-GET'],
      clauses: ['R1.1'],
      why: '',
      how: '',
      fix: '',
      probes: [
        forEach(
          () => ['a\u001b[2Jb', 'quite new'],
          async (text, _, read) => {
            const target = `/v2/search?q=${encodeURIComponent(text)}`
            await read({
              key: target,
              readWith: async (ask) => readList(await ask(createGetRequest(target)), 'cat', undefined),
            })
          },
        ),
      ],
    })
    const text = await renderPlan(parseOptions(['--plan', '--only', 'service/'], {}), [mine])
    expect(partOf(text, 'service/answers')).toBe(
      [
        'service/answers  v2+v3  what is newly promised',
        '  GET <base>/v2/search?q=<2 strings>',
        String.raw`      "a\u{1B}[2Jb" "quite new"`,
      ].join('\n'),
    )
  })

  test('reserves room for the requests that only a check of a judged version sends', async () => {
    const requestsOf = async (id: string, ...argv: readonly string[]) => {
      const checks = catalogue.map((one) => (one.id === id ? { ...one, ownRequests: 40 } : one))
      const text = await renderPlan(parseOptions(['--plan', '--seed', '1', '--effort', 'quick', ...argv], {}), checks)
      return Number(/(\d+) different ones/.exec(text)?.[1])
    }
    expect(await requestsOf('cats/is-served')).toBeLessThan(await requestsOf('none'))
    const inV3 = ['--versions', 'v3']
    expect(await requestsOf('cats/is-served', ...inV3)).toBeLessThan(await requestsOf('none', ...inV3))
    // This request is sent in v2 only.
    expect(await requestsOf('lives/only-in-v3', ...inV3)).toBe(await requestsOf('none', ...inV3))
  })

  test('lists the selected checks and their prerequisites, in the judged versions', async () => {
    const text = await planOf('--only', 'lives/is-served', '--versions', 'v3')
    expect(partOf(text, 'lives/is-served')).toContain('  GET <base>/v3/cat/<each listed cat>/lives_left')
    expect(partOf(text, 'cats/is-a-list')).toContain('(--only lives/is-served needs it)')
    expect(text).not.toMatch(/search\/|O-SLASH|v2\/cats/)
  })

  test('lists no comparison of versions if a single one is judged', async () => {
    const text = await planOf('--only', 'parity/', '--versions', 'v2')
    expect(text).toContain('Nothing: what is selected concerns no version that is judged.')
    expect(text).not.toContain('GET')
  })

  test('states no usual number of requests if a profile adds some', async () => {
    const profile = join(packageRoot, 'fixtures', 'contract', 'profiles', 'hal.json')
    expect(await planOf('--effort', 'quick')).toContain('O-PAGINATION')
    expect(await planOf('--effort', 'quick')).not.toContain('O-SLASH')
    const text = await planOf('--effort', 'quick', '--profile', profile)
    expect(text).toContain('O-SLASH')
    expect(text).not.toContain(`about ${APPROXIMATE_REQUESTS.quick}`)
  })

  test('lists limits, methods and headers, and no secret', async () => {
    const limits = ['--rate', '20/s', '--concurrency', '2', '--max-requests', '500', '--max-time', '60']
    const text = await planOf('--token', 'hush', '--header', 'X-Api-Key: hush', ...limits)
    expect(text).toMatch(/^ {2}methods +GET, HEAD \(2\), OPTIONS \(2\)$/m)
    expect(text).toMatch(/^ {2}headers +accept, [^\n]*Authorization: \*{3}[^\n]*x-request-id/m)
    expect(text).toContain('X-Api-Key: ***')
    expect(text).not.toContain('hush')
    expect(text).toContain('--concurrency 2 · --rate 20/s · --retries 1 · --max-requests 500 · --max-time 60 s')
  })

  test("lists the user's strings, and states that more effort tries more", async () => {
    const strings = Number(
      /search\?q=<(\d+) strings>/.exec(partOf(await planOf(), 'search/survives-every-string'))?.[1],
    )
    const few = partOf(await planOf('--effort', 'quick'), 'search/survives-every-string')
    expect(Number(/search\?q=<(\d+) strings>/.exec(few)?.[1])).toBeLessThan(strings / 2)
    const options = { ...parseOptions(['--plan'], {}), strings: ['one of mine'] }
    expect(partOf(await renderPlan(options), 'search/survives-every-string')).toContain('"one of mine"')
  })

  test('states the number of requests as the page on limits does', () => {
    const readme = readFileSync(join(packageRoot, 'suites', 'docs', 'limits.md'), 'utf8')
    expect(readme).toContain(`about ${APPROXIMATE_REQUESTS.standard} requests`)
    expect(readme).toContain(`quick at most ${APPROXIMATE_REQUESTS.quick}`)
    expect(readme).toContain(`thorough about ${APPROXIMATE_REQUESTS.thorough}`)
  })

  test.each([
    ['--only', ['--only', 'serach/'], 'Did you mean search/?'],
    ['--replay', ['--replay', 'report.json'], 'a replay asks what its report holds'],
  ])('refuses unsupported options: %s', async (_, options, said) => {
    const { code, stdout, stderr } = await command(['--plan', ...options], { cwd: temporaryFolder() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(said)
  })
})
