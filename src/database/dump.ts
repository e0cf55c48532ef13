import type { Diagnostic, Location } from '../model/index.js'
import { fileLocation, fileText, type SourceFile } from '../sql/index.js'
import { FIRST_ID, placesOf, type Job } from './jobs.js'
import type { Database } from './replay.js'
import { text } from './value.js'

/** An export of `select jobname, schedule, command, active from cron.job` (more columns are welcome), as CSV or JSON. */
export interface CronDump {
  readonly jobs: readonly Job[]
  readonly diagnostics: readonly Diagnostic[]
}

interface DumpRow {
  readonly fields: ReadonlyMap<string, string | null>
  readonly location: Location
}

/** Reads an export of cron.job. What is no job is a diagnostic; never throws. */
export function readCronDump(path: string, content: string): CronDump {
  const { place } = fileText(path, content)
  const file: SourceFile = place.kind === 'mapped' ? place.file : { path, text: content }
  const rows = /^[\s\ufeff]*[[{]/.test(content) ? jsonRows(file) : csvRows(file)
  const whole = fileLocation(file, 0, content.length)
  if (rows === null)
    return { jobs: [], diagnostics: [problem('The export of cron.job is neither CSV nor JSON', whole)] }
  const diagnostics: Diagnostic[] = []
  const jobs = rows.flatMap(({ fields, location }, index): Job[] => {
    const [schedule, command] = [fields.get('schedule'), fields.get('command')]
    if (!schedule || !command) {
      diagnostics.push(problem('A row of the export has no schedule or no command', location))
      return []
    }
    return [
      {
        id: FIRST_ID - 1 - index,
        name: fields.get('jobname') || null,
        schedule: schedule.trim(),
        command: text(command),
        active: !/^(f|false|0|no)$/i.test(fields.get('active') ?? 'true'),
        database: fields.get('database') ?? 'postgres',
        username: fields.get('username') ?? 'postgres',
        location,
        origin: 'dump',
      },
    ]
  })
  return { jobs, diagnostics }
}

const problem = (message: string, location: Location): Diagnostic => ({
  code: 'cron-job-dump',
  severity: 'warning',
  message,
  location,
})

/**
 * The database with the jobs of an export: `instead` of those of the migrations, or `beside` them (then the export's word counts for a
 * name that both know, as it is what runs).
 */
export function withDump(database: Database, dump: CronDump, mode: 'beside' | 'instead'): Database {
  const names = new Set(dump.jobs.map((job) => job.name))
  const kept = mode === 'instead' ? [] : database.jobs.filter((job) => job.name === null || !names.has(job.name))
  const jobs = [...kept, ...dump.jobs]
  const machine = { ...database.machine, jobs: { ...database.machine.jobs, rows: jobs, places: placesOf(jobs) } }
  return { ...database, jobs, machine, diagnostics: [...database.diagnostics, ...dump.diagnostics] }
}

function jsonRows(file: SourceFile): DumpRow[] | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(file.text.replace(/^\ufeff/, ''))
  } catch {
    return null
  }
  const holder = parsed as { rows?: unknown; data?: unknown; result?: unknown }
  const list = [parsed, holder.rows, holder.data, holder.result].find(Array.isArray) as unknown[] | undefined
  if (!list) return null
  let from = 0
  return list.flatMap((each): DumpRow[] => {
    if (typeof each !== 'object' || each === null) return []
    // Objects come in the order of the file; each one's first brace after the last is where it stands.
    const start = Math.max(0, file.text.indexOf('{', from))
    from = start + 1
    const fields = Object.entries(each).map(([name, value]): [string, string | null] => [
      name,
      value === null ? null : String(value),
    ])
    return [{ fields: new Map(fields), location: fileLocation(file, start, start + 1) }]
  })
}

/** CSV as psql's \copy and the dashboard write it (RFC 4180), with commas, semicolons or tabs. */
function csvRows(file: SourceFile): DumpRow[] | null {
  const header = /^[^\n]*/.exec(file.text.replace(/^\ufeff/, ''))![0]
  const separator = [',', ';', '\t'].find((each) => header.includes(each))
  if (separator === undefined) return null
  const [first, ...records] = csvRecords(file.text, separator)
  const names = (first?.fields ?? []).map((name) =>
    name
      .replace(/^\ufeff/, '')
      .trim()
      .toLowerCase(),
  )
  if (!names.includes('schedule') || !names.includes('command')) return null
  return records
    .filter((record) => record.fields.length > 1)
    .map(({ fields, start, end }) => ({
      fields: new Map(names.map((name, index) => [name, fields[index] ?? null])),
      location: fileLocation(file, start, end),
    }))
}

interface CsvRecord {
  readonly fields: string[]
  readonly start: number
  end: number
}

function csvRecords(content: string, separator: string): CsvRecord[] {
  const records: CsvRecord[] = []
  let record: CsvRecord = { fields: [], start: 0, end: 0 }
  const quoted = /"((?:[^"]|"")*)"?/y
  const plain = new RegExp(`[^\\n\\r${separator}]*`, 'y')
  let at = 0
  while (at < content.length) {
    const form = content[at] === '"' ? quoted : plain
    form.lastIndex = at
    const match = form.exec(content)!
    record.fields.push(match[1] === undefined ? match[0] : match[1].replaceAll('""', '"'))
    at += match[0].length
    if (content[at] === separator) {
      at++
      continue
    }
    record.end = at
    records.push(record)
    const rest = /[^\n]*\n?/y
    rest.lastIndex = at
    at += rest.exec(content)![0].length
    record = { fields: [], start: at, end: at }
  }
  return records
}
