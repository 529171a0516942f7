import type { Report, ReportRequest, ReportTraffic } from '../../report/report.ts'
import { shortenText } from '../../text/escape.ts'
import { groupBy } from '../../text/group-by.ts'
import { formatCount, formatDuration, formatWholeNumber } from '../../text/wording.ts'
import { html, type Markup, renderSection } from './markup.ts'

const DRAWING_WIDTH = 1200
const LANE_HEIGHT = 44
const MAX_DRAWN_CHANGES = 50

const REQUEST_KINDS = [
  ['ok', '2xx or 3xx'],
  ['refused', '4xx'],
  ['broken', '5xx'],
  ['lost', 'no complete response'],
  ['again', 'retried'],
] as const
type RequestKind = (typeof REQUEST_KINDS)[number][0]

function requestKindOf([, , status, again]: ReportRequest): RequestKind {
  if (again !== 0) return 'again'
  if (status === 0) return 'lost'
  if (status >= 500) return 'broken'
  return status >= 400 ? 'refused' : 'ok'
}

/**
 * Renders a chart of all requests over time, with one lane per operation. Slower requests are higher in their lane.
 * Changes of the data are marked.
 */
export function renderTimeline({ traffic, durationMs }: Report): Markup {
  if (traffic === undefined || traffic.series.length === 0) return html``
  const all = traffic.series.flatMap(({ requests }) => requests)
  const end = Math.max(1, durationMs, ...all.map(([at, ms]) => at + ms))
  const slowest = Math.max(10, ...all.map(([, ms]) => ms))
  // The requests of one operation in v2 and in v3 are in the same lane.
  const lanes = [...groupBy(traffic.series, ({ operation }) => operation)].map(([operation, series]) => {
    const requests = series.flatMap((one) => one.requests)
    return renderLane(operation, requests, end, slowest, traffic)
  })
  const used = REQUEST_KINDS.filter(([kind]) => all.some((request) => requestKindOf(request) === kind))
  const legend = used.map(([kind, words]) => html`<li><i class="dot at-${kind}" aria-hidden="true"></i>${words}</li>`)
  const changeMarks =
    traffic.motion.length === 0 ? html`` : html`<li><i class="line" aria-hidden="true"></i>the data changed</li>`
  return renderSection(
    'timeline',
    'Timeline',
    `${formatCount(all.length, 'request')} in ${formatDuration(end)}, each at the time when it was sent; slower requests are higher.`,
    html`<div class="card timeline"><ul class="legend">${legend}${changeMarks}</ul>${lanes}${renderAxis(end)}${renderChanges(traffic)}</div>`,
  )
}

function renderLane(
  operation: string,
  requests: readonly ReportRequest[],
  end: number,
  slowest: number,
  { motion }: ReportTraffic,
): Markup {
  const xOf = (at: number) => Math.round((Math.max(0, at) / end) * DRAWING_WIDTH)
  const pointOf = ([at, ms]: ReportRequest) => {
    const height = Math.log10(1 + ms) / Math.log10(1 + slowest)
    return `M${xOf(at)} ${Math.round(LANE_HEIGHT - 5 - height * (LANE_HEIGHT - 10))}h0`
  }
  const byKind = groupBy(requests, requestKindOf)
  const kinds = REQUEST_KINDS.map(([kind, words]) => ({ kind, words, own: byKind.get(kind) ?? [] })).filter(
    ({ own }) => own.length > 0,
  )
  const paths = kinds.map(
    ({ kind, own }) => html`<path class="at-${kind}" d="${[...new Set(own.map(pointOf))].join('')}"/>`,
  )
  const changeMarks = motion.map(({ at }) => html`<path class="moved" d="M${xOf(at)} 0v${LANE_HEIGHT}"/>`)
  const kindTexts = kinds.map(({ words, own }) => `${own.length} ${words}`)
  return html`<div class="lane"><p><code>${operation}</code> <span>${formatWholeNumber(requests.length)}</span></p><svg viewBox="0 0 ${DRAWING_WIDTH} ${LANE_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${operation}: ${kindTexts.join(', ')}">${changeMarks}${paths}</svg></div>`
}

function renderAxis(end: number): Markup {
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => html`<span>${formatDuration(end * share)}</span>`)
  return html`<div class="lane axis"><p></p><div aria-hidden="true">${ticks}</div></div>`
}

function renderChanges({ motion }: ReportTraffic): Markup {
  if (motion.length === 0) return html``
  const shown = motion
    .slice(0, MAX_DRAWN_CHANGES)
    .map(({ at, what }) => html`<li><b>${formatDuration(Math.max(0, at))}</b> ${shortenText(what, 300)}</li>`)
  return html`<h3>Changes of the data</h3><ol class="moves">${shown}</ol>`
}
