import type { Exchange, Request } from '../../engine/http/client/exchange.ts'

/**
 * Creates an exchange whose response is a JSON string.
 * @param at the time of the request, in ms; its response takes 1 ms
 */
export const createJsonExchange = (request: Request, value: string, at: number): Exchange => ({
  id: at,
  request,
  url: `http://service.example${request.target}`,
  // These tests read no other part of a response.
  outcome: {
    kind: 'response',
    status: 200,
    fields: [],
    body: { kind: 'json', value, text: JSON.stringify(value) },
  } as unknown as Exchange['outcome'],
  askedAt: at,
  ms: 1,
  excerpt: value,
  requestHeaders: {},
  redirectedFrom: [],
})
