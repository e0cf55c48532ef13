import type { Lock } from '../claims/index.js'
import { UNKNOWN, constant, type Machine, type Site, type Value } from '../typescript/index.js'
import { AS_THEY_ARE, onOwnTable, type Names } from './names.js'
import type { Filter } from './filters.js'
import { isQuery, type Query } from './query.js'
import { countOf, maybeRowOf, rowOf, rowsOf } from './results.js'
import type { Statement } from './statement.js'

/** What query builders for SQL have and PostgREST has not. */
export interface OrmPart {
  readonly dialect: 'drizzle' | 'kysely'
  /** Conditions may call the table by these. */
  readonly called: ReadonlySet<string>
  /** The table's columns. */
  readonly columns: Names
  /** Those of the rows that come back. */
  readonly names: Names
  /** Columns are written in camelCase and have no such names in the database. */
  readonly snake: boolean
  readonly lock: Lock
  /** drizzle's `where` replaces the one before; these stay. */
  readonly base: readonly Filter[]
  /** Queries that a WITH has named. */
  readonly beside: ReadonlyMap<string, OrmQuery>
  /** What kysely waits for: `execute()` and its like. A query of drizzle is sent when it is awaited. */
  readonly ready: boolean
  readonly take: 'all' | 'first' | 'first-or-throw'
  /** Why what it takes cannot be judged here. */
  readonly unjudged: string | null
  /** Where isolation makes the second writer of a row fail (REPEATABLE READ and above). */
  readonly repeatable: boolean
}

export const PLAIN: OrmPart = {
  dialect: 'drizzle',
  called: new Set(),
  columns: AS_THEY_ARE,
  names: AS_THEY_ARE,
  snake: false,
  lock: 'none',
  base: [],
  beside: new Map(),
  ready: false,
  take: 'all',
  unjudged: null,
  repeatable: false,
}

/** Inserts that are more than a row that is there or not. */
export const UNJUDGED = {
  conditional: 'an ON CONFLICT DO UPDATE with a condition is not judged here',
  selected: 'an insert of what a query gives is not judged here',
} as const

export interface OrmQuery extends Query {
  readonly orm: OrmPart
}

export const isOrmQuery = (query: Query): query is OrmQuery => query.orm !== undefined

/** A query on a table, before anything else is said. */
export function startQuery(
  verb: Query['verb'],
  table: { readonly name: string | null; readonly schema: string | null },
  orm: OrmPart,
  site: Site,
): OrmQuery {
  return {
    verb,
    table: table.name === null ? UNKNOWN : constant(table.name),
    schema: table.schema,
    filters: [],
    payload: null,
    options: null,
    returning: false,
    shape: 'list',
    limit: null,
    throws: true,
    site,
    // A fix is printed in supabase-js, which this client is not.
    client: null,
    viaHttp: false,
    orm,
  }
}

export const withOrm = (query: OrmQuery, part: Partial<OrmPart>): OrmQuery => ({
  ...query,
  orm: { ...query.orm, ...part },
})

/** With one more condition. */
export const restricted = (query: OrmQuery, filter: Filter): OrmQuery => ({
  ...query,
  filters: [...query.filters, onOwnTable(filter, query.orm.called, query.orm.snake)],
})

/** Stands for the columns of a condition of which nothing is known. */
export const ANY_COLUMN = '*'

export const unreadFilter = (text: string, columns: readonly string[] = []): Filter => ({
  kind: 'other',
  columns,
  text,
})

/** An insert of what another query gives: it is about the rows that the other one is about. */
export function insertOf(query: OrmQuery, given: Value | undefined): OrmQuery {
  const inner = given?.kind === 'foreign' && isQuery(given) ? given.data.query : null
  const filters: Filter[] = inner ? [{ kind: 'not', filter: { kind: 'found', column: '', query: inner } }] : []
  return withOrm({ ...query, filters }, { unjudged: UNJUDGED.selected })
}

/** An insert that meets a row: nothing happens, or that row is updated. */
export const onConflict = (
  query: OrmQuery,
  action: 'nothing' | 'update',
  columns: readonly string[],
  machine: Machine,
): OrmQuery => ({
  ...query,
  verb: 'upsert',
  options: machine.object([
    ['ignoreDuplicates', constant(action === 'nothing')],
    ...(columns.length > 0 ? [['onConflict', constant(columns.join(','))] as const] : []),
  ]),
})

/** Awaited as it is, a query of kysely sends nothing; one of drizzle is a promise. */
export const waits = (query: OrmQuery): boolean => query.orm.dialect === 'kysely' && !query.orm.ready

/** Do rows come back? */
const givesRows = (query: Query): boolean => query.verb === 'select' || query.returning

/** The query as it is sent: one row is asked for only where rows come back. */
export function asSent(query: OrmQuery, machine: Machine): OrmQuery {
  const written = query.payload ? [...(machine.objectCell(query.payload)?.props.keys() ?? [])] : []
  const filters = query.filters.map((filter) => aboutWritten(filter, written))
  const first = query.orm.take !== 'all' && givesRows(query)
  return { ...query, filters, shape: first ? 'maybe-one' : 'list' }
}

/** A condition that may ask for any column may ask for those that the query writes. */
function aboutWritten(filter: Filter, written: readonly string[]): Filter {
  switch (filter.kind) {
    case 'other':
      return filter.columns.includes(ANY_COLUMN) ? { ...filter, columns: [...filter.columns, ...written] } : filter
    case 'not':
      return { ...filter, filter: aboutWritten(filter.filter, written) }
    case 'any':
    case 'all':
      return { ...filter, filters: filter.filters.map((each) => aboutWritten(each, written)) }
    default:
      return filter
  }
}

/** Does a query that did not throw have its row? An insert that meets another row throws; so does a first row that is not there. */
export const bringsRow = (query: OrmQuery): boolean =>
  query.verb === 'insert' || (query.orm.take === 'first-or-throw' && givesRows(query))

/** What the program gets: rows, a row, or what the database says of a write. */
export function given(query: OrmQuery, statement: Statement, machine: Machine): Value {
  const { orm } = query
  const { id } = statement
  if (givesRows(query)) {
    if (orm.take === 'all') return rowsOf(id, orm.names)
    return orm.take === 'first' ? maybeRowOf(id, orm.names) : rowOf(id, orm.names)
  }
  // The drivers' own answer: postgres.js has `count`, node-postgres `rowCount`.
  if (orm.dialect === 'drizzle') return rowsOf(id)
  // UpdateResult, DeleteResult, InsertResult: always there, whatever was written
  // (https://kysely-org.github.io/kysely-apidoc/classes/UpdateResult.html).
  const result = machine.object(
    ['numUpdatedRows', 'numChangedRows', 'numDeletedRows', 'numInsertedOrUpdatedRows'].map((name) => [
      name,
      countOf(id),
    ]),
  )
  return orm.take === 'all' ? machine.list({ items: [result], element: result }) : result
}
