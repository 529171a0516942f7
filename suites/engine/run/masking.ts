import type { Finding, RunResult, Verdict } from '../check/verdict.ts'
import type { ExchangeSummary } from '../http/client/exchange.ts'

export type Mask = (text: string) => string

/** The object with some of its texts masked, where it has them. */
function withMasked<T extends object>(whole: T, names: readonly (keyof T & string)[], mask: Mask): T {
  const texts = names.flatMap((name) => {
    const text = whole[name]
    return typeof text === 'string' ? [[name, mask(text)] as const] : []
  })
  return { ...whole, ...Object.fromEntries(texts) } // the same names, texts as before
}

const maskFinding = (finding: Finding, mask: Mask): Finding => ({
  ...withMasked(finding, ['expected', 'actual', 'counterexample', 'common'], mask),
  ...(finding.inputs && { inputs: finding.inputs.map(mask) }),
})

/** What a verdict says against others was needed while they were judged: it is full of names, and of no report. */
function maskVerdict({ blame: _blame, spoilt: _spoilt, ...verdict }: Verdict, mask: Mask): Verdict {
  const { finding, cause } = verdict
  return {
    ...withMasked(verdict, ['reason', 'exercised', 'caveat'], mask),
    ...(finding && { finding: maskFinding(finding, mask) }),
    ...(cause && { cause: maskVerdict(cause, mask) }),
  }
}

/** The origin is what the user said; path and query may hold what the deployment said. */
const maskUrl = (url: string, mask: Mask): string => {
  const { origin } = new URL(url)
  return url.startsWith(origin) ? origin + mask(url.slice(origin.length)) : mask(url)
}

/** An exchange as it may be shown. */
export const maskExchange = (exchange: ExchangeSummary, mask: Mask): ExchangeSummary => ({
  ...withMasked(exchange, ['mediaType', 'fault', 'excerpt'], mask),
  url: maskUrl(exchange.url, mask),
  // An entity tag that is sent back is the deployment's.
  requestHeaders: Object.fromEntries(
    Object.entries(exchange.requestHeaders).map(([name, value]) => [name, mask(value)]),
  ),
  ...(exchange.responseHeaders && {
    responseHeaders: exchange.responseHeaders.map(([name, value]) => [mask(name), mask(value)] as const),
  }),
})

/** Masks what came from outside, and nothing else: a secret that is a word of this suite changes no verdict. */
export function maskResult(result: RunResult, mask: Mask): RunResult {
  const { verdicts, observations, exchanges, opening, notExercised, traffic } = result
  return {
    ...result,
    verdicts: verdicts.map((verdict) => maskVerdict(verdict, mask)),
    observations: observations.map((one) => withMasked(one, ['value'], mask)),
    exchanges: new Map([...exchanges].map(([id, exchange]) => [id, maskExchange(exchange, mask)])),
    ...(opening && { opening: opening.map((exchange) => maskExchange(exchange, mask)) }),
    notExercised: notExercised.map(mask),
    ...(traffic && { traffic: { ...traffic, motion: traffic.motion.map((one) => withMasked(one, ['what'], mask)) } }),
  }
}
