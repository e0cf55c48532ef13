import type { Diagnostic, Location, Overlap, Report, ReportDispatch, ReportTick } from '../model/index.js'
import { cleanLine } from './clean.js'
import { fleetOf, type FleetRow, type FleetState } from './fleet.js'
import { displayWidth, indent, padRight, widthFor, wrap, wrapBehind } from './text/layout.js'
import { paletteOf, type Palette } from './text/palette.js'
import { scheduleInWords } from './schedule.js'
import { unanswered } from './unanswered.js'
import { count, place } from './words.js'

/** A job that only runs SQL. */
export type SqlJob = Omit<ReportTick, 'dispatches'>

/** The fleet at a glance: what `tick-audit ticks -f json` prints. */
export interface TicksReport {
  readonly schemaVersion: '1.0'
  readonly tool: Report['tool']
  readonly ticks: readonly TickRow[]
  /** Jobs that send no request; only where they were asked for. */
  readonly sqlJobs?: readonly JobRow[]
  /** What could not be resolved or decided, and why. */
  readonly unresolved: readonly Open[]
}

/** `resolvedBy`: what would tell. */
interface Open extends Diagnostic {
  readonly resolvedBy?: string
}

const AN_EXPORT = 'an export of cron.job says what is there: --cron-job-dump FILE'
const A_MIGRATION = 'a migration that makes it, or SQL under supabase/ that does'

/** By a diagnostic's code. */
const RESOLVED_BY: Readonly<Record<string, string>> = {
  'unresolved-dispatch':
    'the function’s path in the SQL (/functions/v1/NAME), or its name as that of the job, the secret or the setting',
  'unresolved-job-id': AN_EXPORT,
  'unresolved-command': AN_EXPORT,
  'dynamic-sql': AN_EXPORT,
  'schedule-not-called': AN_EXPORT,
  'routine-not-found': A_MIGRATION,
}

interface JobRow {
  readonly job: string | null
  readonly schedule: string
  readonly words: string
  readonly intervalSeconds: number | null
  readonly active: boolean
  readonly origin: 'migration' | NonNullable<ReportTick['origin']>
  readonly location: Location
}

interface TickRow extends JobRow {
  readonly calls: readonly CallRow[]
}

/** One request of a tick, and what is known of its other end. */
interface CallRow extends Pick<ReportDispatch, 'function' | 'url' | 'via' | 'location' | 'fanout'> {
  /** The function's verdict; or inactive, unresolved, elsewhere (no edge function of the project). */
  readonly verdict: FleetState
  readonly overlap: Overlap['level'] | null
  readonly assumed?: string
  readonly unresolved?: string
}

/** The part of a report that speaks of the fleet, with the jobs that only run SQL where they are given. */
export function ticksOf(report: Report, sqlJobs: readonly SqlJob[] | null): TicksReport {
  const rows = new Map<ReportTick, CallRow[]>(report.ticks.map((tick) => [tick, []]))
  for (const row of fleetOf(report)) if (row.tick && row.dispatch) rows.get(row.tick)!.push(callOf(row, row.dispatch))
  return {
    schemaVersion: '1.0',
    tool: report.tool,
    ticks: [...rows].map(([tick, calls]) => ({ ...jobOf(tick), calls })),
    ...(sqlJobs === null ? {} : { sqlJobs: sqlJobs.map(jobOf) }),
    unresolved: unanswered({ ...report, diagnostics: report.diagnostics.filter(isOpen) }).map(withHelp),
  }
}

/** Notes are no gaps, but for jobs that somebody may have made by hand; nor are two migrations of one version one. */
const isOpen = ({ code, severity }: Diagnostic): boolean =>
  code === 'schedule-not-called' || (severity !== 'info' && code !== 'duplicate-migration-version')

function withHelp(diagnostic: Diagnostic): Open {
  const { code } = diagnostic
  return Object.hasOwn(RESOLVED_BY, code) ? { ...diagnostic, resolvedBy: RESOLVED_BY[code]! } : diagnostic
}

function callOf({ state, overlap }: FleetRow, dispatch: ReportDispatch): CallRow {
  const { function: name, url, via, location, fanout, assumed, unresolved } = dispatch
  return {
    function: name,
    verdict: state,
    overlap: overlap?.level ?? null,
    url,
    via,
    location,
    fanout,
    ...(assumed === undefined ? {} : { assumed }),
    ...(unresolved === undefined ? {} : { unresolved }),
  }
}

function jobOf({ name, schedule, words, intervalSeconds, active, origin, location }: SqlJob): JobRow {
  return {
    job: name,
    schedule,
    words: words ?? scheduleInWords(schedule, intervalSeconds),
    intervalSeconds,
    active,
    origin: origin ?? 'migration',
    location,
  }
}

export function renderTicksJson(ticks: TicksReport): string {
  return `${JSON.stringify(ticks, null, 2)}\n`
}

const TITLES = ['Job', 'Schedule', 'Gap', 'Function', 'Verdict', 'Overlap'] as const
type Cells = readonly [string, string, string, string, string, string]

/** A line of the table, and the line below it that says where. */
interface Entry {
  readonly cells: Cells
  readonly state: FleetState | null
  readonly where: string
}

