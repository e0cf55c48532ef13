import type { RoutineAnswer, SqlInsert } from '../model/index.js'
import {
  as,
  constantOf,
  locateAll,
  parseExpression,
  stringText,
  type PlBlock,
  type PlStatement,
  type PlStatements,
  type SqlText,
} from '../sql/index.js'
import { test } from './condition.js'
import { run, type Frame } from './frame.js'
import { assign, bindColumns, evaluate } from './variables.js'
import { returnedAnswers, toldBy } from './returned.js'
import { bind, meet, NOTHING, type State } from './state.js'

/** Follows statements in order; null where no path comes out at their end. What paths return goes to the frame's outcomes. */
export function follow(statements: PlStatements, state: State, frame: Frame): State | null {
  let current: State | null = state
  for (const statement of statements) {
    current = step(statement, current, frame)
    if (!current) return null
  }
  return current
}

/** A block: its declarations, its statements, and its exception handlers, which start from where the block started. */
export function followBlock(block: PlBlock, outer: State, frame: Frame): State | null {
  let state = outer
  for (const each of block.declarations) {
    if (each.cursor) frame.cursors.set(each.name, each.cursor)
    state = each.value ? assign(each.name, each.value, state, frame) : bind(state, each.name, NOTHING)
  }
  const end = follow(block.body, state, frame)
  // What the block wrote is rolled back where it fails.
  return meet([end, ...block.handlers.map((handler) => follow(handler.body, state, frame))])
}

function step(statement: PlStatement, state: State, frame: Frame): State | null {
  switch (statement.kind) {
    case 'block':
      return followBlock(statement, state, frame)
    case 'sql':
    case 'perform':
      return runInto(statement.query, statement.kind === 'sql' ? (statement.into?.targets ?? []) : [], state, frame)
    case 'assign':
      return assign(statement.target, statement.value, state, frame)
    case 'if':
      return branch(statement.branches, statement.otherwise, state, frame)
    case 'case':
      return caseOf(statement, state, frame)
    case 'loop':
      return loop(statement, state, frame, (inner) => inner, false)
    case 'while': {
      const { whenTrue, whenFalse } = test(statement.condition, state, frame)
      return loop(statement, whenTrue, frame, (inner) => inner, whenFalse)
    }
    case 'for-integer':
      return loop(statement, state, frame, (inner) => bind(inner, statement.variable, NOTHING), state)
    case 'foreach':
      return loop(statement, state, frame, (inner) => forEach(statement, inner, frame), state)
    case 'for-query':
      return loop(
        statement,
        state,
        frame,
        (inner) => forRows(statement.query, statement.variables, inner, frame),
        state,
      )
    case 'for-dynamic':
      return loop(
        statement,
        state,
        frame,
        (inner) => dynamic(statement.query, statement.variables, inner, frame),
        state,
      )
    case 'exit':
    case 'continue':
      return leave(statement, state, frame)
    case 'return':
    case 'return-next':
      frame.outcomes.answers.push(...returnedAnswers(statement.value, state, frame))
      return statement.kind === 'return' ? null : state
    case 'return-query': {
      const ran = run(statement.query, state, frame)
      if (!ran) return state
      const select = as(ran.tree, 'SelectStmt')
      const values = select?.fromClause || select?.larg ? [] : (select?.targetList ?? [])
      const told = values.flatMap((each) => as(each, 'ResTarget')?.val ?? [])
      const answers = told.length > 0 ? toldBy(told, ran.source, state, frame) : [ran.facts.answer]
      frame.outcomes.answers.push(...answers)
      return { ...ran.state, found: ran.facts.count }
    }
    case 'return-dynamic': {
      const text = fixedText(statement.query)
      const ran = text && run(text, state, frame)
      frame.outcomes.answers.push(ran ? ran.facts.answer : madeAtRunTime(statement.query))
      return ran ? ran.state : state
    }
    case 'execute':
      return dynamic(statement.query, statement.into?.targets ?? [], state, frame)
    case 'raise':
      return statement.level === 'exception' ? null : state
    case 'get-diagnostics':
      return statement.items.reduce((current, { target, item }) => {
        const answers = item === 'row_count' && state.found ? [state.found] : []
        return bind(current, target, { ...NOTHING, answers })
      }, state)
    case 'open':
      if (statement.query && !statement.dynamic) frame.cursors.set(statement.cursor, statement.query)
      return state
    case 'fetch': {
      const query = frame.cursors.get(statement.cursor)
      const targets = statement.into?.targets ?? []
      return query ? forRows(query, targets, state, frame) : unknownInto(targets, madeAtRunTime(statement.at), state)
    }
    case 'commit':
    case 'rollback':
      return released(state)
    case 'unknown':
      frame.outcomes.answers.push({ kind: 'unknown', reason: statement.reason, location: locateAll(statement.at) })
      return state
    default:
      return state
  }
}

// Statements of SQL

function runInto(query: SqlText, targets: readonly string[], state: State, frame: Frame): State {
  const ran = run(query, state, frame)
  if (!ran)
    return unknownInto(targets, { kind: 'unknown', reason: 'a statement could not be read', location: null }, state)
  const { count } = ran.facts
  // A plain INSERT that comes back has inserted: a taken key would have raised an error.
  const inserted = count.kind === 'insert' && count.insert.onConflict === 'error' ? [count] : []
  const keyed = count.kind === 'insert' && mayBeRefused(count.insert, frame) ? [count] : []
  const after: State = {
    ...ran.state,
    found: count,
    proven: [...ran.state.proven, ...inserted],
    keyed: [...ran.state.keyed, ...keyed],
  }
  return bindColumns(ran, targets, after, frame)
}

