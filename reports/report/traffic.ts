import type { Traffic } from '../../suites/engine/check/verdict.ts'
import type { SentRequest } from '../../suites/engine/http/client/traffic-log.ts'
import { takeExcerpt } from '../text/escape.ts'
import type { ReportRequest, ReportTraffic } from './report.ts'

/** Finds the operation and version of a request target. */
export type OperationFinder = (target: string) => { readonly operation: string; readonly version: string }

const MAX_CHANGE_CHARACTERS = 300

/**
 * Groups the requests of a run by operation and version. Requests of a group are in the order of sending.
 * @param startedAt the start of the run, from which all times are counted
 */
export function buildTraffic({ sent, changes }: Traffic, startedAt: Date, operationOf: OperationFinder): ReportTraffic {
  const since = (at: number) => Math.round(at - startedAt.getTime())
  const series = new Map<string, { operation: string; version: string; requests: ReportRequest[] }>()
  for (const one of sent.toSorted((a, b) => a.askedAt - b.askedAt)) {
    const { operation, version } = operationOf(one.target)
    const key = `${operation} ${version}`
    const requestSeries = series.get(key) ?? { operation, version, requests: [] }
    series.set(key, requestSeries)
    requestSeries.requests.push([
      since(one.askedAt),
      Math.max(0, Math.round(one.ms * 10) / 10),
      one.status,
      retryCodeOf(one),
    ])
  }
  return {
    series: [...series.values()].sort(
      (a, b) => compareText(a.operation, b.operation) || compareText(a.version, b.version),
    ),
    motion: changes.map(({ at, description }) => ({
      at: since(at),
      what: takeExcerpt(description, MAX_CHANGE_CHARACTERS).text,
    })),
  }
}

/** Returns the last element of a `ReportRequest`: 1 for a lost response, 2 for a rate limit, else 0. */
const retryCodeOf = ({ again }: SentRequest): 0 | 1 | 2 => (again === undefined ? 0 : again === 'lost' ? 1 : 2)

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
