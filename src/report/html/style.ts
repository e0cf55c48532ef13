/** The page's only style sheet: light and dark, wide and narrow, screen and paper. No font or picture is fetched. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --surface: #ffffff; --raised: #f0f2f5; --ink: #191d24; --soft: #525c69; --line: #d5dae1;
  --link: #0a53be; --focus: #0a53be; --mark: #ffe7a8; --mark-ink: #191d24;
  --red: #b3261e; --red-soft: #fbe4e2; --amber: #7d5200; --amber-soft: #fbeecb; --green: #1a6e3c; --green-soft: #dbf2e3;
  --blue: #1c5fae; --blue-soft: #e0ecfa; --grey: #525c69; --grey-soft: #e9ecf0; --once: #a9b6c6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1116; --surface: #161b22; --raised: #1e252e; --ink: #e6e9ee; --soft: #a3adba; --line: #323b47;
    --link: #7db4ff; --focus: #7db4ff; --mark: #5a4500; --mark-ink: #fff3d1;
    --red: #ff8f85; --red-soft: #45201e; --amber: #eebf5c; --amber-soft: #3d2f10; --green: #6fd695; --green-soft: #14351f;
    --blue: #8dbdff; --blue-soft: #16304f; --grey: #a3adba; --grey-soft: #262e38; --once: #55616f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
}
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.25rem; }
footer { padding-top: 2rem; padding-bottom: 3rem; color: var(--soft); font-size: .875rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: .25rem 0 .5rem; letter-spacing: -.015em; }
h2 { font-size: 1.25rem; margin: 2.75rem 0 .75rem; letter-spacing: -.01em; }
h3 { font-size: 1.0625rem; margin: 0; line-height: 1.45; }
h4 { font-size: .8125rem; margin: 1.5rem 0 .35rem; color: var(--soft); text-transform: uppercase; letter-spacing: .06em; }
p { margin: .35rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .25rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
:not(pre) > code { background: var(--raised); border-radius: .25rem; padding: .05em .3em; }
.product { color: var(--soft); font-weight: 600; letter-spacing: .02em; margin: 0; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--surface); padding: .5rem .75rem; z-index: 1; }
.soft { color: var(--soft); }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.tiles { list-style: none; display: flex; flex-wrap: wrap; gap: .75rem; padding: 0; margin: 1.25rem 0 .75rem; }
.tiles li { flex: 0 1 9.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: .625rem; padding: .7rem .9rem; }
.tiles b { display: block; font-size: 1.625rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tiles .race b, .tiles .error b { color: var(--red); }
.tiles .unknown b, .tiles .warning b { color: var(--amber); }
.tiles .broadcast b { color: var(--blue); }
.tiles .safe b { color: var(--green); }

.badge { display: inline-block; border-radius: 1rem; padding: .05rem .6rem; font-size: .8125rem; font-weight: 650; white-space: nowrap; background: var(--grey-soft); color: var(--grey); }
.badge.race, .badge.error { background: var(--red-soft); color: var(--red); }
.badge.unknown, .badge.unresolved, .badge.warning { background: var(--amber-soft); color: var(--amber); }
.badge.broadcast, .badge.info { background: var(--blue-soft); color: var(--blue); }
.badge.safe { background: var(--green-soft); color: var(--green); }

fieldset { border: 0; padding: 0; margin: 0 0 .75rem; display: flex; flex-wrap: wrap; gap: .4rem .5rem; align-items: center; }
fieldset[hidden] { display: none; }
legend { float: left; padding: 0; margin-right: .25rem; color: var(--soft); font-size: .875rem; }
.choice { display: inline-flex; align-items: center; gap: .4rem; border: 1px solid var(--line); background: var(--surface); border-radius: 1rem; padding: .2rem .75rem .2rem .55rem; font-size: .875rem; cursor: pointer; }
.choice:has(:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; }
.choice input { margin: 0; accent-color: var(--link); inline-size: 1rem; block-size: 1rem; outline: none; }
.status { min-height: 1.4em; margin: .5rem 0 0; color: var(--soft); font-size: .875rem; }

table { width: 100%; table-layout: fixed; border-collapse: separate; border-spacing: 0; background: var(--surface); border: 1px solid var(--line); border-radius: .625rem; font-size: .9375rem; }
caption { text-align: start; color: var(--soft); font-size: .875rem; padding-bottom: .5rem; }
thead th:nth-child(1) { width: 27%; } thead th:nth-child(2) { width: 17%; } thead th:nth-child(4) { width: 14%; } thead th:nth-child(5) { width: 18%; }
th, td { text-align: start; vertical-align: top; padding: .6rem .8rem; }
thead th { font-size: .8125rem; color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--line); padding-block: .5rem; white-space: nowrap; }
tbody tr + tr > * { border-top: 1px solid var(--line); }
tbody tr[hidden] { display: none; }
tbody th { font-weight: 600; }
td small, th small { display: block; color: var(--soft); font-weight: 400; font-size: .8125rem; }
th button { all: unset; box-sizing: border-box; cursor: pointer; font: inherit; color: inherit; padding: .15rem 1.2rem .15rem .1rem; position: relative; border-radius: .25rem; }
th button:hover { color: var(--ink); }
th button:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
th button::after { position: absolute; right: .15rem; content: "↕"; opacity: .55; }
th[aria-sort="ascending"] button::after { content: "↑"; opacity: 1; }
th[aria-sort="descending"] button::after { content: "↓"; opacity: 1; }
th[aria-sort] button { color: var(--ink); }

.finding { background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; padding: 1.1rem 1.25rem 1.25rem; margin: 0 0 1.25rem; }
.finding > header { padding: 0; max-width: none; margin: 0; }
.finding .line { margin: 0 0 .5rem; display: flex; flex-wrap: wrap; gap: .35rem .6rem; align-items: center; font-size: .875rem; color: var(--soft); }
.finding .where { font-size: .875rem; color: var(--soft); margin: .35rem 0 0; }
.finding .where code { color: var(--ink); }
.facts { display: flex; flex-wrap: wrap; gap: .15rem 1.25rem; margin: .5rem 0 0; font-size: .875rem; }
.facts div { display: flex; gap: .4rem; min-width: 0; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; min-width: 0; }
.sum { font-variant-numeric: tabular-nums; }

figure.race { margin: 1.1rem 0 0; padding: .9rem 1rem 1rem; background: var(--raised); border-radius: .625rem; }
.timeline { display: block; width: 100%; overflow: visible; font: .8125rem/1 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.timeline text { fill: var(--soft); font-size: 12px; paint-order: stroke; stroke: var(--raised); stroke-width: 5px; stroke-linejoin: round; }
.timeline text.caption { fill: var(--ink); font-size: 13px; }
.timeline .run { font-weight: 700; }
.timeline text.moment { fill: var(--red); font-weight: 600; }
.timeline line.moment { stroke: var(--red); stroke-width: 1.5; stroke-dasharray: 4 3; }
.timeline line.axis { stroke: var(--soft); stroke-width: 1; }
.links line { stroke: var(--red); stroke-width: 1; opacity: .4; }
circle.tick { fill: var(--surface); stroke: var(--ink); stroke-width: 1.5; }
.cell { stroke: var(--raised); stroke-width: 1.25; }
.cell.once { fill: var(--once); }
.cell.twice { fill: url(#twice); }
.hatch-ground { fill: var(--red); }
.hatch-line { stroke: var(--surface); stroke-width: 1.6; opacity: .5; }
.defs { position: absolute; }
.legend { list-style: none; padding: 0; margin: .5rem 0 0; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .8125rem; color: var(--soft); }
.legend li { display: inline-flex; align-items: center; gap: .45rem; }
.swatch { flex: none; overflow: visible; }
.story { margin: .8rem 0 0; padding-left: 1.4rem; }
.story li { padding-left: .2rem; margin: .15rem 0; }
.story li::marker { color: var(--soft); }
.basis { color: var(--soft); font-size: .8125rem; margin-top: .6rem; }

details { margin-top: 1.1rem; }
summary { cursor: pointer; font-weight: 600; width: fit-content; }
.trace { list-style: none; padding: 0; margin: .75rem 0 0; counter-reset: step; }
.trace > li { counter-increment: step; position: relative; padding: 0 0 .9rem 2.4rem; }
.trace > li::before { content: counter(step); position: absolute; left: 0; top: .05rem; inline-size: 1.5rem; block-size: 1.5rem; border-radius: 50%; background: var(--raised); color: var(--soft); font-size: .8125rem; line-height: 1.5rem; text-align: center; }
.trace > li:not(:last-child)::after { content: ""; position: absolute; left: .72rem; top: 1.8rem; bottom: .1rem; border-left: 2px solid var(--raised); }
.role { font-weight: 650; margin-right: .35rem; }
.place { color: var(--soft); font-size: .8125rem; }
pre { margin: .4rem 0 0; padding: .65rem .8rem; background: var(--raised); border-radius: .5rem; white-space: pre-wrap; line-height: 1.5; tab-size: 2; }
pre.code { padding-left: 0; }
pre.code .line { display: block; padding-left: 3.6rem; position: relative; margin: 0; color: inherit; font-size: inherit; min-height: 1.5em; }
pre.code .line::before { content: attr(data-line); position: absolute; left: 0; width: 2.8rem; text-align: right; color: var(--soft); opacity: .85; }
mark { background: var(--mark); color: var(--mark-ink); border-radius: .2rem; padding: .05em 0; }
.steps { margin: .35rem 0; padding-left: 1.4rem; }
.plain { list-style: none; padding: 0; margin: 0; }
.plain > li { background: var(--surface); border: 1px solid var(--line); border-radius: .625rem; padding: .65rem .9rem; margin-bottom: .6rem; }

@media (max-width: 44rem) {
  header, main, footer { padding-left: .9rem; padding-right: .9rem; }
  header { padding-top: 1.4rem; }
  h1 { font-size: 1.4375rem; }
  .tiles { gap: .5rem; }
  .tiles li { flex: 1 1 6.5rem; max-width: 50%; padding: .5rem .7rem; }
  .tiles b { font-size: 1.3125rem; }
  .finding { padding: .9rem .9rem 1rem; margin-inline: -.25rem; }
  figure.race { margin-inline: -.4rem; padding: .75rem .7rem .8rem; }
  table, tbody, tbody tr, caption { display: block; }
  caption { padding: .7rem .85rem .5rem; }
  thead { display: none; }
  .sortable thead { display: block; border-bottom: 1px solid var(--line); }
  .sortable thead tr { display: flex; flex-wrap: wrap; padding: .3rem .5rem; }
  .sortable thead th { border: 0; padding: .25rem .3rem; width: auto; }
  tbody tr { padding: .65rem .85rem; }
  tbody tr + tr { border-top: 1px solid var(--line); }
  tbody tr + tr > * { border-top: 0; }
  tbody th, tbody td { display: flex; gap: .6rem; padding: .12rem 0; }
  tbody th::before, tbody td::before { content: attr(data-label); flex: 0 0 5.2rem; color: var(--soft); font-weight: 400; font-size: .8125rem; padding-top: .12rem; }
  tbody th > div, tbody td > div { min-width: 0; }
  .trace > li { padding-left: 0; }
  .trace > li::before { position: static; display: inline-block; margin-right: .5rem; }
  .trace > li:not(:last-child)::after { display: none; }
  pre.code .line { padding-left: 2.9rem; }
  pre.code .line::before { width: 2.2rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  body { background: none; }
  .finding { break-inside: avoid-page; }
  fieldset, .status, .skip { display: none; }
  details:not([open])::details-content { content-visibility: visible; block-size: auto; }
}
@media (forced-colors: active) {
  .badge { border: 1px solid; }
  .cell { stroke: CanvasText; }
  .cell.once { fill: Canvas; }
}
`
