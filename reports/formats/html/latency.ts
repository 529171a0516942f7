import type { Report, ReportTraffic } from '../../report/report.ts'
import { duration, wholeNumber } from '../../text/wording.ts'
import { html, type Markup, section } from './markup.ts'

type Series = ReportTraffic['series'][number]

const BINS = 48
const HEIGHT = 36

/** Renders response times by operation and version: the distribution on a logarithmic scale. */
export function latency({ traffic }: Report): Markup {
  const rows = (traffic?.series ?? [])
    .map((one) => ({ one, times: timesOf(one) }))
    .filter(({ times }) => times.length > 0)
  if (rows.length === 0) return html``
  const scale = scaleFor(rows.flatMap(({ times }) => [times[0] ?? 0, times.at(-1) ?? 0]))
  const heads = shares.map(([name]) => html`<th scope="col">${name}</th>`)
  const lines = scale.ticks.length === 0 ? '' : ` (lines at ${scale.ticks.map(duration).join(', ')})`
  return section(
    'latency',
    'Latency',
    `How long answers took, all operations on one logarithmic scale${lines}. What the suite saw from where it ran; nothing is judged by it.`,
    html`<table class="card latency"><thead><tr><th scope="col">operation</th><th scope="col">distribution</th><th scope="col">answers</th>${heads}</tr></thead><tbody>${rows.map(({ one, times }) => row(one, times, scale))}</tbody></table>`,
  )
}

/** Maps milliseconds to 0 … 1, with the powers of ten between. */
interface Scale {
  readonly at: (ms: number) => number
  readonly ticks: readonly number[]
}

function scaleFor(times: readonly number[]): Scale {
  const start = 10 ** Math.floor(Math.log10(Math.max(SHORTEST, Math.min(...times))))
  const end = Math.max(start * 10, ...times) * 1.05
  return {
    at: (ms) => Math.log10(Math.max(ms, start) / start) / Math.log10(end / start),
    ticks: [1, 10, 100, 1000, 10_000, 100_000].filter((ms) => ms > start && ms < end),
  }
}

const SHORTEST = 0.1

const shares: readonly (readonly [string, number])[] = [
  ['median', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['longest', 1],
]

const timesOf = ({ requests }: Series): number[] =>
  requests
    .filter(([, , status]) => status > 0)
    .map(([, ms]) => ms)
    .sort((one, other) => one - other)

/** The value below which a share of the sorted values lies (nearest rank). */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0

function row({ operation, version }: Series, times: readonly number[], scale: Scale): Markup {
  const numbers = shares.map(
    ([name, share]) => html`<td class="number" data-name="${name}">${spoken(quantile(times, share))}</td>`,
  )
  return html`<tr><th scope="row"><code>${operation}</code> <span class="tag">${version}</span></th><td class="plot">${plot(times, scale)}</td><td class="number">${wholeNumber(times.length)}</td>${numbers}</tr>`
}

const spoken = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : duration(ms))

function plot(times: readonly number[], { at: place, ticks }: Scale): Markup {
  const bins = Array.from({ length: BINS }, () => 0)
  for (const ms of times) {
    const bin = Math.min(BINS - 1, Math.floor(place(ms) * BINS))
    bins[bin] = (bins[bin] ?? 0) + 1
  }
  const most = Math.max(1, ...bins)
  const width = 1000 / BINS
  const bars = bins.flatMap((count, index) => {
    // The square root keeps rare slow responses visible beside many fast ones.
    const height = count === 0 ? 0 : Math.max(2, Math.sqrt(count / most) * HEIGHT)
    return count === 0
      ? []
      : `M${(index * width + 1).toFixed(1)} ${HEIGHT}v${(-height).toFixed(1)}h${(width - 2).toFixed(1)}v${height.toFixed(1)}z`
  })
  const at = (ms: number) => (place(ms) * 1000).toFixed(1)
  return html`<svg viewBox="0 0 1000 ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${ticks.map((ms) => html`<path class="tick" d="M${at(ms)} 0v${HEIGHT}"/>`)}<path class="bars" d="${bars.join('')}"/><path class="median" d="M${at(quantile(times, 0.5))} 0v${HEIGHT}"/></svg>`
}
