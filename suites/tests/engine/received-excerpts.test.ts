import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'
import { createDirectoryResponder, deploy, readReport, runCli } from '../command/cli.test.support.ts'

const FIRST_NAMES = ['Tom', 'Mia', "O'Malley", 'AC/DC', 'たま', 'Мурка']
const BREEDS = ['Maine Coon', 'Siamese', 'Bengal']

const createCats = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: FIRST_NAMES[index] ?? `Cat ${String.fromCharCode(65 + (index % 26))}${index}`,
    breed: BREEDS[index % BREEDS.length] ?? '',
    lives: 1 + (index % 9),
  }))

const hexOf = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, '0')

/** The ways in which services write JSON. */
const writers = {
  compact: (value: unknown) => JSON.stringify(value),
  pretty: (value: unknown) => JSON.stringify(value, null, 4),
  'pretty, as PHP': (value: unknown) =>
    JSON.stringify(value, null, 4)
      .replace(/[^\x20-\x7e\n]/g, (unit) => `\\u${hexOf(unit)}`)
      .replaceAll('/', '\\/'),
  'as .NET': (value: unknown) =>
    JSON.stringify(value).replace(/[^\x20-\x7e]|'/g, (unit) => `\\u${hexOf(unit).toUpperCase()}`),
}

interface ListDefect {
  readonly cats: number
  readonly write: keyof typeof writers
  readonly isCompressed?: boolean
  /** Changes the list of all cats. */
  readonly edit: (list: unknown[]) => unknown[]
  /** The text that shows the defect in the response, and how often the report must show it. */
  readonly shown: readonly [text: string, times: number]
  /** The part of the text that must be highlighted. */
  readonly marked: string
}

const repeat = (name: string) => (list: unknown[]) => [
  ...list,
  list.find((one) => (one as { name: string }).name === name), // Elements are objects with a name.
]

const replaceElement = (index: number, element: unknown) => (list: unknown[]) => list.with(index, element)

const defects: Readonly<Record<string, ListDefect>> = {
  'a repeated name, pretty-printed': {
    cats: 400,
    write: 'pretty',
    edit: repeat('Cat Q42'),
    shown: ['"Cat Q42"', 2],
    marked: 'Cat Q42',
  },
  'a repeated name in 74 kB': {
    cats: 1500,
    write: 'compact',
    edit: repeat('Cat Q42'),
    shown: ['"Cat Q42"', 2],
    marked: 'Cat Q42',
  },
  'a repeated name of 5,000, compressed': {
    cats: 5000,
    write: 'compact',
    isCompressed: true,
    edit: repeat('Cat Q2382'),
    shown: ['"Cat Q2382"', 2],
    marked: 'Cat Q2382',
  },
  'a repeated name with \\u': {
    cats: 400,
    write: 'pretty, as PHP',
    edit: repeat('たま'),
    shown: ['"\\u305f\\u307e"', 2],
    marked: '\\u305f\\u307e',
  },
  'a repeated name with \\/': {
    cats: 400,
    write: 'pretty, as PHP',
    edit: repeat('AC/DC'),
    shown: ['"AC\\/DC"', 2],
    marked: 'AC\\/DC',
  },
  'a repeated apostrophe': {
    cats: 300,
    write: 'as .NET',
    edit: repeat("O'Malley"),
    shown: ['"O\\u0027Malley"', 2],
    marked: 'O\\u0027Malley',
  },
  'null at element 300': {
    cats: 1500,
    write: 'compact',
    edit: replaceElement(300, null),
    shown: [',null,', 1],
    marked: 'null',
  },
  'null, pretty-printed': {
    cats: 400,
    write: 'pretty',
    edit: replaceElement(300, null),
    shown: ['    null,', 1],
    marked: 'null',
  },
  'an element without a name': {
    cats: 400,
    write: 'pretty',
    edit: replaceElement(300, { id: 301, breed: 'O"Neill/たま' }),
    shown: ['"breed": "O\\"Neill/たま"', 1],
    marked: 'O\\&quot;Neill/たま',
  },
}

/** Serves a directory whose v2 list of all cats has a defect. */
async function deployDefect({
  cats,
  write,
  isCompressed,
  edit,
}: ListDefect): Promise<{ origin: string; body: Buffer }> {
  const directory = createDirectoryResponder(createCats(cats))
  const elementsOf = (target: string, value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    const list = value.map((name, id) => ({ id: id + 1, name }))
    return target === '/v2/cats' ? edit(list) : list
  }
  const bodyOf = (target: string) => Buffer.from(writers[write](elementsOf(target, directory(target)) ?? {}))
  const { origin } = await deploy(({ url = '' }, response) => {
    const body = bodyOf(url)
    const type = { 'content-type': 'application/json' }
    response.writeHead(
      directory(url) === undefined ? 404 : 200,
      isCompressed ? { ...type, 'content-encoding': 'gzip' } : type,
    )
    response.end(isCompressed ? gzipSync(body, { level: 1 }) : body)
  })
  return { origin, body: bodyOf('/v2/cats') }
}

/** Returns the parts of the body at the places that the exchange states. */
function cutAtStatedPlaces(body: Buffer, exchange: ExchangeSummary): readonly (string | undefined)[] {
  const { excerpt, bytesBefore = 0, secondExcerpt, bytesAfter = 0 } = exchange
  const end = bytesBefore + Buffer.byteLength(excerpt)
  const last = body.length - bytesAfter
  const first = body.subarray(bytesBefore, secondExcerpt ? end : last).toString()
  return [first, secondExcerpt && body.subarray(end + secondExcerpt.bytesBefore, last).toString()]
}

const countIn = (text: string, part: string): number => text.split(part).length - 1

test.each(Object.entries(defects))(
  'a finding shows and highlights the defect as it was received, and says what is left out: %s',
  async (_, defect) => {
    const { origin, body } = await deployDefect(defect)
    const options = ['--base-url', origin, '--only', 'cats/', '--versions', 'v2', '--effort', 'quick']
    const { code, stdout, reports } = await runCli(options)
    expect(code).toBe(1)
    const report = readReport(reports)
    const id = report.findings[0]?.finding.exchanges[0]
    const exchange = report.exchanges.find((one) => one.id === id) ?? expect.fail('no exchange')
    expect([exchange.excerpt, exchange.secondExcerpt?.excerpt]).toEqual(cutAtStatedPlaces(body, exchange))
    const [text, times] = defect.shown
    const lines = [...stdout.matchAll(/^ {15}│ (.*)$/gm)].map(([, line = '']) => line)
    expect(countIn(lines.join(defect.write.startsWith('pretty') ? '\n' : ''), text), lines.join('\n')).toBe(times)
    expect(lines.join('')).toContain(' bytes left out)')
    const page = readFileSync(join(reports, 'report.html'), 'utf8')
    expect(countIn(page, `<mark>${defect.marked}</mark>`)).toBe(times)
  },
)
