import {
  as,
  parseStatement,
  type PlBlock,
  type PlInto,
  type PlStatement,
  type PlStatements,
  type SqlText,
} from '../sql/index.js'
import { either, type Flow } from './branches.js'
import { isAmong, truth } from './compare.js'
import { EMPTY, enterArm, Raised, withinArms, spend, type Frame, type RelationRow, type Returned } from './machine.js'
import { integers, overArray, overRows, repeat } from './pl-loops.js'
import { dynamic, expression, expressions, newRun, queryRows, reportUnread, type Run } from './pl-run.js'
import { assign, castTo, setFound, store } from './pl-variables.js'
import { FALSE, list, NULL, object, SOMETHING, TRUE, type Value } from './value.js'

/** Runs a PL/pgSQL body; variables of the frame are its parameters. */
export function runBody(frame: Frame, block: PlBlock): Returned {
  const run = newRun(frame)
  frame.variables.set('found', FALSE)
  withinArms(frame.machine.path, () => runBlock(frame, run, block))
  return { values: run.values, rows: run.rows }
}

function runBlock(frame: Frame, run: Run, block: PlBlock): Flow {
  const hidden = new Map<string, Value | undefined>()
  for (const { name, type, value, alias, cursor } of block.declarations) {
    hidden.set(name, frame.variables.get(name))
    run.types.set(name, type)
    if (cursor) run.cursors.set(name, { rows: queryRows(frame, cursor).rows, at: 0 })
    else
      frame.variables.set(
        name,
        alias ? aliased(frame, alias) : value ? castTo(frame, expression(frame, value), type) : NULL,
      )
  }
  const flow = block.handlers.length > 0 ? guarded(frame, run, block) : runAll(frame, run, block.body)
  for (const [name, value] of hidden) {
    if (value === undefined) frame.variables.delete(name)
    else frame.variables.set(name, value)
  }
  return typeof flow === 'object' && flow.leave === 'exit' && flow.label !== null && flow.label === block.label
    ? 'next'
    : flow
}

const aliased = (frame: Frame, name: string): Value =>
  name.startsWith('$') ? (frame.parameters[Number(name.slice(1)) - 1] ?? NULL) : (frame.variables.get(name) ?? NULL)

/** A block with EXCEPTION: what raises takes back what the block did (PostgreSQL docs 43.6.8). */
function guarded(frame: Frame, run: Run, block: PlBlock): Flow {
  const { machine } = frame
  const jobs = machine.jobs.rows
  const sent = machine.sends.length
  try {
    return runAll({ ...frame, guarded: true }, run, block.body)
  } catch (error) {
    if (!(error instanceof Raised)) throw error
    machine.jobs.rows = jobs
    machine.sends.length = sent
    const handler = block.handlers.find((each) => each.conditions.includes('others')) ?? block.handlers[0]!
    return runAll(frame, run, handler.body)
  }
}

function runAll(frame: Frame, run: Run, statements: PlStatements): Flow {
  for (const statement of statements) {
    spend(frame.machine)
    const flow = step(frame, run, statement)
    if (flow !== 'next') return flow
  }
  return 'next'
}

const turn =
  (run: Run, loop: { readonly body: PlStatements }) =>
  (frame: Frame): Flow =>
    runAll(frame, run, loop.body)

