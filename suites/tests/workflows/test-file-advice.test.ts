import { expect, test } from 'vitest'
import { formatNextStep, suggestNextStep } from '../../../reports/report/next-steps.ts'
import type { InconclusiveReason } from '../../engine/inconclusive.ts'
import { adviseInTestFile, adviseOnFault, adviseOnResponse } from '../../workflows/run/advice.ts'

const BASE_URL = 'http://127.0.0.1:4010'

const faults = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'CERT_HAS_EXPIRED',
  'handshake failure',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'EPROTO',
  'ETIMEDOUT',
  'ECONNRESET',
  'no complete response',
  'status 503',
  'status 429',
].map((reason) => adviseOnFault(reason, BASE_URL))

const exchange = { id: 1, method: 'GET', url: `${BASE_URL}/v2/cats`, requestHeaders: {}, askedAt: '', ms: 1 } as const
const responses = [200, 401, 500].flatMap((status) =>
  [[], ['--header and --token', '--token-command', '--cert and --key']].map((credentialOptions) =>
    adviseOnResponse({ ...exchange, status, excerpt: '<html>' }, { baseUrl: BASE_URL, credentialOptions }),
  ),
)

const reasons: readonly InconclusiveReason[] = [
  { kind: 'unreachable', text: 'x' },
  { kind: 'limited', text: 'x' },
  { kind: 'prerequisite', text: 'x', remedy: 'give credentials' },
  { kind: 'unreachable', text: 'ENOTFOUND' },
]
const steps = reasons.map((reason) => formatNextStep(suggestNextStep('cats/is-served', reason)))

test.each([...new Set([...faults, ...responses, ...steps])])(
  'advice in a test file names no option of the command: %s',
  (advice) => {
    expect(advice).toBeDefined()
    expect(adviseInTestFile(advice ?? '')).not.toContain('--')
  },
)

test('advice about a refused connection in a test file says how the tests can start the service', () => {
  expect(adviseInTestFile(faults[0] ?? '')).toBe(
    'Nothing listens at this address: start the service, check the port, or start it in the hook `beforeAll` and give `baseUrl` as a function',
  )
})
