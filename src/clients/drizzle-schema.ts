import {
  UNKNOWN,
  constant,
  foreign,
  type External,
  type Foreign,
  type ForeignData,
  type Machine,
  type Site,
  type Value,
} from '../typescript/index.js'
import { snakeCase, textOrNull, type Names } from './names.js'

/**
 * Tables as drizzle declares them: `pgTable('crates', { dueAt: timestamp('due_at') })`. A column's name in the database is
 * the builder's first argument, else its key (https://orm.drizzle.team/docs/sql-schema-declaration).
 */
export interface Table extends ForeignData {
  readonly type: 'orm:table'
  readonly name: string
  readonly schema: string | null
  /** Columns by key. */
  readonly columns: ReadonlyMap<string, string>
}

export interface Column extends ForeignData {
  readonly type: 'orm:column'
  readonly table: string
  readonly column: string
}

/** The type of a column, of an index, of a check: `uuid('id').primaryKey()`. */
interface ColumnType extends ForeignData {
  readonly type: 'orm:type'
  readonly name: string | null
}

/** `pgSchema('depot')`. */
interface Schema extends ForeignData {
  readonly type: 'orm:schema'
  readonly name: string | null
}

const isOf =
  <Data extends ForeignData>(type: Data['type']) =>
  (value: Value | undefined): value is Foreign & { data: Data } =>
    value?.kind === 'foreign' && value.data.type === type

export const isTable = isOf<Table>('orm:table')
export const isColumn = isOf<Column>('orm:column')
const isType = isOf<ColumnType>('orm:type')
const isSchema = isOf<Schema>('orm:schema')

const MAKERS = new Set(['pgTable', 'pgView', 'pgMaterializedView', 'table', 'view', 'materializedView'])

/** The core packages of other databases than PostgreSQL are not followed. */
const PG_CORE = /drizzle-orm(@[^/]*)?\/pg-core/

/** A call of something of drizzle-orm/pg-core: a table, a schema, or the type of a column. */
export function schemaCall(value: External, args: readonly Value[], machine: Machine, site: Site): Value | undefined {
  if (!PG_CORE.test(value.specifier)) return undefined
  const last = value.path[value.path.length - 1]
  if (last !== undefined && MAKERS.has(last)) return tableOf(null, args, machine, site)
  if (last === 'pgSchema') return foreign({ type: 'orm:schema', name: textOrNull(args[0]) } as Schema)
  return columnType(args)
}

const columnType = (args: readonly Value[]): Foreign =>
  foreign({ type: 'orm:type', name: textOrNull(args[0]) } as ColumnType)

function tableOf(schema: string | null, args: readonly Value[], machine: Machine, site: Site): Value {
  const name = textOrNull(args[0])
  if (name === null || !args[1]) return UNKNOWN
  const builders: External = { kind: 'external', specifier: 'drizzle-orm/pg-core', path: [], made: [] }
  const shape = args[1].kind === 'function' ? machine.apply(args[1], [builders], site) : args[1]
  const columns = new Map<string, string>()
  for (const [key, type] of machine.objectCell(shape)?.props ?? []) {
    columns.set(key, (isType(type) ? type.data.name : null) ?? key)
  }
  return foreign({ type: 'orm:table', name, schema, columns } as Table)
}

/** A property of a table, column, type or schema; undefined: the value is none of them. */
export function schemaProperty(value: Foreign, name: string | null): Value | undefined {
  if (isTable(value)) {
    const column = name === null ? undefined : value.data.columns.get(name)
    return column === undefined ? UNKNOWN : columnValue(value.data.name, column)
  }
  if (isColumn(value)) return name === 'name' ? constant(value.data.column) : UNKNOWN
  if (isType(value)) return value
  return isSchema(value) ? UNKNOWN : undefined
}

export const columnValue = (table: string, column: string): Foreign =>
  foreign({ type: 'orm:column', table, column } as Column)

/** A method of one of them: whatever is said of a type or a column, it stays that. */
export function schemaMethod(
  value: Foreign,
  name: string,
  args: readonly Value[],
  machine: Machine,
  site: Site,
): Value | undefined {
  if (isSchema(value)) return MAKERS.has(name) ? tableOf(value.data.name, args, machine, site) : columnType(args)
  return isType(value) || isTable(value) || isColumn(value) ? value : undefined
}

/** `stateEnum('state')`: an enum is a type too. */
export const typeCall = (value: Foreign, args: readonly Value[]): Value | undefined =>
  isType(value) ? columnType(args) : undefined

export const namesOf = (table: Table, snake: boolean): Names => ({
  columns: snake ? new Map([...table.columns].map(([key, column]) => [key, snakeCase(column)])) : table.columns,
  snake,
})

/** An object of all columns, as `getTableColumns` gives it. */
export const columnsOf = (table: Table, machine: Machine): Value =>
  machine.object([...table.columns].map(([key, column]) => [key, columnValue(table.name, column)] as const))
