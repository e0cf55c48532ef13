import type { SqlText } from '../sql/index.js'
import { bareName } from './heads.js'
import { Exhausted, Raised, rootFrame, type Machine } from './machine.js'
import type { ObjectValue } from './value.js'

/**
 * The rows that migrations put into tables. What writes them is kept as text and run when somebody reads the table:
 * configuration is read, megabytes of seeds are not.
 */
export interface RowStore {
  /** A new row is pushed, so that a dump of many statements takes a time in proportion; all else makes a new list. */
  readonly tables: Map<string, ObjectValue[]>
  readonly pending: Map<string, SqlText[]>
  readonly done: WeakSet<SqlText>
}

/** Longer statements are data, no configuration. */
const LONGEST = 200_000

export function newStore(): RowStore {
  return { tables: new Map(), pending: new Map(), done: new WeakSet() }
}

/** Keeps a statement for whoever reads that table. */
export function postpone(store: RowStore, table: string, statement: SqlText): void {
  if (statement.text.length > LONGEST) return
  const list = store.pending.get(table)
  if (list) list.push(statement)
  else store.pending.set(table, [statement])
}

const WRITES =
  /\b(?:insert\s+into|update(?:\s+only)?|delete\s+from)\s+((?:(?:"[^"]+"|[\w$]+)\s*\.\s*)?(?:"[^"]+"|[\w$]+))/gi

/** Keeps a DO block or a WITH for every table that it writes to. */
export function postponeWrites(store: RowStore, statement: SqlText): void {
  if (statement.text.length > LONGEST) return
  const names = new Set([...statement.text.matchAll(WRITES)].map((match) => bareName(match[1]!)))
  if (/\bvault\s*\.\s*"?create_secret/i.test(statement.text)) names.add('decrypted_secrets')
  for (const name of names) if (name !== 'set' && name !== 'job') postpone(store, name, statement)
}

/** The rows of a table that are known; runs what was postponed. */
export function storedRows(machine: Machine, table: string): readonly ObjectValue[] {
  flush(machine, table)
  return machine.store.tables.get(table) ?? []
}

/** Adds a row to a table whose other rows are known by now. */
export function addRow(machine: Machine, table: string, row: ObjectValue): void {
  const rows = machine.store.tables.get(table)
  if (rows) rows.push(row)
  else machine.store.tables.set(table, [row])
}

function flush(machine: Machine, table: string): void {
  const waiting = machine.store.pending.get(table)
  if (!waiting) return
  machine.store.pending.delete(table)
  // Only rows count here: a block that also schedules was or will be run for that in its turn.
  const aside: Machine = {
    ...machine,
    frozen: false,
    sends: [],
    writes: [],
    path: { arms: [], last: 0 },
    jobs: { ...machine.jobs },
    diagnostics: { all: [], seen: new Set() },
    budget: { left: 20_000, depth: 0 },
  }
  for (const statement of waiting) {
    if (machine.store.done.has(statement)) continue
    machine.store.done.add(statement)
    try {
      machine.interpreter.script(rootFrame(aside, statement), statement)
    } catch (error) {
      if (!(error instanceof Raised || error instanceof Exhausted)) throw error
    }
  }
}
