import type { Operand, RoutineAnswer } from '../model/index.js'
import { as, columnParts, findAll, parseStatement, type Node, type SqlText } from '../sql/index.js'
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
  for (const sublink of findAll(node, 'SubLink')) {
    if (sublink.subselect) answers.push(settledAnswer(sublink.subselect, source, state, frame))
  }
  for (const reference of findAll(node, 'ColumnRef')) answers.push(...answersOf(columnParts(reference), state))
  const scope = scopeAt(state, frame, source)
  for (const call of findAll(node, 'FuncCall')) {
    const answer = callAnswer(call, scope)
    if (answer.kind !== 'unknown') answers.push(answer)
    const only = as(node, 'FuncCall')
    if (answer.kind === 'unknown' && only === call && /\w+\.\w+/.test(answer.reason)) answers.push(answer)
  }
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
  const taken = state.taken.filter((each) => each.row === binding.row)
  return taken.length > 0
    ? taken.map((each) => ({ kind: 'rows', taking: handedOut(each.row, each.taking, state) }))
    : binding.answers
}
