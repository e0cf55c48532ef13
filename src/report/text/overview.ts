import type { Report, ReportFunction, Verdict } from '../../model/index.js'
import { scheduleInWords } from '../schedule.js'
import { count, tally } from '../words.js'
import { cutRight, displayWidth, padRight } from './layout.js'
import type { Palette } from './palette.js'

const VERDICTS: readonly Verdict[] = ['race', 'unknown', 'broadcast', 'safe', 'no-row-work']

/** One or two lines: how many findings, or what a clean run covers; what was suppressed. */
export function summaryLines(report: Report, palette: Palette): string[] {
  const { bySeverity, suppressed, baselined } = report.summary
  const total = bySeverity.error + bySeverity.warning + bySeverity.info
  const worst = bySeverity.error > 0 ? 'error' : bySeverity.warning > 0 ? 'warning' : 'info'
  const head = total > 0 ? palette.severity[worst](tally(bySeverity)) : cleanRun(report, palette)
  const aside = [
    ...(suppressed > 0 ? [`${suppressed} suppressed`] : []),
    ...(baselined > 0 ? [`${baselined} in the baseline`] : []),
  ]
  return [aside.length > 0 ? `${head} ${palette.faint(`(${aside.join(', ')})`)}` : head]
}

/** A run without findings says what was found to be sound, and does not call the rest so. */
function cleanRun(report: Report, palette: Palette): string {
  const { byVerdict } = report.summary
  const active = report.ticks.filter((tick) => tick.active).length
  if (report.coverage.sqlFiles === 0 && report.ticks.length === 0) return 'Nothing was audited.'
  if (report.functions.length === 0) {
    if (active === 0) return 'No findings: no active tick sends a request.'
    return palette.severity.warning(
      `No findings, but no function was found behind ${active === 1 ? 'the tick' : `the ${active} ticks`}.`,
    )
  }
  const parts = VERDICTS.filter((verdict) => byVerdict[verdict] > 0).map(
    (verdict) => `${byVerdict[verdict]} ${verdict}`,
  )
  const undecided = byVerdict.unknown > 0 || report.coverage.ticksUnresolved > 0
  const words = undecided ? 'No findings, but not everything could be decided' : 'No findings'
  const color = undecided ? palette.severity.warning : palette.verdict.safe
  return `${color(words)} in ${count(report.functions.length, 'function')} behind ${count(active, 'tick')}: ${parts.join(', ')}.`
}

/** The functions as a table, races first: function, verdict, claims, ticks. */
export function functionLines(report: Report, palette: Palette, width: number): string[] {
  if (report.functions.length === 0) return []
  const rows = [...report.functions]
    .sort((left, right) => VERDICTS.indexOf(left.verdict) - VERDICTS.indexOf(right.verdict))
    .map((entry) => [entry.name, entry.verdict, entry.claims.join(', ') || '–', callers(entry, report)] as const)
  const titles = ['Function', 'Verdict', 'Claims', 'Called by'] as const
  const widthOf = (column: 0 | 1 | 2, most: number): number =>
    Math.min(most, Math.max(...[titles, ...rows].map((row) => displayWidth(row[column]))))
  const [first, second, third] = [widthOf(0, 36), widthOf(1, 11), widthOf(2, 30)]
  const rest = Math.max(16, width - first - second - third - 6)
  const cell = (text: string, room: number): string => padRight(cutRight(text, room), room)
  const line = (row: readonly [string, string, string, string], color: (text: string) => string): string =>
    `${cell(row[0], first)}  ${color(cell(row[1], second))}  ${cell(row[2], third)}  ${cutRight(row[3], rest)}`.trimEnd()
  return [palette.faint(line(titles, (text) => text)), ...rows.map((row) => line(row, palette.verdict[row[1]]))]
}

/** `nightly (every day at 03:00 UTC), function router`. */
function callers(entry: ReportFunction, report: Report): string {
  const ticks = entry.ticks.map((name) => {
    const tick = report.ticks.find((candidate) => (candidate.name ?? candidate.schedule) === name)
    return tick ? `${name} (${scheduleInWords(tick.schedule, tick.intervalSeconds)})` : name
  })
  return [...ticks, ...entry.calledBy.map((name) => `function ${name}`)].join(', ')
}
