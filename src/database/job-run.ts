import type { Location } from '../model/index.js'
import { computedText } from '../sql/index.js'
import { jobTable, type Job } from './jobs.js'
import { Exhausted, report, rootFrame, type Machine, type Send, type Write } from './machine.js'
import type { Database } from './replay.js'
import { runnable } from './sql-text.js'
import { toParts } from './contents.js'
import { alternatives, unknown, type Value } from './value.js'

/** What one firing of a job does. */
export interface JobRun {
  readonly sends: readonly Send[]
  readonly writes: readonly Write[]
  /** Jobs that it makes; they are there from its first firing on. */
  readonly jobs: readonly Job[]
}

const BUDGET = 200_000

/**
 * Runs a job's command on a copy of the database as the migrations leave it. `rowsAreAll`: rows that migrations inserted are taken
 * for all rows of their tables, so that loops over a configuration table are loops over constants.
 */
export function runJob(database: Database, job: Job, rowsAreAll = false): JobRun {
  const machine = copyOf(database.machine, rowsAreAll)
  machine.jobs.lastId = database.machine.jobs.lastId
  attempt(machine, job.location, () => {
    for (const command of alternatives(job.command)) runCommand(machine, command, job.location)
  })
  return { sends: machine.sends, writes: machine.writes, jobs: jobsMade(database.jobs, machine.jobs.rows) }
}

/** Most commands leave the list of jobs as it is: then there is nothing to look for. */
function jobsMade(before: readonly Job[], after: readonly Job[]): readonly Job[] {
  if (after === before) return []
  const known = idsOf(before)
  return after.filter((row) => !known.has(row.id))
}

const ids = new WeakMap<readonly Job[], ReadonlySet<number>>()

/** Made once: it is asked for by every job. */
function idsOf(jobs: readonly Job[]): ReadonlySet<number> {
  let known = ids.get(jobs)
  if (known === undefined) ids.set(jobs, (known = new Set(jobs.map((job) => job.id))))
  return known
}

/** Runs the function of a trigger for some row of its table. */
export function runTriggerRoutine(
  database: Database,
  name: string,
  schema: string | null,
  location: Location,
): readonly Send[] {
  const machine = copyOf(database.machine, false)
  attempt(machine, location, () => {
    const frame = rootFrame(machine, computedText('', location))
    for (const row of ['new', 'old']) frame.variables.set(row, unknown({ kind: 'expression' }))
    machine.interpreter.call(frame, schema ? [schema, name] : [name], [], location)
  })
  return machine.sends
}

function copyOf(machine: Machine, rowsAreAll: boolean): Machine {
  const { rows, lastId, places } = machine.jobs
  const jobs = { ...jobTable(), rows, lastId, places }
  return {
    ...machine,
    jobs,
    sends: [],
    writes: [],
    path: { arms: [], last: 0 },
    frozen: true,
    rowsAreAll,
    budget: { left: BUDGET, depth: 0 },
  }
}

function runCommand(machine: Machine, command: Value, location: Location): void {
  if (command.kind === 'null') return
  if (!toParts(command).some((part) => part.kind === 'run' && /\S/.test(part.text))) {
    report(machine, {
      code: 'unresolved-command',
      severity: 'warning',
      message:
        'What this job runs is made at run time and is not known; an export of cron.job (--cron-job-dump) would tell',
      location,
    })
    return
  }
  const text = runnable(machine, command, location)
  machine.interpreter.script(rootFrame(machine, text), text)
}

function attempt(machine: Machine, location: Location, action: () => void): void {
  try {
    action()
  } catch (error) {
    if (!(error instanceof Exhausted || error instanceof RangeError)) throw error
    report(machine, {
      code: 'sql-too-complex',
      severity: 'warning',
      message: 'What this job runs was followed only in part: it takes too many steps',
      location,
    })
  }
}
