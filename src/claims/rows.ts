import type { Location, Operand, Predicate, RoutineAnswer } from '../model/index.js'
import {
  as,
  columnParts,
  keywordBefore,
  locate,
  nameParts,
  withoutCasts,
  type Node,
  type NodeOf,
  type SqlText,
} from '../sql/index.js'
import { allOf } from './algebra.js'
import { callAnswer } from './calls.js'
import { resolve, type OtherRelation, type Scope, type SqlEnv } from './env.js'
import { operandOf } from './operand.js'
import { ownColumn, predicateOf } from './predicate.js'

export type Lock = 'none' | 'share' | 'update'

/** The rows that a query gives, as far as finding rows of one table goes. */
export interface Rows {
  readonly table: string | null
  readonly where: Predicate | null
  readonly limit: Operand | null
  /**
   * How the rows of `table` are locked. `update`: FOR UPDATE (or NO KEY UPDATE); SKIP LOCKED or waiting, both exclude (truth
   * table 10–12). `share`: FOR SHARE; two may hold it, but then PostgreSQL refuses one of their writes as a deadlock.
   */
  readonly lock: Lock
  /** The SELECT keyword. */
  readonly location: Location
  /** The rows are not read here but come from a statement or routine that this tells about. */
  readonly answer: RoutineAnswer | null
}

/** What a statement is read with: where it stands, and the queries that WITH has named so far. */
export interface Context {
  readonly env: SqlEnv
  readonly source: SqlText
  readonly named: ReadonlyMap<string, Rows>
}

/** One item of FROM. */
export interface FromItem {
  readonly alias: string
  /** A table by its name; null for a sub-query, a WITH query or a function. */
  readonly table: { readonly schema: string | null; readonly name: string } | null
  readonly rows: Rows | null
}

/** The rows of a SELECT; `wanted`: the table whose rows matter where several are joined. */
export function rowsOf(select: NodeOf<'SelectStmt'>, outer: Context, wanted: string | null = null): Rows {
  const context = withNamed(select.withClause, outer)
  const location = selectLocation(select, context.source)
  if (select.larg && select.rarg)
    return union(rowsOf(select.larg, context, wanted), rowsOf(select.rarg, context, wanted))
  const { items, conditions } = fromItems(select.fromClause ?? [], context)
  const main = mainItem(items, wanted)
  const scope = scopeOf(main, items, context)
  const limit =
    as(select.limitCount, 'A_Const')?.isnull || !select.limitCount ? null : operandOf(select.limitCount, scope)
  if (!main) return { table: null, where: null, limit, lock: 'none', location, answer: null }
  const terms = [...(select.whereClause ? conjunctNodes(select.whereClause) : []), ...conditions]
  const found = terms.map((term) => termOf(term, scope, context))
  const inner = main.rows
  const direct = main.table !== null || !context.named.has(main.alias)
  const own = direct ? (select.lockingClause ?? []).map((each) => lockOf(as(each, 'LockingClause'), main.alias)) : []
  const answer = inner?.answer ?? null
  return {
    table: scope.target.name || null,
    where: allOf([inner?.where ?? null, ...found.map((each) => each.where)]),
    limit: limit ?? inner?.limit ?? null,
    // FOR UPDATE reaches into a sub-query of FROM, but not into a WITH query (docs, SELECT).
    lock: strongest([...own, inner?.lock ?? 'none', ...found.map((each) => each.lock)]),
    location,
    answer,
  }
}

/** The queries that a WITH clause names; only SELECTs: those that write are for `describeStatement`. */
function withNamed(clause: NodeOf<'WithClause'> | undefined, outer: Context): Context {
  if (!clause) return outer
  const named = new Map(outer.named)
  for (const node of clause.ctes ?? []) {
    const cte = as(node, 'CommonTableExpr')
    const select = as(cte?.ctequery, 'SelectStmt')
    if (cte?.ctename && select && !outer.named.has(cte.ctename)) {
      named.set(cte.ctename, rowsOf(select, { ...outer, named }))
    }
  }
  return { ...outer, named }
}

