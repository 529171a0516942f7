import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { timedMutants } from '../../fixtures/mutants/time/index.ts'
import { buildReport } from '../../reports/build.ts'
import { renderJson } from '../../reports/json.ts'
import { parseReport } from '../../reports/parse.ts'
import { judge } from '../judge.ts'
import { curlIsHere } from './curl-lines.test.support.ts'
import { about } from './reports.test.support.ts'
import { someRows } from './short.test.support.ts'

/** What a line prints of each address, each answer once; pasted into a shell, as people do. */
async function printedBy(line: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line])
  const printed = new Map<string, Set<string>>()
  for (const [, body = '', status = '', address = ''] of stdout.matchAll(/([^]*?)\n(\d{3}) (http.*)\n/g))
    printed.set(address, (printed.get(address) ?? new Set()).add(`${status} ${body}`))
  return printed
}

const shownTogether = [
  ['breed-of-another-under-load', 'breed-cats/reading-changes-nothing'],
  ['lives-404-of-two-at-once', 'lives/reading-changes-nothing'],
] as const

test.runIf(curlIsHere).concurrent.each(someRows(shownTogether))(
  'what shows with several requests in flight alone is shown by a line: %s',
  async (id, check) => {
    const mutant = timedMutants.find((one) => one.id === `time-${id}`)
    const { baseUrl, close } = (await mutant?.start(1)) ?? expect.fail(`no mutant ${id}`)
    try {
      const result = await judge({ baseUrl, seed: 7919, versions: ['v3'], only: [check] })
      const { findings } = parseReport(renderJson(buildReport(result, { ...about, baseUrl })))
      const { finding } = findings.find((one) => one.id === check) ?? expect.fail(`${check} found nothing`)
      const printed = await printedBy(finding.curl[0] ?? '')
      expect(printed.size).toBeGreaterThan(0)
      expect([...printed.values()].some((bodies) => bodies.size > 1)).toBe(true)
      const [telling, other] = finding.exchanges.map((one) => result.exchanges.get(one))
      expect(telling?.url).toBe(other?.url)
      expect([telling?.status, telling?.excerpt]).not.toEqual([other?.status, other?.excerpt])
    } finally {
      await close()
    }
  },
)
