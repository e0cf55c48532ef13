import type { Location } from '../model/index.js'
import type { Value } from './value.js'
import { known, render } from './contents.js'
import { bool, fingerprint, NULL, number, object, text, type ObjectValue } from './value.js'

/** One row of cron.job, as the migrations leave it (pg_cron src/job_metadata.c). */
export interface Job {
  /** A number that no migration can have written down: what cron.schedule returned. */
  readonly id: number
  readonly name: string | null
  readonly schedule: string
  readonly command: Value
  readonly active: boolean
  readonly database: string
  readonly username: string
  /** The call that made the job what it is. */
  readonly location: Location
  /** Where the job was made: by a migration, by a file that somebody may have run by hand, or as an export of cron.job says. */
  readonly origin: JobOrigin
}

export type JobOrigin = FileOrigin | 'dump'

export type FileOrigin = 'migration' | 'seed' | 'schema' | 'other'

/** cron.job. Jobs are never changed in place, so that `rows` can be kept and restored. */
export interface JobTable {
  rows: readonly Job[]
  lastId: number
  /** The origin of the file at hand. */
  origin: JobOrigin
  /** Names that migrations made or removed: other files do not overrule them. */
  readonly settled: Set<string>
  /** Every name that a job has or had, and where among `rows` it was last seen: a job without a place here is not there. */
  readonly places: Map<string, number>
}

/** Ids start far above what a sequence reaches, so that a literal id in a migration is never taken for one of these. */
export const FIRST_ID = 4_000_000_000_000

export function jobTable(): JobTable {
  return { rows: [], lastId: FIRST_ID, origin: 'migration', settled: new Set(), places: new Map() }
}

/** The places of the jobs of a list. */
export function placesOf(rows: readonly Job[]): Map<string, number> {
  return new Map(rows.flatMap(({ name }, place) => (name === null ? [] : [[name, place]])))
}

/** The job of that name and user. Rows come and go with the paths of a script, so that a place is looked at before it is believed. */
function named({ rows, places }: JobTable, name: string, username: string): Job | undefined {
  const place = places.get(name)
  if (place === undefined) return undefined
  const isIt = (job: Job | undefined): boolean => job?.name === name && job.username === username
  if (isIt(rows[place])) return rows[place]
  const at = rows.findIndex(isIt)
  if (at >= 0) places.set(name, at)
  return rows[at]
}

export interface NewJob {
  readonly name: Value
  readonly schedule: Value
  readonly command: Value
  readonly active?: boolean | undefined
  readonly database?: string | undefined
  readonly username?: string | undefined
  readonly location: Location
}

/**
 * cron.schedule: a named job replaces schedule and command of the job of that name and user and leaves `active` alone;
 * an unnamed one is always new. Returns the job's id.
 */
export function schedule(table: JobTable, job: NewJob): number {
  const name = job.name.kind === 'null' ? null : render(job.name)
  const username = job.username ?? 'postgres'
  const existing = name === null ? undefined : named(table, name, username)
  const next = { schedule: render(job.schedule).trim(), command: job.command, location: job.location }
  if (name !== null && !mayTouch(table, name)) return existing?.id ?? FIRST_ID
  if (existing) {
    replaceJob(table, { ...existing, ...next, database: job.database ?? existing.database })
    return existing.id
  }
  const twin = name === null && table.origin !== 'migration' ? table.rows.find((row) => isSame(row, next)) : undefined
  if (twin) return twin.id
  const id = ++table.lastId
  if (name !== null) table.places.set(name, table.rows.length)
  const active = job.active ?? true
  const database = job.database ?? 'postgres'
  table.rows = table.rows.concat({ ...next, id, name, username, active, database, origin: table.origin })
  return id
}

/** The same unnamed call in a file beside the migrations is that file's copy of it, not a second job. */
function isSame(job: Job, other: Pick<Job, 'schedule' | 'command'>): boolean {
  return job.name === null && job.schedule === other.schedule && fingerprint(job.command) === fingerprint(other.command)
}

export function replaceJob(table: JobTable, job: Job): void {
  if (job.name !== null && !mayTouch(table, job.name)) return
  const at = table.rows.findIndex((row) => row.id === job.id)
  if (at < 0) return
  if (job.name !== null) table.places.set(job.name, at)
  table.rows = table.rows.with(at, job)
}

/** Removes jobs; false where there is none of them (pg_cron raises an error then). */
export function unschedule(table: JobTable, which: (job: Job) => boolean): boolean {
  const gone = table.rows.filter(which)
  if (gone.length === 0) return false
  const mine = gone.filter((job) => job.name === null || mayTouch(table, job.name))
  const removed = new Set(mine)
  table.rows = table.rows.filter((job) => !removed.has(job))
  return true
}

/** Remembers names that a migration spoke of; tells whether the file at hand may change that job. */
export function mayTouch(table: JobTable, name: string): boolean {
  if (table.origin === 'migration') table.settled.add(name)
  return table.origin === 'migration' || !table.settled.has(name)
}

const jobRows = new WeakMap<Job, ObjectValue>()

/** A job as a row of cron.job. */
export function jobRow(job: Job): ObjectValue {
  let row = jobRows.get(job)
  if (row === undefined) jobRows.set(job, (row = makeRow(job)))
  return row
}

function makeRow(job: Job): ObjectValue {
  return object(
    new Map<string, Value>([
      ['jobid', number(job.id)],
      ['schedule', text(job.schedule)],
      ['command', job.command],
      ['nodename', text('localhost')],
      ['nodeport', number(5432)],
      ['database', text(job.database)],
      ['username', text(job.username)],
      ['active', bool(job.active)],
      ['jobname', job.name === null ? NULL : text(job.name)],
    ]),
  )
}

/** The job that a value names: by its id as the replay gave it, or by its name. */
export function findJob(table: JobTable, which: Value): Job | undefined {
  const content = known(which)
  if (content === null) return undefined
  const id = Number(content)
  return (
    table.rows.find((job) => job.id === id) ?? table.rows.find((job) => which.kind === 'text' && job.name === content)
  )
}
