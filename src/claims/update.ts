import type { Change, Location, Operand, Predicate, RoutineAnswer, SqlTaking, SqlWrite } from '../model/index.js'
import { as, locate, type Node, type NodeOf } from '../sql/index.js'
import { allOf, conjuncts } from './algebra.js'
import { changesOf, keywordLocation, OTHER, type Core } from './core.js'
import type { Scope, SqlEnv } from './env.js'
import { judge } from './judge.js'
import { predicateOf } from './predicate.js'
import {
  conjunctNodes,
  fromItems,
  joinLink,
  scopeOf,
  subselectLink,
  type Context,
  type FromItem,
  type Rows,
} from './rows.js'

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

/** UPDATE. */
export function describeUpdate(update: NodeOf<'UpdateStmt'>, context: Context): Core {
  const relation = update.relation ?? {}
  const search = searchOf(relation, update.fromClause ?? [], update.whereClause, context)
  const changes = changesOf(update.targetList ?? [], search.scope)
  const location = keywordLocation(relation, context.source, 'update')
  return written('update', search, changes, location, update.returningClause !== undefined)
}

/** DELETE. */
export function describeDelete(deletion: NodeOf<'DeleteStmt'>, context: Context): Core {
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

/** MERGE asks the condition of WHEN MATCHED again after waiting (truth table 57). */
export function describeMerge(merge: NodeOf<'MergeStmt'>, context: Context): Core {
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
