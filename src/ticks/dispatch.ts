import type { Dispatch, Location, SqlTaking } from '../model/index.js'
import {
  runJob,
  type Database,
  type Job,
  type JobRun,
  type RowSource,
  type Send,
  type Value,
} from '../database/index.js'
import { addressesOf, type Address, type AddressBook } from './address.js'
import { bodyOf, joined, sourcesIn } from './body.js'
import { readRows } from './rows.js'

/** A call of another host that a job's SQL makes itself. */
export interface SqlEffect {
  /** The job that makes it; null where it has no name. */
  readonly tick: string | null
  readonly url: string
  readonly method: string
  readonly location: Location
  /** The http extension: the SQL waits for the answer, so that pg_cron never runs two of it at once. */
  readonly synchronous: boolean
  readonly perRow: boolean
  readonly via: readonly string[]
}

/** What one job does when it fires. */
export interface Firing {
  readonly dispatches: readonly TracedDispatch[]
  readonly effects: readonly SqlEffect[]
  /** Jobs that it makes. */
  readonly jobs: readonly Job[]
}

/** A dispatch, and how its rows are taken if no other job sends them too: that is decided once all jobs are known. */
export interface TracedDispatch {
  readonly dispatch: Dispatch
  readonly ifAlone: SqlTaking | null
}

/** Runs a job against the database as the migrations leave it, and says what it sends where. */
export function fire(database: Database, job: Job, functions: ReadonlySet<string>): Firing {
  const book: AddressBook = { functions, job: job.name }
  const run = runJob(database, job)
  const first = firingOf(database, run, job, book)
  if (!first.dispatches.some(({ dispatch }) => isOpen(dispatch))) return { ...first, jobs: run.jobs }
  // Perhaps the targets stand in a table that migrations fill.
  const second = firingOf(database, runJob(database, job, true), job, book)
  const better = second.dispatches.length > 0 && !second.dispatches.some(({ dispatch }) => isOpen(dispatch))
  return { ...(better ? second : first), jobs: run.jobs }
}

/** Where the request goes is not known, or known by a name alone. */
const isOpen = (dispatch: Dispatch): boolean => dispatch.unresolved !== undefined || dispatch.assumed !== undefined

function firingOf(database: Database, run: JobRun, job: Job, book: AddressBook): Omit<Firing, 'jobs'> {
  const dispatches: TracedDispatch[] = []
  const effects: SqlEffect[] = []
  for (const send of run.sends) {
    for (const address of addressesOf(send.url, book)) {
      const own = address.function !== null && (send.api === 'net' || book.functions.has(address.function))
      if (own || send.api === 'net') dispatches.push(dispatchOf(database, run, send, address))
      if (!own) {
        const { location, via, method } = send
        const perRow = send.rows.length > 0
        effects.push({
          tick: job.name,
          url: address.url,
          method,
          location,
          synchronous: send.api === 'http',
          perRow,
          via,
        })
      }
    }
  }
  return { dispatches: merged(dispatches), effects }
}

function dispatchOf(database: Database, run: JobRun, send: Send, address: Address): TracedDispatch {
  const each = send.rows.filter((row) => !isConfiguration(row, send))
  const source = sourceOf(send, each)
  const about = source ? [...new Set([...each, source])] : each
  const read = source && readRows(database, source, send, run.writes)
  const method = send.method === 'GET' || send.method === 'DELETE' ? send.method : 'POST'
  const dispatch: Dispatch = {
    function: address.function,
    url: address.url,
    via: send.via,
    location: send.location,
    fanout: each.length > 0,
    body: bodyOf(send.body, about),
    rows: read && read.rows,
    method,
    ...(address.assumed !== undefined && { assumed: address.assumed }),
    ...(address.unresolved !== undefined && { unresolved: address.unresolved }),
  }
  return { dispatch, ifAlone: read && read.ifAlone }
}

/** A row that a constant picks, and that only says where the request goes, is no row to be worked on. */
function isConfiguration(row: RowSource, send: Send): boolean {
  if (row.kind !== 'statement' || (row.pinned.length === 0 && !row.single)) return false
  return sourcesIn(send.url).includes(row) && !sourcesIn(send.body).includes(row)
}

/** The rows that a request is about: those whose values it carries, else those that it is sent for. */
function sourceOf(send: Send, each: readonly RowSource[]): RowSource | null {
  const carried = [...sourcesIn(send.body), ...sourcesIn(send.url)]
  return each.findLast((row) => carried.includes(row)) ?? each.at(-1) ?? rowsIn(send.body) ?? null
}

/** The first list of rows in a body, else the first row. */
function rowsIn(value: Value): RowSource | null {
  const all = sourcesIn(value)
  return all[0] ?? null
}

/** Requests of one call to one function are one dispatch (a loop over constants); what their bodies do not share is unknown. */
function merged(dispatches: readonly TracedDispatch[]): TracedDispatch[] {
  const groups = new Map<string, TracedDispatch[]>()
  for (const each of dispatches) {
    const { location, function: name, url, fanout } = each.dispatch
    const key = [name ?? url, location.file, location.startLine, location.startColumn, fanout].join('\n')
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()].map((group) => {
    const first = group[0]!
    const body = joined(group.map(({ dispatch }) => dispatch.body))
    return { ...first, dispatch: { ...first.dispatch, body } }
  })
}
