import type { Traffic } from '../../suites/engine/check/verdict.ts'
import type { Sent } from '../../suites/engine/http/client/traffic-log.ts'
import { excerpt } from '../text/escape.ts'
import type { ReportRequest, ReportTraffic } from './report.ts'

/** Returns the operation and version of a request target. */
export type PlaceOf = (target: string) => { readonly operation: string; readonly version: string }

const LONGEST_MOVEMENT = 300

/**
 * The requests of a run, by operation and version, in order.
 * @param startedAt the start of the times
 */
export function buildTraffic({ sent, motion }: Traffic, startedAt: Date, placeOf: PlaceOf): ReportTraffic {
  const since = (at: number) => Math.round(at - startedAt.getTime())
  const series = new Map<string, { operation: string; version: string; requests: ReportRequest[] }>()
  for (const one of sent.toSorted((a, b) => a.askedAt - b.askedAt)) {
    const { operation, version } = placeOf(one.target)
    const key = `${operation} ${version}`
    const its = series.get(key) ?? { operation, version, requests: [] }
    series.set(key, its)
    its.requests.push([since(one.askedAt), Math.max(0, Math.round(one.ms * 10) / 10), one.status, againOf(one)])
  }
  return {
    series: [...series.values()].sort((a, b) => compare(a.operation, b.operation) || compare(a.version, b.version)),
    motion: motion.map(({ at, what }) => ({ at: since(at), what: excerpt(what, LONGEST_MOVEMENT).text })),
  }
}

const againOf = ({ again }: Sent): 0 | 1 | 2 => (again === undefined ? 0 : again === 'lost' ? 1 : 2)

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
