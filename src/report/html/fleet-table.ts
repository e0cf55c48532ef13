import type { Overlap, Report } from '../../model/index.js'
import { durationInWords } from '../duration.js'
import { fleetOf, FLEET_STATES, type FleetRow, type FleetState } from '../fleet.js'
import { count, place } from '../words.js'
import { markup, type Markup } from './markup.js'

/** Numbers of the findings that belong to a function, as they stand on the page. */
export type FindingNumbers = ReadonlyMap<string, readonly number[]>

const LEVELS: readonly Overlap['level'][] = ['unlikely', 'possible', 'expected']

/** The fleet as a table that reads without script; script adds sorting and the choice of verdicts. */
export function fleetSection(report: Report, numbers: FindingNumbers): Markup {
  const fleet = fleetOf(report)
  if (fleet.length === 0)
    return markup`<section aria-labelledby="fleet"><h2 id="fleet">The fleet</h2>
<p>No tick sends a request.</p></section>`
  return markup`<section aria-labelledby="fleet">
<h2 id="fleet">The fleet</h2>
${choices(fleet)}
<table id="fleet-table" role="table">
<caption>${count(report.ticks.length, 'tick')} and what ${report.ticks.length === 1 ? 'it calls' : 'they call'}: each function’s verdict, and whether its runs can overlap</caption>
<thead role="rowgroup"><tr role="row">${['Tick', 'Schedule', 'Function', 'Verdict', 'Overlap'].map(
    (title) => markup`<th role="columnheader" scope="col">${title}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">
${fleet.map((row) => tableRow(row, numbers))}</tbody>
</table>
<p class="status" id="fleet-status" role="status"></p>
</section>`
}

function choices(fleet: readonly FleetRow[]): Markup {
  const present = FLEET_STATES.flatMap((state) => {
    const number = fleet.filter((row) => row.state === state).length
    return number === 0 ? [] : [{ state, number }]
  })
  return markup`<fieldset id="fleet-choices" hidden><legend>Show</legend>
${present.map(
  ({ state, number }) =>
    markup`<label class="choice"><input type="checkbox" value="${state}" checked> ${stateInWords(state)} (${number})</label>\n`,
)}</fieldset>`
}

function tableRow(row: FleetRow, numbers: FindingNumbers): Markup {
  const tick = row.tick === null ? '' : (row.tick.name ?? row.tick.schedule)
  return markup`<tr role="row" data-state="${row.state}">
<th role="rowheader" scope="row" data-label="Tick" data-key="${tick}"><div>${tickCell(row)}</div></th>
<td role="cell" data-label="Schedule" data-key="${String(row.tick?.intervalSeconds ?? 1e12)}"><div>${scheduleCell(row)}</div></td>
<td role="cell" data-label="Function" data-key="${row.function ?? row.dispatch?.url ?? ''}"><div>${functionCell(row)}</div></td>
<td role="cell" data-label="Verdict" data-key="${FLEET_STATES.indexOf(row.state)}"><div>${verdictCell(row, numbers)}</div></td>
<td role="cell" data-label="Overlap" data-key="${String(overlapKey(row.overlap))}"><div>${overlapCell(row.overlap)}</div></td>
</tr>
`
}

function tickCell({ tick, calledBy }: FleetRow): Markup {
  if (tick === null)
    return calledBy.length === 0
      ? markup`<span class="soft">none</span>`
      : markup`<span class="soft">no tick of its own</span><small>called by ${calledBy.join(', ')}</small>`
  const name = tick.name === null ? markup`<span class="soft">without a name</span>` : markup`${tick.name}`
  return markup`${name}<small>${place(tick.location)}</small>`
}

function scheduleCell({ tick, schedule }: FleetRow): Markup {
  return tick === null
    ? markup`<span class="soft">–</span>`
    : markup`${schedule}<small><code>${tick.schedule}</code></small>`
}

function functionCell({ function: name, dispatch }: FleetRow): Markup {
  const target = name === null ? markup`<code>${dispatch?.url ?? '–'}</code>` : markup`${name}`
  const notes = [
    ...(dispatch !== null && dispatch.via.length > 0 ? [`through ${dispatch.via.join(', ')}`] : []),
    ...(dispatch?.fanout === true ? ['one request for each row'] : []),
    ...(dispatch?.assumed === undefined ? [] : [`assumed: ${dispatch.assumed}`]),
    ...(dispatch?.unresolved === undefined ? [] : [dispatch.unresolved]),
  ]
  return markup`${target}${notes.map((note) => markup`<small>${note}</small>`)}`
}

function verdictCell({ state, function: name }: FleetRow, numbers: FindingNumbers): Markup {
  const its = state === 'inactive' || name === null ? [] : (numbers.get(name) ?? [])
  const links = its.map((number) => markup` <a href="#finding-${number}">finding ${number}</a>`)
  return markup`${badge(state)}${links.length === 0 ? null : markup`<small>${links}</small>`}`
}

function overlapCell(overlap: Overlap | null): Markup {
  if (overlap === null) return markup`<span class="soft">–</span>`
  const { typicalSeconds, worstSeconds } = overlap
  const run = [...new Set([durationInWords(typicalSeconds), durationInWords(worstSeconds)])].join(' to ')
  return markup`${overlap.level}<small>a run takes ${run}</small>`
}

/** By level first, then by how long a run takes; without numbers last when ascending. */
function overlapKey(overlap: Overlap | null): number {
  return overlap === null ? -1 : LEVELS.indexOf(overlap.level) * 1e9 + Math.min(overlap.worstSeconds, 1e9 - 1)
}

export function badge(state: FleetState | 'error' | 'warning' | 'info'): Markup {
  return markup`<span class="badge ${state}">${stateInWords(state)}</span>`
}

function stateInWords(state: string): string {
  return state === 'no-row-work' ? 'no row work' : state
}
