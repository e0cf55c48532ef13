import { as, nameParts, type Node, type NodeOf } from '../sql/index.js'
import { hasAggregate } from './aggregate.js'
import { compare, truth } from './compare.js'
import { argumentsOf, evaluate } from './evaluate.js'
import { fromTuples, restrict, tupleFrame, type Tuple } from './from.js'
import { EMPTY, spend, type Cte, type Frame, type GroupMember, type Relation, type RelationRow } from './machine.js'
import type { RowSource, StatementRows } from './rows.js'
import { statementRows } from './statement-rows.js'
import { setReturning } from './set-functions.js'
import { known } from './contents.js'
import { fingerprint, object, UNKNOWN, type Value } from './value.js'

/** The rows of a SELECT or VALUES; `one`: the caller takes the first row only. */
export function select(outer: Frame, statement: NodeOf<'SelectStmt'>, one = false): Relation {
  const frame = withCtes({ ...outer, group: null }, statement.withClause)
  if (statement.larg && statement.rarg) return union(frame, statement.larg, statement.rarg)
  if (statement.valuesLists) return values(frame, statement.valuesLists)
  const own = statementRows(
    frame,
    { SelectStmt: statement },
    statement.fromClause ?? [],
    statement.whereClause,
    statement,
  )
  const where = statement.whereClause
  const tuples = restrict(frame, fromTuples(frame, statement.fromClause ?? [], { own, one, where }), where)
  const targets = (statement.targetList ?? []).flatMap((node) => as(node, 'ResTarget') ?? [])
  const grouped = statement.groupClause || statement.havingClause || targets.some((target) => hasAggregate(target.val))
  const rows = grouped
    ? groupsOf(frame, statement, tuples).flatMap((group) => groupRow(frame, statement, targets, group))
    : limited(frame, statement, sorted(frame, statement, tuples)).flatMap((tuple) =>
        tupleRows(frame, targets, tuple, own),
      )
  return { columns: columnsOf(targets, rows), rows }
}

function union(frame: Frame, left: NodeOf<'SelectStmt'>, right: NodeOf<'SelectStmt'>): Relation {
  const first = select(frame, left)
  const second = select(frame, right)
  const rows = second.rows.map((row) => {
    const fields = second.columns.map((column, index): [string, Value] => [
      first.columns[index] ?? column,
      row.row.fields.get(column) ?? UNKNOWN,
    ])
    return { ...row, row: object(new Map(fields), row.row.open, row.row.source) }
  })
  return { columns: first.columns, rows: [...first.rows, ...rows] }
}

function values(frame: Frame, lists: readonly Node[]): Relation {
  const rows = lists.map((node): RelationRow => {
    spend(frame.machine)
    const items = as(node, 'List')?.items ?? []
    const fields = items.map((item, index): [string, Value] => [`column${index + 1}`, evaluate(frame, item)])
    return { row: object(new Map(fields)), sources: [], certain: true }
  })
  return { columns: [...(rows[0]?.row.fields.keys() ?? [])], rows }
}

/** The frame with the queries of a WITH clause in sight. Writes in it run once, whether they are read or not (docs 7.8.2). */
export function withCtes(frame: Frame, clause: NodeOf<'WithClause'> | undefined): Frame {
  if (!clause?.ctes) return frame
  const ctes = new Map<string, Cte>(frame.ctes)
  const inner: Frame = { ...frame, ctes, withNodes: [...frame.withNodes, ...clause.ctes] }
  for (const [index, node] of clause.ctes.entries()) {
    const cte = as(node, 'CommonTableExpr')
    if (!cte?.ctequery) continue
    // A query sees those before it.
    const seen: Frame = { ...inner, withNodes: [...frame.withNodes, ...clause.ctes.slice(0, index)] }
    const names = nameParts(cte.aliascolnames)
    const relation = once(() => withNames(frame.machine.interpreter.query(seen, cte.ctequery!), names))
    ctes.set(cte.ctename ?? '', { relation })
    if (!as(cte.ctequery, 'SelectStmt')) relation()
  }
  return inner
}

