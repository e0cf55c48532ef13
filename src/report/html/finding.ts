import type { Finding, ReportTick } from '../../model/index.js'
import { raceOf } from '../race.js'
import { scheduleInWords } from '../schedule.js'
import { count, overlapSum, perRowSum, place } from '../words.js'
import type { CodeFrame } from './code.js'
import { badge } from './fleet-table.js'
import { markup, prose, type Markup } from './markup.js'
import { timeline } from './timeline.js'

/** A finding at length: what is wrong and where, the race drawn, how it comes about, what to do. */
export function findingArticle(
  finding: Finding,
  number: number,
  ticks: readonly ReportTick[],
  frame: CodeFrame,
): Markup {
  const id = `finding-${number}`
  const race = raceOf(finding)
  return markup`<article class="finding" id="${id}" aria-labelledby="${id}-heading">
<header>
<p class="line">${badge(finding.severity)}<span>${finding.ruleId}</span>${
    finding.function === null ? null : markup`<span>in <strong>${finding.function}</strong></span>`
  }</p>
<h3 id="${id}-heading"><span class="hidden-text">Finding ${number}: </span>${prose(finding.message)}</h3>
<p class="where"><code>${place(finding.location)}</code></p>
</header>
${frame(finding.location)}
${facts(finding, ticks)}
${race === null ? null : timeline(race, finding, id)}
${happens(finding)}
${fix(finding)}
${trace(finding, frame)}
</article>
`
}

function facts(finding: Finding, ticks: readonly ReportTick[]): Markup {
  const pairs: readonly (readonly [string, Markup])[] = [
    ...finding.ticks.map((name) => ['tick', tickFact(name, ticks)] as const),
    ...(finding.table === null ? [] : [['table', markup`${finding.table}`] as const]),
    ['confidence', markup`${finding.confidence}`],
    ['fingerprint', markup`<code>${finding.fingerprint}</code>`],
  ]
  return markup`<dl class="facts">${pairs.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function tickFact(name: string, ticks: readonly ReportTick[]): Markup {
  const tick = ticks.find((candidate) => (candidate.name ?? candidate.schedule) === name)
  return tick === undefined ? markup`${name}` : markup`${name}, ${scheduleInWords(tick.schedule, tick.intervalSeconds)}`
}

function happens({ consequence, overlap }: Finding): Markup | null {
  if (consequence === '' && overlap === null) return null
  return markup`<h4>What happens</h4>
${consequence === '' ? null : markup`<p>${prose(consequence)}</p>`}
${
  overlap === null
    ? null
    : markup`<p class="sum">${overlapSum(overlap)}</p>
${overlap.perRow.length === 0 ? null : markup`<p class="soft">Per row: ${perRowSum(overlap)}</p>`}`
}`
}

function fix({ fix: { steps, code } }: Finding): Markup | null {
  if (steps.length === 0 && code === null) return null
  const told =
    steps.length === 1
      ? markup`<p>${prose(steps[0] ?? '')}</p>`
      : markup`<ol class="steps">${steps.map((step) => markup`<li>${prose(step)}</li>`)}</ol>`
  return markup`<h4>Do this</h4>
${steps.length === 0 ? null : told}
${code === null ? null : markup`<pre><code>${code.trimEnd()}</code></pre>`}`
}

function trace(finding: Finding, frame: CodeFrame): Markup | null {
  if (finding.trace.length === 0) return null
  return markup`<details>
<summary>How it comes about: ${count(finding.trace.length, 'step')} from the schedule to the effect</summary>
<ol class="trace">
${finding.trace.map(
  (step) => markup`<li><span class="role">${step.role}</span>${prose(step.message)}
<div class="place">${place(step.location)}</div>${frame(step.location)}</li>
`,
)}</ol>
</details>`
}