/** Does a unique key lie within the inserted columns? A table that is not known may have one. */
function mayBeRefused(insert: SqlInsert, frame: Frame): boolean {
  const table = frame.env.table(null, insert.table)
  return !table || table.keys.some((key) => key.columns.every((each) => each !== null && insert.columns.includes(each)))
}

function forRows(query: SqlText | null, targets: readonly string[], state: State, frame: Frame): State {
  if (query) return runInto(query, targets, state, frame)
  return unknownInto(targets, { kind: 'unknown', reason: 'the cursor is not declared here', location: null }, state)
}

function dynamic(query: SqlText, targets: readonly string[], state: State, frame: Frame): State {
  const text = fixedText(query)
  return text ? runInto(text, targets, state, frame) : unknownInto(targets, madeAtRunTime(query), state)
}

/** The statement of an EXECUTE whose text is a constant. */
function fixedText(query: SqlText): SqlText | null {
  const expression = parseExpression(query)
  return expression.ok && typeof constantOf(expression.node) === 'string'
    ? stringText(expression.source, expression.node)
    : null
}

function madeAtRunTime(query: SqlText): RoutineAnswer {
  return { kind: 'unknown', reason: 'the statement is made at run time', location: locateAll(query) }
}

function unknownInto(targets: readonly string[], answer: RoutineAnswer, state: State): State {
  return targets.reduce((current, target) => bind(current, target, { ...NOTHING, answers: [answer] }), state)
}

// Control flow

function branch(
  branches: readonly { readonly condition: SqlText; readonly body: PlStatements }[],
  otherwise: PlStatements,
  state: State,
  frame: Frame,
): State | null {
  const ends: (State | null)[] = []
  let rest = state
  for (const { condition, body } of branches) {
    evaluate(condition, rest, frame)
    const { whenTrue, whenFalse } = test(condition, rest, frame)
    ends.push(follow(body, whenTrue, frame))
    rest = whenFalse
  }
  ends.push(follow(otherwise, rest, frame))
  return meet(ends)
}

function caseOf(statement: Extract<PlStatement, { readonly kind: 'case' }>, state: State, frame: Frame): State | null {
  if (!statement.subject) return branch(statement.branches, statement.otherwise ?? [], state, frame)
  const ends = statement.branches.map((each) => follow(each.body, state, frame))
  return meet([...ends, follow(statement.otherwise ?? [], state, frame)])
}

interface Loop {
  readonly label: string | null
  readonly body: PlStatements
}

/** One round of a loop stands for all; `skipped`: the state after no round at all (false: a bare LOOP has at least one). */
function loop(
  statement: Loop,
  before: State,
  frame: Frame,
  enter: (state: State) => State,
  skipped: State | false,
): State | null {
  const open = { label: statement.label, states: [] as State[] }
  frame.exits.push(open)
  const inner = enter(forgetting(assignedIn(statement.body), before))
  const end = follow(statement.body, inner, frame)
  frame.exits.pop()
  const ends = skipped === false ? open.states : [skipped, end, ...open.states]
  return meet(ends)
}

function leave(
  statement: Extract<PlStatement, { readonly kind: 'exit' | 'continue' }>,
  state: State,
  frame: Frame,
): State | null {
  const { whenTrue, whenFalse } = statement.when
    ? test(statement.when, state, frame)
    : { whenTrue: state, whenFalse: null }
  if (statement.kind === 'exit') {
    const target = statement.label ? frame.exits.find((each) => each.label === statement.label) : frame.exits.at(-1)
    target?.states.push(whenTrue)
  }
  return whenFalse
}

function forEach(statement: Extract<PlStatement, { readonly kind: 'foreach' }>, state: State, frame: Frame): State {
  const value = evaluate(statement.array, state, frame)
  return statement.variables.reduce((current, name) => bind(current, name, { ...value, operand: null }), state)
}

/** Values that a loop changes are not known inside it. */
function forgetting(names: readonly string[], state: State): State {
  return names.reduce((current, name) => {
    const binding = current.variables.get(name)
    return binding?.operand ? bind(current, name, { ...binding, operand: null }) : current
  }, state)
}

function assignedIn(statements: PlStatements): string[] {
  return statements.flatMap((statement): string[] => {
    switch (statement.kind) {
      case 'assign':
        return [statement.target]
      case 'sql':
      case 'execute':
      case 'fetch':
        return [...(statement.into?.targets ?? [])]
      case 'if':
      case 'case':
        return [
          ...statement.branches.flatMap((each) => assignedIn(each.body)),
          ...assignedIn(statement.otherwise ?? []),
        ]
      case 'block':
      case 'loop':
      case 'while':
      case 'for-integer':
      case 'for-query':
      case 'for-dynamic':
      case 'foreach':
        return assignedIn(statement.body)
      default:
        return []
    }
  })
}

/** COMMIT and ROLLBACK let go of every lock of the transaction. */
function released(state: State): State {
  const variables = new Map(
    [...state.variables].map(([name, binding]) => [
      name,
      binding.row ? { ...binding, row: { ...binding.row, locked: false, exclusive: false } } : binding,
    ]),
  )
  return { ...state, variables, reads: [], exclusive: false }
}
