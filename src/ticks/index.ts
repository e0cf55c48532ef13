import type { Diagnostic, Dispatch, Location, Tick } from '../model/index.js'
import type { Database, Job, JobOrigin } from '../database/index.js'
import { fire, type Firing, type SqlEffect, type TracedDispatch } from './dispatch.js'
import { parseSchedule } from './schedule.js'

export { parseSchedule, type ScheduleReading } from './schedule.js'
export type { SqlEffect } from './dispatch.js'
export { findEntrances, type Entrance } from './entrances.js'

/** A tick, and where it comes from if not from a migration. */
export interface FoundTick extends Tick {
  readonly origin?: Exclude<JobOrigin, 'migration'>
  /** The schedule for people: "every 2 minutes". */
  readonly words: string
}

/** A job that sends no request to an edge function or anywhere else by pg_net. */
export type QuietJob = Omit<FoundTick, 'dispatches'>

export interface Ticks {
  /** In the order in which the jobs were made. */
  readonly ticks: readonly FoundTick[]
  readonly quiet: readonly QuietJob[]
  /** Calls of other hosts that jobs make in SQL. */
  readonly effects: readonly SqlEffect[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Jobs may make jobs that make jobs; this deep. */
const DEEPEST = 3

/** The ticks of a database: every job that is still scheduled and sends a request, and where the requests go. */
export function findTicks(database: Database, functions: readonly { readonly name: string }[]): Ticks {
  const names = new Set(functions.map((each) => each.name))
  const fired: { job: Job; firing: Firing }[] = []
  let waiting: readonly Job[] = database.jobs
  for (let depth = 0; depth < DEEPEST && waiting.length > 0; depth++) {
    const now = waiting.map((job) => ({ job, firing: fire(database, job, names) }))
    fired.push(...now)
    const known = new Set(fired.map(({ job }) => job.name))
    waiting = now.flatMap(({ firing }) => firing.jobs).filter((job) => job.name === null || !known.has(job.name))
  }
  const alone = aloneIn(fired)
  const ticks: FoundTick[] = []
  const quiet: QuietJob[] = []
  const diagnostics: Diagnostic[] = []
  for (const { job, firing } of fired) {
    const reading = parseSchedule(job.schedule)
    if (reading.problem !== null && firing.dispatches.length > 0) {
      diagnostics.push({
        code: 'schedule-problem',
        severity: 'warning',
        message: `${job.schedule}: ${reading.problem}`,
        location: job.location,
      })
    }
    const head: QuietJob = {
      name: job.name,
      schedule: job.schedule,
      intervalSeconds: reading.intervalSeconds,
      active: job.active,
      location: job.location,
      words: reading.words,
      ...(job.origin !== 'migration' && { origin: job.origin }),
    }
    if (firing.dispatches.length === 0) quiet.push(head)
    else
      ticks.push({ ...head, dispatches: firing.dispatches.map((each) => (alone(each) ? taken(each) : each.dispatch)) })
  }
  return { ticks, quiet, effects: fired.flatMap(({ firing }) => firing.effects), diagnostics }
}

/** Does one active job alone send this request? Then nothing meets it: pg_cron runs one job once at a time (README). */
function aloneIn(fired: readonly { readonly job: Job; readonly firing: Firing }[]): (each: TracedDispatch) => boolean {
  const jobs = new Map<string, Set<number>>()
  for (const { job, firing } of fired) {
    if (!job.active) continue
    for (const { dispatch } of firing.dispatches) {
      const key = placeOf(dispatch.location)
      jobs.set(key, (jobs.get(key) ?? new Set()).add(job.id))
    }
  }
  return ({ dispatch, ifAlone }) => ifAlone !== null && (jobs.get(placeOf(dispatch.location))?.size ?? 0) <= 1
}

const placeOf = ({ file, startLine, startColumn }: Location): string => `${file}:${startLine}:${startColumn}`

function taken({ dispatch, ifAlone }: TracedDispatch): Dispatch {
  return dispatch.rows ? { ...dispatch, rows: { ...dispatch.rows, taking: ifAlone } } : dispatch
}
