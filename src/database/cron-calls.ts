import type { Location } from '../model/index.js'
import { byName } from './arguments.js'
import { findJob, FIRST_ID, replaceJob, schedule, unschedule, type NewJob } from './jobs.js'
import { Raised, report, type EvaluatedArgument, type Frame } from './machine.js'
import { known, render } from './contents.js'
import { alternatives, NULL, number, SOMETHING, TRUE, UNKNOWN, type Value } from './value.js'

const SCHEDULE = ['job_name', 'schedule', 'command']
const IN_DATABASE = [...SCHEDULE, 'database', 'username', 'active']
const ALTER = ['job_id', 'schedule', 'command', 'database', 'username', 'active']

/** The functions of pg_cron (pg_cron--1.3--1.4.sql, src/job_metadata.c). */
export function callCron(frame: Frame, name: string, args: readonly EvaluatedArgument[], location: Location): Value {
  switch (name) {
    case 'schedule': {
      const unnamed = args.length === 2 && !args.some((arg) => arg.name === 'job_name')
      return scheduled(frame, byName(args, unnamed ? SCHEDULE.slice(1) : SCHEDULE), location)
    }
    case 'schedule_in_database':
      return scheduled(frame, byName(args, IN_DATABASE), location)
    case 'alter_job':
      return altered(frame, byName(args, ALTER), location)
    case 'unschedule': {
      const given = args[0]?.value ?? NULL
      for (const each of alternatives(given)) removed(frame, each, location, given.kind === 'any')
      return TRUE
    }
    default:
      return UNKNOWN
  }
}

function scheduled(frame: Frame, args: ReadonlyMap<string, Value>, location: Location): Value {
  const active = known(args.get('active') ?? NULL)
  const job: NewJob = {
    name: certain(args.get('job_name') ?? NULL),
    schedule: certain(args.get('schedule') ?? NULL),
    command: args.get('command') ?? NULL,
    database: known(args.get('database') ?? NULL) ?? undefined,
    username: known(args.get('username') ?? NULL) ?? undefined,
    active: active === null ? undefined : active !== 'false',
    location,
  }
  return number(schedule(frame.machine.jobs, job))
}

/** Of several possible texts the first that is one. */
function certain(value: Value): Value {
  return (
    alternatives(value).find((each) => each.kind !== 'null' && known(each) !== null) ?? alternatives(value)[0] ?? NULL
  )
}

function altered(frame: Frame, args: ReadonlyMap<string, Value>, location: Location): Value {
  const id = args.get('job_id') ?? NULL
  for (const which of alternatives(id)) {
    const job = findJob(frame.machine.jobs, which)
    if (!job) {
      notFound(frame, which, location)
      continue
    }
    const give = (name: string): Value | null => {
      const value = args.get(name)
      return value === undefined || value.kind === 'null' ? null : value
    }
    const active = known(give('active') ?? NULL)
    const changes = give('schedule') !== null || give('command') !== null
    replaceJob(frame.machine.jobs, {
      ...job,
      schedule: give('schedule') ? render(certain(give('schedule')!)).trim() : job.schedule,
      command: give('command') ?? job.command,
      database: known(give('database') ?? NULL) ?? job.database,
      username: known(give('username') ?? NULL) ?? job.username,
      active: active === null ? job.active : active === 'true',
      location: changes ? location : job.location,
    })
  }
  return SOMETHING
}

function removed(frame: Frame, which: Value, location: Location, maybe: boolean): void {
  const { jobs } = frame.machine
  if (which.kind === 'null') return
  const content = known(which)
  if (content === null) return notFound(frame, which, location)
  const byId = which.kind === 'number' || Number(content) > FIRST_ID
  const found = unschedule(jobs, (job) => (byId ? job.id === Number(content) : job.name === content))
  if (found) return
  if (byId) return notFound(frame, which, location)
  // The name counts as spoken of, so that a file outside of the migrations does not bring the job back.
  if (jobs.origin === 'migration') jobs.settled.add(content)
  // Where nothing catches the error the migration could not have run as it stands; whoever ran it got past that somehow.
  if (!maybe && frame.guarded) throw new Raised(`could not find valid entry for job '${content}'`)
}

function notFound(frame: Frame, which: Value, location: Location): void {
  if (which.kind === 'null') return
  const content = known(which)
  const what =
    content === null
      ? 'a job that is not named in the SQL'
      : which.kind === 'number'
        ? `job number ${content}`
        : `the job ${content}`
  report(frame.machine, {
    code: 'unresolved-job-id',
    severity: 'warning',
    message: `This changes ${what}, and which one that is stands only in the live cron.job table; an export of it (--cron-job-dump) would tell`,
    location,
  })
}
