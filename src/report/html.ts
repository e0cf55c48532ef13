import { createHash } from 'node:crypto'
import type { Diagnostic, Report, Verdict } from '../model/index.js'
import { cleanReport } from './clean.js'
import { codeFrames } from './html/code.js'
import { findingArticle } from './html/finding.js'
import { badge, fleetSection } from './html/fleet-table.js'
import { markup, prose, type Markup } from './html/markup.js'
import { SCRIPT } from './html/script.js'
import { STYLE } from './html/style.js'
import type { RenderContext } from './index.js'
import { unanswered } from './unanswered.js'
import { count, place, tally, worstFirst } from './words.js'

/**
 * The report as one page that needs no network: the fleet, each finding with a picture of the two runs, what could not be
 * analysed. Everything from the project is escaped; should that ever fail, the policy in the page's head lets only the
 * page's own script and style run, by their hashes, and nothing be fetched.
 */
export function renderHtml(report: Report, context: Pick<RenderContext, 'sources'>): string {
  const clean = cleanReport(report)
  const sorted = [...clean.findings].sort(worstFirst)
  const numbers = new Map<string, number[]>()
  sorted.forEach(({ function: name }, index) => {
    if (name !== null) numbers.set(name, [...(numbers.get(name) ?? []), index + 1])
  })
  const frame = codeFrames(context.sources)
  const title = titleOf(clean)
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>tick-audit: ${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<svg class="defs" width="0" height="0" aria-hidden="true"><defs><pattern id="twice" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="7" height="7"/><line class="hatch-line" x1="0" y1="0" x2="0" y2="7"/></pattern></defs></svg>
<header>
<p class="product">tick-audit</p>
<h1>${title}</h1>
${overview(clean)}
</header>
<main id="main">
${fleetSection(clean, numbers)}
<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
${sorted.length === 0 ? markup`<p>None.</p>` : sorted.map((finding, index) => findingArticle(finding, index + 1, clean.ticks, frame))}
</section>
${gaps(clean)}
${suppressed(clean)}
</main>
<footer>
<p>${clean.tool.name} ${clean.tool.version} · report schema ${clean.schemaVersion}</p>
</footer>
<script>${{ markup: SCRIPT }}</script>
</body>
</html>
`.markup
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Content Security Policy Level 3: nothing but the one script and the one style of this page. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hash(SCRIPT)}`,
  `style-src ${hash(STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function titleOf(report: Report): string {
  const { bySeverity, byVerdict } = report.summary
  if (report.coverage.sqlFiles === 0 && report.ticks.length === 0) return 'Nothing was audited'
  if (byVerdict.race > 0) return `${count(byVerdict.race, 'function')} can do the same work twice`
  const total = bySeverity.error + bySeverity.warning + bySeverity.info
  if (total > 0) return tally(bySeverity)
  const { functionsUnknown, ticksUnresolved, statementsFailed } = report.coverage
  return functionsUnknown + ticksUnresolved + statementsFailed > 0
    ? 'No findings, but not everything could be decided'
    : 'No findings'
}

const VERDICTS: Readonly<Record<Verdict, string>> = {
  race: 'race',
  unknown: 'unknown',
  broadcast: 'broadcast',
  safe: 'safe',
  'no-row-work': 'no row work',
}

/** The numbers: findings, functions by verdict, what was read. */
function overview({ summary, coverage, ticks, functions }: Report): Markup {
  const { bySeverity, byVerdict } = summary
  const aside = [
    ...(summary.suppressed > 0 ? [`${summary.suppressed} suppressed`] : []),
    ...(summary.baselined > 0 ? [`${summary.baselined} in the baseline`] : []),
  ]
  const found = bySeverity.error + bySeverity.warning + bySeverity.info === 0 ? 'No findings' : tally(bySeverity)
  const tiles = (Object.keys(VERDICTS) as Verdict[]).filter((verdict) => byVerdict[verdict] > 0)
  const failed = coverage.statementsFailed > 0 ? `, ${coverage.statementsFailed} more not parsed` : ''
  return markup`<p>${found}${aside.length > 0 ? ` (${aside.join(', ')})` : ''} in ${count(functions.length, 'function')} behind ${count(ticks.length, 'tick')}.</p>
${
  tiles.length === 0
    ? null
    : markup`<ul class="tiles" aria-label="Functions by verdict">${tiles.map(
        (verdict) => markup`<li class="${verdict}"><b>${byVerdict[verdict]}</b> ${VERDICTS[verdict]}</li>`,
      )}</ul>`
}
<p class="soft">Read: ${count(coverage.sqlFiles, 'SQL file')} (${count(coverage.statementsParsed, 'statement')}${failed}) · ${count(
    coverage.ticksResolved,
    'tick',
  )} resolved${coverage.ticksUnresolved > 0 ? `, ${coverage.ticksUnresolved} not` : ''} · ${count(
    coverage.functionsAnalysed,
    'function',
  )} analysed${coverage.functionsUnknown > 0 ? `, ${coverage.functionsUnknown} unknown` : ''}</p>`
}

/** What could not be analysed; the notes folded behind it. */
function gaps(report: Report): Markup | null {
  const all = [...unanswered(report)].sort(worstFirst)
  if (all.length === 0) return null
  const notes = all.filter((gap) => gap.severity === 'info')
  const rest = all.filter((gap) => gap.severity !== 'info')
  return markup`<section aria-labelledby="gaps">
<h2 id="gaps">Not analysed, and notes</h2>
${rest.length === 0 ? null : markup`<ul class="plain">${rest.map(gapItem)}</ul>`}
${
  notes.length === 0
    ? null
    : markup`<details><summary>${count(notes.length, 'note')}</summary><ul class="plain">${notes.map(gapItem)}</ul></details>`
}
</section>`
}

function gapItem(gap: Diagnostic): Markup {
  return markup`<li>${badge(gap.severity)} <strong>${gap.code}</strong> ${prose(gap.message)}${
    gap.location ? markup`<div class="place">${place(gap.location)}</div>` : null
  }</li>`
}

function suppressed(report: Report): Markup | null {
  if (report.suppressed.length === 0) return null
  return markup`<section aria-labelledby="suppressed">
<h2 id="suppressed">Suppressed</h2>
<ul class="plain">${report.suppressed.map(
    (finding) => markup`<li>${badge(finding.severity)} <strong>${finding.ruleId}</strong> ${prose(finding.message)}
<p>Reason given: ${prose(finding.suppression.reason)}</p>
<div class="place">${place(finding.location)}</div></li>`,
  )}</ul>
</section>`
}