function step(frame: Frame, run: Run, statement: PlStatement): Flow {
  switch (statement.kind) {
    case 'block':
      return runBlock(frame, run, statement)
    case 'sql':
      return sqlStatement(frame, run, statement.query, statement.into)
    case 'perform':
      setFound(frame, queryRows(frame, statement.query))
      return 'next'
    case 'assign':
      assign(frame, run, statement.target, expression(frame, statement.value))
      return 'next'
    case 'if':
      return choose(frame, run, statement.branches, (condition) => expression(frame, condition), statement.otherwise)
    case 'case': {
      const subject = statement.subject && expression(frame, statement.subject)
      const holds = (condition: SqlText): Value =>
        subject ? isAmong(subject, list(expressions(frame, condition))) : expression(frame, condition)
      return choose(frame, run, statement.branches, holds, statement.otherwise ?? [])
    }
    case 'loop':
      return repeat(frame, run, statement.label, () => TRUE, turn(run, statement))
    case 'while':
      return repeat(frame, run, statement.label, () => expression(frame, statement.condition), turn(run, statement))
    case 'for-integer':
      return integers(frame, statement, turn(run, statement))
    case 'for-query':
      return overRows(
        frame,
        run,
        statement,
        statement.query ? queryRows(frame, statement.query).rows : unknownRow,
        turn(run, statement),
      )
    case 'for-dynamic':
      return overRows(
        frame,
        run,
        statement,
        dynamic(frame, statement.query, statement.using).rows,
        turn(run, statement),
      )
    case 'foreach':
      return overArray(frame, run, statement, turn(run, statement))
    case 'exit':
    case 'continue':
      return leave(frame, run, statement)
    case 'return':
      if (statement.value) run.values.push(expression(frame, statement.value))
      return 'return'
    case 'return-next':
      run.rows.push(nextRow(frame, run, statement.value))
      return 'next'
    case 'return-query':
      run.rows.push(...within(frame, run, queryRows(frame, statement.query).rows))
      return 'next'
    case 'return-dynamic':
      run.rows.push(...within(frame, run, dynamic(frame, statement.query, statement.using).rows))
      return 'next'
    case 'raise':
      if (statement.level === 'exception') throw new Raised('raised')
      return 'next'
    case 'execute':
      store(frame, run, statement.into, dynamic(frame, statement.query, statement.using))
      return 'next'
    case 'get-diagnostics':
      for (const { target } of statement.items) assign(frame, run, target, SOMETHING)
      return 'next'
    case 'open':
      if (statement.query && !statement.dynamic)
        run.cursors.set(statement.cursor, { rows: queryRows(frame, statement.query).rows, at: 0 })
      return 'next'
    case 'fetch':
      fetch(frame, run, statement.cursor, statement.into)
      return 'next'
    case 'unknown':
      reportUnread(frame, statement.at, statement.reason)
      return 'next'
    default:
      return 'next'
  }
}

const unknownRow: readonly RelationRow[] = [{ row: object(new Map(), true), sources: [], certain: false }]

function sqlStatement(frame: Frame, run: Run, query: SqlText, into: PlInto | null): Flow {
  const parsed = into ? null : parseStatement(query)
  if (parsed?.ok && as(parsed.tree, 'SelectStmt') && frame.guarded) {
    throw new Raised('query has no destination for result data')
  }
  const relation = queryRows(frame, query, into !== null)
  setFound(frame, relation)
  store(frame, run, into, relation)
  return 'next'
}

function choose(
  frame: Frame,
  run: Run,
  branches: readonly { readonly condition: SqlText; readonly body: PlStatements }[],
  holds: (condition: SqlText) => Value,
  otherwise: PlStatements,
): Flow {
  const ways: (() => Flow)[] = []
  for (const { condition, body } of branches) {
    const decided = truth(holds(condition))
    if (decided === 'no') continue
    ways.push(() => runAll(frame, run, body))
    if (decided === 'yes') return either(frame, ways)
  }
  return either(frame, [...ways, () => runAll(frame, run, otherwise)])
}

function leave(frame: Frame, run: Run, statement: Extract<PlStatement, { readonly kind: 'exit' | 'continue' }>): Flow {
  const decided = statement.when ? truth(expression(frame, statement.when)) : 'yes'
  if (decided === 'yes') return { leave: statement.kind, label: statement.label }
  if (decided === 'unknown') {
    enterArm(frame.machine.path)
    if (statement.kind === 'exit') run.mayExit = true
  }
  return 'next'
}

/** The row of RETURN NEXT: as many as the loop over rows that it stands in has. */
function nextRow(frame: Frame, run: Run, value: SqlText | null): RelationRow {
  const sources = frame.rows.slice(run.outerRows)
  const given = value ? expression(frame, value) : object(new Map(frame.variables))
  const row = given.kind === 'object' ? given : object(new Map([['value', given]]), given.kind === 'unknown')
  return { row, sources, certain: sources.length === 0 }
}

/** Rows returned from within a loop over rows are as many as those. */
function within(frame: Frame, run: Run, rows: readonly RelationRow[]): RelationRow[] {
  const loops = frame.rows.slice(run.outerRows)
  return rows.map((row) => (loops.length === 0 ? row : { ...row, sources: [...loops, ...row.sources] }))
}

function fetch(frame: Frame, run: Run, cursor: string, into: PlInto | null): void {
  const open = run.cursors.get(cursor)
  const row = open?.rows[open.at]
  if (open) open.at++
  if (!open) run.mayExit = true
  const relation = row ? { columns: [...row.row.fields.keys()], rows: [row] } : EMPTY
  setFound(frame, relation)
  store(frame, run, into, relation)
}
