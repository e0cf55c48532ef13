import { allOf, bindAnswer, describeStatement, leavesPick, columnsOf, type StatementFacts } from '../claims/index.js'
import type { Assignment, Change, Location, Operand, RoutineAnswer, RoutineSummary, SqlWrite } from '../model/index.js'
import { isChunk } from '../clients/chunk.js'
import { operandOf } from '../clients/operand.js'
import { queueRoutine } from '../clients/pgmq.js'
import { draftOf, type Query } from '../clients/query.js'
import { dataOf, isResult } from '../clients/results.js'
import type { SqlStatement } from '../clients/sql.js'
import { EMPTY_DRAFT, held, type Draft, type Pin, type Statement } from '../clients/statement.js'
import { parseStatements } from '../sql/index.js'
import {
  UNKNOWN,
  assume,
  forget,
  see,
  placeOf,
  unite,
  type Machine,
  type Site,
  type Value,
} from '../typescript/index.js'
import type { WorkContext } from './context.js'
import { askedBy, sqlValue, takenBy } from './found.js'
import { idOf, record, type Recorder } from './recorder.js'

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
  return finish(recorder, complete, query.site, taints, machine, sent)
}

const writesOf = ({ kind, table, where, change }: Draft, location: Location): SqlWrite[] =>
  (kind === 'update' || kind === 'delete') && table !== null && change !== null
    ? [{ kind, table, where, change, location }]
    : []

type Taints = ReturnType<Machine['taints']>

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

function finish(
  recorder: Recorder,
  draft: Draft,
  site: Site,
  taints: Taints,
  machine: Machine,
  sent: boolean,
): Statement {
  const statement: Statement = {
    ...draft,
    id: idOf(recorder, site, sent ? 'sent' : 'dropped'),
    sent,
    taints,
    facts: machine.state.facts,
    keys: draft.pins.flatMap((pin) => (pin.list ? keysOf(pin, machine) : [])),
    site,
    location: placeOf(site),
  }
  see(machine.state, String(statement.id))
  if (sent && statement.kind !== 'select') {
    putBack(recorder, statement, machine)
    assume(machine.state, [held(statement.id)])
  }
  record(recorder, statement)
  return statement
}

/** What is known of the keys in a list, where all of them are that column of one statement's rows. */
function keysOf({ column, value }: Pin, machine: Machine): Statement['keys'] {
  const items = machine.items(value)
  const key = items?.element
  if (key?.kind !== 'foreign' || !isResult(key) || key.data.type !== 'column' || key.data.column !== column) return []
  return [{ of: key.data.statement, facts: items?.facts ?? [] }]
}

/** A write that gives a row the state that an earlier claim asked for gives the row away again. */
function putBack(recorder: Recorder, statement: Statement, machine: Machine): void {
  if (statement.kind !== 'update' || statement.change === null) return
  for (const claim of recorder.statements.values()) {
    if (claim.id === statement.id || !machine.state.facts.has(held(claim.id)) || claim.change === null) continue
    if (claim.table !== statement.table || claim.where === null) continue
    const columns = columnsOf(claim.where)
    const assigned = statement.change.kind === 'set' ? statement.change.assignments.map((each) => each.column) : []
    if (!assigned.some((column) => columns.includes(column))) continue
    if (leavesPick(claim.where, statement.change) !== 'no') continue
    recorder.undone.add(claim.id)
    forget(machine.state, (fact) => fact === held(claim.id))
  }
}

/** What an update sets, column by column. A column that only some paths set may keep its value. */
function changeOf(payload: Value | null, operand: (value: Value) => Operand, machine: Machine): Change {
  if (payload === null) return { kind: 'set', assignments: [] }
  const assignment = ([column, value]: readonly [string, Value]): Assignment => {
    const given = operand(value)
    // `attempts: job.attempts + 1` is the row's own value, moved on.
    return {
      column,
      operand:
        given.kind === 'read' && given.column === column ? { kind: 'column', column, delta: given.delta } : given,
    }
  }
  return { kind: 'set', assignments: [...columnsOfPayload(payload, machine)].map(assignment) }
}

/** What an insert writes: `crate_id: crate.id` is a column of the rows that are worked through. */
function recordOf(payload: Value | null, recorder: Recorder, machine: Machine): Change {
  const worked = (id: number): boolean => recorder.statements.get(id)?.result === 'rows'
  const columns = payload === null ? [] : [...columnsOfPayload(payload, machine)]
  return {
    kind: 'set',
    assignments: columns.map(([column, value]) => ({
      column,
      operand: coarse(value) ? { kind: 'now', offset: null, period: true } : operandOf(value, machine, worked),
    })),
  }
}

/** A moment cut down to its day, hour …: the same for runs that overlap. */
const coarse = (value: Value): boolean =>
  value.kind === 'time' ? value.coarse === true : value.kind === 'unknown' && value.taints.has('day')

