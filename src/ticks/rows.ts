import type { DispatchRows, Operand, Routine, SqlPick, SqlTaking, SqlWrite, Table } from '../model/index.js'
import {
  conjuncts,
  describeStatement,
  leavesPick,
  summarizeRoutine,
  type SqlEnv,
  type StatementFacts,
} from '../claims/index.js'
import {
  findRoutines,
  findTable,
  known,
  type Database,
  type RowSource,
  type Send,
  type StatementRows,
  type Value,
  type Write,
} from '../database/index.js'

/** The rows of a request, and how they would be taken if nothing else posts the same rows at the same time. */
export interface ReadRows {
  readonly rows: DispatchRows
  /** Rows are read, sent and marked in one transaction: as good as taken if one job alone does it, as pg_cron never runs it twice at once. */
  readonly ifAlone: SqlTaking | null
}

/** Whether the SQL takes the rows that a request is about, or only reads them. `writes`: what else the same run writes. */
export function readRows(database: Database, source: RowSource, send: Send, writes: readonly Write[]): ReadRows {
  const facts = source.kind === 'statement' ? factsOf(database, source) : null
  const answer = facts?.answer ?? summaryOf(database, source)
  const table = source.kind === 'statement' ? source.table : null
  if (answer.kind === 'read') {
    const { pick } = answer
    const ifAlone = markedAfter(database, source, pick, send, writes)
    return { rows: { table: pick.table ?? table, taking: null, pick }, ifAlone }
  }
  if (answer.kind !== 'rows' && answer.kind !== 'flag')
    return { rows: { table, taking: null, pick: null }, ifAlone: null }
  const { taking } = answer
  const rows: DispatchRows = { table: taking.table ?? table, taking, pick: null }
  if (taking.soundness !== 'lock-only-claim') return { rows, ifAlone: null }
  // The lock holds until the transaction ends, and so until the mark below it is committed.
  const marked = markedAfter(database, source, taking, send, writes)
  return { rows: marked ? { ...rows, taking: marked } : rows, ifAlone: null }
}

function summaryOf(database: Database, source: RowSource): ReturnType<typeof summarizeRoutine>['answer'] {
  if (source.kind !== 'routine') return { kind: 'other' }
  return summarizeRoutine(source.routine, lookup(database), tables(database)).answer
}

const tables =
  (database: Database) =>
  (_schema: string | null, name: string): Table | null =>
    findTable(database, name)

const lookup =
  (database: Database) =>
  (schema: string | null, name: string, count: number): Routine | null => {
    const found = findRoutines(database, name, schema)
    return (
      found.find((each) => inputs(each).length === count) ?? found.find((each) => inputs(each).length > count) ?? null
    )
  }

const inputs = (routine: Routine): Routine['parameters'] =>
  routine.parameters.filter((each) => each.mode !== 'out' && each.mode !== 'table')

const described = new WeakMap<StatementRows, StatementFacts>()

function factsOf(database: Database, statement: StatementRows): StatementFacts {
  const before = described.get(statement)
  if (before) return before
  const facts = describeStatement(statement.node, statement.source, envOf(database, statement))
  described.set(statement, facts)
  return facts
}

function envOf(database: Database, statement: StatementRows): SqlEnv {
  return {
    variable: (path) => operandOf(statement.variable(path), path.join('.')),
    parameter: (number) => ({ kind: 'opaque', id: `$${number}`, nonNull: false }),
    parameters: new Set(),
    table: tables(database),
    routine: (schema, name, count) => {
      const routine = lookup(database)(schema, name, count)
      if (!routine) return null
      const summary = summarizeRoutine(routine, lookup(database), tables(database))
      return { summary, parameters: inputs(routine).map((each) => each.name) }
    },
  }
}

/** A variable's value as the algebra of claims has it. */
function operandOf(value: Value | null, id: string): Operand | null {
  switch (value?.kind) {
    case undefined:
      return null
    case 'null':
      return { kind: 'literal', value: null }
    case 'number':
    case 'bool':
      return { kind: 'literal', value: value.value }
    case 'text': {
      const content = known(value)
      if (content !== null) return { kind: 'literal', value: content }
      break
    }
    case 'rows':
      return operandOf(value.element, id)
    case 'unknown':
      if (value.origin.kind === 'now') return { kind: 'now', offset: 0 }
      if (value.origin.kind === 'column') return { kind: 'read', column: value.origin.column, delta: 0 }
      break
    default:
  }
  return { kind: 'opaque', id, nonNull: value?.kind === 'unknown' && value.nonNull }
}

/** A write of the same run that moves every row that is sent out of the pick; null where there is none. */
function markedAfter(
  database: Database,
  source: RowSource,
  pick: Pick<SqlPick, 'table' | 'where' | 'limit'>,
  send: Send,
  writes: readonly Write[],
): SqlTaking | null {
  const { table } = pick
  if (table === null || source.kind !== 'statement') return null
  const touched = findTable(database, table)?.touched ?? []
  for (const { statement, arms } of writes) {
    if (!arms.every((arm, index) => send.arms[index] === arm)) continue
    for (const write of factsOf(database, statement).writes) {
      if (
        write.table !== table ||
        !marksWhatWasSent(write, pick) ||
        leavesPick(pick.where, write.change, touched) !== 'yes'
      )
        continue
      const { location, change } = write
      return { table, where: pick.where, change, soundness: 'sound', location, limit: pick.limit, keys: [] }
    }
  }
  return null
}

/** Does the write reach the rows that were read: by a value read with them, or by the very condition that picked them? */
function marksWhatWasSent(write: SqlWrite, pick: Pick<SqlPick, 'where'>): boolean {
  const picked = new Set(conjuncts(pick.where).map((term) => JSON.stringify(term)))
  return conjuncts(write.where).every((term) => {
    if (picked.has(JSON.stringify(term))) return true
    if (term.kind === 'compare')
      return term.op === '=' && term.operand.kind === 'read' && term.operand.column === term.column
    return term.kind === 'in' && term.operands.every((each) => each.kind === 'read' && each.column === term.column)
  })
}