/**
 * The fleet as a table: a line for each call, where it is defined and how it goes below it; then the count, then what could not be
 * resolved. `hidden`: so many jobs that only run SQL are left out. Nothing is cut off: a name or a place is there to be copied.
 */
export function renderTicksTable(
  ticks: TicksReport,
  { color, width, hidden }: { readonly color: boolean; readonly width: number; readonly hidden: number },
): string {
  const palette = paletteOf(color)
  const entries = [...ticks.ticks.flatMap(entriesOf), ...(ticks.sqlJobs ?? []).map(sqlEntry)]
  const sections = [
    tableLines(entries, palette),
    [palette.faint(countLine(ticks, hidden))],
    unresolvedLines(ticks.unresolved, palette, widthFor(width)),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function entriesOf(tick: TickRow): Entry[] {
  return tick.calls.map((call, index) => {
    const head = index === 0 ? headCells(tick) : (['', '', ''] as const)
    const cells: Cells = [...head, cleanLine(call.function ?? call.url), call.verdict, call.overlap ?? '–']
    const notes = [
      ...(index === 0 ? [definedAt(tick)] : []),
      ...(call.via.length > 0 ? [`via ${call.via.map((name) => cleanLine(name)).join(' → ')}`] : []),
      ...(call.fanout ? ['a request for each row'] : []),
      ...(call.assumed === undefined ? [] : [`assumed from ${cleanLine(call.assumed)}`]),
    ]
    return { cells, state: call.verdict, where: notes.join(' · ') }
  })
}

const sqlEntry = (job: JobRow): Entry => ({
  cells: [...headCells(job), 'SQL only', job.active ? '–' : 'inactive', '–'],
  state: null,
  where: definedAt(job),
})

const headCells = (job: JobRow): readonly [string, string, string] => [
  job.job === null ? '(no name)' : cleanLine(job.job),
  cleanLine(job.words),
  job.intervalSeconds === null ? '–' : `${job.intervalSeconds} s`,
]

const ORIGINS: Readonly<Record<JobRow['origin'], string>> = {
  migration: '',
  seed: ' (seed)',
  schema: ' (declarative schema)',
  other: ' (SQL outside the migrations)',
  dump: ' (export of cron.job)',
}

const definedAt = (job: JobRow): string => `${cleanLine(place(job.location))}${ORIGINS[job.origin]}`

function tableLines(entries: readonly Entry[], palette: Palette): string[] {
  if (entries.length === 0) return []
  const widths = TITLES.map((title, column) =>
    Math.max(displayWidth(title), ...entries.map(({ cells }) => displayWidth(cells[column]!))),
  )
  const line = (cells: readonly string[], paint: (text: string) => string): string =>
    cells
      .map((cell, column) => (column === 4 ? paint(padRight(cell, widths[4]!)) : padRight(cell, widths[column]!)))
      .join('  ')
      .trimEnd()
  return [
    palette.faint(line(TITLES, (text) => text)),
    ...entries.flatMap(({ cells, state, where }) => [
      line(cells, paintOf(state, palette)),
      ...(where === '' ? [] : indent([palette.place(where)], 2)),
    ]),
  ]
}

function paintOf(state: FleetState | null, palette: Palette): (text: string) => string {
  if (state === null || state === 'inactive' || state === 'elsewhere') return palette.faint
  return state === 'unresolved' ? palette.severity.warning : palette.verdict[state]
}

function countLine(ticks: TicksReport, hidden: number): string {
  const inactive = ticks.ticks.filter((tick) => !tick.active).length
  const total = ticks.ticks.length === 0 ? 'No job sends a request' : count(ticks.ticks.length, 'tick')
  const listed = ticks.sqlJobs?.length ?? 0
  const parts = [
    inactive > 0 ? `${total}, ${inactive} of them inactive` : total,
    ...(listed > 0 ? [`${count(listed, 'job')} with SQL only`] : []),
    ...(hidden > 0 ? [`${count(hidden, 'job')} with SQL only: --all lists ${hidden === 1 ? 'it' : 'them'}`] : []),
  ]
  return `${parts.join('; ')}.`
}

/** Of one kind, so many are listed. */
const LISTED = 5

function unresolvedLines(unresolved: readonly Open[], palette: Palette, width: number): string[] {
  const groups = new Map<string, Open[]>()
  for (const open of unresolved) {
    const group = groups.get(open.code)
    if (group) group.push(open)
    else groups.set(open.code, [open])
  }
  const lines = [...groups.values()].flatMap((group) => [
    ...group
      .slice(0, LISTED)
      .flatMap(({ message, location }) => [
        ...wrap(cleanLine(message), width - 2).map(palette.prose),
        ...(location === undefined ? [] : [palette.place(cleanLine(place(location)))]),
      ]),
    ...(group.length > LISTED ? [palette.faint(`and ${group.length - LISTED} more; -f json lists them`)] : []),
    ...(group[0]!.resolvedBy === undefined ? [] : wrapBehind('Would tell: ', group[0]!.resolvedBy, width - 2)),
    '',
  ])
  return lines.length === 0
    ? []
    : [palette.severity.warning('What could not be resolved'), ...indent(lines.slice(0, -1), 2)]
}
