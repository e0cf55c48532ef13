import type {
  Change,
  Location,
  Operand,
  Predicate,
  RoutineAnswer,
  SqlInsert,
  SqlTaking,
  SqlWrite,
  Assignment,
} from '../model/index.js'
import {
  as,
  findAll,
  keywordBefore,
  locate,
  qualifiedName,
  callArguments,
  type Node,
  type NodeOf,
  type SqlText,
} from '../sql/index.js'
import { allOf, conjuncts } from './algebra.js'
import { advisoryLocks, callAnswer, sendsRequest, type AdvisoryLock } from './calls.js'
import type { Scope, SqlEnv } from './env.js'
import { judge, judgeUpsert } from './judge.js'
import { alternativesOf, operandOf } from './operand.js'
import { predicateOf } from './predicate.js'
import {
  conjunctNodes,
  fromItems,
  joinLink,
  rowsOf,
  scopeOf,
  subselectLink,
  type Context,
  type FromItem,
  type Rows,
} from './rows.js'

/** What one statement does to rows. */
export interface StatementFacts {
  /** What the rows that it gives back say; `other` where it gives none. */
  readonly answer: RoutineAnswer
  /** What the number of its rows says (FOUND, ROW_COUNT, `count`), also without RETURNING. */
  readonly count: RoutineAnswer
  /** Every write, in WITH queries and in called routines too. */
  readonly writes: readonly SqlWrite[]
  readonly locks: readonly AdvisoryLock[]
  readonly sends: boolean
  /** The rows are locked until the transaction ends. */
  readonly locksRows: boolean
}

/**
 * Describes a SELECT, INSERT, UPDATE, DELETE or MERGE, with its WITH queries, by the measured truth table (domain 1.11).
 * A statement is taken to be a transaction of its own; `locksRows` tells who knows better.
 */
export function describeStatement(tree: Node, source: SqlText, env: SqlEnv): StatementFacts {
  const context: Context = { env, source, named: new Map() }
  try {
    return describe(tree, context)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const answer: RoutineAnswer = {
      kind: 'unknown',
      reason: 'the statement is nested too deeply',
      location: locate(source, 0),
    }
    return { answer, count: answer, writes: [], locks: [], sends: false, locksRows: false }
  }
}

const OTHER: RoutineAnswer = { kind: 'other' }

/** The part of the facts that depends on the kind of statement. */
interface Core {
  readonly answer: RoutineAnswer
  readonly count: RoutineAnswer
  readonly writes: readonly SqlWrite[]
  readonly locksRows?: boolean
}

function describe(tree: Node, outer: Context): StatementFacts {
  const body = bodyOf(tree)
  const { context, writes } = withQueries(body?.withClause, outer)
  const core = describeCore(tree, context)
  const called = calledRoutines(tree, context)
  return {
    answer: core.answer,
    count: core.count,
    writes: [...writes, ...core.writes, ...called.writes],
    locks: advisoryLocks(tree, context.source),
    sends: called.sends || sendsRequest(tree),
    locksRows: core.locksRows ?? false,
  }
}

type WithBody = { readonly withClause?: NodeOf<'WithClause'> }

function bodyOf(tree: Node): WithBody | undefined {
  return (
    as(tree, 'SelectStmt') ??
    as(tree, 'UpdateStmt') ??
    as(tree, 'DeleteStmt') ??
    as(tree, 'InsertStmt') ??
    as(tree, 'MergeStmt')
  )
}

function describeCore(tree: Node, context: Context): Core {
  const select = as(tree, 'SelectStmt')
  if (select) return describeSelect(select, context)
  const update = as(tree, 'UpdateStmt')
  if (update) return describeUpdate(update, context)
  const deletion = as(tree, 'DeleteStmt')
  if (deletion) return describeDelete(deletion, context)
  const insert = as(tree, 'InsertStmt')
  if (insert) return describeInsert(insert, context)
  const merge = as(tree, 'MergeStmt')
  if (merge) return describeMerge(merge, context)
  return { answer: OTHER, count: OTHER, writes: [] }
}

