import { expect, test } from 'vitest'
import { render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { reportContext, runResults } from './reports.test.support.ts'

test('report.html shows the id of a request only in the title of its status', () => {
  const report = buildReport(runResults.nonconformant, reportContext)
  const exchanges = report.exchanges.map((exchange) => ({
    ...exchange,
    requestHeaders: { 'x-request-id': '"a"' },
  }))
  const text = render({ ...report, exchanges }, 'report.html')
  expect(text).toMatch(/<span class="code s\d" title="X-Request-Id &(?:#34|quot);a&(?:#34|quot);">/)
  expect(text).not.toContain('>X-Request-Id')
})
