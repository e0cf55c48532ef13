import type { Operand, RoutineAnswer } from '../model/index.js'
import {
  as,
  columnParts,
  parseStatement,
  qualifiedName,
  walk,
  type Node,
  type NodeOf,
  type SqlText,
} from '../sql/index.js'
import { callAnswer } from './calls.js'
import type { Scope, SqlEnv } from './env.js'
import { handedOut, settle } from './settle.js'
import { NOTHING, type Outcomes, type ReadRow, type State } from './state.js'
import { describeStatement, type StatementFacts } from './statement.js'

/** The routine that is followed. */
export interface Frame {
  readonly name: string
  /** What stands outside the routine: tables, other routines, its parameters. */
  readonly env: SqlEnv
  /** OUT parameters and columns of RETURNS TABLE. */
  readonly outputs: readonly string[]
  /** It runs under REPEATABLE READ or SERIALIZABLE: whoever comes second gets error 40001 (truth table 24–26). */
  readonly repeatable: boolean
  readonly outcomes: Outcomes
  /** States at EXIT, per loop that is open. */
  readonly exits: { readonly label: string | null; readonly states: State[] }[]
  /** Queries of the cursors opened so far. */
  readonly cursors: Map<string, SqlText>
}

/** The names of a statement at one point of the routine; rows whose values it uses are noted in `used`. */
export function envAt(state: State, frame: Frame, used: Set<ReadRow>): SqlEnv {
  const variable = (path: readonly string[]): Operand | null => {
    const [first, second] = path
    if (first === undefined) return null
    if (first === frame.name && second !== undefined && !state.variables.has(first)) return variable(path.slice(1))
    if (first === 'new' || first === 'old') return { kind: 'opaque', id: path.join('.'), nonNull: false }
    const binding = state.variables.get(first)
    if (!binding) return frame.env.variable(path)
    const column = second ?? binding.column
    if (binding.row && column !== null) {
      used.add(binding.row)
      return { kind: 'read', column, delta: 0 }
    }
    if (second === undefined && binding.operand) return binding.operand
    // An output that nothing was put into is the column of that name.
    if (binding === NOTHING && frame.outputs.includes(first)) return null
    return { kind: 'opaque', id: path.join('.'), nonNull: false }
  }
  return { ...frame.env, variable }
}

/** The scope of an expression of PL/pgSQL: variables only. */
export function scopeAt(state: State, frame: Frame, source: SqlText, used: Set<ReadRow> = new Set()): Scope {
  return { env: envAt(state, frame, used), source, target: NO_TARGET, others: new Map() }
}

const NO_TARGET: Scope['target'] = { alias: '', name: '', table: null, closed: true }

/** A statement that was run: what it is, what it does, and what is known after it. */
export interface Ran {
  readonly tree: Node
  readonly source: SqlText
  readonly facts: StatementFacts
  readonly state: State
}

/** Runs an SQL statement of the routine; null where it cannot be parsed. */
export function run(query: SqlText, before: State, frame: Frame): Ran | null {
  const statement = parseStatement(query)
  if (!statement.ok) {
    const answer: RoutineAnswer = { kind: 'unknown', reason: statement.message, location: statement.location }
    frame.outcomes.answers.push(answer)
    return null
  }
  return runTree(statement.tree, statement.source, before, frame)
}

/** The same for a statement that is parsed already. */
export function runTree(tree: Node, source: SqlText, before: State, frame: Frame): Ran {
  const used = new Set<ReadRow>()
  const described = describeStatement(tree, source, envAt(before, frame, used))
  const { facts, state } = settle(described, [...used], before, frame)
  frame.outcomes.writes.push(...facts.writes)
  if (facts.sends) frame.outcomes.sends = true
  const locked = facts.locks.some((lock) => lock.scope === 'transaction' && !lock.tries)
  return { tree, source, facts, state: { ...state, exclusive: state.exclusive || locked } }
}

/** What the variables, calls and sub-queries in an expression tell of rows. */
export function tellingOf(node: Node, source: SqlText, state: State, frame: Frame): RoutineAnswer[] {
  const answers: RoutineAnswer[] = []
  const scope = scopeAt(state, frame, source)
  const whole = as(node, 'FuncCall')
  walk(node, (kind, fields) => {
    if (kind === 'SubLink') {
      const { subselect } = fields as NodeOf<'SubLink'>
      if (subselect) answers.push(settledAnswer(subselect, source, state, frame))
      return false
    }
    if (kind === 'ColumnRef') answers.push(...answersOf(columnParts(fields as NodeOf<'ColumnRef'>), state))
    if (kind !== 'FuncCall') return true
    const call = fields as NodeOf<'FuncCall'>
    const answer = callAnswer(call, scope)
    const { schema, name } = qualifiedName(call.funcname)
    const known = frame.env.routine(schema, name, call.args?.length ?? 0) !== null
    // A function that only reads, or is not known, says nothing somewhere in a value; as the whole value it is the answer.
    const telling = answer.kind === 'unknown' ? known : answer.kind !== 'read'
    if (telling || call === whole) answers.push(answer)
    // What a routine is given is not what it gives.
    return !known || answer.kind === 'other'
  })
  return answers.filter((each) => each.kind !== 'other')
}

function settledAnswer(select: Node, source: SqlText, state: State, frame: Frame): RoutineAnswer {
  const used = new Set<ReadRow>()
  const described = describeStatement(select, source, envAt(state, frame, used))
  return settle(described, [...used], state, frame).facts.answer
}

/** What a name tells: FOUND, or a variable. */
export function answersOf(path: readonly string[], state: State): readonly RoutineAnswer[] {
  const name = path[0] ?? ''
  if (name === 'found' && path.length === 1) return state.found ? [state.found] : []
  const binding = state.variables.get(name)
  if (!binding) return []
  return binding.answers.flatMap((answer) => sinceTaken(answer, state))
}

/** An answer that was read before a write took its row says now what that write says. */
function sinceTaken(answer: RoutineAnswer, state: State): RoutineAnswer[] {
  const taken = state.taken.filter((each) => each.row.answer === answer)
  if (taken.length > 0) return taken.map((each) => ({ kind: 'rows', taking: handedOut(each.row, each.taking, state) }))
  const locked = answer.kind === 'rows' && answer.taking.soundness === 'lock-only-claim' ? answer.taking : null
  // Locked, and then the table was written: whatever that write is, it is not a lock alone.
  const written = locked && state.takings.findLast((each) => each.table === locked.table)
  return [written ? { kind: 'rows', taking: written } : answer]
}
