import type { Report, ReportTraffic } from '../../report/report.ts'
import { formatDuration, formatWholeNumber } from '../../text/wording.ts'
import { html, type Markup, renderSection } from './markup.ts'

type TrafficSeries = ReportTraffic['series'][number]

const BIN_COUNT = 48
const PLOT_HEIGHT = 36

/** Renders a table with the distribution of response times per operation and version, on a logarithmic scale. */
export function renderLatency({ traffic }: Report): Markup {
  const rows = (traffic?.series ?? [])
    .map((one) => ({ one, times: sortedResponseTimesOf(one) }))
    .filter(({ times }) => times.length > 0)
  if (rows.length === 0) return html``
  const scale = createScale(rows.flatMap(({ times }) => [times[0] ?? 0, times.at(-1) ?? 0]))
  const heads = QUANTILES.map(([name]) => html`<th scope="col">${name}</th>`)
  const lines = scale.ticks.length === 0 ? '' : ` (lines at ${scale.ticks.map(formatDuration).join(', ')})`
  return renderSection(
    'latency',
    'Latency',
    `Response times of all operations on one logarithmic scale${lines}, measured where the suite ran. They never fail a run.`,
    html`<table class="card latency"><thead><tr><th scope="col">operation</th><th scope="col">distribution</th><th scope="col">responses</th>${heads}</tr></thead><tbody>${rows.map(({ one, times }) => renderRow(one, times, scale))}</tbody></table>`,
  )
}

/**
 * A logarithmic scale: `positionOf` maps milliseconds to 0 … 1; `ticks` are the powers of ten at which lines are drawn.
 */
interface LatencyScale {
  readonly positionOf: (ms: number) => number
  readonly ticks: readonly number[]
}

function createScale(times: readonly number[]): LatencyScale {
  const start = 10 ** Math.floor(Math.log10(Math.max(MIN_SCALE_MS, Math.min(...times))))
  const end = Math.max(start * 10, ...times) * 1.05
  return {
    positionOf: (ms) => Math.log10(Math.max(ms, start) / start) / Math.log10(end / start),
    ticks: [1, 10, 100, 1000, 10_000, 100_000].filter((ms) => ms > start && ms < end),
  }
}

const MIN_SCALE_MS = 0.1

const QUANTILES: readonly (readonly [string, number])[] = [
  ['median', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['longest', 1],
]

const sortedResponseTimesOf = ({ requests }: TrafficSeries): number[] =>
  requests
    .filter(([, , status]) => status > 0)
    .map(([, ms]) => ms)
    .sort((one, other) => one - other)

/** Returns a quantile of sorted values by nearest rank, e.g. the median for the share 0.5. */
const quantileOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0

function renderRow({ operation, version }: TrafficSeries, times: readonly number[], scale: LatencyScale): Markup {
  const numbers = QUANTILES.map(
    ([name, share]) => html`<td class="number" data-name="${name}">${formatTime(quantileOf(times, share))}</td>`,
  )
  return html`<tr><th scope="row"><code>${operation}</code> <span class="tag">${version}</span></th><td class="plot">${renderPlot(times, scale)}</td><td class="number">${formatWholeNumber(times.length)}</td>${numbers}</tr>`
}

const formatTime = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : formatDuration(ms))

function renderPlot(times: readonly number[], { positionOf: place, ticks }: LatencyScale): Markup {
  const bins = Array.from({ length: BIN_COUNT }, () => 0)
  for (const ms of times) {
    const bin = Math.min(BIN_COUNT - 1, Math.floor(place(ms) * BIN_COUNT))
    bins[bin] = (bins[bin] ?? 0) + 1
  }
  const most = Math.max(1, ...bins)
  const width = 1000 / BIN_COUNT
  const bars = bins.flatMap((count, index) => {
    // Uses the square root, so that rare slow responses remain visible beside many fast ones.
    const height = count === 0 ? 0 : Math.max(2, Math.sqrt(count / most) * PLOT_HEIGHT)
    return count === 0
      ? []
      : `M${(index * width + 1).toFixed(1)} ${PLOT_HEIGHT}v${(-height).toFixed(1)}h${(width - 2).toFixed(1)}v${height.toFixed(1)}z`
  })
  const at = (ms: number) => (place(ms) * 1000).toFixed(1)
  return html`<svg viewBox="0 0 1000 ${PLOT_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${ticks.map((ms) => html`<path class="tick" d="M${at(ms)} 0v${PLOT_HEIGHT}"/>`)}<path class="bars" d="${bars.join('')}"/><path class="median" d="M${at(quantileOf(times, 0.5))} 0v${PLOT_HEIGHT}"/></svg>`
}