function once(make: () => Relation): () => Relation {
  let made: Relation | null = null
  return () => {
    if (made) return made
    // A recursive query sees nothing of itself.
    made = EMPTY
    return (made = make())
  }
}

function withNames(relation: Relation, names: readonly string[]): Relation {
  if (names.length === 0) return relation
  const rows = relation.rows.map((row) => {
    const fields = relation.columns.map((column, index): [string, Value] => [
      names[index] ?? column,
      row.row.fields.get(column) ?? UNKNOWN,
    ])
    return { ...row, row: object(new Map(fields), row.row.open, row.row.source) }
  })
  return { columns: relation.columns.map((column, index) => names[index] ?? column), rows }
}

function sorted(frame: Frame, statement: NodeOf<'SelectStmt'>, tuples: readonly Tuple[]): readonly Tuple[] {
  const keys = (statement.sortClause ?? []).flatMap((node) => as(node, 'SortBy') ?? [])
  if (keys.length === 0 || tuples.length < 2 || tuples.some((tuple) => tuple.sources.length > 0)) return tuples
  const ranked = tuples.map((tuple) => ({
    tuple,
    keys: keys.map((key) => evaluate(tupleFrame(frame, tuple), key.node)),
  }))
  ranked.sort((a, b) => {
    for (const [index, key] of keys.entries()) {
      const [x, y] = [a.keys[index]!, b.keys[index]!]
      const order = truth(compare(x, '<', y)) === 'yes' ? -1 : truth(compare(x, '>', y)) === 'yes' ? 1 : 0
      if (order !== 0) return key.sortby_dir === 'SORTBY_DESC' ? -order : order
    }
    return 0
  })
  return ranked.map((each) => each.tuple)
}

function limited(frame: Frame, statement: NodeOf<'SelectStmt'>, tuples: readonly Tuple[]): readonly Tuple[] {
  const limit = statement.limitCount ? known(evaluate(frame, statement.limitCount)) : null
  const offset = statement.limitOffset ? Number(known(evaluate(frame, statement.limitOffset)) ?? 0) : 0
  if (tuples.some((tuple) => tuple.sources.length > 0)) return tuples
  const count = limit === null || !Number.isFinite(Number(limit)) ? Infinity : Number(limit)
  // A row that may not be there does not fill the limit.
  let taken = 0
  return tuples.slice(offset || 0).filter((tuple) => taken < count && ((taken += tuple.certain ? 1 : 0), true))
}

type Target = NodeOf<'ResTarget'>

function tupleRows(frame: Frame, targets: readonly Target[], tuple: Tuple, own: StatementRows): RelationRow[] {
  spend(frame.machine)
  const inner = tupleFrame(frame, tuple)
  const set = targets.findIndex((target) => setCall(inner, target) !== null)
  if (set >= 0) {
    const call = setCall(inner, targets[set]!)!
    const elements =
      setReturning(
        nameParts(call.funcname).at(-1)!,
        argumentsOf(inner, call).map((arg) => arg.value),
        own,
      ) ?? []
    return elements.flatMap(({ value, sources }) => {
      const row = rowOf(inner, targets, tuple, new Map([[set, value]]))
      return [{ row, sources: [...tuple.sources, ...sources], certain: tuple.certain && sources.length === 0 }]
    })
  }
  return [{ row: rowOf(inner, targets, tuple, new Map()), sources: tuple.sources, certain: tuple.certain }]
}

const SETS =
  /^(?:unnest|generate_series|jsonb?_array_elements(?:_text)?|string_to_table|regexp_split_to_table|jsonb?_object_keys)$/

function setCall(frame: Frame, target: Target): NodeOf<'FuncCall'> | null {
  const call = as(target.val, 'FuncCall')
  return call && frame.group === null && SETS.test(nameParts(call.funcname).at(-1) ?? '') ? call : null
}

