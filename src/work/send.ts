import { allOf } from '../claims/index.js'
import type { Location, Operand, SqlWrite } from '../model/index.js'
import { isChunk } from '../clients/chunk.js'
import { operandOf } from '../clients/operand.js'
import { draftOf, type Query } from '../clients/query.js'
import type { Draft, Statement } from '../clients/statement.js'
import { placeOf, unite, type Machine, type Taints, type Value } from '../typescript/index.js'
import { withAnswer, withRoutine } from './answers.js'
import type { WorkContext } from './context.js'
import { askedBy, sqlValue, takenBy } from './found.js'
import { changeOf, recordOf, valuesOf } from './payload.js'
import type { Recorder } from './recorder.js'
import { noteSent } from './sent.js'

/** The table that a statement's rows are of. */
export function tableOfStatement(statement: Statement): string | null {
  if (statement.answer?.kind === 'rows' || statement.answer?.kind === 'flag') return statement.answer.taking.table
  if (statement.answer?.kind === 'read') return statement.answer.pick.table
  return statement.table
}

/** Sends a query: reads its conditions and values, and writes it down. `sent` false: it was built and dropped. */
export function sendQuery(
  context: WorkContext,
  recorder: Recorder,
  query: Query,
  machine: Machine,
  sent = true,
): Statement {
  const base = draftOf(query, machine)
  const own = (id: number): boolean => {
    const other = recorder.statements.get(id)
    return other !== undefined && base.table !== null && tableOfStatement(other) === base.table
  }
  const operand = (value: Value): Operand =>
    (isChunk(value) ? sqlValue(context, query, value.data.chunk, operand) : null) ?? operandOf(value, machine, own)
  const { where, pins, finders } = askedBy(context, query, operand)
  const draft: Draft = { ...base, where, pins }
  const payload = query.payload
  let complete: Draft = draft
  if (query.verb === 'call') complete = withRoutine(context, query, draft, machine, own)
  else if (query.verb === 'update')
    complete = { ...draft, change: changeOf(payload, operand, machine), inserted: valuesOf(payload, machine) }
  else if (query.verb === 'delete') complete = { ...draft, change: { kind: 'delete' } }
  else if (query.verb === 'insert' || query.verb === 'upsert')
    complete = { ...draft, change: recordOf(payload, recorder, machine), inserted: valuesOf(payload, machine) }
  const taken = takenBy(context, query, complete, finders, operand)
  if (taken)
    complete = withAnswer({ ...complete, kind: 'call' }, taken, {
      writes: writesOf(complete, placeOf(query.site)),
    })
  else if (finders.length > 0) complete = { ...complete, where: allOf([where, ...finders.map((each) => each.where)]) }
  const taints = unite([
    ...query.filters.flatMap((filter) => taintsOfFilter(filter, machine)),
    ...(payload ? [machine.taints(payload)] : []),
  ])
  return noteSent(recorder, complete, query.site, taints, machine, sent)
}

const writesOf = ({ kind, table, where, change }: Draft, location: Location): SqlWrite[] =>
  (kind === 'update' || kind === 'delete') && table !== null && change !== null
    ? [{ kind, table, where, change, location }]
    : []

function taintsOfFilter(filter: Query['filters'][number], machine: Machine): Taints[] {
  switch (filter.kind) {
    case 'compare':
    case 'is':
    case 'distinct':
      return [machine.taints(filter.value)]
    case 'in':
      return [machine.taints(filter.list)]
    case 'not':
      return taintsOfFilter(filter.filter, machine)
    case 'any':
    case 'all':
      return filter.filters.flatMap((each) => taintsOfFilter(each, machine))
    case 'found':
      return filter.query.filters.flatMap((each) => taintsOfFilter(each, machine))
    case 'sql':
      return [filter.chunk.taints]
    case 'other':
      return []
  }
}
