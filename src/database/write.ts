import { as, nameParts, type Node, type NodeOf } from '../sql/index.js'
import { tableNamed } from './catalog.js'
import { compare, truth } from './compare.js'
import { evaluate } from './evaluate.js'
import { fromTuples, tupleFrame, type Tuple } from './from.js'
import { writeJobs } from './job-writes.js'
import type { Frame, Relation, RelationRow } from './machine.js'
import { withCtes } from './query.js'
import { statementRows } from './statement-rows.js'
import type { StatementRows } from './rows.js'
import { addRow, storedRows } from './store.js'
import { field } from './contents.js'
import { anyOf, object, unknown, type ObjectValue, type Value } from './value.js'

/** Runs INSERT, UPDATE or DELETE; gives the rows of RETURNING (for none: the rows touched, without columns). */
export function write(frame: Frame, node: Node): Relation | null {
  const insert = as(node, 'InsertStmt')
  if (insert) return runInsert(frame, insert)
  const update = as(node, 'UpdateStmt')
  if (update) return runUpdate(frame, update)
  const remove = as(node, 'DeleteStmt')
  return remove ? runDelete(frame, remove) : null
}

const isJobs = (relation: NodeOf<'RangeVar'> | undefined): boolean =>
  relation?.schemaname === 'cron' && relation.relname === 'job'

function runInsert(outer: Frame, insert: NodeOf<'InsertStmt'>): Relation {
  const frame = withCtes(outer, insert.withClause)
  const table = insert.relation?.relname ?? ''
  const query = insert.selectStmt
    ? frame.machine.interpreter.query(frame, insert.selectStmt)
    : { columns: [], rows: [] }
  const named = (insert.cols ?? []).flatMap((each) => as(each, 'ResTarget')?.name ?? [])
  const columns = named.length > 0 ? named : (tableNamed(frame.machine.catalog, table)?.columns ?? [])
  const rows = query.rows.map((each): RelationRow => ({
    ...each,
    row: object(new Map(query.columns.map((column, index) => [columns[index] ?? column, field(each.row, column)]))),
  }))
  if (isJobs(insert.relation)) for (const { row } of rows) writeJobs.insert(frame, row, insert.relation!)
  else if (!frame.machine.frozen)
    for (const { row, sources } of rows) if (sources.length === 0) store(frame, insert, table, row)
  const own = statementRows(
    frame,
    { InsertStmt: insert },
    insert.relation ? [{ RangeVar: insert.relation }] : [],
    undefined,
    {},
  )
  const returned = rows.map((each) => ({
    ...each,
    row: object(withColumns(frame, table, own, each.row.fields), true, own),
    certain: false,
  }))
  return returning(frame, insert.returningClause, insert.relation, returned)
}

/** Columns that an INSERT does not name have values of the new row. */
function withColumns(
  frame: Frame,
  table: string,
  own: StatementRows,
  given: ReadonlyMap<string, Value>,
): Map<string, Value> {
  const fields = new Map<string, Value>()
  for (const column of tableNamed(frame.machine.catalog, table)?.columns ?? []) {
    fields.set(column, unknown({ kind: 'column', source: own, column }))
  }
  for (const [name, value] of given) fields.set(name, value)
  return fields
}

function store(frame: Frame, insert: NodeOf<'InsertStmt'>, table: string, row: ObjectValue): void {
  const rows = storedRows(frame.machine, table)
  const conflict = insert.onConflictClause
  const existing = conflict ? rows.find((each) => conflicts(frame, conflict, table, each, row)) : undefined
  if (!existing) return addRow(frame.machine, table, row)
  const next = rows.map((each) => (each === existing ? onConflict(frame, conflict!, table, each, row) : each))
  frame.machine.store.tables.set(table, next)
}

/** Do two rows meet in the columns of ON CONFLICT (or, where it names none, in a key of the table)? */
function conflicts(
  frame: Frame,
  conflict: NodeOf<'OnConflictClause'>,
  table: string,
  a: ObjectValue,
  b: ObjectValue,
): boolean {
  const inferred = (conflict.infer?.indexElems ?? []).flatMap((each) => as(each, 'IndexElem')?.name ?? [])
  const keys =
    inferred.length > 0 ? [inferred] : (tableNamed(frame.machine.catalog, table)?.keys ?? []).map((key) => key.columns)
  return keys.some(
    (key) =>
      key.length > 0 &&
      key.every((column) => column !== null && truth(compare(field(a, column), '=', field(b, column))) === 'yes'),
  )
}

function onConflict(
  frame: Frame,
  conflict: NodeOf<'OnConflictClause'>,
  table: string,
  old: ObjectValue,
  excluded: ObjectValue,
): ObjectValue {
  if (conflict.action !== 'ONCONFLICT_UPDATE') return old
  const bindings = [
    { alias: 'excluded', row: excluded, scalar: false },
    { alias: table, row: old, scalar: false },
  ]
  return assigned({ ...frame, scope: { bindings, outer: frame.scope } }, conflict.targetList ?? [], old)
}

/** A row after a SET clause. */
function assigned(frame: Frame, targets: readonly Node[], old: ObjectValue): ObjectValue {
  const fields = new Map(old.fields)
  for (const node of targets) {
    const target = as(node, 'ResTarget')
    if (!target?.name) continue
    const part = as(target.val, 'MultiAssignRef')
    const value = part ? field(evaluate(frame, part.source), `f${part.colno ?? 1}`) : evaluate(frame, target.val)
    fields.set(target.name, value)
  }
  return object(fields, old.open, old.source)
}

