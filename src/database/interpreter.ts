import { as, doBody, parseStatement, splitStatements, type Node, type SqlText } from '../sql/index.js'
import { call, routineRows } from './calls.js'
import { define } from './catalog.js'
import { argumentsOf, evaluate } from './evaluate.js'
import { headOf } from './heads.js'
import { EMPTY, Raised, report, spend, type Frame, type Interpreter, type Relation } from './machine.js'
import { runBody } from './plpgsql.js'
import { select } from './query.js'
import { matchRoutine, valueOfRoutine } from './routine-calls.js'
import { write } from './write.js'

/** The parts of the interpreter, put together. */
export const interpreter: Interpreter = {
  expression: evaluate,
  query: (frame, node, one) => {
    const statement = as(node, 'SelectStmt')
    return statement ? select(frame, statement, one) : (write({ ...frame, group: null }, node) ?? EMPTY)
  },
  call,
  routineRows,
  statement: runStatement,
  script: runScript,
  block: runBody,
}

function runStatement(frame: Frame, node: Node): Relation {
  spend(frame.machine)
  const query = as(node, 'SelectStmt')
  if (query) return select(frame, query)
  const written = write(frame, node)
  if (written) return written
  const block = as(node, 'DoStmt')
  if (block) {
    const body = doBody(block, frame.source)
    // A DO block sees nothing of what is around it.
    if (body.language === 'plpgsql')
      runBody(
        { ...frame, variables: new Map(), parameters: [], scope: null, ctes: new Map(), withNodes: [] },
        body.block,
      )
    return EMPTY
  }
  const procedure = as(node, 'CallStmt')?.funccall
  if (procedure) {
    const args = argumentsOf(frame, procedure)
    const name = (procedure.funcname ?? []).flatMap((each) => as(each, 'String')?.sval ?? [])
    const routine = matchRoutine(frame.machine, name.at(-1) ?? '', name.at(-2) ?? null, args)
    if (routine) valueOfRoutine(frame, routine, args)
    return EMPTY
  }
  const setting = as(node, 'AlterDatabaseSetStmt')?.setstmt ?? as(node, 'AlterRoleSetStmt')?.setstmt
  if (setting?.name && setting.args?.length === 1) {
    frame.machine.settings.set(setting.name, evaluate(frame, setting.args[0]))
    return EMPTY
  }
  const head = frame.machine.frozen ? null : headOf(frame.source.text)
  if (head) define(frame.machine.catalog, head, frame.source)
  return EMPTY
}

function runScript(frame: Frame, text: SqlText): Relation {
  let last = EMPTY
  for (const statement of splitStatements(text)) {
    const parsed = parseStatement(statement)
    if (!parsed.ok) {
      if (!frame.quiet)
        report(frame.machine, {
          code: 'sql-not-parsed',
          severity: 'warning',
          message: parsed.message,
          location: parsed.location,
        })
      continue
    }
    const { jobs, sends } = frame.machine
    const before = { jobs: jobs.rows, sent: sends.length }
    try {
      last = runStatement({ ...frame, source: parsed.source }, parsed.tree)
    } catch (error) {
      if (!(error instanceof Raised) || frame.guarded) throw error
      jobs.rows = before.jobs
      sends.length = before.sent
    }
  }
  return last
}
