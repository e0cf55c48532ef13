import type { Report } from '../../model/index.js'
import { fleetOf, FLEET_STATES, type FleetRow, type FleetState } from '../fleet.js'
import { unanswered } from '../unanswered.js'
import { count, list, place, tally, worstFirst } from '../words.js'
import { cell, code, prose } from './escape.js'
import { fitting } from './fitting.js'

/** With the word beside it everywhere. */
const ICON: Readonly<Record<FleetState, string>> = {
  race: '🔴',
  unknown: '❔',
  unresolved: '❔',
  broadcast: '📣',
  safe: '🟢',
  'no-row-work': '⚪',
  elsewhere: '⚪',
  inactive: '⚪',
}

/** The heading and a line of what was audited; a run that could not decide everything is not called clean. */
export function headline(report: Report): string[] {
  const { summary, coverage } = report
  const total = summary.bySeverity.error + summary.bySeverity.warning + summary.bySeverity.info
  const undecided = coverage.functionsUnknown + coverage.ticksUnresolved + coverage.statementsFailed > 0
  const verdicts = FLEET_STATES.flatMap((state) => {
    const number = state in summary.byVerdict ? summary.byVerdict[state as keyof typeof summary.byVerdict] : 0
    return number > 0 ? [`${ICON[state]} ${number} ${state}`] : []
  })
  const aside = [
    ...(summary.suppressed > 0 ? [`${summary.suppressed} suppressed`] : []),
    ...(summary.baselined > 0 ? [`${summary.baselined} in the baseline`] : []),
  ]
  const head = total > 0 ? tally(summary.bySeverity) : nothingFound(report, undecided)
  const reach = `${count(report.functions.length, 'function')} behind ${count(report.ticks.length, 'tick')}`
  return [
    `## tick-audit: ${head}${aside.length > 0 ? ` (${aside.join(', ')})` : ''}`,
    [`${reach}${verdicts.length > 0 ? ':' : ''}`, verdicts.join(' · ')].join(' ').trim(),
  ]
}

function nothingFound(report: Report, undecided: boolean): string {
  if (report.coverage.sqlFiles === 0 && report.ticks.length === 0) return 'nothing was audited'
  return undecided ? 'no findings, but not everything could be decided' : 'no findings'
}

/** What could not be analysed, warnings first, folded; without the notes. */
export function gapList(report: Report, room: number): string[] {
  const gaps = unanswered(report).filter((gap) => gap.severity !== 'info')
  if (gaps.length === 0) return []
  const items = fitting(
    [...gaps].sort(worstFirst).map((gap) => () => {
      const where = gap.location ? ` ${code(place(gap.location))}` : ''
      return `- ${code(gap.code)}: ${prose(gap.message)}${where}`
    }),
    room,
  )
  return folded(
    `Not analysed: ${count(gaps.length, 'place')}`,
    [...items, ...rest(gaps.length - items.length)].join('\n'),
  )
}

/** Every tick and function with its verdict, folded. */
export function fleetTable(report: Report, room: number): string[] {
  const fleet = [...fleetOf(report)].sort((a, b) => FLEET_STATES.indexOf(a.state) - FLEET_STATES.indexOf(b.state))
  if (fleet.length === 0) return []
  const rows = fitting(
    fleet.map((row) => () => fleetLine(row)),
    room,
  )
  const table = ['| tick | schedule | function | verdict | overlap |', '|---|---|---|---|---|', ...rows].join('\n')
  return folded(
    `The fleet: ${count(report.ticks.length, 'tick')}, ${count(report.functions.length, 'function')}`,
    [table, ...rest(fleet.length - rows.length)].join('\n\n'),
  )
}

function fleetLine(row: FleetRow): string {
  const { tick, dispatch } = row
  const callers = row.calledBy.length === 0 ? '–' : `called by ${list(row.calledBy.map(code))}`
  const target = row.function ?? dispatch?.url ?? null
  const cells = [
    tick === null ? callers : tick.name === null ? '_no name_' : code(tick.name),
    tick === null ? '–' : `${row.schedule} (${code(tick.schedule)})`,
    target === null ? '–' : code(target),
    `${ICON[row.state]} ${row.state}`,
    row.overlap?.level ?? '–',
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

/** What was suppressed, and the reason given. */
export function suppressedList(report: Report, room: number): string[] {
  if (report.suppressed.length === 0) return []
  const items = fitting(
    report.suppressed.map((finding) => () => {
      const { reason } = finding.suppression
      return `- ${code(finding.ruleId)} ${code(place(finding.location))}: ${prose(reason)}`
    }),
    room,
  )
  const more = rest(report.suppressed.length - items.length)
  return folded(`Suppressed: ${count(report.suppressed.length, 'finding')}`, [...items, ...more].join('\n'))
}

function folded(summary: string, body: string): string[] {
  return [`<details>\n<summary>${summary}</summary>`, body, '</details>']
}

function rest(hidden: number): string[] {
  return hidden > 0 ? [`_and ${hidden} more_`] : []
}