function rowOf(
  frame: Frame,
  targets: readonly Target[],
  tuple: Tuple,
  given: ReadonlyMap<number, Value>,
): ReturnType<typeof object> {
  const fields = new Map<string, Value>()
  let open = false
  let source: RowSource | null = null
  for (const [index, target] of targets.entries()) {
    const star = starOf(target)
    if (star) {
      for (const binding of tuple.bindings) {
        if (star.alias !== null && star.alias !== binding.alias) continue
        for (const [name, value] of binding.row.fields) fields.set(name, value)
        open ||= binding.row.open
        source ??= binding.row.source
      }
      continue
    }
    fields.set(unused(fields, nameOf(target)), given.get(index) ?? evaluate(frame, target.val))
  }
  return object(fields, open, source)
}

function starOf(target: Target): { readonly alias: string | null } | null {
  const reference = as(target.val, 'ColumnRef')
  if (!reference?.fields?.some((each) => as(each, 'A_Star'))) return null
  return { alias: nameParts(reference.fields).at(-1) ?? null }
}

/** Two columns may have one name; the second one gets another, so that neither is lost. */
function unused(fields: ReadonlyMap<string, Value>, name: string): string {
  if (!fields.has(name)) return name
  let count = 2
  while (fields.has(`${name} ${count}`)) count++
  return `${name} ${count}`
}

function nameOf(target: Target): string {
  if (target.name) return target.name
  let node = target.val
  while (as(node, 'TypeCast')) node = as(node, 'TypeCast')!.arg
  return (
    nameParts(as(node, 'ColumnRef')?.fields).at(-1) ?? nameParts(as(node, 'FuncCall')?.funcname).at(-1) ?? '?column?'
  )
}

function columnsOf(targets: readonly Target[], rows: readonly RelationRow[]): string[] {
  return rows.length > 0 ? [...rows[0]!.row.fields.keys()] : targets.filter((target) => !starOf(target)).map(nameOf)
}

interface Group {
  readonly tuples: readonly Tuple[]
  readonly sources: readonly RowSource[]
  readonly certain: boolean
}

function groupsOf(frame: Frame, statement: NodeOf<'SelectStmt'>, tuples: readonly Tuple[]): Group[] {
  // Without GROUP BY there is one row, also for no rows at all.
  if (!statement.groupClause) return [{ tuples, sources: [], certain: true }]
  const groups = new Map<string, Tuple[]>()
  for (const tuple of tuples) {
    const inner = tupleFrame(frame, tuple)
    const key = statement.groupClause.map((node) => fingerprint(evaluate(inner, node))).join('|')
    groups.set(key, [...(groups.get(key) ?? []), tuple])
  }
  return [...groups.values()].map((members) => {
    const sources = [...new Set(members.flatMap((member) => member.sources))]
    return { tuples: members, sources, certain: members.some((member) => member.certain) }
  })
}

function groupRow(
  frame: Frame,
  statement: NodeOf<'SelectStmt'>,
  targets: readonly Target[],
  group: Group,
): RelationRow[] {
  spend(frame.machine)
  const group_ = group.tuples.map((tuple): GroupMember => ({ frame: tupleFrame(frame, tuple), sources: tuple.sources }))
  const first = group.tuples[0]
  const inner: Frame = {
    ...frame,
    scope: first ? { bindings: first.bindings, outer: frame.scope } : frame.scope,
    rows: group.sources.length > 0 ? [...frame.rows, ...group.sources] : frame.rows,
    group: group_,
  }
  const having = statement.havingClause ? truth(evaluate(inner, statement.havingClause)) : 'yes'
  if (having === 'no') return []
  const row = rowOf(inner, targets, first ?? { bindings: [], sources: [], certain: true, assumed: false }, new Map())
  return [{ row, sources: group.sources, certain: group.certain && having === 'yes' }]
}