/** Names the WITH queries, those that write included, and collects what they write. */
function withQueries(
  clause: NodeOf<'WithClause'> | undefined,
  outer: Context,
): { context: Context; writes: SqlWrite[] } {
  const named = new Map(outer.named)
  const writes: SqlWrite[] = []
  for (const node of clause?.ctes ?? []) {
    const cte = as(node, 'CommonTableExpr')
    if (!cte?.ctename || !cte.ctequery) continue
    const context = { ...outer, named }
    const select = as(cte.ctequery, 'SelectStmt')
    if (select) named.set(cte.ctename, rowsOf(select, context))
    else {
      const facts = describe(cte.ctequery, context)
      writes.push(...facts.writes)
      named.set(cte.ctename, rowsFrom(facts, context))
    }
  }
  return { context: { ...outer, named }, writes }
}

/** The rows that a WITH query gives that writes. */
function rowsFrom(facts: StatementFacts, context: Context): Rows {
  const { answer } = facts
  const taking = answer.kind === 'rows' ? answer.taking : null
  return {
    table: taking?.table ?? (answer.kind === 'insert' ? answer.insert.table : null),
    where: taking?.where ?? null,
    limit: taking?.limit ?? null,
    lock: 'none',
    location: taking?.location ?? locate(context.source, 0),
    answer: answer.kind === 'other' ? null : answer,
  }
}

/** What the routines called anywhere in the statement write and send. */
function calledRoutines(tree: Node, context: Context): { writes: SqlWrite[]; sends: boolean } {
  const summaries = findAll(tree, 'FuncCall').flatMap((call) => {
    const { schema, name } = qualifiedName(call.funcname)
    return context.env.routine(schema, name, callArguments(call).length)?.summary ?? []
  })
  return { writes: summaries.flatMap((each) => each.writes), sends: summaries.some((each) => each.sends) }
}

// SELECT

function describeSelect(select: NodeOf<'SelectStmt'>, context: Context): Core {
  const rows = rowsOf(select, context)
  const answer = select.fromClause || select.larg ? answerOf(rows) : valueAnswer(select, context)
  return { answer, count: answer, writes: [], locksRows: rows.lock === 'update' && answer.kind === 'rows' }
}

/** Rows that a query hands on: taken by what it reads from, or only locked, or only read. */
function answerOf(rows: Rows): RoutineAnswer {
  if (rows.answer) return rows.answer
  const { table, where, limit, location } = rows
  if (rows.lock !== 'update') return table === null ? OTHER : { kind: 'read', pick: { table, where, limit, location } }
  const taking: SqlTaking = { table, where, change: null, soundness: 'lock-only-claim', location, limit, keys: [] }
  return { kind: 'rows', taking }
}

/** `SELECT f()`, `SELECT (SELECT … FROM claimed)`, `SELECT EXISTS (…)`: a query without FROM. */
function valueAnswer(select: NodeOf<'SelectStmt'>, context: Context): RoutineAnswer {
  const scope = scopeOf(null, [], context)
  const answers: RoutineAnswer[] = []
  for (const target of select.targetList ?? []) {
    for (const sublink of findAll(target, 'SubLink')) {
      const query = as(sublink.subselect, 'SelectStmt')
      if (query) answers.push(answerOf(rowsOf(query, context)))
    }
    for (const call of findAll(target, 'FuncCall')) answers.push(callAnswer(call, scope))
  }
  const telling = answers.filter((each) => each.kind !== 'other' && each.kind !== 'unknown')
  // A call that is not known matters only where the whole value is that call.
  const only = as(as(select.targetList?.[0], 'ResTarget')?.val, 'FuncCall')
  return telling[0] ?? (only && select.targetList?.length === 1 ? callAnswer(only, scope) : OTHER)
}

// UPDATE and DELETE

/** The row of the statement's own table, and how it is found. */
interface Search {
  readonly scope: Scope
  /** Conditions on the row itself: asked again after waiting. */
  readonly own: Predicate | null
  /** What finds the row through another query: not asked again, unless it locks. */
  readonly finders: readonly Rows[]
}

