import { as, parseExpression, parseStatement, prefixed, type SqlText } from '../sql/index.js'
import { dynamicText } from './dynamic.js'
import { evaluate } from './evaluate.js'
import { EMPTY, report, type Frame, type Relation, type RelationRow } from './machine.js'
import { UNKNOWN, type Value } from './value.js'

/** What one run of a body keeps besides its variables. */
export interface Run {
  readonly values: Value[]
  readonly rows: RelationRow[]
  readonly types: Map<string, string>
  readonly cursors: Map<string, { rows: readonly RelationRow[]; at: number }>
  /** The loops over rows that the caller stands in. */
  readonly outerRows: number
  /** An EXIT was passed whose condition is not known. */
  mayExit: boolean
}

export function newRun(frame: Frame): Run {
  const { length } = frame.rows
  return { values: [], rows: [], types: new Map(), cursors: new Map(), outerRows: length, mayExit: false }
}

const TELLING = /\b(?:cron|net|http|unschedule)/i

/** What cannot be read matters only if it may speak of jobs or requests. */
export function reportUnread(frame: Frame, at: SqlText, message: string): void {
  if (!TELLING.test(at.text)) return
  const parsed = parseStatement(at)
  const location = parsed.ok ? undefined : parsed.location
  report(frame.machine, { code: 'sql-not-parsed', severity: 'warning', message, ...(location && { location }) })
}

/** The value of an expression's text. */
export function expression(frame: Frame, text: SqlText): Value {
  const parsed = parseExpression(text)
  if (parsed.ok) return evaluate({ ...frame, source: parsed.source }, parsed.node)
  if (TELLING.test(text.text)) {
    report(frame.machine, {
      code: 'sql-not-parsed',
      severity: 'warning',
      message: parsed.message,
      location: parsed.location,
    })
  }
  return UNKNOWN
}

/** The values of a list of expressions: `1, 2`. */
export function expressions(frame: Frame, text: SqlText): readonly Value[] {
  const parsed = parseStatement(prefixed('SELECT ', text))
  const targets = parsed.ok ? as(parsed.tree, 'SelectStmt')?.targetList : undefined
  if (!targets) return [UNKNOWN]
  return targets.map((each) => evaluate({ ...frame, source: parsed.source }, as(each, 'ResTarget')?.val))
}

export function queryRows(frame: Frame, query: SqlText, one = false): Relation {
  const parsed = parseStatement(query)
  if (parsed.ok) {
    const inner = { ...frame, source: parsed.source }
    return one && as(parsed.tree, 'SelectStmt')
      ? frame.machine.interpreter.query(inner, parsed.tree, true)
      : frame.machine.interpreter.statement(inner, parsed.tree)
  }
  if (TELLING.test(query.text)) {
    report(frame.machine, {
      code: 'sql-not-parsed',
      severity: 'warning',
      message: parsed.message,
      location: parsed.location,
    })
  }
  return EMPTY
}

/** EXECUTE: the text is run if it is known. */
export function dynamic(frame: Frame, query: SqlText, using: readonly SqlText[]): Relation {
  const value = expression(frame, query)
  const parameters = using.map((each) => expression(frame, each))
  return dynamicText({ ...frame, parameters }, value, query)
}