function columnsOfPayload(payload: Value, machine: Machine): Map<string, Value> {
  if (payload.kind === 'alt') {
    const cells = payload.options.map((option) => columnsOfPayload(option.value, machine))
    const all = new Map<string, Value>()
    for (const cell of cells)
      for (const [name, value] of cell)
        if (cells.every((other) => other.has(name))) all.set(name, cells.length > 1 ? anyOf(cells, name) : value)
    return all
  }
  const cell = machine.objectCell(payload)
  if (cell)
    return new Map([...cell.props].filter(([, value]) => !(value.kind === 'const' && value.value === undefined)))
  const first = machine.items(payload)?.element
  return first && payload.kind === 'list' ? columnsOfPayload(first, machine) : new Map()
}

const anyOf = (cells: readonly Map<string, Value>[], name: string): Value => ({
  kind: 'alt',
  options: cells.map((cell) => ({ value: cell.get(name)!, facts: [] })),
})

const valuesOf = (payload: Value | null, machine: Machine): Map<string, Value> =>
  payload ? columnsOfPayload(payload, machine) : new Map()

/** A call of a routine: what the migrations say that it does for its caller. */
function withRoutine(
  context: WorkContext,
  query: Query,
  draft: Draft,
  machine: Machine,
  own: (statement: number) => boolean,
): Draft {
  const name = query.table.kind === 'const' ? String(query.table.value) : null
  const args = query.payload ? columnsOfPayload(query.payload, machine) : new Map<string, Value>()
  if (name === null)
    return {
      ...draft,
      args,
      answer: { kind: 'unknown', reason: 'the routine’s name is not known here', location: placeOf(query.site) },
    }
  const queue = queueRoutine(query.schema, name, args, query.site)
  const summary: RoutineSummary | null = queue ?? context.routine(query.schema, name, [...args.keys()])
  const operands = new Map([...args].map(([parameter, value]) => [parameter, operandOf(value, machine, own)] as const))
  const answer: RoutineAnswer = summary
    ? bindAnswer(summary.answer, operands)
    : {
        kind: 'unknown',
        reason: `no migration defines the routine ${name}; a migration that does, or an export of it, would tell whether it takes the rows`,
        location: placeOf(query.site),
      }
  return withAnswer({ ...draft, args }, answer, summary)
}

/** Gives a statement the table, condition and change of what its answer speaks of. */
export function withAnswer(draft: Draft, answer: RoutineAnswer, summary: Pick<RoutineSummary, 'writes'> | null): Draft {
  const common = { ...draft, answer, writes: summary?.writes ?? [] }
  if (answer.kind === 'rows' || answer.kind === 'flag') {
    const { taking } = answer
    const pins = taking.keys.flatMap(({ column, parameter }) => {
      const value = draft.args.get(parameter)
      return value ? [{ column, value, list: value.kind === 'list' }] : []
    })
    return {
      ...common,
      table: taking.table,
      where: taking.where,
      change: taking.change,
      limit: numberOf(taking.limit, draft.args) ?? draft.limit,
      pins: [...draft.pins, ...pins],
    }
  }
  if (answer.kind === 'read')
    return {
      ...common,
      table: answer.pick.table,
      where: answer.pick.where,
      limit: numberOf(answer.pick.limit, draft.args) ?? draft.limit,
    }
  if (answer.kind === 'insert')
    return {
      ...common,
      table: answer.insert.table,
      onConflict: answer.insert.onConflict,
      inserted: new Map(answer.insert.columns.map((column) => [column, UNKNOWN] as const)),
    }
  return common
}

function numberOf(operand: Operand | null, args: ReadonlyMap<string, Value>): number | null {
  if (operand?.kind === 'literal' && typeof operand.value === 'number') return operand.value
  if (operand?.kind !== 'opaque') return null
  const value = args.get(operand.id)
  return value?.kind === 'const' && typeof value.value === 'number' ? value.value : null
}