function searchOf(
  relation: NodeOf<'RangeVar'>,
  from: readonly Node[],
  where: Node | undefined,
  context: Context,
): Search {
  const { items, conditions } = fromItems(from, context)
  const name = relation.relname ?? ''
  const main: FromItem = {
    alias: relation.alias?.aliasname ?? name,
    table: { schema: relation.schemaname ?? null, name },
    rows: null,
  }
  const scope = scopeOf(main, items, context)
  const terms = [...(where ? conjunctNodes(where) : []), ...conditions]
  const own: Predicate[] = []
  const finders: Rows[] = []
  for (const term of terms) {
    const sub = subselectLink(term, scope, context)
    const join = sub ? null : joinLink(term, scope)
    if (sub) finders.push(sub.rows)
    else if (join) {
      const item = items.find((each) => each.alias === join.alias)
      if (item) finders.push(item.rows ?? tableRows(item, items, terms, context, relation))
    } else {
      const predicate = predicateOf(term, scope)
      // A condition that mentions nothing of the row is one about the other tables.
      if (predicate.kind !== 'other' || predicate.columns.length > 0 || items.length === 0) own.push(predicate)
    }
  }
  return { scope, own: allOf(own), finders }
}

/** A plain table in FROM as a finder: the conditions on it, not asked again. */
function tableRows(
  item: FromItem,
  items: readonly FromItem[],
  terms: readonly Node[],
  context: Context,
  near: NodeOf<'RangeVar'>,
): Rows {
  const scope = scopeOf(item, items, context)
  const about = terms
    .map((term) => predicateOf(term, scope))
    .filter((each) => each.kind !== 'other' && each.kind !== 'compare')
  const compared = terms
    .map((term) => predicateOf(term, scope))
    .filter((each) => each.kind === 'compare' && each.operand.kind !== 'opaque')
  return {
    table: item.table?.name ?? null,
    where: allOf([...about, ...compared]),
    limit: null,
    lock: 'none',
    location: locate(context.source, near.location ?? 0),
    answer: null,
  }
}

function describeUpdate(update: NodeOf<'UpdateStmt'>, context: Context): Core {
  const relation = update.relation ?? {}
  const search = searchOf(relation, update.fromClause ?? [], update.whereClause, context)
  const changes = changesOf(update.targetList ?? [], search.scope)
  const location = keywordLocation(relation, context.source, 'update')
  return written('update', search, changes, location, update.returningClause !== undefined)
}

function describeDelete(deletion: NodeOf<'DeleteStmt'>, context: Context): Core {
  const relation = deletion.relation ?? {}
  const search = searchOf(relation, deletion.usingClause ?? [], deletion.whereClause, context)
  const location = keywordLocation(relation, context.source, 'delete')
  return written('delete', search, [{ kind: 'delete' }], location, deletion.returningClause !== undefined)
}

function written(
  kind: 'update' | 'delete',
  search: Search,
  changes: readonly Change[],
  location: Location,
  returns: boolean,
): Core {
  const { scope, own, finders } = search
  const table = scope.target.name
  const same = finders.filter((each) => each.table === table)
  const verdict = judge(own, same, changes, scope.target.table)
  // Where it is open whether the own condition protects, what an unlocked query found must not look like part of it.
  const asked = verdict.soundness === 'unproven' ? same.filter((each) => each.lock !== 'none') : same
  const where = allOf([own, ...asked.map((each) => each.where)])
  const taking: SqlTaking = {
    table,
    where,
    change: changes[0]!,
    soundness: verdict.soundness,
    location,
    limit: finders.find((each) => each.limit)?.limit ?? null,
    keys: keysOf(own, scope.env),
    ...(verdict.reason ? { reason: verdict.reason } : {}),
  }
  // Rows that another table or queue handed out under a claim stay that claim's.
  const handed = finders.find((each) => each.table !== table && each.answer?.kind === 'rows')?.answer
  const answer: RoutineAnswer = handed ?? { kind: 'rows', taking }
  return {
    answer: returns ? answer : OTHER,
    count: handed ?? { kind: 'flag', taking },
    writes: [{ kind, table, where, change: changes[0]!, location }],
    locksRows: true,
  }
}