/** A condition as a predicate; one that finds rows of the same table through a sub-select brings that one's conditions. */
function termOf(term: Node, scope: Scope, context: Context): { where: Predicate | null; lock: Lock } {
  const link = subselectLink(term, scope, context)
  if (link && link.rows.table === scope.target.name) return { where: link.rows.where, lock: link.rows.lock }
  return { where: predicateOf(term, scope), lock: 'none' }
}

/** `column IN (SELECT …)`, `= (SELECT …)`, `= ANY (SELECT …)`, `= ANY (ARRAY(SELECT …))`. */
export function subselectLink(term: Node, scope: Scope, context: Context): { column: string; rows: Rows } | null {
  const sublink = as(term, 'SubLink')
  const operation = as(term, 'A_Expr')
  const select =
    sublink?.subLinkType === 'ANY_SUBLINK' && nameParts(sublink.operName).every((name) => name === '=')
      ? sublink.subselect
      : operation && nameParts(operation.name).at(-1) === '=' && operation.kind !== 'AEXPR_OP_ALL'
        ? as(withoutCasts(operation.rexpr), 'SubLink')?.subselect
        : undefined
  const tested = sublink?.testexpr ?? operation?.lexpr
  const query = as(select, 'SelectStmt')
  if (!query || !tested) return null
  const column = ownColumn(tested, scope) ?? ownColumn(as(tested, 'RowExpr')?.args?.[0], scope)
  if (column === null) return null
  return { column, rows: rowsOf(query, context, scope.target.name) }
}

/** `target.column = other.column`: how the rows of another item of FROM find those of the target. */
export function joinLink(term: Node, scope: Scope): { column: string; alias: string } | null {
  const operation = as(term, 'A_Expr')
  if (operation?.kind !== 'AEXPR_OP' || nameParts(operation.name).at(-1) !== '=') return null
  const left = firstOf(operation.lexpr)
  const right = firstOf(operation.rexpr)
  return joined(left, right, scope) ?? joined(right, left, scope)
}

/** The first element of a row constructor, or the expression itself. */
function firstOf(node: Node | undefined): Node | undefined {
  return as(node, 'RowExpr')?.args?.[0] ?? node
}

function joined(
  left: Node | undefined,
  right: Node | undefined,
  scope: Scope,
): { column: string; alias: string } | null {
  const column = ownColumn(left, scope)
  const reference = as(withoutCasts(right), 'ColumnRef')
  if (column === null || !reference) return null
  const meaning = resolve(columnParts(reference), scope)
  return meaning.kind === 'foreign' ? { column, alias: meaning.alias } : null
}

/** The items of FROM, joins opened, and the conditions of its inner joins. */
export function fromItems(from: readonly Node[], context: Context): { items: FromItem[]; conditions: Node[] } {
  const items: FromItem[] = []
  const conditions: Node[] = []
  const visit = (node: Node | undefined): void => {
    const join = as(node, 'JoinExpr')
    if (join) {
      visit(join.larg)
      visit(join.rarg)
      if (join.quals && join.jointype === 'JOIN_INNER') conditions.push(...conjunctNodes(join.quals))
      return
    }
    const item = fromItem(node, context)
    if (item) items.push(item)
  }
  from.forEach(visit)
  return { items, conditions }
}

function fromItem(node: Node | undefined, context: Context): FromItem | null {
  const table = as(node, 'RangeVar')
  if (table) {
    const name = table.relname ?? ''
    const alias = table.alias?.aliasname ?? name
    const rows = table.schemaname ? undefined : context.named.get(name)
    return rows
      ? { alias, table: null, rows }
      : { alias, table: { schema: table.schemaname ?? null, name }, rows: null }
  }
  const subselect = as(node, 'RangeSubselect')
  const query = as(subselect?.subquery, 'SelectStmt')
  if (query) return { alias: subselect?.alias?.aliasname ?? '', table: null, rows: rowsOf(query, context) }
  const called = as(node, 'RangeFunction')
  if (!called) return null
  const call = as(as(called.functions?.[0], 'List')?.items?.[0], 'FuncCall')
  const alias = called.alias?.aliasname ?? nameParts(call?.funcname).at(-1) ?? ''
  return { alias, table: null, rows: call ? calledRows(call, context) : null }
}

