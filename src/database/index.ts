/** The replay of migrations: jobs, routines, tables and their configuration, and the interpreter that runs SQL against them. */
export {
  replay,
  findRoutines,
  findTable,
  findSenders,
  findTriggers,
  type Database,
  type SqlFile,
  type StatementCount,
} from './replay.js'
export { readCronDump, withDump, type CronDump } from './dump.js'
export type { FileOrigin, Job, JobOrigin } from './jobs.js'
export type { Trigger } from './tables.js'
export { type Machine, type Send, type Write } from './machine.js'
export type { RoutineRows, RowSource, StatementRows } from './rows.js'
export { runJob, runTriggerRoutine, type JobRun } from './job-run.js'
export { known, render, toParts } from './contents.js'
export { alternatives, text, type Part, type Unknown, type Value } from './value.js'