/** Sends a text of SQL over a direct connection. */
export function sendSql(context: WorkContext, recorder: Recorder, run: SqlStatement, machine: Machine): Value {
  const parsed = parseStatements(run.text)
  const first = parsed.find((each) => each.ok)
  const taints = unite(run.values.map((value) => machine.taints(value)))
  const args = new Map(run.values.map((value, index) => [`$${index + 1}`, value] as const))
  const open = [...machine.state.facts].some((fact) => fact.startsWith('x'))
  const base: Draft = { ...EMPTY_DRAFT, kind: 'call', result: 'answer', args, openTransaction: open }
  if (!first?.ok) {
    const answer: RoutineAnswer = {
      kind: 'unknown',
      reason: 'the text of the SQL is not known here',
      location: placeOf(run.site),
    }
    const statement = finish(recorder, { ...base, answer }, run.site, taints, machine, true)
    return dataOf(statement.id, 'rows', null)
  }
  const tables = new Map<string, Operand>()
  const facts = describeStatement(first.tree, first.source, {
    variable: () => null,
    parameter: (number) => {
      const value = run.values[number - 1]
      if (!value) return { kind: 'opaque', id: `$${number}`, nonNull: false }
      const known = tables.get(`$${number}`)
      if (known) return known
      const operand = sqlOperand(value, number, machine)
      tables.set(`$${number}`, operand)
      return operand
    },
    parameters: new Set(run.values.map((_value, index) => `$${index + 1}`)),
    table: (schema, name) => context.table(schema && schema !== 'public' ? `${schema}.${name}` : name),
    routine: context.known,
  })
  const answer = answerOf(facts, run.repeatable)
  let draft = withAnswer(base, answer, facts)
  const write = facts.writes[0]
  if (answer.kind === 'other' && write)
    draft = { ...draft, kind: write.kind, table: write.table, where: write.where, change: write.change }
  if (write && draft.pins.length === 0) draft = { ...draft, pins: pinsOf(draft, run.values) }
  const statement = finish(recorder, draft, run.site, taints, machine, true)
  return dataOf(statement.id, 'rows', null)
}

/**
 * What the statement says to the program: its rows, else its number of rows, else a lock. At REPEATABLE READ the second
 * updater of a row gets an error instead of the row (domain 1.11, cases 24–26).
 */
function answerOf(facts: StatementFacts, repeatable: boolean): RoutineAnswer {
  const lock = facts.locks[0]
  if (lock && facts.writes.length === 0) return { kind: 'lock', scope: lock.scope, location: lock.location }
  const answer = facts.answer.kind === 'other' ? facts.count : facts.answer
  if (repeatable && (answer.kind === 'rows' || answer.kind === 'flag') && answer.taking.soundness !== 'lock-only-claim')
    return { ...answer, taking: { ...answer.taking, soundness: 'sound' } }
  return answer
}

/** `where id = $1` pins the row that the value is of. */
function pinsOf(draft: Draft, values: readonly Value[]): Draft['pins'] {
  const pins: { column: string; value: Value; list: boolean }[] = []
  const visit = (term: Draft['where']): void => {
    if (term?.kind === 'and') term.terms.forEach(visit)
    if (term?.kind === 'compare' && term.op === '=') {
      const operand = term.operand
      if (operand.kind === 'opaque' && operand.id.startsWith('$')) {
        const value = values[Number(operand.id.slice(1)) - 1]
        if (value) pins.push({ column: term.column, value, list: false })
      } else if (operand.kind === 'read') {
        const value = values.find(
          (each) => each.kind === 'foreign' && (each.data as { column?: string }).column === operand.column,
        )
        if (value) pins.push({ column: term.column, value, list: false })
      }
    }
    if (term?.kind === 'in')
      for (const operand of term.operands)
        if (operand.kind === 'opaque' && operand.id.startsWith('$')) {
          const value = values[Number(operand.id.slice(1)) - 1]
          if (value) pins.push({ column: term.column, value, list: true })
        }
  }
  visit(draft.where)
  return pins
}

/** A value in a text of SQL: what is not known keeps its number, so that the row it pins can be found again. */
function sqlOperand(value: Value, number: number, machine: Machine): Operand {
  const operand = operandOf(value, machine, () => true)
  if (operand.kind === 'opaque') return { ...operand, id: `$${number}` }
  return operand
}

/**
 * A key in a store outside that is set only if it is not there (`redis.set(key, …, { nx: true })`): like an insert under a
 * unique key, its answer says who was first (domain 5.4 S18).
 */
export function externalLock(
  recorder: Recorder,
  path: readonly string[],
  args: readonly Value[],
  machine: Machine,
  site: Site,
): Value | null {
  const method = path[path.length - 1]?.toLowerCase()
  if (method !== 'set' && method !== 'setnx') return null
  const words = args.flatMap((arg) =>
    arg.kind === 'const' && typeof arg.value === 'string' ? [arg.value.toLowerCase()] : [],
  )
  const option = args.some((arg) => {
    const nx = machine.objectCell(arg)?.props
    return ['nx', 'NX'].some(
      (name) => nx?.get(name)?.kind === 'const' && (nx.get(name) as { value: unknown }).value === true,
    )
  })
  if (method !== 'setnx' && !option && !words.slice(1).includes('nx')) return null
  const location = placeOf(site)
  const statement = finish(
    recorder,
    {
      ...EMPTY_DRAFT,
      kind: 'call',
      result: 'answer',
      answer: {
        kind: 'insert',
        insert: { table: 'a key of the store', columns: ['key'], onConflict: 'nothing', location, outside: true },
      },
    },
    site,
    args[0] ? machine.taints(args[0]) : new Set(),
    machine,
    true,
  )
  return dataOf(statement.id, 'answer', null)
}
