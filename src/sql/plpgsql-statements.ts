/** The statements of PL/pgSQL that hold no others (PostgreSQL docs 43.5, 43.6.1, 43.7). */
import type { PlInto, PlStatement } from './plpgsql-tree.js'
import * as read from './reader.js'
import { Stuck, type Reader } from './reader.js'
import { overwritten, slice, type SqlText } from './source.js'

/** The state of one parse. */
export interface Body extends Reader {
  depth: number
  /** Queries of the cursors declared or opened so far. */
  readonly cursors: Map<string, SqlText>
}

/** Parses one statement whose first token is at hand. @throws Stuck */
export type Parse = (body: Body, start: number, label: string | null) => PlStatement

/** `name[.field | [index]]…` and then `:=` or `=`. */
export function isAssignment(body: Body): boolean {
  const kind = read.tokenOf(body)?.kind
  if (kind !== 'word' && kind !== 'quoted' && kind !== 'parameter') return false
  let ahead = 1
  for (;;) {
    if (read.is(body, '.', ahead)) ahead += 2
    else if (read.is(body, '[', ahead)) {
      let depth = 0
      do {
        if (read.is(body, '[', ahead)) depth++
        else if (read.is(body, ']', ahead)) depth--
        else if (read.is(body, ';', ahead) || !body.tokens[body.index + ahead]) return false
        ahead++
      } while (depth > 0)
    } else return read.is(body, ':=', ahead) || read.is(body, '=', ahead)
  }
}

export function compact(text: SqlText): string {
  return text.text.replace(/\s+/g, '').toLowerCase()
}

export function assignment(body: Body, start: number): PlStatement {
  const target = compact(read.until(body, ':=', '='))
  body.index++
  const value = read.until(body, ';')
  read.expect(body, ';')
  return { kind: 'assign', target, value, at: read.since(body, start) }
}

export function leaveStatement(body: Body, start: number): PlStatement {
  const kind = read.is(body, 'exit') ? 'exit' : 'continue'
  body.index++
  const label = read.isOneOf(body, ';', 'when') ? null : read.name(body)
  const when = read.take(body, 'when') ? read.until(body, ';') : null
  read.expect(body, ';')
  return { kind, label, when, at: read.since(body, start) }
}

export function returnStatement(body: Body, start: number): PlStatement {
  body.index++
  if (read.take(body, 'query')) {
    const dynamic = read.take(body, 'execute')
    const query = dynamic ? read.until(body, 'using', ';') : read.until(body, ';')
    const using = read.take(body, 'using') ? read.list(body, ';') : []
    read.expect(body, ';')
    const at = read.since(body, start)
    return dynamic ? { kind: 'return-dynamic', query, using, at } : { kind: 'return-query', query, at }
  }
  const kind = read.take(body, 'next') ? 'return-next' : 'return'
  const value = read.is(body, ';') ? null : read.until(body, ';')
  read.expect(body, ';')
  return { kind, value, at: read.since(body, start) }
}

export function executeStatement(body: Body, start: number): PlStatement {
  body.index++
  const query = read.until(body, 'into', 'using', ';')
  let target: PlInto | null = null
  let using: SqlText[] = []
  while (!read.is(body, ';')) {
    if (read.take(body, 'into')) target = into(body)
    else if (read.take(body, 'using')) using = read.list(body, 'into', ';')
    else throw new Stuck('INTO or USING expected')
  }
  read.expect(body, ';')
  return { kind: 'execute', query, into: target, using, at: read.since(body, start) }
}

/** The targets after INTO. */
function into(body: Body): PlInto {
  const strict = read.take(body, 'strict')
  const targets: string[] = []
  do {
    let target = read.name(body)
    while (read.take(body, '.')) target += `.${read.name(body)}`
    if (read.take(body, '[')) {
      target += `[${compact(read.until(body, ']'))}]`
      read.expect(body, ']')
    }
    targets.push(target)
  } while (read.take(body, ','))
  return { targets, strict }
}

export function diagnosticsStatement(body: Body, start: number): PlStatement {
  body.index++
  if (!read.take(body, 'current')) read.take(body, 'stacked')
  read.expect(body, 'diagnostics')
  const items = read.list(body, ';').map((each) => {
    const [target = '', item = ''] = compact(each).split(/:?=/)
    return { target, item }
  })
  read.expect(body, ';')
  return { kind: 'get-diagnostics', items, at: read.since(body, start) }
}

export function openStatement(body: Body, start: number): PlStatement {
  body.index++
  const cursor = read.name(body)
  read.until(body, 'for', ';')
  let query = body.cursors.get(cursor) ?? null
  let dynamic = false
  if (read.take(body, 'for')) {
    dynamic = read.take(body, 'execute')
    query = read.until(body, ';')
    if (!dynamic) body.cursors.set(cursor, query)
  }
  read.expect(body, ';')
  return { kind: 'open', cursor, query, dynamic, at: read.since(body, start) }
}

export function fetchStatement(body: Body, start: number): PlStatement {
  body.index++
  const cursor = read.until(body, 'into', ';').text.trim().split(/\s+/).at(-1)?.toLowerCase() ?? ''
  const target = read.take(body, 'into') ? into(body) : null
  read.expect(body, ';')
  return { kind: 'fetch', cursor, into: target, at: read.since(body, start) }
}

export function performStatement(body: Body, start: number): PlStatement {
  const whole = read.until(body, ';')
  read.expect(body, ';')
  // SELECT and a blank are as long as PERFORM, so every offset stays.
  return { kind: 'perform', query: overwritten(whole, `SELECT ${whole.text.slice(7)}`), at: read.since(body, start) }
}

export function raiseStatement(body: Body, start: number): PlStatement {
  body.index++
  const word = read.tokenOf(body)?.value ?? ''
  const level = ['debug', 'log', 'info', 'notice', 'warning'].includes(word) ? word : 'exception'
  read.until(body, ';')
  read.expect(body, ';')
  return { kind: 'raise', level, at: read.since(body, start) }
}

export function simple(kind: 'commit' | 'rollback' | 'null' | 'assert' | 'close'): Parse {
  return (body, start) => {
    read.until(body, ';')
    read.expect(body, ';')
    return { kind, at: read.since(body, start) }
  }
}

/** Any other statement is SQL. The first INTO that is not INSERT INTO or MERGE INTO names variables (pl_gram.y). */
export function sql(body: Body, start: number): PlStatement {
  let target: PlInto | null = null
  let blankFrom = 0
  let blankTo = 0
  for (const first = body.index; read.tokenOf(body) && !read.is(body, ';');) {
    const previous = body.tokens[body.index - 1]?.value ?? ''
    if (!target && body.index > first && read.is(body, 'into') && !['insert', 'merge'].includes(previous)) {
      blankFrom = read.startOf(body) - start
      body.index++
      target = into(body)
      blankTo = read.endOf(body) - start
    } else body.index++
  }
  const whole = slice(body.source, start, read.endOf(body))
  read.expect(body, ';')
  const blank = ' '.repeat(blankTo - blankFrom)
  const query = target ? overwritten(whole, whole.text.slice(0, blankFrom) + blank + whole.text.slice(blankTo)) : whole
  return { kind: 'sql', query, into: target, at: read.since(body, start) }
}