/** Parameters of the routine that pin the row. */
function keysOf(own: Predicate | null, env: SqlEnv): SqlTaking['keys'] {
  return conjuncts(own).flatMap((term) => {
    const operand: Operand | undefined =
      term.kind === 'compare' && term.op === '='
        ? term.operand
        : term.kind === 'in' && term.operands.length === 1
          ? term.operands[0]
          : undefined
    if (operand?.kind !== 'opaque' || !env.parameters.has(operand.id) || !('column' in term)) return []
    return [{ column: term.column, parameter: operand.id }]
  })
}

/** What a SET list leaves in the row; several where a CASE decides. The first one is what is shown. */
function changesOf(targets: readonly Node[], scope: Scope): [Change, ...Change[]] {
  let all: Assignment[][] = [[]]
  const shown: Assignment[] = []
  for (const node of targets) {
    const target = as(node, 'ResTarget')
    if (!target?.name) continue
    const column = target.name
    const value = assigned(target.val)
    // `set data['key'] = …` changes the column in a way that is not known.
    const operands: Operand[] = target.indirection?.length
      ? [{ kind: 'column', column, delta: null }]
      : alternativesOf(value, scope)
    shown.push({ column, operand: operands.length === 1 ? operands[0]! : operandOf(value, scope) })
    const product = all.flatMap((each) => operands.map((operand) => [...each, { column, operand }]))
    all = product.length <= 16 ? product : all.map((each) => [...each, { column, operand: operandOf(value, scope) }])
  }
  const changes = all.map((assignments): Change => ({ kind: 'set', assignments }))
  return changes.length === 1 ? [changes[0]!] : [{ kind: 'set', assignments: shown }, ...changes]
}

/** The value of one column of `(a, b) = (1, 2)`. */
function assigned(value: Node | undefined): Node | undefined {
  const multiple = as(value, 'MultiAssignRef')
  return multiple ? as(multiple.source, 'RowExpr')?.args?.[(multiple.colno ?? 1) - 1] : value
}

// INSERT

function describeInsert(insert: NodeOf<'InsertStmt'>, context: Context): Core {
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

// MERGE

/** MERGE asks the condition of WHEN MATCHED again after waiting (truth table 57). */
function describeMerge(merge: NodeOf<'MergeStmt'>, context: Context): Core {
  const relation = merge.relation ?? {}
  const location = keywordLocation(relation, context.source, 'merge')
  const search = searchOf(relation, merge.sourceRelation ? [merge.sourceRelation] : [], merge.joinCondition, context)
  const table = search.scope.target.name
  const takings: SqlTaking[] = []
  const writes: SqlWrite[] = []
  for (const node of merge.mergeWhenClauses ?? []) {
    const clause = as(node, 'MergeWhenClause')
    if (clause?.commandType === 'CMD_INSERT') {
      writes.push({ kind: 'insert', table, where: null, change: { kind: 'set', assignments: [] }, location })
    }
    if (clause?.commandType !== 'CMD_UPDATE' && clause?.commandType !== 'CMD_DELETE') continue
    const condition = clause.condition ? predicateOf(clause.condition, search.scope) : null
    const changes: readonly Change[] =
      clause.commandType === 'CMD_DELETE' ? [{ kind: 'delete' }] : changesOf(clause.targetList ?? [], search.scope)
    const kind = clause.commandType === 'CMD_DELETE' ? 'delete' : 'update'
    const core = written(kind, { ...search, own: allOf([search.own, condition]) }, changes, location, true)
    writes.push(...core.writes)
    if (core.count.kind === 'flag') takings.push(core.count.taking)
  }
  const worst =
    takings.find((each) => each.soundness !== 'sound' && each.soundness !== 'unproven') ??
    takings.find((each) => each.soundness !== 'sound') ??
    takings[0]
  if (!worst) return { answer: OTHER, count: OTHER, writes }
  const returns = merge.returningClause !== undefined
  return {
    answer: returns ? { kind: 'rows', taking: worst } : OTHER,
    count: { kind: 'flag', taking: worst },
    writes,
    locksRows: true,
  }
}

function keywordLocation(relation: NodeOf<'RangeVar'>, source: SqlText, word: string): Location {
  const keyword = keywordBefore(source, relation.location ?? 0, word)
  return keyword ? locate(source, keyword.start, keyword.end) : locate(source, relation.location ?? 0)
}
