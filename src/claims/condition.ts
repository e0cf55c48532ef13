import type { Location, Predicate, RoutineAnswer, Table } from '../model/index.js'
import { as, columnParts, constantOf, nameParts, parseExpression, type Node, type SqlText } from '../sql/index.js'
import { columnsOf, conjuncts, negate } from './algebra.js'
import { answersOf, scopeAt, tellingOf, type Frame } from './frame.js'
import { predicateOf } from './predicate.js'
import type { ReadRow, State } from './state.js'

/** What is known on either side of a test. */
export interface Tested {
  readonly whenTrue: State
  readonly whenFalse: State
}

/** What a test of the routine (IF, EXIT WHEN, WHILE) makes known. A condition that cannot be parsed makes nothing known. */
export function test(text: SqlText, state: State, frame: Frame): Tested {
  const expression = parseExpression(text)
  if (!expression.ok) return { whenTrue: state, whenFalse: state }
  const { node, source } = expression
  const told = toldBy(node, source, state, frame)
  const conditions = conditionsOf(node, source, state, frame)
  return {
    whenTrue: learn(state, told.ifTrue, told.ifFalse, conditions),
    whenFalse: learn(
      state,
      told.ifFalse,
      told.ifTrue,
      conditions.map(({ row, where }) => ({ row, where: negate(where) })),
    ),
  }
}

function learn(
  state: State,
  proven: readonly RoutineAnswer[],
  failed: readonly RoutineAnswer[],
  conditions: State['conditions'],
): State {
  const exclusive = proven.some((each) => each.kind === 'lock' && each.scope === 'transaction')
  return {
    ...state,
    proven: [...state.proven, ...proven],
    failed: [...state.failed, ...failed],
    conditions: [...state.conditions, ...conditions],
    exclusive: state.exclusive || exclusive,
  }
}

/** Answers that are positive if the test comes out true, and those that are if it comes out false. */
interface Told {
  readonly ifTrue: readonly RoutineAnswer[]
  readonly ifFalse: readonly RoutineAnswer[]
}

const NOTHING: Told = { ifTrue: [], ifFalse: [] }

function toldBy(node: Node, source: SqlText, state: State, frame: Frame): Told {
  const logic = as(node, 'BoolExpr')
  if (logic) {
    const terms = (logic.args ?? []).map((each) => toldBy(each, source, state, frame))
    if (logic.boolop === 'NOT_EXPR') return swapped(terms[0] ?? NOTHING)
    return logic.boolop === 'AND_EXPR'
      ? { ifTrue: terms.flatMap((each) => each.ifTrue), ifFalse: [] }
      : { ifTrue: [], ifFalse: terms.flatMap((each) => each.ifFalse) }
  }
  const positive = (inner: Node | undefined): Told => ({
    ifTrue: inner ? tellingOf(inner, source, state, frame) : [],
    ifFalse: [],
  })
  const nullTest = as(node, 'NullTest')
  if (nullTest)
    return nullTest.nulltesttype === 'IS_NOT_NULL' ? positive(nullTest.arg) : swapped(positive(nullTest.arg))
  const truth = as(node, 'BooleanTest')
  if (truth) {
    const wants = truth.booltesttype === 'IS_TRUE' || truth.booltesttype === 'IS_NOT_FALSE'
    return wants ? positive(truth.arg) : swapped(positive(truth.arg))
  }
  const comparison = as(node, 'A_Expr')
  if (comparison) {
    const sign = countSign(nameParts(comparison.name).at(-1) ?? '', constantOf(comparison.rexpr))
    return sign > 0 ? positive(comparison.lexpr) : sign < 0 ? swapped(positive(comparison.lexpr)) : NOTHING
  }
  const name = as(node, 'ColumnRef')
  if (name) return { ifTrue: answersOf(columnParts(name), state), ifFalse: [] }
  return as(node, 'SubLink') || as(node, 'FuncCall') || as(node, 'CoalesceExpr') ? positive(node) : NOTHING
}

function swapped(told: Told): Told {
  return { ifTrue: told.ifFalse, ifFalse: told.ifTrue }
}

/** Does the comparison say that a count is positive (1), or none (-1)? Also for true and false. */
function countSign(op: string, constant: string | number | boolean | null | undefined): number {
  if (typeof constant === 'boolean') return (op === '=') === constant ? 1 : op === '=' || op === '<>' ? -1 : 0
  if (typeof constant !== 'number') return 0
  if ((op === '>' && constant >= 0) || (op === '>=' && constant >= 1) || (op === '=' && constant >= 1)) return 1
  if (op === '<>' || op === '!=') return constant === 0 ? 1 : 0
  return (op === '=' && constant === 0) || (op === '<' && constant <= 1) || (op === '<=' && constant === 0) ? -1 : 0
}

/** The test as a condition on a row that was read: `v_job.status <> 'pending'`, `v_status = 'pending'`. */
function conditionsOf(node: Node, source: SqlText, state: State, frame: Frame): { row: ReadRow; where: Predicate }[] {
  const rows = new Map<ReadRow, { record: string | null; columns: Map<string, string> }>()
  for (const [name, { row, column }] of state.variables) {
    if (!row) continue
    const known = rows.get(row) ?? { record: null, columns: new Map<string, string>() }
    if (column === null) known.record = name
    else known.columns.set(name, column)
    rows.set(row, known)
  }
  const scope = scopeAt(state, frame, source)
  return [...rows].flatMap(([row, { record, columns }]) => {
    // Scalars that hold a column of the row stand for that column.
    const table: Table = {
      schema: '',
      name: row.table,
      columns: [...columns.keys()],
      keys: [],
      defaults: new Map(),
      touched: [],
      location: NOWHERE,
    }
    const where = predicateOf(node, { ...scope, target: { alias: record ?? '', name: row.table, table, closed: true } })
    const about = columnsOf(where)
    const whole = conjuncts(where).every((term) => term.kind !== 'other')
    return about.length > 0 && whole ? [{ row, where: renamed(where, columns) }] : []
  })
}

const NOWHERE: Location = { file: '', startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }

function renamed(predicate: Predicate, names: ReadonlyMap<string, string>): Predicate {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return { ...predicate, terms: predicate.terms.map((term) => renamed(term, names)) }
    case 'not':
      return { ...predicate, term: renamed(predicate.term, names) }
    case 'other':
      return { ...predicate, columns: predicate.columns.map((column) => names.get(column) ?? column) }
    default:
      return { ...predicate, column: names.get(predicate.column) ?? predicate.column }
  }
}
