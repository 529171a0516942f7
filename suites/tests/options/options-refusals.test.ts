import { describe, expect, test } from 'vitest'
import { parseOptions, UsageError } from '../../options/options.ts'

/** Parses a wrong command line and returns the usage error. */
function usageErrorOf(argv: readonly string[], env: Record<string, string> = {}): UsageError {
  try {
    parseOptions(argv, env)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error(`accepted, although invalid: ${JSON.stringify([argv, env])}`)
}

describe('base URLs', () => {
  test.each([
    ['https://h/api?x=1', 'the URL has a query', '--base-url https://h/api'],
    ['https://h/api?', 'the URL has a query', '--base-url https://h/api'],
    ['https://h/#top', 'the URL has a fragment', '--base-url https://h'],
    ['localhost:3000', 'is not an http or https URL', '--base-url http://localhost:3000'],
    ['cats.example.org/api', 'is not an http or https URL', '--base-url https://cats.example.org/api'],
    ['ftp://h/', 'is not an http or https URL', 'https://cats.example.org/api'],
    ['file:///etc', 'is not an http or https URL', 'https://cats.example.org/api'],
    ['http://h:65536', 'the port "65536" is out of range', ''],
    ['http://[::1]:0/api', 'the port "0" is out of range', ''],
    ['http:h', 'is not an http or https URL', 'https://cats.example.org/api'],
    ['http:\\\\h', 'is not an http or https URL', 'https://cats.example.org/api'],
    ['http://h /', 'is not an http or https URL', 'https://cats.example.org/api'],
    ['http://h/\n', 'is not an http or https URL', 'https://cats.example.org/api'],
    ['http://u:p@h/', 'the URL contains credentials', '--token'],
    ['http://u@h/?q', 'the URL contains credentials', '--header'],
  ])('the base URL %j is refused, with the correct form', (text, what, advice) => {
    const { misuse } = usageErrorOf(['--base-url', text])
    expect(misuse.where).toBe('--base-url')
    expect(misuse.what).toMatch(what)
    expect(misuse.advice).toMatch(advice)
  })
})

describe('an invalid command line', () => {
  test.each([
    [['--tiemout', '5'], '--tiemout: there is no such option', 'did you mean --timeout\\?'],
    [['--base', 'http://h'], '--base: there is no such option', 'did you mean --base-url\\?'],
    [['--no-strict'], '--no-strict: there is no such option', ''],
    [['--compare', 'x'], '--compare: there is no such option', ''],
    [['-x'], '-x: there is no such option', ''],
    [['--list', 'search/'], 'argument 2: unexpected argument', 'did you mean --only search/, or --explain search/\\?'],
    [['--http2', '--base-url', 'http://h'], '--http2: HTTP/2 is only used with TLS', 'remove --http2'],
    [['--insecure', 'yes'], 'argument 2: unexpected argument "yes"', 'put the name of the option before the value'],
    [['http://h/api'], 'argument 1: unexpected argument', 'did you mean --base-url http://h/api\\?'],
    [['--strict', 'localhost:80'], 'argument 2: unexpected argument', '--base-url http://localhost:80\\?'],
    [['--', '--strict'], 'argument 2: unexpected argument', 'remove the --'],
    [['--token', '--strict'], '--token: the value is missing', '--token TOKEN'],
    [['--seed'], '--seed: the value is missing', '--seed N'],
    [['--strict=0'], '--strict: takes no value', ''],
    [['--seed', '1', '--seed', '1'], '--seed: was given more than once', 'remove all but one'],
    [['--versions', 'v2,v4'], '--versions: "v4" is not one of the allowed values', 'v2,v3'],
    [['--versions', 'v2,v2'], '--versions: "v2,v2" contains the same version twice', ''],
    [['--versions', 'v2,'], '--versions: "" is not one of the allowed values', ''],
    [['--effort', 'max'], '--effort: "max" is not one of the allowed values', 'quick, standard, thorough'],
    [['--only', 'search,'], '--only: "" is not the id of a check', '--only search/'],
    [['--explain', 'Search!'], '--explain: "Search!" is not a valid id', ''],
    [
      ['--path', '3:x', '--seed', '1', '--only', 'a'],
      '--path: "3:x" is not the path of a counterexample',
      '--path 3:0:1',
    ],
    [['--path', '3:0', '--seed', '1'], '--path: needs --only and --seed', '--only ID --seed N --path 3:0'],
    [['--path', '3:0', '--only', 'a'], '--path: needs --only and --seed', ''],
    [['--pin', 'a.json', '--only', 'cats/'], '--pin: cannot be combined with --only', ''],
    [['--against-header', 'A: 1'], '--against-header: needs --against\\.', '--against URL'],
    [['--watch', 'src'], '--watch: a base URL is missing', '--base-url http://localhost:3000 --watch PATH'],
    [['--watch', 'src', '--against', 'a.json'], '--watch: cannot be combined with --against', ''],
    [['--watch', 'src', '--replay', 'a.json'], '--watch: cannot be combined with --replay', ''],
    [['--watch', 'src', '--pin', 'a.json'], '--watch: cannot be combined with --pin', ''],
    [['--watch', 'src', '--write-known', 'a.json'], '--watch: cannot be combined with --write-known', ''],
    [['--replay', 'a.json', 'cats/', '--only', 'cats/'], '--only: was given more than once', 'remove all but one'],
    [['--replay', 'a.json', 'cats/', 'search/'], 'argument 4: unexpected argument', ''],
    [['--header', 'A: 1', '--header', 'a: 2'], '--header: a was given twice', 'comma'],
    [
      ['--header', 'authorization: x', '--token', 'x'],
      '--header: sets the header Authorization, but --token sets it too',
      '',
    ],
    [
      ['--effort', '\u001b[2J\u202e\u009b'],
      '"\\\\u001b\\[2J\\\\u{202E}\\\\u{9B}" is not one of the allowed values',
      '',
    ],
  ])('the command line %j is refused', (argv, message, advice) => {
    const error = usageErrorOf(argv)
    expect(error.message).toMatch(new RegExp(message))
    expect(error.message).toMatch(new RegExp(advice))
    expect(error.message).toMatch(/\.\n  expected  \S.*(\n  hint      \S.*)?$/)
  })

  test.each([
    ['--timeout', ['49', '600001', '1e3', '0x64', '5.5', '10s', ' 100 ms']],
    ['--concurrency', ['0', '257', '-1']],
    ['--rate', ['0', '0.01', '10001', '5/m', '-5', '.5', 'fast']],
    ['--retries', ['-1', '11']],
    ['--seed', ['2147483648', '-2147483649', '99999999999999999999', 'abc']],
    ['--max-requests', ['0', '1.5']],
    ['--max-time', ['0', '86401']],
    ['--wait', ['-1', '3601']],
  ])('the option %s is refused beyond its bounds: %j', (flag, texts) => {
    for (const text of texts) expect(usageErrorOf([flag, text]).misuse.where).toBe(flag)
  })

  test.each([
    'X-Key',
    ': x',
    'X Key: x',
    'X-K\u00e9y: x',
    'X-Key:',
    'X-Key: a\r\nY: b',
    'X-Key: a\nb',
    'X-Key: \0',
    'X-Key: \u20ac',
    'X\n: x',
    'Host: x',
    'content-length: 1',
    'Transfer-Encoding: chunked',
    'Connection: close',
    'Upgrade: h2c',
  ])('the header %j is refused', (text) => {
    expect(usageErrorOf(['--header', text]).misuse.where).toBe('--header')
    expect(usageErrorOf(['--header', 'A: b', '--header', text]).misuse.where).toBe('--header (number 2)')
  })

  test('a misspelled CATS_ variable is refused with the likely one', () => {
    expect(usageErrorOf([], { CATS_BASEURL: 'http://h' }).message).toMatch(
      /^CATS_BASEURL: .+[^]+did you mean CATS_BASE_URL\?/,
    )
    expect(usageErrorOf([], { CATS_XYZZY_PLUGH: '1' }).misuse.advice).toMatch('.env.example')
    expect(parseOptions([], { CATS_BASEURL: '', BASE_URL: '/', PATH: 'x' }).mode).toBe('run')
  })

  test('an invalid variable is named as it is spelled', () => {
    const { where, advice } = usageErrorOf([], { CATS_TIMEOUT: 'soon' }).misuse
    expect([where, advice]).toEqual(['CATS_TIMEOUT', 'CATS_TIMEOUT=10000'])
  })

  test.each<[string[], Record<string, string>]>([
    [['--base-url', 'https://user:s3cret@h/'], {}],
    [['--base-url', 'https://s3cret@h/'], {}],
    [['--base-url', 'https://user:s3cret@h:port/'], {}],
    [['--base-url', 'https://user:s3cret@h?x#y'], {}],
    [['--base-url', 'https://user:x?s3cret@h/'], {}],
    [['--base-url', 'user:s3cret@h'], {}],
    [['--base-url', 'ftp://user:s3cret@h'], {}],
    [['--base-url', 'https://h/?api_key=s3cret'], {}],
    [['--base-url', 'h/?api_key=s3cret'], {}],
    [['--base-url', 'https://h/#s3cret'], {}],
    [['--base-url', 'http://user:s3cret'], {}],
    [[], { CATS_BASE_URL: 'https://user:s3cret@h/' }],
    [['https://user:s3cret@h/'], {}],
    [['https://h/?s3cret'], {}],
    [['s3cret'], {}],
    [['--header', 'Authorization:', 'Bearer', 's3cret'], {}],
    [['--header', 'X-Key:', 's3cret'], {}],
    [['--header', 'X: 1', 'http://s3cret'], {}],
    [['--header', 's3cret'], {}],
    [['--header', 'Authorization Bearer s3cret: x'], {}],
    [['--header', 'X: s3cret\r\nY: s3cret'], {}],
    [['--header', 'Host: s3cret'], {}],
    [['--header', 'X: s3cret', '--header', 'x: s3cret'], {}],
    [['--header', 'Authorization: s3cret', '--token', 's3cret'], {}],
    [['--token', 'Bearer s3cret'], {}],
    [['--token', '--s3cret'], {}],
    [['--token', 's3cret', 's3cret'], {}],
    [['--token', 's3cret', '--token', 's3cret'], {}],
    [['--tokn=s3cret'], {}],
    [['--tokn', 's3cret'], {}],
    [[], { CATS_TOKEN: 's3cret s3cret' }],
    [[], { CATS_TOKNE: 's3cret' }],
    [[], { CATS_HEADER: 'X-Key s3cret' }],
  ])('the message for %j %j contains no secret', (argv, env) => {
    const error = usageErrorOf(argv, env)
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toMatch(/s3cret/)
  })
})

test.each([
  ...['--profile x', '--pin x', '--against x', '--known x', '--write-known x', '--report-dir x', '--events x'],
  ...['--seed 1', '--max-failures 1', '--effort quick', '--record all', '--choices', '--strict'],
  ...['--list', '--service', '--openapi', '--explain cats/'],
])('a replay refuses %s, which it cannot use', (unused) => {
  const { message } = usageErrorOf(['--replay', 'a.json', ...unused.split(' ')])
  expect(message).toContain(`--replay: cannot be combined with ${unused.split(' ')[0]}.`)
})

test('a replay accepts an id after its file, and ignores the environment of other runs', () => {
  const env = { CATS_REPORT_DIR: 'out', CATS_EFFORT: 'quick', CATS_STRICT: '1', CATS_PIN: 'p.json' }
  for (const argv of [
    ['--replay', 'a.json', 'search/'],
    ['--replay=a.json', 'search/'],
  ])
    expect(parseOptions(argv, env)).toMatchObject({ mode: 'run', replayFile: 'a.json', only: ['search/'] })
})
