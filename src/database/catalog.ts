import type { Table } from '../model/index.js'
import type { PlStatement, SqlText } from '../sql/index.js'
import { bareName, type Head } from './heads.js'
import { applyRoutine, bodyOf, type Parse, type RoutineEntry } from './routines.js'
import { applyTable, tableOf, type TableDraft, type Trigger } from './tables.js'

/**
 * What migrations define, folded on demand: the statements of each name are kept in order and parsed when somebody asks for that name.
 * A project may have thousands of routines; an audit needs a dozen.
 */
export interface Catalog {
  readonly routines: Map<string, History<readonly RoutineEntry[]>>
  readonly tables: Map<string, History<TableDraft | null>>
  /** The table of an index, by the index's name. */
  readonly indexes: Map<string, string>
  readonly parse: Parse
}

interface History<T> {
  readonly statements: SqlText[]
  /** How many of them `state` holds. */
  applied: number
  state: T
}

export function newCatalog(parse: Parse): Catalog {
  return { routines: new Map(), tables: new Map(), indexes: new Map(), parse }
}

/** Records a statement of DDL; true where it was one. */
export function define(catalog: Catalog, head: Head, statement: SqlText): boolean {
  switch (head.kind) {
    case 'create routine':
    case 'drop routine':
      for (const name of head.names) append(catalog.routines, name, statement, [])
      return true
    case 'create table':
    case 'create trigger':
    case 'drop table':
    case 'drop trigger':
      for (const name of head.names) append(catalog.tables, name, statement, null)
      return true
    case 'alter table':
      append(catalog.tables, head.names[0]!, statement, null)
      rename(catalog, head.names[0]!, statement)
      return true
    case 'create index': {
      const index = /index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?("[^"]+"|[\w$]+)\s+on\s/i.exec(
        statement.text,
      )?.[1]
      if (index) catalog.indexes.set(bareName(index), head.names[0]!)
      append(catalog.tables, head.names[0]!, statement, null)
      return true
    }
    case 'drop index':
      for (const name of head.names) {
        const table = catalog.indexes.get(name)
        if (table) append(catalog.tables, table, statement, null)
      }
      return true
    default:
      return false
  }
}

function append<T>(histories: Map<string, History<T>>, name: string, statement: SqlText, empty: T): void {
  const history = histories.get(name)
  if (history) history.statements.push(statement)
  else histories.set(name, { statements: [statement], applied: 0, state: empty })
}

/** After ALTER TABLE … RENAME TO the history goes on under the new name. */
function rename(catalog: Catalog, name: string, statement: SqlText): void {
  const next = /\srename\s+to\s+("[^"]+"|[\w$]+)\s*$/i.exec(statement.text)?.[1]
  const history = catalog.tables.get(name)
  if (!next || !history) return
  catalog.tables.delete(name)
  catalog.tables.set(bareName(next), history)
  for (const [index, table] of catalog.indexes) if (table === name) catalog.indexes.set(index, bareName(next))
}

function fold<T>(
  history: History<T> | undefined,
  empty: T,
  parse: Parse,
  apply: (state: T, statement: SqlText, parse: Parse) => T,
): T {
  if (!history) return empty
  while (history.applied < history.statements.length) {
    history.state = apply(history.state, history.statements[history.applied++]!, parse)
  }
  return history.state
}

/** The routines of a name, each with its last definition; with a schema only those in it. */
export function routinesNamed(catalog: Catalog, name: string, schema: string | null = null): readonly RoutineEntry[] {
  const all = fold(catalog.routines.get(name), [], catalog.parse, applyRoutine)
  return schema === null ? all : all.filter((entry) => entry.routine.schema === schema)
}

export function tableNamed(catalog: Catalog, name: string): TableDraft | null {
  return fold(catalog.tables.get(name), null, catalog.parse, applyTable)
}

/** A table of the model, with the columns that its triggers move at every update. */
export function modelTable(catalog: Catalog, name: string): Table | null {
  const draft = tableNamed(catalog, name)
  if (draft === null || draft.mixed) return null
  const triggers = draft.triggers.filter((each) => each.before && each.onUpdate)
  return tableOf(
    draft,
    triggers.flatMap((each) => touchedBy(catalog, each)),
  )
}

/** All triggers of the project. */
export function triggersOf(catalog: Catalog): Trigger[] {
  return [...catalog.tables].flatMap(([name, history]) =>
    history.statements.some((statement) => /^create\s[^]{0,40}trigger/i.test(statement.text))
      ? (tableNamed(catalog, name)?.triggers ?? [])
      : [],
  )
}

const MOVES =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timezone|gen_random_uuid|nextval)\s*\(|\bcurrent_timestamp\b|\blocaltimestamp\b/i

/** Columns that a BEFORE UPDATE trigger sets anew whatever the update was: `NEW.updated_at := now()`, `NEW.version := OLD.version + 1`. */
function touchedBy(catalog: Catalog, trigger: Trigger): string[] {
  // The moddatetime extension ships with Supabase: its argument is the column.
  if (trigger.routine === 'moddatetime') return trigger.arguments.slice(0, 1)
  const entry = routinesNamed(catalog, trigger.routine, null)[0]
  const body = entry && bodyOf(entry)
  if (body?.language !== 'plpgsql') return []
  return unconditional(body.block.body).flatMap((statement) => {
    if (statement.kind !== 'assign') return []
    const column = /^new\."?([^".[]+)"?$/.exec(statement.target)?.[1]
    if (column === undefined) return []
    const value = statement.value.text
    const counts = new RegExp(`\\bold\\s*\\.\\s*"?${column.replace(/[^\w]/g, '.')}"?\\s*\\+`, 'i').test(value)
    return MOVES.test(value) || counts ? [column] : []
  })
}

/** The statements of a body that run whenever it runs. */
function unconditional(statements: readonly PlStatement[]): PlStatement[] {
  return statements.flatMap((statement) => (statement.kind === 'block' ? unconditional(statement.body) : [statement]))
}
