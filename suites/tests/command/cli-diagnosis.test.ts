import { describe, expect, test } from 'vitest'
import {
  conformantDirectory,
  deploy,
  deployDirectory,
  extractDiagnosis,
  readReport,
  runCli,
  runCliProcess,
} from './cli.test.support.ts'

/** Runs the command against a listener, and returns the exit code and the diagnosis. */
async function diagnose(
  listener: Parameters<typeof deploy>[0],
  below = '',
  options: readonly string[] = [],
): Promise<[number | null, string]> {
  const { origin } = await deploy(listener)
  const { code, stdout } = await runCli(['--base-url', origin + below, '--effort', 'quick', ...options])
  return [code, extractDiagnosis(stdout).replaceAll(origin, 'http://h')]
}

describe.concurrent('the lines under the verdict', () => {
  test.each(['v2', 'v3'])(
    'the lines under the verdict name the cause and the remedy if the base URL ends in /%s',
    async (version) => {
      const listener: Parameters<typeof deploy>[0] = ({ url = '' }, response) => {
        const value = conformantDirectory(url)
        response.writeHead(value === undefined ? 404 : 200).end(JSON.stringify(value ?? {}))
      }
      expect(await diagnose(listener, `/${version}`)).toEqual([1, expect.stringContaining(`leave out /${version}.`)])
    },
  )

  test.each([
    [
      'to https',
      'https://127.0.0.1:4443/v2/cats',
      1,
      /The server redirects to https: use https:\/\/127\.0\.0\.1:4443\./,
    ],
    [
      'to a login page',
      'https://sso.test/login?next=%2Fv2%2Fcats',
      3,
      /^GET http:\/\/h\/v2\/cats answered 302, a redirect to https:\/\/sso\.test\/login.*The redirect leads to a login page\. Give credentials with --header or --token\.$/,
    ],
    [
      'to another origin that gets the requested path in its query',
      'https://id.test/u/?next=%2Fv2%2Fcats',
      3,
      /answered 302, a redirect to https:\/\/id\.test\/u\/\?next=%2Fv2%2Fcats\. The redirect leads to a login page\. Give credentials with --header or --token\.$/,
    ],
    [
      'elsewhere',
      'http://elsewhere.test/v2/cats',
      1,
      /answered 302, a redirect to http:\/\/elsewhere\.test\/v2\/cats\. Redirects to another origin are not followed: if http:\/\/elsewhere\.test is the deployment, give it as the base URL\.$/,
    ],
  ])(
    'the lines under the verdict name the cause and the remedy if everything is redirected %s',
    async (_, location, code, line) => {
      const result = await diagnose(({ url = '' }, response) => {
        response.writeHead(302, { location: location.replace('%2Fv2%2Fcats', encodeURIComponent(url)) }).end()
      })
      expect(result).toEqual([code, expect.stringMatching(line)])
    },
  )

  test.each<[string, Parameters<typeof deploy>[0], readonly string[], number, string]>([
    [
      'everything is a 500',
      (_, response) => void response.writeHead(500, { 'content-type': 'text/html' }).end('<title>Oops</title>'),
      [],
      1,
      'GET http://h/v2/cats answered 500: the service fails. Look at the logs of the service.',
    ],
    [
      'everything is an XML document',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/xml' }).end('<cats><cat/></cats>'),
      [],
      3,
      'GET http://h/v2/cats answered 200 (application/xml, "cats"). The response is not JSON. The base URL is probably wrong: /v2/cats and /v3/cats must be below it.',
    ],
    [
      'a token is rejected',
      (_, response) => void response.writeHead(401).end(),
      ['--token', 'tok-3f9a61c2'],
      3,
      'answered 401 (no media type). The credentials given were rejected: check --header and --token.',
    ],
    [
      'a header with any name is rejected',
      (_, response) => void response.writeHead(401).end(),
      ['--header', 'X-Auth: tok-3f9a61c2'],
      3,
      'answered 401 (no media type). The credentials given were rejected: check --header and --token.',
    ],
    [
      'the token of a command is rejected',
      (_, response) => void response.writeHead(401).end(),
      ['--token-command', 'echo tok-3f9a61c2'],
      3,
      'answered 401 (no media type). The credentials given were rejected: check --token-command.',
    ],
    [
      'a cookie is rejected',
      (_, response) => void response.writeHead(403).end(),
      ['--header', 'Cookie: sid=3f9a61c2'],
      3,
      'answered 403 (no media type). The credentials given were rejected: check --header and --token.',
    ],
    [
      'a header without credentials is sent',
      (_, response) => void response.writeHead(401).end(),
      ['--header', 'Accept-Language: de', '--header', 'X-Request-Id: 7'],
      3,
      'answered 401 (no media type). The deployment requires credentials. Give credentials with --header or --token.',
    ],
    [
      'everything is an HTML page although a token is sent',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Cats</title>'),
      ['--token', 'tok-3f9a61c2'],
      3,
      'answered 200 (text/html, "Cats"). The response is not JSON. The base URL is probably wrong: /v2/cats and /v3/cats must be below it.',
    ],
    [
      'a token leads to a login page',
      ({ url = '' }, response) => void response.writeHead(302, { location: `/login?next=${url}` }).end(),
      ['--token', 'tok-3f9a61c2'],
      3,
      'The credentials given were rejected: check --header and --token.',
    ],
  ])(
    'the lines under the verdict name the cause and the remedy if %s',
    async (_, listener, options, code, diagnosis) => {
      expect(await diagnose(listener, '', options)).toEqual([code, expect.stringContaining(diagnosis)])
    },
  )

  test('the verdict and the advice are the same if a login page is on another origin or on the same origin', async () => {
    const runs = ['https://id.test', ''].map((origin) =>
      diagnose(({ url = '' }, response) => {
        if (url.startsWith('/u/')) return void response.writeHead(200, { 'content-type': 'text/html' }).end('Hello')
        response.writeHead(302, { location: `${origin}/u/?next=${encodeURIComponent(url)}` }).end()
      }),
    )
    for (const [code, text] of await Promise.all(runs))
      expect([code, text]).toEqual([
        3,
        expect.stringMatching(/The redirect leads to a login page\. Give credentials with --header/),
      ])
  })

  test.each([
    ['rejected', ['--token', 'tok-3f9a61c2'], 'The credentials given were rejected: check --header and --token.'],
    ['missing', [], 'The deployment requires credentials. Give credentials with --header or --token.'],
  ])(
    'the output says once what to do, and once how many checks are inconclusive, if credentials are %s',
    async (_, options, advice) => {
      const { origin } = await deploy((_request, response) => void response.writeHead(401).end())
      const { stdout } = await runCli(['--base-url', origin, '--effort', 'quick', ...options])
      expect(extractDiagnosis(stdout)).toContain(advice)
      expect(stdout).not.toMatch(/valid credentials|Next steps/)
      expect(stdout.match(/\d+ of \d+ checks inconclusive/g)).toHaveLength(1)
    },
  )

  test('the output names the remedy of a limit once', async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const { stdout } = await runCli(['--base-url', origin, '--max-requests', '60'])
    expect(stdout.match(/allow the run more\s+requests or more\s+time/gi)).toHaveLength(1)
  })

  test.each([
    ['a login page', '', '<title>Sign in</title>'],
    ['a redirect to a login page of the same origin', '/login', 'hello'],
  ])(
    'the lines under the verdict advise to give credentials, and nothing else, if every response is %s',
    async (_, location, body) => {
      const { origin } = await deploy(({ url = '' }, response) => {
        if (location !== '' && url !== location) return void response.writeHead(302, { location }).end()
        response.writeHead(200, { 'content-type': 'text/html' }).end(body)
      })
      const { code, stdout, reports } = await runCli(['--base-url', origin, '--effort', 'quick'])
      expect([code, extractDiagnosis(stdout)]).toEqual([
        3,
        expect.stringContaining(
          `${location === '' ? 'This is' : 'The redirect leads to'} a login page. Give credential`,
        ),
      ])
      expect(readReport(reports).next?.map(({ option }) => option)).toEqual(['--token or --header'])
    },
  )

  // Clause R16.1 of the contract.
  test('the lines under the verdict name the cause and the remedy if the directory is empty', async () => {
    const result = await diagnose(({ url = '' }, response) => {
      const isList = /^\/v[23]\/(cats|breeds|search)(\?|$)/.test(url)
      response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' }).end(isList ? '[]' : '{}')
    })
    expect(result).toEqual([
      3,
      expect.stringMatching(/^Too little could be tested at http:\/\/h: the list of cats is empty/),
    ])
  })

  test('the lines under the verdict advise to select a version if the deployment serves only one', async () => {
    const result = await diagnose(({ url = '' }, response) => {
      const value = url.startsWith('/v3/') ? conformantDirectory(url) : undefined
      response.writeHead(value === undefined ? 404 : 200).end(JSON.stringify(value ?? {}))
    })
    expect(result).toEqual([1, expect.stringMatching(/^Only v3 is served at http:\/\/h; .*--versions v3\.$/)])
  })
})

describe.concurrent('a base URL without a cat directory', () => {
  test('a base URL without a cat directory is named under the verdict if everything is missing', async () => {
    const { origin } = await deployDirectory(() => undefined)
    const { code, stdout, reports } = await runCliProcess(['--base-url', origin])
    expect(code).toBe(1)
    expect(extractDiagnosis(stdout)).toMatch(
      /^GET http.*\/v2\/cats answered 404 \(.*base URL is probably wrong.*\/v2\/cats/,
    )
    expect(stdout).toMatch(/^ {2}fix {10}If the status is a 5xx, look at the logs of the service\. Otherwise correct/m)
    const { checks, requests } = readReport(reports)
    expect(checks.filter(({ status }) => status === 'fail').map(({ id }) => id)).toEqual(['service/answers'])
    // Few requests are sent: a deployment that serves nothing needs no rechecks.
    expect(requests).toBeLessThan(200)
  })
})
