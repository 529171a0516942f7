/** The style of the page: light and dark, wide and narrow, and print. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f5f8, #0e1117);
  --surface: light-dark(#ffffff, #161b23);
  --raised: light-dark(#f7f8fa, #1d232d);
  --line: light-dark(#dfe3ea, #2a313d);
  --ink: light-dark(#171c26, #e8ebf1);
  --soft: light-dark(#535d6f, #a0abbd);
  --link: light-dark(#1d57b8, #8db9ff);
  --pass: light-dark(#137a48, #4cc88d);
  --fail: light-dark(#c02a26, #ff8b82);
  --error: light-dark(#a01470, #ff86cc);
  --warn: light-dark(#8d5700, #f0b543);
  --inconclusive: light-dark(#6344b8, #b9a2ff);
  --not-applicable: light-dark(#535d6f, #a0abbd);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Code', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif;
  --tone: var(--soft);
}
*, *::before, *::after { box-sizing: border-box }
[hidden] { display: none !important }
html { scroll-behavior: smooth; scroll-padding-top: 4rem; -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.55 var(--sans); overflow-wrap: anywhere }
main, footer { max-width: 74rem; margin: 0 auto; padding: 0 1.25rem }
footer { padding-block: 2.5rem; color: var(--soft); font-size: .85rem }
h1, h2, h3, p, dl, dd, ul, ol, pre, table { margin: 0; padding: 0 }
ul, ol { list-style: none }
a { color: var(--link) }
code, pre, kbd { font-family: var(--mono); font-size: .875em }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px }
.skip { position: absolute; left: -99rem; z-index: 3; padding: .6rem 1rem; background: var(--surface) }
.skip:focus { left: 1rem; top: 1rem }

.pass { --tone: var(--pass) }
.fail { --tone: var(--fail) }
.error { --tone: var(--error) }
.warn { --tone: var(--warn) }
.inconclusive { --tone: var(--inconclusive) }
.not-applicable { --tone: var(--not-applicable) }
.glyph { color: var(--tone); font-weight: 700; font-family: var(--mono) }
.dot { display: inline-block; width: .6em; height: .6em; margin-right: .45em; border-radius: 50%; background: var(--tone) }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 1px 2px rgb(10 20 40 / .05) }
.tag + .tag { margin-left: .25rem }
.tag { display: inline-block; padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 99px; color: var(--soft); font-size: .78rem; line-height: 1.5; white-space: nowrap }
.tag.fail, .tag.error, .tag.warn, .tag.inconclusive { color: var(--tone); border-color: color-mix(in srgb, var(--tone) 45%, transparent) }

nav { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 1rem; padding: .5rem max(1.25rem, calc((100vw - 74rem) / 2 + 1.25rem)); background: color-mix(in srgb, var(--ground) 88%, transparent); backdrop-filter: blur(10px); border-bottom: 1px solid var(--line) }
nav ul { display: flex; flex: 1; gap: .25rem; overflow-x: auto; scrollbar-width: none; mask-image: linear-gradient(to right, black calc(100% - 2rem), transparent) }
nav a { display: block; padding: .3rem .65rem; border-radius: 8px; color: var(--soft); font-size: .9rem; text-decoration: none; white-space: nowrap }
nav a:hover { background: var(--surface); color: var(--ink) }
button { font: inherit; color: inherit; cursor: pointer }
#clear, .copy { padding: .25rem .7rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); font-size: .85rem }
button:hover { border-color: var(--soft) }

.hero { padding: 2.75rem 0 1.5rem }
.kind { color: var(--soft); font-size: .8rem; font-weight: 600; letter-spacing: .09em; text-transform: uppercase }
h1 { display: flex; align-items: center; gap: .9rem; margin: .35rem 0 .2rem; font-size: clamp(2rem, 6vw, 3.1rem); font-weight: 750; letter-spacing: -.025em; line-height: 1.15; color: var(--tone) }
h1 span:last-child::first-letter { text-transform: uppercase }
h1 .glyph { display: grid; place-items: center; flex: none; width: 1.35em; height: 1.35em; border-radius: 50%; background: color-mix(in srgb, var(--tone) 14%, transparent); font-size: .72em }
.target { font-size: 1.05rem }
.lead { max-width: 48rem; margin-top: .8rem; color: var(--soft); font-size: 1.05rem }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; padding: 1rem 1.25rem }
.facts dt { color: var(--soft); font-size: .78rem }
.facts dd { font-variant-numeric: tabular-nums; font-weight: 600 }
.diagnosis { display: grid; grid-template-columns: 6.2rem minmax(0, 1fr); gap: .35rem 1rem; margin-top: 1rem; padding: .9rem 1.1rem; border: 1px solid var(--line); border-left: 4px solid var(--tone); border-radius: 10px; background: var(--surface) }
.diagnosis dt { color: var(--soft); font-size: .88rem }
.diagnosis dd { overflow-wrap: anywhere; min-width: 0 }
.diagnosis dd:has(pre) { grid-column: 2 }
.index { margin: 1rem 0 0; padding: .65rem 1.25rem; list-style: none; background: linear-gradient(var(--tone), var(--tone)) no-repeat 0 0 / 4px 100%, var(--surface) }
.index li { padding: .25rem 0; overflow-wrap: anywhere }
.index a { font-weight: 600 }
.fix { max-width: 60rem; color: var(--soft); font-size: .92rem }
.fix b { font-weight: 600 }
.classes { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem }
.class { padding: 1.2rem 1.25rem 1.1rem; background: linear-gradient(var(--tone), var(--tone)) no-repeat 0 0 / 100% 4px, var(--surface) }
.class h2 { color: var(--soft); font-size: .85rem; font-weight: 600 }
.verdict { margin: .1rem 0 .7rem; color: var(--tone); font-size: 1.25rem; font-weight: 700 }
.requirements td { white-space: nowrap }
.bar { display: block; width: 100%; height: 8px; border-radius: 4px }
.fill { fill: var(--tone) }
.counts { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin-top: .6rem; color: var(--soft); font-size: .85rem }

#filters { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; margin-top: 1.5rem }
#filters label { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
.search { position: relative; flex: 1 1 15rem }
#search { width: 100%; padding: .5rem .85rem; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); color: var(--ink); font: inherit }
#search::placeholder { color: var(--soft); opacity: 1 }
kbd { position: absolute; top: 50%; right: .6rem; translate: 0 -50%; padding: 0 .45rem; border: 1px solid var(--line); border-radius: 5px; color: var(--soft); pointer-events: none }
#search:focus + kbd { visibility: hidden }
#filters [role=group] { display: flex; flex-wrap: wrap; gap: .4rem }
.chip { padding: .3rem .75rem; border: 1px solid var(--line); border-radius: 99px; background: var(--surface); color: var(--tone); font-size: .85rem }
.chip b { color: var(--soft); font-weight: 600 }
.chip[aria-pressed=true] { background: var(--tone); border-color: var(--tone); color: var(--surface) }
.chip[aria-pressed=true] b { color: inherit }
.matches { flex-basis: 100%; color: var(--soft); font-size: .88rem }

section { margin-top: 2.5rem }
.title { display: flex; flex-wrap: wrap; align-items: baseline; gap: .15rem 1rem; margin-bottom: .9rem }
h2 { font-size: 1.35rem; letter-spacing: -.01em }
thead th { overflow-wrap: normal }
.title p { color: var(--soft); font-size: .92rem }
.finding { margin-bottom: 1rem; background: linear-gradient(var(--tone), var(--tone)) no-repeat 0 0 / 4px 100%, var(--surface) }
.finding summary { padding: 1rem 1.25rem; cursor: pointer; list-style: none }
.finding summary::-webkit-details-marker { display: none }
.finding h3 { display: flex; gap: .6rem; font-size: 1.08rem; line-height: 1.4 }
.finding h3 span:last-child { flex: 1; min-width: 0 }
.finding h3::after { align-self: flex-start; content: '▸'; color: var(--soft); transition: transform .15s }
details[open] > summary h3::after { transform: rotate(90deg) }
.tags { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem .5rem; margin-top: .3rem; padding-left: 1.35rem; color: var(--soft) }
.finding dl { padding: .35rem 1.25rem 1.1rem; border-top: 1px solid var(--line) }
.row { display: grid; grid-template-columns: 6.2rem minmax(0, 1fr); gap: .25rem 1rem; padding: .5rem 0 }

.reason { white-space: pre-wrap }
.row dt { color: var(--soft); font-size: .88rem }
.row dd > p + p, .line + .body { margin-top: .45rem }
.method { color: var(--link); font-family: var(--mono); font-size: .85em; font-weight: 700 }
.line { color: var(--soft); font-size: .92rem }
.code { padding: .1rem .5rem; border-radius: 6px; background: color-mix(in srgb, var(--tone) 14%, transparent); color: var(--tone); font-family: var(--mono); font-size: .85em; font-weight: 700 }
.s2 { --tone: var(--pass) } .s3 { --tone: var(--soft) } .s4 { --tone: var(--warn) } .s5, .s0 { --tone: var(--fail) }
pre { overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere }
.body { max-height: 15rem; padding: .65rem .85rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); line-height: 1.6 }
mark { padding: .05em .15em; border-radius: 3px; background: light-dark(#ffe58a, #6a5310); color: inherit; font-weight: 600 }
.input { padding: .1rem .45rem; border: 1px solid var(--line); border-radius: 6px; background: var(--raised) }
.shell { display: flex; align-items: flex-start; gap: .5rem; margin-bottom: .4rem; padding: .5rem .5rem .5rem .85rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised) }
.shell pre { flex: 1; min-width: 0; max-height: 9rem; padding-block: .15rem }

table { width: 100%; border-collapse: separate; border-spacing: 0 }
th, td { padding: .5rem .85rem; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400 }
thead th { border-top: 0; color: var(--soft); font-size: .8rem; font-weight: 600 }
.matrix td, .matrix thead th + th { width: 5.2rem; text-align: center }
.matrix tbody th { padding-block: .32rem }
.matrix tbody td { padding: .32rem .3rem; white-space: nowrap }
.matrix .what { margin-right: .6rem }
.matrix code { color: var(--soft); font-size: .78rem }
.matrix .group th { padding-block: .45rem; font-size: .9rem; background: var(--raised); font-weight: 700; border-top: 1px solid var(--line) }
.matrix td a { display: inline-block; padding: .1rem .45rem; border-radius: 6px; text-decoration: none; background: color-mix(in srgb, var(--fail) 8%, transparent) }
.matrix td .glyph { font-size: 1.05rem }
.asked { margin-left: .35rem; color: var(--soft); font-size: .72rem; font-variant-numeric: tabular-nums; line-height: 1.2 }
.level { margin-left: .5rem; color: var(--warn); font-size: .78rem }
.says { font-weight: 500 }
.says + .value { color: var(--soft); font-size: .88rem }
.where { color: var(--soft); font-size: .88rem }
.choices thead th:first-child { min-width: 13rem }
.choices thead th:last-child { min-width: 14rem }
.gaps { padding: .35rem 1.25rem }
.gap { padding: .7rem 0 }
.gap + .gap { border-top: 1px solid var(--line) }
.gap summary { color: var(--soft); cursor: pointer; font-size: .88rem }
.gap details p { padding-top: .4rem; line-height: 1.9 }


.timeline { padding: 1rem 1.25rem }
.timeline h3 { margin-top: 1rem; font-size: 1rem }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin-bottom: .8rem; color: var(--soft); font-size: .85rem }
.legend .line { display: inline-block; width: 1px; height: .9em; margin-right: .5em; vertical-align: -.1em; border-left: 2px dashed var(--warn) }
.lane { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); align-items: center; gap: 1rem }
.lane > * { min-width: 0 }
.lane p { display: flex; justify-content: space-between; gap: .5rem; font-size: .85rem }
.lane p span { color: var(--soft); font-variant-numeric: tabular-nums; font-size: .8rem }
.lane svg { display: block; width: 100%; height: 44px; border-top: 1px solid var(--line); overflow: visible }
.lane.axis { border-top: 1px solid var(--line) }
.lane.axis div { display: flex; justify-content: space-between; padding-top: .3rem; color: var(--soft); font-size: .78rem; font-variant-numeric: tabular-nums }
.lane path { fill: none; stroke: var(--tone); stroke-width: 4px; stroke-linecap: round; vector-effect: non-scaling-stroke }
.at-ok { --tone: color-mix(in srgb, var(--link) 60%, transparent) }
.at-refused { --tone: color-mix(in srgb, var(--soft) 55%, transparent) }
.at-broken { --tone: var(--fail) }
.at-lost { --tone: var(--error) }
.at-again { --tone: var(--inconclusive) }
.lane .at-broken, .lane .at-lost, .lane .at-again { stroke-width: 7px }
.lane .moved { stroke: var(--warn); stroke-width: 1.5px; stroke-dasharray: 4 3; stroke-linecap: butt }
.moves { padding-top: .3rem; color: var(--soft); font-size: .9rem }
.moves b { color: var(--ink); font-variant-numeric: tabular-nums }

@media (max-width: 56rem) {
  .class { padding-inline: .9rem }
  .class .verdict { font-size: 1.05rem }
  .requirements td { white-space: normal }
}
@media (max-width: 44rem) {
  .classes { grid-template-columns: minmax(0, 1fr); gap: .6rem }
  .class { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: baseline; padding-block: .75rem .6rem }
  .class .verdict { margin: 0 }
  .bar, .counts { grid-column: 1 / -1; margin-top: .4rem }
  .class.not-applicable .counts { margin-top: 0 }
  .index { padding-inline: .9rem }
  .diagnosis { grid-template-columns: minmax(0, 1fr) }
  .diagnosis dt { font-weight: 600 }
  .diagnosis dd:has(pre) { grid-column: 1 }
  .requirements thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
  .requirements tr { display: block; padding: .6rem 0; border-top: 1px solid var(--line) }
  .requirements th, .requirements td { display: block; border: 0; padding-block: .1rem }
  .requirements td:nth-child(n+3) { display: inline-block; color: var(--soft); font-size: .82rem }
  .requirements td:nth-child(n+3)::before { content: attr(data-name) ' ' }
  main, footer { padding-inline: .9rem }
  nav { padding-inline: .9rem }
  .hero { padding-top: 1.75rem }
  .row { grid-template-columns: minmax(0, 1fr) }
  .row dt { font-weight: 600 }
  .finding summary, .finding dl { padding-inline: .9rem }
  .shell { flex-wrap: wrap }
  .shell pre { flex-basis: 100% }
  th, td { padding-inline: .6rem }
  .matrix td, .matrix thead th + th { width: 2.9rem; padding-inline: .2rem }
  .matrix code, .asked { display: block; margin-left: 0; line-height: 1.3 }
  .choices thead th { min-width: 0 !important }
  .choices thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
  .choices tr { display: block; padding: .6rem 0; border-top: 1px solid var(--line) }
  .choices tbody tr:first-child { border-top: 0 }
  .choices th, .choices td { display: block; width: auto; padding-block: .1rem; border: 0 }
  .lane { grid-template-columns: minmax(0, 1fr); gap: .1rem; margin-top: .5rem }
  .timeline { padding-inline: .9rem }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } .finding h3::after { transition: none } }
@media print {
  nav, #filters, .copy, .skip { display: none !important }
  body { background: none }
  .card { box-shadow: none; break-inside: avoid-page }
}
`
