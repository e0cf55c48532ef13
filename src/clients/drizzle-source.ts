import { UNKNOWN, foreign, type Foreign, type ForeignData, type Machine, type Value } from '../typescript/index.js'
import type { OrmQuery } from './builder.js'
import { columnValue, isColumn, isTable, namesOf, type Table } from './drizzle-schema.js'
import { AS_THEY_ARE, columnFor, snakeCase, textOrNull, type Names } from './names.js'

/** What stands behind FROM, UPDATE, INSERT INTO: a table, a query, or something that is not known. */
export interface Source {
  readonly name: string | null
  readonly schema: string | null
  readonly called: ReadonlySet<string>
  readonly names: Names
  /** A sub-query or WITH query. */
  readonly query: OrmQuery | null
  /** The names of a row that `select(fields)` gives. */
  fieldsOf(fields: Value | null, machine: Machine): Names
}

/** A query that stands in another one by a name: `.as('due')`, `db.$with('due').as(…)`. */
interface Subquery extends ForeignData {
  readonly type: 'orm:subquery'
  readonly query: OrmQuery
}

export const isSubquery = (value: Value | undefined): value is Foreign & { data: Subquery } =>
  value?.kind === 'foreign' && value.data.type === 'orm:subquery'

export const subquery = (query: OrmQuery): Foreign => foreign({ type: 'orm:subquery', query } as Subquery)

export function asSource(value: Value | undefined, snake: boolean): Source {
  if (isSubquery(value)) {
    const { query } = value.data
    const { called, names } = query.orm
    return {
      name: textOrNull(query.table),
      schema: query.schema,
      called,
      names,
      query,
      fieldsOf: (fields, machine) => (fields ? fieldNames(fields, called, snake, machine) : names),
    }
  }
  if (!isTable(value)) {
    const nothing = { name: null, schema: null, called: new Set<string>(), names: AS_THEY_ARE, query: null }
    return { ...nothing, fieldsOf: () => AS_THEY_ARE }
  }
  const { name, schema } = value.data
  const called = new Set([name])
  const names = namesOf(value.data, snake)
  const fieldsOf = (fields: Value | null, machine: Machine): Names =>
    fields ? fieldNames(fields, called, snake, machine) : names
  return { name, schema, called, names, query: null, fieldsOf }
}

/** `select({ to: crates.email, depot: depots })`: what each key of the row stands for. */
export function fieldNames(fields: Value, called: ReadonlySet<string>, snake: boolean, machine: Machine): Names {
  const columns = new Map<string, string | Names>()
  for (const [key, value] of machine.objectCell(fields)?.props ?? []) {
    if (isColumn(value)) {
      const { table, column } = value.data
      const name = snake ? snakeCase(column) : column
      columns.set(key, called.has(table) ? name : `${table}.${name}`)
    } else if (isTable(value)) columns.set(key, behind(value.data, called, snake))
    else if (machine.objectCell(value)) columns.set(key, fieldNames(value, called, snake, machine))
  }
  return { columns, snake: false }
}

/** The row of a table that stands behind its name in a joined row. */
export function behind(table: Table, called: ReadonlySet<string>, snake: boolean): Names {
  if (called.has(table.name)) return namesOf(table, snake)
  return { columns: new Map([...table.columns].map(([key, column]) => [key, `${table.name}.${column}`])), snake: false }
}

/** A column of a query that has a name. */
export function subqueryColumn(value: Foreign & { data: Subquery }, name: string | null): Value {
  const { orm, table } = value.data.query
  const column = name === null ? null : columnFor(orm.names, name)
  return typeof column === 'string' ? columnValue(String(textOrNull(table)), column) : UNKNOWN
}
