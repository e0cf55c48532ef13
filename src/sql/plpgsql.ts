import {
  assignment,
  compact,
  diagnosticsStatement,
  executeStatement,
  fetchStatement,
  isAssignment,
  leaveStatement,
  openStatement,
  performStatement,
  raiseStatement,
  returnStatement,
  simple,
  sql,
  type Body,
  type Parse,
} from './plpgsql-statements.js'
import type { PlBlock, PlBranch, PlDeclaration, PlHandler, PlStatement, PlStatements } from './plpgsql-tree.js'
import * as read from './reader.js'
import { Stuck } from './reader.js'
import type { SqlText } from './source.js'

/** Deeper nesting is no code that people write; it would only exhaust the stack. */
const MAX_DEPTH = 200

/**
 * Parses the body of a PL/pgSQL routine or DO block: an own recursive descent after PostgreSQL's pl_gram.y, so that every
 * part keeps its exact position and a statement that is not understood costs only itself (libpg_query gives no columns and
 * refuses whole bodies). Never throws; a text without a block gives a block with one unknown statement.
 */
export function parsePlpgsql(source: SqlText): PlBlock {
  const body: Body = { ...read.readerOf(source), depth: 0, cursors: new Map() }
  try {
    skipDirectives(body)
    const label = labelOf(body)
    if (read.isOneOf(body, 'declare', 'begin')) return block(body, read.startOf(body), label)
  } catch (error) {
    if (!(error instanceof Stuck)) throw error
  }
  const unknown: PlStatement = { kind: 'unknown', at: source, reason: 'no PL/pgSQL block found' }
  return { kind: 'block', at: source, label: null, declarations: [], body: [unknown], handlers: [] }
}

/** `#variable_conflict use_column` and the like (pl_gram.y comp_options): before the block, also after comments. */
function skipDirectives(body: Body): void {
  while (read.take(body, '#')) {
    read.name(body)
    read.name(body)
  }
}

// Blocks

function labelOf(body: Body): string | null {
  let label: string | null = null
  while (read.take(body, '<<')) {
    label = read.name(body)
    read.expect(body, '>>')
  }
  return label
}

function block(body: Body, start: number, label: string | null): PlBlock {
  const declarations: PlDeclaration[] = []
  while (read.take(body, 'declare')) {
    while (read.tokenOf(body) && !read.isOneOf(body, 'begin', 'declare')) declarations.push(...declaration(body))
  }
  read.expect(body, 'begin')
  const inner = statements(body, 'end', 'exception')
  const handlers: PlHandler[] = []
  if (read.take(body, 'exception')) {
    while (read.take(body, 'when')) {
      const conditions = read
        .until(body, 'then')
        .text.toLowerCase()
        .split(/\s+or\s+/)
      read.expect(body, 'then')
      handlers.push({ conditions, body: statements(body, 'end', 'when') })
    }
  }
  close(body, '')
  return { kind: 'block', at: read.since(body, start), label, declarations, body: inner, handlers }
}

/** A declaration; none where it is not understood. */
function declaration(body: Body): PlDeclaration[] {
  const start = read.startOf(body)
  const make = (name: string, rest: Partial<PlDeclaration>): PlDeclaration[] => {
    read.expect(body, ';')
    const at = read.since(body, start)
    return [{ name, at, type: '', constant: false, value: null, alias: null, cursor: null, ...rest }]
  }
  try {
    const name = read.name(body)
    if (read.take(body, 'alias')) {
      read.expect(body, 'for')
      return make(name, { alias: read.until(body, ';').text.trim().toLowerCase() })
    }
    const scroll = read.is(body, 'no') ? 2 : read.is(body, 'scroll') ? 1 : 0
    if (read.is(body, 'cursor', scroll)) {
      read.until(body, 'for', 'is')
      body.index++
      const cursor = read.until(body, ';')
      body.cursors.set(name, cursor)
      return make(name, { cursor })
    }
    const constant = read.take(body, 'constant')
    const type = read.until(body, ';', ':=', '=', 'default').text.toLowerCase().trim()
    if (!read.is(body, ';')) body.index++
    const value = read.is(body, ';') ? null : read.until(body, ';')
    return make(name, { type, constant, value })
  } catch (error) {
    if (!(error instanceof Stuck)) throw error
    read.skipStatement(body)
    return []
  }
}

/** Statements up to one of these words, which stays. */
function statements(body: Body, ...ends: readonly string[]): PlStatement[] {
  const found: PlStatement[] = []
  while (read.tokenOf(body) && !read.isOneOf(body, ...ends)) {
    if (read.take(body, ';')) continue
    const start = read.startOf(body)
    try {
      if (++body.depth > MAX_DEPTH) throw new Stuck('nested too deeply')
      found.push(statement(body, start))
    } catch (error) {
      if (!(error instanceof Stuck)) throw error
      read.skipStatement(body)
      found.push({ kind: 'unknown', at: read.since(body, start), reason: error.message })
    } finally {
      body.depth--
    }
  }
  return found
}

