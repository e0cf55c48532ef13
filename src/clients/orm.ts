import type { External, Foreign, Machine, Site, Taints, Value } from '../typescript/index.js'
import { isOrmQuery } from './builder.js'
import { isChunk } from './chunk.js'
import { drizzleFactory, drizzleMethod, drizzleProperty } from './drizzle.js'
import { operatorCall, sqlHelper, sqlTag } from './drizzle-operators.js'
import { extendDrizzle, isSubquery, subqueryColumn } from './drizzle-query.js'
import { columnsOf, isTable, schemaCall, schemaMethod, schemaProperty, typeCall } from './drizzle-schema.js'
import type { Query } from './query.js'
import type { SqlRun } from './sql.js'

/** The one door of the query builders for SQL: each function asks drizzle, then kysely; undefined: it is neither's. */

export const isOrm = (value: Foreign): boolean => value.data.type.startsWith('orm:')

export function ormExternal(
  packageName: string,
  value: External,
  args: readonly Value[],
  made: 'call' | 'new',
  machine: Machine,
  site: Site,
): Value | undefined {
  if (packageName !== 'drizzle-orm' || made !== 'call') return undefined
  const name = value.path[value.path.length - 1] ?? ''
  if (value.path[0] === 'sql') return sqlHelper(name, args, machine, site)
  const [first] = args
  if ((name === 'getTableColumns' || name === 'getColumns') && isTable(first)) return columnsOf(first.data, machine)
  return (
    schemaCall(value, args, machine, site) ?? drizzleFactory(value, args, machine) ?? operatorCall(name, args, machine)
  )
}

export const ormProperty = (value: Foreign, name: string | null, _machine: Machine): Value | undefined =>
  isSubquery(value) ? subqueryColumn(value, name) : (schemaProperty(value, name) ?? drizzleProperty(value, name))

export function ormMethod(
  value: Foreign,
  name: string,
  args: readonly Value[],
  machine: Machine,
  site: Site,
  run: SqlRun,
): Value | undefined {
  if (name === 'then' || name === 'catch' || name === 'finally') return undefined
  // `.as('name')`, `.mapWith(Number)`: it stays that piece of SQL.
  if (isChunk(value)) return value
  return schemaMethod(value, name, args, machine, site) ?? drizzleMethod(value, name, args, machine, site, run)
}

export const ormCall = (value: Foreign, args: readonly Value[], _machine: Machine, _site: Site): Value | undefined =>
  typeCall(value, args)

export const ormTaints = (value: Foreign): Taints => (isChunk(value) ? value.data.chunk.taints : new Set())

export const ormTemplate = (
  packageName: string,
  tag: External,
  strings: readonly string[],
  values: readonly Value[],
  machine: Machine,
  site: Site,
): Value | undefined =>
  packageName === 'drizzle-orm' && tag.path[tag.path.length - 1] === 'sql'
    ? sqlTag(strings, values, machine, site)
    : undefined

/** One more link of a query's chain; undefined: PostgREST's own, null: nothing that is known. */
export function extendOrm(
  query: Query,
  name: string,
  args: readonly Value[],
  machine: Machine,
  _site: Site,
): Value | null | undefined {
  if (!isOrmQuery(query)) return undefined
  return extendDrizzle(query, name, args, machine)
}
