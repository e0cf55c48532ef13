import type { RoutineAnswer, SqlTaking, SqlWrite } from '../model/index.js'
import {
  as,
  callArguments,
  findAll,
  locate,
  qualifiedName,
  type Node,
  type NodeOf,
  type SqlText,
} from '../sql/index.js'
import { advisoryLocks, callAnswer, sendsRequest, type AdvisoryLock } from './calls.js'
import { OTHER, type Core } from './core.js'
import type { SqlEnv } from './env.js'
import { describeInsert } from './insert.js'
import { rowsOf, scopeOf, type Context, type Rows } from './rows.js'
import { describeDelete, describeMerge, describeUpdate } from './update.js'

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
