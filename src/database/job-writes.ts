import { locate, type Node, type NodeOf } from '../sql/index.js'
import { truth } from './compare.js'
import { evaluate } from './evaluate.js'
import { fromTuples, type Tuple } from './from.js'
import { jobRow, replaceJob, schedule, unschedule, type Job } from './jobs.js'
import { jobsAskedFor } from './job-rows.js'
import { report, type Frame, type Relation, type RelationRow } from './machine.js'
import type { StatementRows } from './rows.js'
import { field, known, render } from './contents.js'
import { NULL, text, type ObjectValue } from './value.js'

/** Writes to cron.job itself, past pg_cron's functions. */
export const writeJobs = { insert, update, remove }

function insert(frame: Frame, row: ObjectValue, relation: NodeOf<'RangeVar'>): void {
  const active = known(field(row, 'active'))
  schedule(frame.machine.jobs, {
    name: row.fields.get('jobname') ?? NULL,
    schedule: row.fields.get('schedule') ?? text(''),
    command: row.fields.get('command') ?? text(''),
    active: active === null ? true : active !== 'false',
    username: known(field(row, 'username')) ?? undefined,
    location: locate(frame.source, relation.location ?? 0),
  })
}

function update(
  frame: Frame,
  relation: NodeOf<'RangeVar'>,
  from: readonly Node[],
  where: Node | undefined,
  change: (frame: Frame, row: ObjectValue) => ObjectValue,
): Relation {
  const location = locate(frame.source, relation.location ?? 0)
  const touched = matching(frame, relation, from, where)
  const rows = touched.map(({ job, inner }): RelationRow => {
    const row = change(inner, jobRow(job))
    const active = known(field(row, 'active'))
    const name = field(row, 'jobname')
    replaceJob(frame.machine.jobs, {
      ...job,
      name: name.kind === 'null' ? null : render(name),
      schedule: render(field(row, 'schedule')),
      command: field(row, 'command'),
      active: active === null ? job.active : active === 'true',
      location,
    })
    return { row, sources: [], certain: true }
  })
  return { columns: ['jobid'], rows }
}

function remove(frame: Frame, relation: NodeOf<'RangeVar'>, from: readonly Node[], where: Node | undefined): Relation {
  const gone = matching(frame, relation, from, where)
  const ids = new Set(gone.map(({ job }) => job.id))
  unschedule(frame.machine.jobs, (job) => ids.has(job.id))
  return {
    columns: ['jobid'],
    rows: gone.map(({ job }): RelationRow => ({ row: jobRow(job), sources: [], certain: true })),
  }
}

/** The jobs for which a condition certainly holds; where it cannot be decided, that is said. */
function matching(
  frame: Frame,
  relation: NodeOf<'RangeVar'>,
  from: readonly Node[],
  where: Node | undefined,
): { job: Job; inner: Frame }[] {
  const alias = relation.alias?.aliasname ?? 'job'
  const location = locate(frame.source, relation.location ?? 0)
  const own: StatementRows = {
    kind: 'statement',
    node: { RangeVar: relation },
    source: frame.source,
    location,
    table: null,
    pinned: [],
    single: false,
    ordered: false,
    routine: frame.routine,
    variable: () => null,
  }
  const beside: readonly Tuple[] =
    from.length > 0
      ? fromTuples(frame, from, { own, one: false })
      : [{ bindings: [], sources: [], certain: true, assumed: false }]
  let undecided = false
  const found = jobsAskedFor(frame.machine.jobs.rows, alias, where).flatMap((job) => {
    for (const tuple of beside) {
      const bindings = [{ alias, row: jobRow(job), scalar: false }, ...tuple.bindings]
      const inner: Frame = { ...frame, scope: { bindings, outer: frame.scope } }
      const decided = where ? truth(evaluate(inner, where)) : 'yes'
      if (decided === 'yes') return [{ job, inner }]
      if (decided === 'unknown') undecided = true
    }
    return []
  })
  if (undecided || (found.length === 0 && where && mentionsLiteralId(where))) {
    report(frame.machine, {
      code: 'unresolved-job-id',
      severity: 'warning',
      message:
        'Which jobs this changes depends on what stands in the live cron.job table; an export of cron.job (--cron-job-dump) would tell',
      location,
    })
  }
  return found
}

const mentionsLiteralId = (where: Node): boolean =>
  /"sval":"jobid"/.test(JSON.stringify(where)) && /"ival"/.test(JSON.stringify(where))
