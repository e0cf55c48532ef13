import type { External, Foreign, Machine, Site, Taints, Value } from '../typescript/index.js'
import { UNKNOWN } from '../typescript/index.js'
import { isOrmQuery } from './builder.js'
import { isChunk, textOfChunk, type Chunk } from './chunk.js'
import { isCondition } from './condition.js'
import { drizzleFactory, drizzleMethod, drizzleProperty } from './drizzle.js'
import { operatorCall, sqlHelper, sqlTag } from './drizzle-operators.js'
import { extendDrizzle } from './drizzle-query.js'
import { isSubquery, subqueryColumn } from './drizzle-source.js'
import { columnsOf, isTable, schemaCall, schemaMethod, schemaProperty, typeCall } from './drizzle-schema.js'
import { kyselyFactory, kyselyMethod, kyselyProperty, startKysely } from './kysely.js'
import {
  builder,
  builderMethod,
  callBuilder,
  conditionMethod,
  isBuilder,
  kyselyHelper,
  kyselyTag,
} from './kysely-expression.js'
import { conflictMethod, isConflict } from './kysely-conflict.js'
import { extendKysely } from './kysely-query.js'
import type { Query } from './query.js'
import type { SqlRun } from './sql.js'

/** The one door of the query builders for SQL: drizzle and kysely; undefined: it is neither's. */

export const isOrm = (value: Foreign): boolean => value.data.type.startsWith('orm:')

export function ormExternal(
  packageName: string,
  value: External,
  args: readonly Value[],
  made: 'call' | 'new',
  machine: Machine,
  site: Site,
): Value | undefined {
  const name = value.path[value.path.length - 1] ?? ''
  if (packageName === 'kysely') {
    if (made === 'new') return kyselyFactory(value, args, machine)
    return value.path[0] === 'sql' ? kyselyHelper(name, args, machine, site) : undefined
  }
  if (packageName !== 'drizzle-orm' || made !== 'call') return undefined
  if (value.path[0] === 'sql') return sqlHelper(name, args, machine, site)
  const [first] = args
  if ((name === 'getTableColumns' || name === 'getColumns') && isTable(first)) return columnsOf(first.data, machine)
  return (
    schemaCall(value, args, machine, site) ??
    drizzleFactory(value, args, machine) ??
    operatorCall(name, args, machine, site)
  )
}

export function ormProperty(value: Foreign, name: string | null): Value | undefined {
  if (isBuilder(value)) return name === null ? UNKNOWN : builder(value.data.db, name === 'eb' ? null : name)
  if (isSubquery(value)) return subqueryColumn(value, name)
  return schemaProperty(value, name) ?? drizzleProperty(value, name) ?? kyselyProperty(value)
}

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
  if (isChunk(value)) return name === 'execute' ? runChunk(value.data.chunk, machine, run) : value
  if (isCondition(value)) return conditionMethod(value, name, args, machine, site)
  if (isConflict(value)) return conflictMethod(value.data, name, args, machine)
  if (isBuilder(value)) {
    if (value.data.member !== null) return UNKNOWN
    return builderMethod(value.data, name, args, machine, site) ?? startKysely(value.data.db, name, args, machine, site)
  }
  return (
    schemaMethod(value, name, args, machine, site) ??
    drizzleMethod(value, name, args, machine, site, run) ??
    kyselyMethod(value, name, args, machine, site)
  )
}

/** kysely: sql`…`.execute(db). */
const runChunk = (chunk: Chunk, machine: Machine, run: SqlRun): Value =>
  run({ text: textOfChunk(chunk), values: chunk.values, repeatable: false, site: chunk.site }, machine, chunk.site)

export function ormCall(value: Foreign, args: readonly Value[], machine: Machine, site: Site): Value | undefined {
  if (!isBuilder(value)) return typeCall(value, args)
  const { member, db } = value.data
  return callBuilder(value.data, args, machine, site) ?? startKysely(db, member ?? '', args, machine, site)
}

export const ormTaints = (value: Foreign): Taints => (isChunk(value) ? value.data.chunk.taints : new Set())

export function ormTemplate(
  packageName: string,
  tag: External,
  strings: readonly string[],
  values: readonly Value[],
  machine: Machine,
  site: Site,
): Value | undefined {
  if (tag.path[tag.path.length - 1] !== 'sql') return undefined
  if (packageName === 'drizzle-orm') return sqlTag(strings, values, machine, site)
  return packageName === 'kysely' ? kyselyTag(strings, values, machine, site) : undefined
}

/** One more link of a query's chain; undefined: the query is PostgREST's, null: the link is not known. */
export function extendOrm(
  query: Query,
  name: string,
  args: readonly Value[],
  machine: Machine,
  site: Site,
): Value | null | undefined {
  if (!isOrmQuery(query)) return undefined
  return query.orm.dialect === 'drizzle'
    ? extendDrizzle(query, name, args, machine)
    : extendKysely(query, name, args, machine, site)
}
