import type { Finding, Observation, RunResult, Verdict } from '../check/verdict.ts'
import type { ExchangeSummary } from '../http/client/exchange.ts'
import type { InconclusiveReason } from '../inconclusive.ts'

export type TextMask = (text: string) => string

/** Returns a copy of an object in which the texts of the named members are masked. */
function withMasked<T extends object>(whole: T, names: readonly (keyof T & string)[], mask: TextMask): T {
  const texts = names.flatMap((name) => {
    const text = whole[name]
    return typeof text === 'string' ? [[name, mask(text)] as const] : []
  })
  return { ...whole, ...Object.fromEntries(texts) } // Names and types are unchanged.
}

const maskFinding = (finding: Finding, mask: TextMask): Finding => ({
  ...withMasked(finding, ['expected', 'actual', 'counterexample', 'commonTraits'], mask),
  ...(finding.inputs && { inputs: finding.inputs.map(mask) }),
})

const maskReason = ({ advice, ...reason }: InconclusiveReason, mask: TextMask): InconclusiveReason => ({
  ...withMasked(reason, ['text'], mask),
  ...(advice && {
    advice: { ...withMasked(advice, ['text'], mask), ...(advice.pins && { pins: advice.pins.map(mask) }) },
  }),
})

/** Masks the texts of a verdict. Removes members that no report needs and that contain names. */
function maskVerdict(
  { causeTraits: _causeTraits, failedInputs: _failedInputs, ...verdict }: Verdict,
  mask: TextMask,
): Verdict {
  const { finding, cause, inconclusiveReason } = verdict
  return {
    ...withMasked(verdict, ['reason', 'testedSummary', 'refusedInputs', 'caveat'], mask),
    ...(finding && { finding: maskFinding(finding, mask) }),
    ...(inconclusiveReason && { inconclusiveReason: maskReason(inconclusiveReason, mask) }),
    ...(cause && { cause: maskVerdict(cause, mask) }),
  }
}

/**
 * Masks the path and query of a URL, because they may contain text from the deployment. The origin comes from the user.
 */
const maskUrl = (url: string, mask: TextMask): string => {
  const { origin } = new URL(url)
  return url.startsWith(origin) ? origin + mask(url.slice(origin.length)) : mask(url)
}

export const maskExchange = (exchange: ExchangeSummary, mask: TextMask): ExchangeSummary => ({
  ...withMasked(exchange, ['mediaType', 'fault', 'excerpt'], mask),
  ...(exchange.secondExcerpt && { secondExcerpt: withMasked(exchange.secondExcerpt, ['excerpt'], mask) }),
  url: maskUrl(exchange.url, mask),
  ...(exchange.redirectedTo !== undefined && { redirectedTo: maskUrl(exchange.redirectedTo, mask) }),
  // The request headers may contain text from the deployment, e.g. an entity tag.
  requestHeaders: Object.fromEntries(
    Object.entries(exchange.requestHeaders).map(([name, value]) => [name, mask(value)]),
  ),
  ...(exchange.responseHeaders && {
    responseHeaders: exchange.responseHeaders.map(([name, value]) => [mask(name), mask(value)] as const),
  }),
})

/** Masks the texts of an observation. Omits a schema that contains a secret, e.g. in the name of a member. */
function maskObservation({ schema, envelope, ...one }: Observation, mask: TextMask): Observation {
  const removeIfSecret = (schemaObject: object | undefined): object | undefined => {
    const text = schemaObject && JSON.stringify(schemaObject)
    return text === undefined || mask(text) === text ? schemaObject : undefined
  }
  const [schemaWithoutSecret, envelopeWithoutSecret] = [removeIfSecret(schema), removeIfSecret(envelope)]
  return {
    ...withMasked(one, ['value'], mask),
    ...(schemaWithoutSecret && { schema: schemaWithoutSecret }),
    ...(envelopeWithoutSecret && { envelope: envelopeWithoutSecret }),
  }
}

/**
 * Masks secrets in the result of a run, but only in text from outside the suite. Otherwise a secret that is a common
 * word could change e.g. a status.
 */
export function maskResult(result: RunResult, mask: TextMask): RunResult {
  const { verdicts, observations, exchanges, opening, notExercised, lostRequests, traffic } = result
  return {
    ...result,
    verdicts: verdicts.map((verdict) => maskVerdict(verdict, mask)),
    observations: observations.map((one) => maskObservation(one, mask)),
    exchanges: new Map([...exchanges].map(([id, exchange]) => [id, maskExchange(exchange, mask)])),
    ...(opening && { opening: opening.map((exchange) => maskExchange(exchange, mask)) }),
    notExercised: notExercised.map(mask),
    ...(lostRequests && { lostRequests: lostRequests.map(mask) }),
    ...(traffic && {
      traffic: { ...traffic, changes: traffic.changes.map((one) => withMasked(one, ['description'], mask)) },
    }),
  }
}
