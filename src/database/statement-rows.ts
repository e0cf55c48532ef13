import { as, findAll, keywordBefore, locate, nameParts, walk, type Node } from '../sql/index.js'
import { evaluate } from './evaluate.js'
import type { Frame } from './machine.js'
import type { StatementRows } from './rows.js'
import { field, known } from './contents.js'

/** The source of rows that a statement is, with the WITH queries that it sees. */
export function statementRows(
  frame: Frame,
  node: Node,
  from: readonly Node[],
  where: Node | undefined,
  limits: {
    readonly limitCount?: Node | undefined
    readonly sortClause?: readonly Node[] | undefined
    readonly lockingClause?: readonly Node[] | undefined
  },
): StatementRows {
  const tables = from
    .flatMap((item) => findAll(item, 'RangeVar'))
    .filter((range) => range.schemaname || !frame.ctes.has(range.relname ?? ''))
  const limit = limits.limitCount ? known(evaluate(frame, limits.limitCount)) : null
  return {
    kind: 'statement',
    node: seeing(node, frame.withNodes),
    source: frame.source,
    location: locationOf(frame, node),
    table: tables[0]?.relname ?? null,
    pinned: where ? pinnedBy(frame, where) : [],
    single: limit === '1',
    ordered: limits.sortClause !== undefined || limits.lockingClause !== undefined,
    routine: frame.routine,
    variable: variablesAt(frame),
  }
}

/** The variables as they are now: PL/pgSQL will change them. */
function variablesAt(frame: Frame): StatementRows['variable'] {
  if (frame.variables.size === 0) return () => null
  const variables = new Map(frame.variables)
  return ([name = '', ...path]) => {
    const value = variables.get(name)
    return value === undefined ? null : path.reduce(field, value)
  }
}

function seeing(node: Node, withNodes: readonly Node[]): Node {
  if (withNodes.length === 0) return node
  const [kind, fields] = Object.entries(node)[0]!
  return { [kind]: { ...fields, withClause: { ctes: withNodes } } } as unknown as Node
}

const KEYWORDS = ['select', 'update', 'delete', 'insert'] as const

function locationOf(frame: Frame, node: Node): StatementRows['location'] {
  let first = Infinity
  walk(node, (_, fields) => {
    const { location } = fields as { location?: number }
    if (location !== undefined && location > 0 && location < first) first = location
  })
  const offset = Number.isFinite(first) ? first : 0
  const keyword = keywordBefore(frame.source, offset, ...KEYWORDS)
  return locate(frame.source, keyword?.start ?? offset, keyword?.end)
}

/** `column = constant` among the terms of a condition. */
function pinnedBy(frame: Frame, condition: Node): StatementRows['pinned'] {
  const and = as(condition, 'BoolExpr')
  if (and?.boolop === 'AND_EXPR') return (and.args ?? []).flatMap((term) => pinnedBy(frame, term))
  const comparison = as(condition, 'A_Expr')
  if (comparison?.kind !== 'AEXPR_OP' || nameParts(comparison.name)[0] !== '=') return []
  for (const [column, other] of [
    [comparison.lexpr, comparison.rexpr],
    [comparison.rexpr, comparison.lexpr],
  ]) {
    const parts = nameParts(as(column, 'ColumnRef')?.fields)
    if (parts.length === 0 || hasCall(other)) continue
    const constant = evaluate(frame, other)
    const value = constant.kind === 'bool' ? null : known(constant)
    if (value !== null) return [{ alias: parts.at(-2) ?? null, column: parts.at(-1)!, value }]
  }
  return []
}

/** Calls are made when the condition is evaluated, not before. */
const hasCall = (node: Node | undefined): boolean =>
  node === undefined || findAll(node, 'FuncCall').length + findAll(node, 'SubLink').length > 0