/** The rows that a function in FROM gives. */
function calledRows(call: NodeOf<'FuncCall'>, context: Context): Rows {
  const answer = callAnswer(call, scopeOf(null, [], context))
  const location = locate(context.source, call.location ?? 0)
  const read = answer.kind === 'read' ? answer.pick : answer.kind === 'rows' ? answer.taking : null
  return {
    table: read?.table ?? null,
    where: read?.where ?? null,
    limit: read?.limit ?? null,
    lock: 'none',
    location,
    // What only hands values on is no source of rows.
    answer: answer.kind === 'other' || answer.kind === 'lock' ? null : answer,
  }
}

function mainItem(items: readonly FromItem[], wanted: string | null): FromItem | null {
  const of = (item: FromItem): string | null => item.table?.name ?? item.rows?.table ?? null
  return (
    items.find((item) => wanted !== null && of(item) === wanted) ??
    items.find((item) => item.rows?.answer?.kind === 'rows') ??
    items.find((item) => of(item) !== null) ??
    items[0] ??
    null
  )
}

/** The scope in which conditions speak of the rows of `main`. */
export function scopeOf(main: FromItem | null, items: readonly FromItem[], context: Context): Scope {
  const name = main?.table?.name ?? main?.rows?.table ?? ''
  const schema = main?.table?.schema ?? null
  const others = new Map<string, OtherRelation>()
  for (const item of items)
    if (item !== main) others.set(item.alias, { table: item.table?.name ?? item.rows?.table ?? null })
  return {
    env: context.env,
    source: context.source,
    target: { alias: main?.alias ?? '', name, table: name ? context.env.table(schema, name) : null },
    others,
  }
}

/** The terms of an AND, nested ones opened. */
export function conjunctNodes(node: Node): Node[] {
  const logic = as(node, 'BoolExpr')
  return logic?.boolop === 'AND_EXPR' ? (logic.args ?? []).flatMap(conjunctNodes) : [node]
}

function lockOf(clause: NodeOf<'LockingClause'> | undefined, alias: string): Lock {
  const relations = clause?.lockedRels ?? []
  const applies = relations.length === 0 || relations.some((each) => as(each, 'RangeVar')?.relname === alias)
  if (!applies) return 'none'
  if (clause?.strength === 'LCS_FORUPDATE' || clause?.strength === 'LCS_FORNOKEYUPDATE') return 'update'
  // FOR KEY SHARE lets writes through.
  return clause?.strength === 'LCS_FORSHARE' ? 'share' : 'none'
}

function strongest(locks: readonly Lock[]): Lock {
  return locks.includes('update') ? 'update' : locks.includes('share') ? 'share' : 'none'
}

function union(left: Rows, right: Rows): Rows {
  if (left.table !== right.table) return left.answer ? left : right.answer ? right : { ...left, lock: 'none' }
  return {
    ...left,
    where: left.where && right.where ? { kind: 'or', terms: [left.where, right.where] } : null,
    limit: null,
    lock: left.lock === right.lock ? left.lock : 'none',
    answer: left.answer ?? right.answer,
  }
}

/** The SELECT keyword of a query; trees do not say. */
export function selectLocation(select: NodeOf<'SelectStmt'>, source: SqlText): Location {
  const first = as(select.targetList?.[0], 'ResTarget')?.location
  const keyword = first === undefined ? undefined : keywordBefore(source, first, 'select', 'perform')
  return keyword ? locate(source, keyword.start, keyword.end) : locate(source, 0, Math.min(6, source.text.length))
}