/** `END IF;` and its like; what is missing is forgiven. */
function close(body: Body, word: string): void {
  if (read.take(body, 'end')) read.take(body, word)
  if (read.tokenOf(body)?.kind === 'word' && read.is(body, ';', 1)) body.index++
  read.take(body, ';')
}

function loopBody(body: Body): PlStatements {
  read.expect(body, 'loop')
  const inner = statements(body, 'end')
  close(body, 'loop')
  return inner
}

// Statements

function statement(body: Body, start: number): PlStatement {
  const label = labelOf(body)
  if (read.isOneOf(body, 'declare', 'begin')) return block(body, start, label)
  if (isAssignment(body)) return assignment(body, start)
  const token = read.tokenOf(body)
  const parse = token?.kind === 'word' && Object.hasOwn(STATEMENTS, token.value) ? STATEMENTS[token.value] : undefined
  return (parse ?? sql)(body, start, label)
}

function ifStatement(body: Body, start: number): PlStatement {
  const branches: PlBranch[] = []
  do {
    body.index++
    const condition = read.until(body, 'then')
    read.expect(body, 'then')
    branches.push({ condition, body: statements(body, 'elsif', 'elseif', 'else', 'end') })
  } while (read.isOneOf(body, 'elsif', 'elseif'))
  const otherwise = read.take(body, 'else') ? statements(body, 'end') : []
  close(body, 'if')
  return { kind: 'if', branches, otherwise, at: read.since(body, start) }
}

function caseStatement(body: Body, start: number): PlStatement {
  const branches: PlBranch[] = []
  body.index++
  const subject = read.is(body, 'when') ? null : read.until(body, 'when')
  while (read.take(body, 'when')) {
    const condition = read.until(body, 'then')
    read.expect(body, 'then')
    branches.push({ condition, body: statements(body, 'when', 'else', 'end') })
  }
  const otherwise = read.take(body, 'else') ? statements(body, 'end') : null
  close(body, 'case')
  return { kind: 'case', subject, branches, otherwise, at: read.since(body, start) }
}

function loopStatement(body: Body, start: number, label: string | null): PlStatement {
  const inner = loopBody(body)
  return { kind: 'loop', body: inner, label, at: read.since(body, start) }
}

function whileStatement(body: Body, start: number, label: string | null): PlStatement {
  body.index++
  const condition = read.until(body, 'loop')
  const inner = loopBody(body)
  return { kind: 'while', condition, body: inner, label, at: read.since(body, start) }
}

function forStatement(body: Body, start: number, label: string | null): PlStatement {
  body.index++
  const variables = read.list(body, 'in').map(compact)
  read.expect(body, 'in')
  if (read.take(body, 'execute')) {
    const query = read.until(body, 'using', 'loop')
    const using = read.take(body, 'using') ? read.list(body, 'loop') : []
    const inner = loopBody(body)
    return { kind: 'for-dynamic', variables, query, using, body: inner, label, at: read.since(body, start) }
  }
  read.take(body, 'reverse')
  const first = read.until(body, '..', 'loop')
  if (read.take(body, '..')) {
    const to = read.until(body, 'by', 'loop')
    if (read.take(body, 'by')) read.until(body, 'loop')
    const inner = loopBody(body)
    const variable = variables[0] ?? ''
    return { kind: 'for-integer', variable, from: first, to, body: inner, label, at: read.since(body, start) }
  }
  const cursor = /^\s*"?(\w+)"?\s*(?:\(|$)/.exec(first.text)?.[1]?.toLowerCase()
  const isQuery = cursor === undefined || cursor === 'values' || cursor === 'select'
  const query = isQuery ? first : (body.cursors.get(cursor) ?? null)
  const inner = loopBody(body)
  return { kind: 'for-query', variables, query, body: inner, label, at: read.since(body, start) }
}

function foreachStatement(body: Body, start: number, label: string | null): PlStatement {
  body.index++
  const variables = read.list(body, 'in', 'slice').map(compact)
  if (read.take(body, 'slice')) body.index++
  read.expect(body, 'in')
  read.expect(body, 'array')
  const array = read.until(body, 'loop')
  const inner = loopBody(body)
  return { kind: 'foreach', variables, array, body: inner, label, at: read.since(body, start) }
}

const STATEMENTS: Readonly<Record<string, Parse>> = {
  if: ifStatement,
  case: caseStatement,
  loop: loopStatement,
  while: whileStatement,
  for: forStatement,
  foreach: foreachStatement,
  exit: leaveStatement,
  continue: leaveStatement,
  return: returnStatement,
  execute: executeStatement,
  get: diagnosticsStatement,
  open: openStatement,
  fetch: fetchStatement,
  move: fetchStatement,
  perform: performStatement,
  raise: raiseStatement,
  commit: simple('commit'),
  rollback: simple('rollback'),
  null: simple('null'),
  assert: simple('assert'),
  close: simple('close'),
}