function runUpdate(outer: Frame, update: NodeOf<'UpdateStmt'>): Relation {
  const frame = withCtes(outer, update.withClause)
  const relation = update.relation!
  const targets = update.targetList ?? []
  if (isJobs(relation)) {
    const change = (inner: Frame, row: ObjectValue): ObjectValue => assigned(inner, targets, row)
    return writeJobs.update(frame, relation, update.fromClause ?? [], update.whereClause, change)
  }
  if (!frame.machine.frozen) {
    changeStored(frame, relation, update.whereClause, (inner, row, certain) => {
      const next = assigned(inner, targets, row)
      return certain
        ? next
        : object(new Map([...next.fields].map(([name, value]) => [name, anyOf([value, field(row, name)])])))
    })
  }
  const tuples = symbolic(frame, { UpdateStmt: update }, relation, update.fromClause ?? [], update.whereClause)
  const rows = tuples.map((tuple): RelationRow => {
    // A request in SET is sent for each row.
    const inner = tupleFrame(frame, tuple)
    return { row: assigned(inner, targets, tuple.bindings[0]!.row), sources: tuple.sources, certain: false }
  })
  return returning(frame, update.returningClause, relation, rows, tuples)
}

function runDelete(outer: Frame, remove: NodeOf<'DeleteStmt'>): Relation {
  const frame = withCtes(outer, remove.withClause)
  const relation = remove.relation!
  if (isJobs(relation)) return writeJobs.remove(frame, relation, remove.usingClause ?? [], remove.whereClause)
  if (!frame.machine.frozen)
    changeStored(frame, relation, remove.whereClause, (_, row, certain) => (certain ? null : row))
  const tuples = symbolic(frame, { DeleteStmt: remove }, relation, remove.usingClause ?? [], remove.whereClause)
  const rows = tuples.map((tuple): RelationRow => ({
    row: tuple.bindings[0]!.row,
    sources: tuple.sources,
    certain: false,
  }))
  return returning(frame, remove.returningClause, relation, rows, tuples)
}

function changeStored(
  frame: Frame,
  relation: NodeOf<'RangeVar'>,
  where: Node | undefined,
  change: (frame: Frame, row: ObjectValue, certain: boolean) => ObjectValue | null,
): void {
  const table = relation.relname ?? ''
  const alias = relation.alias?.aliasname ?? table
  const rows = storedRows(frame.machine, table)
  if (rows.length === 0) return
  const next = rows.flatMap((row) => {
    const inner: Frame = { ...frame, scope: { bindings: [{ alias, row, scalar: false }], outer: frame.scope } }
    const decided = where ? truth(evaluate(inner, where)) : 'yes'
    return decided === 'no' ? [row] : (change(inner, row, decided === 'yes') ?? [])
  })
  frame.machine.store.tables.set(table, next)
}

/** The rows that a write touches, as one that stands for all, together with what it reads beside. */
function symbolic(
  frame: Frame,
  node: Node,
  relation: NodeOf<'RangeVar'>,
  from: readonly Node[],
  where: Node | undefined,
): Tuple[] {
  const own = statementRows(frame, node, [{ RangeVar: relation }], where, {})
  frame.machine.writes.push({ statement: own, arms: [...frame.machine.path.arms] })
  const table = relation.relname ?? ''
  const row = object(withColumns(frame, table, own, new Map()), true, own)
  const binding = { alias: relation.alias?.aliasname ?? table, row, scalar: false }
  const beside = fromTuples(frame, from, { own, one: false })
  // The rows are those of the write, whatever it joins them with.
  const tuples = beside.map((tuple): Tuple => ({
    bindings: [binding, ...tuple.bindings],
    sources: [own],
    certain: false,
    assumed: false,
  }))
  for (const tuple of where ? tuples : []) evaluate(tupleFrame(frame, tuple), where)
  return tuples.slice(0, 1)
}

function returning(
  frame: Frame,
  clause: NodeOf<'ReturningClause'> | undefined,
  relation: NodeOf<'RangeVar'> | undefined,
  rows: readonly RelationRow[],
  tuples: readonly Tuple[] = [],
): Relation {
  const targets = (clause?.exprs ?? []).flatMap((each) => as(each, 'ResTarget') ?? [])
  const alias = relation?.alias?.aliasname ?? relation?.relname ?? ''
  const columns: string[] = []
  const result = rows.map((each, index): RelationRow => {
    const others = tuples[index]?.bindings.slice(1) ?? []
    const bindings = [{ alias, row: each.row, scalar: false }, ...others]
    const inner: Frame = { ...frame, scope: { bindings, outer: frame.scope }, rows: [...frame.rows, ...each.sources] }
    const fields = new Map<string, Value>()
    let open = false
    for (const target of targets) {
      const parts = nameParts(as(target.val, 'ColumnRef')?.fields)
      if (as(target.val, 'ColumnRef')?.fields?.some((part) => as(part, 'A_Star'))) {
        for (const [name, value] of each.row.fields) fields.set(name, value)
        open = true
      } else
        fields.set(
          target.name ?? parts.at(-1) ?? nameParts(as(target.val, 'FuncCall')?.funcname).at(-1) ?? '?column?',
          evaluate(inner, target.val),
        )
    }
    return { ...each, row: object(fields, open, open ? each.row.source : null) }
  })
  if (result[0]) columns.push(...result[0].row.fields.keys())
  return { columns, rows: result }
}
