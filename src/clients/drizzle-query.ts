import {
  UNKNOWN,
  foreign,
  type Foreign,
  type ForeignData,
  type Machine,
  type Site,
  type Value,
} from '../typescript/index.js'
import { onConflict, restricted, startQuery, unreadFilter, withOrm, type OrmPart, type OrmQuery } from './builder.js'
import { filterIn } from './condition.js'
import { columnValue, isColumn, isTable, namesOf, type Table } from './drizzle-schema.js'
import { AS_THEY_ARE, byColumn, columnFor, isNothing, onOwnTable, snakeCase, textOrNull, type Names } from './names.js'
import { queryValue } from './query.js'

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
function fieldNames(fields: Value, called: ReadonlySet<string>, snake: boolean, machine: Machine): Names {
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
function behind(table: Table, called: ReadonlySet<string>, snake: boolean): Names {
  if (called.has(table.name)) return namesOf(table, snake)
  return { columns: new Map([...table.columns].map(([key, column]) => [key, `${table.name}.${column}`])), snake: false }
}

const JOINS = new Set([
  'innerJoin',
  'leftJoin',
  'rightJoin',
  'fullJoin',
  'crossJoin',
  'innerJoinLateral',
  'leftJoinLateral',
])

/** One more link of the chain (https://orm.drizzle.team/docs/select, /update, /insert, /delete). */
export function extendDrizzle(query: OrmQuery, name: string, args: readonly Value[], machine: Machine): Value | null {
  const [first, second] = args
  const { orm } = query
  if (JOINS.has(name)) return queryValue(joined(query, name, first))
  switch (name) {
    case 'where': {
      if (isNothing(first)) return queryValue({ ...query, filters: orm.base })
      const filter = onOwnTable(filterIn(first!), orm.called, orm.snake)
      return queryValue({ ...query, filters: [...orm.base, filter] })
    }
    case 'set':
    case 'values':
      return queryValue({ ...query, payload: first ? byColumn(first, orm.columns, machine) : null })
    case 'returning': {
      const source = { called: orm.called, snake: orm.snake }
      const names = first ? fieldNames(first, source.called, source.snake, machine) : orm.columns
      return queryValue({ ...withOrm(query, { names }), returning: true })
    }
    case 'onConflictDoNothing':
    case 'onConflictDoUpdate': {
      const config = machine.objectCell(first ?? UNKNOWN)?.props
      const target = config?.get('target')
      const columns = target ? (machine.items(target)?.items ?? [target]) : []
      const named = columns.flatMap((each) => (isColumn(each) ? [each.data.column] : []))
      const conditional = name === 'onConflictDoUpdate' && ['where', 'setWhere'].some((key) => config?.has(key))
      const longer = onConflict(query, name === 'onConflictDoNothing' ? 'nothing' : 'update', named, machine)
      return queryValue(withOrm(longer, { conditional }))
    }
    case 'limit':
      return queryValue({ ...query, limit: first ?? null })
    case 'for': {
      const strength = textOrNull(first)
      return queryValue(withOrm(query, { lock: strength?.includes('update') ? 'update' : 'share' }))
    }
    case 'from':
      // `update(a).set(…).from(b)`
      return queryValue(joinedWith(query, 'from another table'))
    case 'execute':
      return queryValue(withOrm(query, { ready: true }))
    case 'as':
      return subquery(query)
    case 'union':
    case 'unionAll':
    case 'except':
    case 'exceptAll':
    case 'intersect':
    case 'intersectAll':
    case 'groupBy':
    case 'having':
      return queryValue(restricted(query, unreadFilter(`.${name}(…)`)))
    case 'select':
      // `insert(a).select(query)`
      return queryValue({ ...query, payload: second ?? null })
    case 'orderBy':
    case 'offset':
    case 'prepare':
    case '$dynamic':
    case '$withCache':
    case 'comment':
    case 'overridingSystemValue':
      return queryValue(query)
    default:
      return null
  }
}

/** Rows that are joined stand behind the names of their tables; an inner join also says which rows there are. */
function joined(query: OrmQuery, name: string, other: Value | undefined): OrmQuery {
  const { orm } = query
  const columns = new Map<string, string | Names>()
  // Without fields of its own a joined select has a row for each table.
  if (orm.names === orm.columns) for (const own of orm.called) columns.set(own, orm.columns)
  else for (const [key, value] of orm.names.columns) columns.set(key, value)
  if (isTable(other)) columns.set(other.data.name, behind(other.data, orm.called, orm.snake))
  const longer = withOrm(query, { names: { columns, snake: false } })
  return name.startsWith('left') ? longer : joinedWith(longer, 'joined')
}

const joinedWith = (query: OrmQuery, text: string): OrmQuery =>
  withOrm(
    { ...query, filters: [...query.filters, unreadFilter(text)] },
    { base: [...query.orm.base, unreadFilter(text)] },
  )

/** `db.query.crates.findMany({ where, limit })`, `findFirst` (https://orm.drizzle.team/docs/rqb). */
export function findQuery(
  name: string,
  source: Source,
  part: OrmPart,
  config: Value | undefined,
  machine: Machine,
  site: Site,
): Value {
  if (name !== 'findMany' && name !== 'findFirst') return UNKNOWN
  const orm: OrmPart = {
    ...part,
    called: source.called,
    columns: source.names,
    names: source.names,
    take: name === 'findFirst' ? 'first' : 'all',
  }
  const props = config ? machine.objectCell(config)?.props : undefined
  const query = { ...startQuery('select', source, orm, site), limit: props?.get('limit') ?? null }
  const where = props?.get('where')
  if (isNothing(where)) return queryValue(query)
  if (where!.kind !== 'function' && machine.objectCell(where!))
    return queryValue(restricted(query, byKeys(where!, orm, machine)))
  const operators: Value = { kind: 'external', specifier: 'drizzle-orm', path: [], made: [] }
  const filter = where!.kind === 'function' ? machine.apply(where!, [columnsAsTable(source), operators], site) : where!
  return queryValue(restricted(query, filterIn(filter)))
}

/** The table as a callback of `where` gets it. */
function columnsAsTable(source: Source): Value {
  const columns = new Map<string, string>()
  for (const [key, column] of source.names.columns) if (typeof column === 'string') columns.set(key, column)
  return foreign({ type: 'orm:table', name: source.name ?? '', schema: source.schema, columns } as Table)
}

/** Conditions of version 1: `{ state: 'waiting', dueAt: { lte: now } }` (https://orm.drizzle.team/docs/rqb-v2). */
function byKeys(where: Value, orm: OrmPart, machine: Machine): ReturnType<typeof unreadFilter> {
  const filters = [...(machine.objectCell(where)?.props ?? [])].map(([key, value]) => {
    const column = columnFor(orm.columns, key)
    if (typeof column !== 'string' || /^(AND|OR|NOT|RAW)$/.test(key) || machine.objectCell(value))
      return unreadFilter(key, typeof column === 'string' ? [column] : [])
    return { kind: 'compare' as const, column, op: '=' as const, value }
  })
  return { kind: 'all', filters }
}

/** A column of a query that has a name. */
export function subqueryColumn(value: Foreign & { data: Subquery }, name: string | null): Value {
  const { orm, table } = value.data.query
  const column = name === null ? null : columnFor(orm.names, name)
  return typeof column === 'string' ? columnValue(String(textOrNull(table)), column) : UNKNOWN
}
