import type { Operand, Routine, RoutineAnswer, RoutineSummary, SqlWrite, Table } from '../model/index.js'
import {
  as,
  constantOf,
  fileText,
  parseStatement,
  routineBody,
  slice,
  typeText,
  type NodeOf,
  type RoutineBody,
  type SqlText,
  type Statement,
  type ParseFailure,
} from '../sql/index.js'
import type { KnownRoutine, SqlEnv } from './env.js'
import { followBlock } from './follow.js'
import { runTree, type Frame } from './frame.js'
import { finalAnswers } from './returned.js'
import { bind, NOTHING, START, weakest, type Outcomes, type State } from './state.js'

/** Finds a routine by schema (null: by search path), name and number of arguments. */
export type RoutineLookup = (schema: string | null, name: string, argumentCount: number) => Routine | null

/** Finds a table by schema (null: by search path) and name. */
export type TableLookup = (schema: string | null, name: string) => Table | null

/** Calls are followed this deep. */
const MAX_DEPTH = 8

const known = new WeakMap<Routine, RoutineSummary>()
const open = new Set<Routine>()

/**
 * What a routine takes, writes and answers: SQL and PL/pgSQL bodies, followed path by path and into the routines that they
 * call (domain 1.11). Each routine is summarised once. Never throws.
 */
export function summarizeRoutine(routine: Routine, lookup: RoutineLookup, tables: TableLookup): RoutineSummary {
  const before = known.get(routine)
  if (before) return before
  if (open.has(routine) || open.size >= MAX_DEPTH) return unknown(routine, 'the calls of this routine go too deep')
  open.add(routine)
  try {
    const summary = summarize(routine, lookup, tables)
    known.set(routine, summary)
    return summary
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return unknown(routine, 'the routine is nested too deeply')
  } finally {
    open.delete(routine)
  }
}

function unknown(routine: Routine, reason: string): RoutineSummary {
  return { answer: { kind: 'unknown', reason, location: routine.location }, writes: [], sends: false }
}

function summarize(routine: Routine, lookup: RoutineLookup, tables: TableLookup): RoutineSummary {
  const source = textOf(routine)
  const statement = parseStatement(source)
  const tree = statement.ok ? as(statement.tree, 'CreateFunctionStmt') : undefined
  if (!statement.ok || !tree) return unknown(routine, statement.ok ? 'not a routine' : statement.message)
  const body = routineBody(tree, source)
  if (body.language === 'unknown') return unknown(routine, body.reason)
  const outcomes: Outcomes = { answers: [], writes: [], sends: false }
  const frame = frameOf(routine, tree, outcomes, lookup, tables)
  follow(body, frame)
  const writes = unique(outcomes.writes)
  const answer = returnsNothing(tree) ? ({ kind: 'other' } as const) : weakest(outcomes.answers)
  if (routine.volatility !== 'volatile' && writes.length > 0) {
    return {
      ...unknown(routine, `the routine writes but is declared ${routine.volatility}: PostgreSQL refuses it`),
      writes,
    }
  }
  return { answer, writes: writes.filter((write) => !isTaking(write, answer)), sends: outcomes.sends }
}

/** The text of the routine as a text of its file. Its own lines start where the CREATE statement stands. */
function textOf(routine: Routine): SqlText {
  const { file, startLine, startColumn } = routine.location
  const before = '\n'.repeat(startLine - 1) + ' '.repeat(startColumn - 1)
  return slice(fileText(file, before + routine.text), before.length, before.length + routine.text.length)
}

function frameOf(
  routine: Routine,
  tree: NodeOf<'CreateFunctionStmt'>,
  outcomes: Outcomes,
  lookup: RoutineLookup,
  tables: TableLookup,
): Frame {
  const inputs = routine.parameters.filter(
    (each) => each.mode === 'in' || each.mode === 'inout' || each.mode === 'variadic',
  )
  const outputs = routine.parameters.flatMap((each) =>
    each.mode !== 'in' && each.mode !== 'variadic' && each.name ? each.name : [],
  )
  const names = inputs.map((each, index) => each.name ?? `$${index + 1}`)
  const parameters = new Set(names)
  const value = (name: string): Operand => ({ kind: 'opaque', id: name, nonNull: false })
  const env: SqlEnv = {
    variable: (path) => {
      const own = path[0] === routine.name && path.length > 1 ? path.slice(1) : path
      return own[0] !== undefined && parameters.has(own[0]) ? value(own.join('.')) : null
    },
    parameter: (number) => value(names[number - 1] ?? `$${number}`),
    parameters,
    table: tables,
    routine: (schema, name, count) => calledRoutine(lookup(schema, name, count), lookup, tables),
  }
  return { name: routine.name, env, outputs, repeatable: isRepeatable(tree), outcomes, exits: [], cursors: new Map() }
}

function calledRoutine(routine: Routine | null, lookup: RoutineLookup, tables: TableLookup): KnownRoutine | null {
  if (!routine) return null
  const inputs = routine.parameters.filter((each) => each.mode !== 'out' && each.mode !== 'table')
  return { summary: summarizeRoutine(routine, lookup, tables), parameters: inputs.map((each) => each.name) }
}

function follow(body: Exclude<RoutineBody, { readonly language: 'unknown' }>, frame: Frame): void {
  if (body.language === 'sql') return followSql(body.statements, frame)
  const start = frame.outputs.reduce((state: State, name) => bind(state, name, NOTHING), START)
  const end = followBlock(body.block, start, frame)
  if (end) frame.outcomes.answers.push(...finalAnswers(end, frame))
}

/** An SQL function answers with what its last statement gives. */
function followSql(statements: readonly (Statement | ParseFailure)[], frame: Frame): void {
  let state: State = START
  let last: RoutineAnswer = { kind: 'other' }
  for (const statement of statements) {
    if (statement.ok) {
      const ran = runTree(statement.tree, statement.source, state, frame)
      state = ran.state
      last = ran.facts.answer
    } else last = { kind: 'unknown', reason: statement.message, location: statement.location }
  }
  frame.outcomes.answers.push(last)
}

function returnsNothing(tree: NodeOf<'CreateFunctionStmt'>): boolean {
  const type = typeText(tree.returnType)
  return type === 'void' || type === 'trigger' || type === 'event_trigger'
}

/** `SET default_transaction_isolation = 'repeatable read'`, which PostgREST applies to the request's transaction. */
function isRepeatable(tree: NodeOf<'CreateFunctionStmt'>): boolean {
  return (tree.options ?? []).some((option) => {
    const setting = as(as(option, 'DefElem')?.arg, 'VariableSetStmt')
    const value = setting?.args?.map((each) => constantOf(each)).join(' ')
    return (setting?.name ?? '').endsWith('transaction_isolation') && /repeatable read|serializable/i.test(value ?? '')
  })
}

function unique(writes: readonly SqlWrite[]): SqlWrite[] {
  const seen = new Set<string>()
  return writes.filter((write) => {
    const key = JSON.stringify(write)
    return !seen.has(key) && seen.add(key)
  })
}

function isTaking(write: SqlWrite, answer: RoutineAnswer): boolean {
  const own =
    answer.kind === 'rows' || answer.kind === 'flag' ? answer.taking : answer.kind === 'insert' ? answer.insert : null
  return own !== null && JSON.stringify(own.location) === JSON.stringify(write.location)
}
