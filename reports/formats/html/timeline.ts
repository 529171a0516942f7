import type { Report, ReportRequest, ReportTraffic } from '../../report/report.ts'
import { counted, duration, wholeNumber } from '../../text/wording.ts'
import { shortened } from './excerpt.ts'
import { html, type Markup, section } from './markup.ts'

const WIDTH = 1200
const LANE = 44
const SLOTS = 120
const MOST_MOVEMENTS = 50

/** The kinds of requests in the drawing. */
const kinds = [
  ['ok', 'answered with 2xx or 3xx'],
  ['refused', '4xx'],
  ['broken', '5xx'],
  ['lost', 'no whole answer'],
  ['again', 'asked again'],
] as const
type Kind = (typeof kinds)[number][0]

function kindOf([, , status, again]: ReportRequest): Kind {
  if (again !== 0) return 'again'
  if (status === 0) return 'lost'
  if (status >= 500) return 'broken'
  return status >= 400 ? 'refused' : 'ok'
}

/** Renders every request over time, by operation, slower ones higher, and the changes of the data. */
export function timeline({ traffic, durationMs }: Report): Markup {
  if (traffic === undefined || traffic.series.length === 0) return html``
  const all = traffic.series.flatMap(({ requests }) => requests)
  const end = Math.max(1, durationMs, ...all.map(([at, ms]) => at + ms))
  const slowest = Math.max(10, ...all.map(([, ms]) => ms))
  const lanes = lanesOf(traffic).map(([operation, requests]) => lane(operation, requests, end, slowest, traffic))
  const used = kinds.filter(([kind]) => all.some((request) => kindOf(request) === kind))
  const legend = used.map(([kind, words]) => html`<li><i class="dot at-${kind}" aria-hidden="true"></i>${words}</li>`)
  const motion =
    traffic.motion.length === 0
      ? html``
      : html`<li><i class="line" aria-hidden="true"></i>something was seen to move</li>`
  return section(
    'timeline',
    'Timeline',
    `${counted(all.length, 'request')} in ${duration(end)}, each where it was sent, the slower the higher; above them how many were sent at a time.`,
    html`<div class="card timeline"><ul class="legend">${legend}${motion}</ul>${rate(all, end)}${lanes}${axis(end)}${movements(traffic)}</div>`,
  )
}

/** v2 and v3 of an operation share a lane. */
function lanesOf({ series }: ReportTraffic): [string, ReportRequest[]][] {
  const lanes = new Map<string, ReportRequest[]>()
  for (const { operation, requests } of series) lanes.set(operation, [...(lanes.get(operation) ?? []), ...requests])
  return [...lanes]
}

function lane(
  operation: string,
  requests: readonly ReportRequest[],
  end: number,
  slowest: number,
  { motion }: ReportTraffic,
): Markup {
  const points = new Map<Kind, Set<string>>()
  for (const request of requests) {
    const [at, ms] = request
    const x = Math.round((Math.max(0, at) / end) * WIDTH)
    const height = Math.log10(1 + ms) / Math.log10(1 + slowest)
    const y = Math.round(LANE - 5 - height * (LANE - 10))
    const kind = kindOf(request)
    const its = points.get(kind) ?? new Set()
    points.set(kind, its.add(`M${x} ${y}h0`))
  }
  const paths = kinds.flatMap(([kind]) => {
    const its = points.get(kind)
    return its ? [html`<path class="at-${kind}" d="${[...its].join('')}"/>`] : []
  })
  const moved = motion.map(
    ({ at }) => html`<path class="moved" d="M${Math.round((Math.max(0, at) / end) * WIDTH)} 0v${LANE}"/>`,
  )
  const told = kinds.flatMap(([kind, words]) => {
    const count = requests.filter((request) => kindOf(request) === kind).length
    return count === 0 ? [] : [`${count} ${words}`]
  })
  return html`<div class="lane"><p><code>${operation}</code> <span>${wholeNumber(requests.length)}</span></p><svg viewBox="0 0 ${WIDTH} ${LANE}" preserveAspectRatio="none" role="img" aria-label="${operation}: ${told.join(', ')}">${moved}${paths}</svg></div>`
}

/** The number of requests in each time slot. */
function rate(all: readonly ReportRequest[], end: number): Markup {
  const slots = Array.from({ length: SLOTS }, () => 0)
  for (const [at] of all) {
    const slot = Math.min(SLOTS - 1, Math.max(0, Math.floor((at / end) * SLOTS)))
    slots[slot] = (slots[slot] ?? 0) + 1
  }
  const most = Math.max(1, ...slots)
  const step = WIDTH / SLOTS
  const top = slots.map(
    (count, index) =>
      `H${(index * step).toFixed(0)}V${(30 - (count / most) * 28).toFixed(1)}H${((index + 1) * step).toFixed(0)}`,
  )
  const perSecond = Math.round(most / (end / SLOTS / 1000))
  return html`<div class="lane rate"><p>requests <span>${wholeNumber(perSecond)}/s at most</span></p><svg viewBox="0 0 ${WIDTH} 30" preserveAspectRatio="none" aria-hidden="true"><path d="M0 30${top.join('')}V30z"/></svg></div>`
}

function axis(end: number): Markup {
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => html`<span>${duration(end * share)}</span>`)
  return html`<div class="lane axis"><p></p><div aria-hidden="true">${ticks}</div></div>`
}

function movements({ motion }: ReportTraffic): Markup {
  if (motion.length === 0) return html``
  const shown = motion
    .slice(0, MOST_MOVEMENTS)
    .map(({ at, what }) => html`<li><b>${duration(Math.max(0, at))}</b> ${shortened(what, 300)}</li>`)
  return html`<h3>What moved meanwhile</h3><ol class="moves">${shown}</ol>`
}
