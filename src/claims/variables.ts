import type { RoutineAnswer } from '../model/index.js'
import { as, columnParts, constantOf, findAll, parseExpression, type Node, type SqlText } from '../sql/index.js'
import { sendsRequest } from './calls.js'
import { runTree, scopeAt, tellingOf, type Frame, type Ran } from './frame.js'
import { operandOf } from './operand.js'
import { positiveAnswer } from './returned.js'
import { takingOf } from './settle.js'
import { bind, NOTHING, type Binding, type ReadRow, type State } from './state.js'

/** Puts the value of an expression into a variable; a field or element of one leaves the rest as it is. */
export function assign(target: string, value: SqlText, state: State, frame: Frame): State {
  const name = /^[^.[]+/.exec(target)?.[0] ?? target
  if (name !== target) {
    evaluate(value, state, frame)
    return state
  }
  const expression = parseExpression(value)
  // `v_id := (SELECT id FROM … LIMIT 1)` is SELECT INTO.
  const select = expression.ok ? as(as(expression.node, 'SubLink')?.subselect, 'SelectStmt') : undefined
  if (expression.ok && select?.fromClause) {
    const ran = runTree({ SelectStmt: select }, expression.source, state, frame)
    return bindColumns(ran, [name], ran.state, frame)
  }
  return bind(state, name, evaluate(value, state, frame))
}

/** What is known of the value of an expression. */
export function evaluate(text: SqlText, state: State, frame: Frame): Binding {
  const expression = parseExpression(text)
  if (!expression.ok)
    return { ...NOTHING, answers: [{ kind: 'unknown', reason: expression.message, location: expression.location }] }
  const { node, source } = expression
  if (sendsRequest(node)) frame.outcomes.sends = true
  const constant = constantOf(node)
  if (constant !== undefined) {
    const answers = constant === true ? [positiveAnswer(state)] : []
    return { ...NOTHING, operand: { kind: 'literal', value: constant }, answers }
  }
  const path = as(node, 'ColumnRef') ? columnParts(as(node, 'ColumnRef')!) : []
  const held = state.variables.get(path[0] ?? '')
  if (held && path.length === 1) return held
  if (held?.row && path.length === 2) return { ...held, operand: null, column: path[1]! }
  const operand = operandOf(node, scopeAt(state, frame, source))
  const known = operand.kind === 'opaque' || operand.kind === 'column' ? null : operand
  return { ...NOTHING, operand: known, answers: tellingOf(node, source, state, frame) }
}

/** Puts the columns that a statement gives back into variables (INTO, FOR). */
export function bindColumns(ran: Ran, targets: readonly string[], state: State, frame: Frame): State {
  const { answer } = ran.facts
  const row = rowOf(answer, state, frame)
  const known = row && takingOf(answer)?.soundness !== 'sound' ? { ...state, reads: [...state.reads, row] } : state
  const columns = columnNames(ran.tree)
  const answers = answer.kind === 'other' ? [] : [answer]
  return targets.reduce((current, target, index) => {
    // One variable for a whole row is a record; a single column goes into a scalar.
    const column = targets.length === 1 && columns.length !== 1 ? null : (columns[index] ?? null)
    const whole = column === '*' || (column === null && targets.length === 1)
    return bind(current, target, { operand: null, row, column: whole ? null : column, answers })
  }, known)
}

/** The row that an answer stands for, as later statements may use it. */
function rowOf(answer: RoutineAnswer, state: State, frame: Frame): ReadRow | null {
  const exclusive = state.exclusive || frame.repeatable
  if (answer.kind === 'read' && answer.pick.table !== null) {
    return { table: answer.pick.table, where: answer.pick.where, locked: false, exclusive, answer }
  }
  const taking = answer.kind === 'rows' ? answer.taking : null
  return taking?.table ? { table: taking.table, where: taking.where, locked: true, exclusive, answer } : null
}

/** The names of the columns that a statement gives back; `*` for all of a table, empty for what has no column's name. */
function columnNames(tree: Node): string[] {
  const returning =
    as(tree, 'UpdateStmt')?.returningClause ??
    as(tree, 'DeleteStmt')?.returningClause ??
    as(tree, 'InsertStmt')?.returningClause ??
    as(tree, 'MergeStmt')?.returningClause
  const list = as(tree, 'SelectStmt')?.targetList ?? returning?.exprs ?? []
  return list.map((node) => {
    const value = as(node, 'ResTarget')?.val
    const reference = as(value, 'ColumnRef')
    if (reference && (reference.fields ?? []).some((field) => as(field, 'A_Star'))) return '*'
    // An aggregate or a cast of a column still holds that column's values.
    const inner = value ? findAll(value, 'ColumnRef') : []
    const name = inner.length === 1 ? columnParts(inner[0]!).at(-1) : undefined
    return name ?? as(node, 'ResTarget')?.name ?? ''
  })
}
