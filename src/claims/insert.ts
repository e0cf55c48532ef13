import type { Assignment, Change, Location, Operand, SqlInsert, SqlTaking, SqlWrite } from '../model/index.js'
import { as, type NodeOf } from '../sql/index.js'
import { changesOf, keywordLocation, OTHER, type Core } from './core.js'
import type { Scope, SqlEnv } from './env.js'
import { judgeUpsert } from './judge.js'
import { operandOf } from './operand.js'
import { predicateOf } from './predicate.js'
import { rowsOf, scopeOf, type Context, type FromItem } from './rows.js'

/** INSERT, with or without ON CONFLICT. */
export function describeInsert(insert: NodeOf<'InsertStmt'>, context: Context): Core {
  const relation = insert.relation ?? {}
  const table = relation.relname ?? ''
  const location = keywordLocation(relation, context.source, 'insert')
  const main: FromItem = {
    alias: relation.alias?.aliasname ?? table,
    table: { schema: relation.schemaname ?? null, name: table },
    rows: null,
  }
  const scope = scopeOf(main, [], context)
  const values = insertedValues(insert, scope)
  const change: Change = { kind: 'set', assignments: values }
  const returns = insert.returningClause !== undefined
  const conflict = insert.onConflictClause
  const writes: SqlWrite[] = [{ kind: 'insert', table, where: null, change, location }]
  const select = as(insert.selectStmt, 'SelectStmt')
  const source = select?.fromClause ? rowsOf(select, context) : null
  if (source?.answer?.kind === 'rows') return { answer: returns ? source.answer : OTHER, count: source.answer, writes }
  if (conflict?.action === 'ONCONFLICT_UPDATE') {
    const taking = upsert(insert, scope, values, location)
    return {
      answer: returns ? { kind: 'rows', taking } : OTHER,
      count: { kind: 'flag', taking },
      writes,
      locksRows: true,
    }
  }
  const described: SqlInsert = {
    table,
    columns: values.map((each) => each.column),
    onConflict: conflict ? 'nothing' : 'error',
    location,
  }
  return {
    answer: returns ? { kind: 'insert', insert: described } : OTHER,
    count: { kind: 'insert', insert: described },
    writes,
  }
}

/** The inserted columns with their values, where VALUES has one row; else values that are not known. */
function insertedValues(insert: NodeOf<'InsertStmt'>, scope: Scope): Assignment[] {
  const columns = (insert.cols ?? []).flatMap((node) => as(node, 'ResTarget')?.name ?? [])
  const all = columns.length > 0 ? columns : [...(scope.target.table?.columns ?? [])]
  const select = as(insert.selectStmt, 'SelectStmt')
  const rows = (select?.valuesLists ?? []).map((each) => as(each, 'List')?.items ?? [])
  const values = rows.length === 1 ? rows[0]! : []
  // Names in VALUES are variables; the row that is made has no columns yet.
  const outer: Scope = { ...scope, target: { alias: '', name: '', table: null } }
  return all.map((column, index) => {
    const value = values[index]
    const operand: Operand =
      value && !as(value, 'SetToDefault')
        ? operandOf(value, outer)
        : { kind: 'opaque', id: `inserted:${column}`, nonNull: false }
    return {
      column,
      operand: operand.kind === 'column' ? { kind: 'opaque', id: operand.column, nonNull: false } : operand,
    }
  })
}

/** INSERT … ON CONFLICT DO UPDATE: both callers get the row unless its WHERE refuses the second (domain 4.1; truth table 21). */
function upsert(
  insert: NodeOf<'InsertStmt'>,
  scope: Scope,
  values: readonly Assignment[],
  location: Location,
): SqlTaking {
  const conflict = insert.onConflictClause!
  const excluded = new Map(values.map((each) => [each.column, each.operand]))
  const env: SqlEnv = {
    ...scope.env,
    variable: (path) => {
      if (path.length !== 2 || path[0] !== 'excluded') return scope.env.variable(path)
      return excluded.get(path[1]!) ?? { kind: 'opaque', id: path.join('.'), nonNull: false }
    },
  }
  const within: Scope = { ...scope, env }
  const where = conflict.whereClause ? predicateOf(conflict.whereClause, within) : null
  const changes = changesOf(conflict.targetList ?? [], within)
  const verdict = judgeUpsert(where, changes, values, scope.target.table)
  const keyed = (conflict.infer?.indexElems ?? []).flatMap((node) => as(node, 'IndexElem')?.name ?? [])
  const keys = keyed.flatMap((column) => {
    const operand = excluded.get(column)
    return operand?.kind === 'opaque' && scope.env.parameters.has(operand.id) ? [{ column, parameter: operand.id }] : []
  })
  return {
    table: scope.target.name,
    where,
    change: changes[0],
    soundness: verdict.soundness,
    location,
    limit: null,
    keys,
    ...(verdict.reason ? { reason: verdict.reason } : {}),
  }
}
