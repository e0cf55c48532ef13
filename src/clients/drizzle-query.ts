import { UNKNOWN, foreign, unknown, type Machine, type Site, type Value } from '../typescript/index.js'
import {
  UNJUDGED,
  insertOf,
  onConflict,
  restricted,
  startQuery,
  unreadFilter,
  withOrm,
  type OrmPart,
  type OrmQuery,
} from './builder.js'
import { filterIn } from './condition.js'
import { isColumn, isTable, type Table } from './drizzle-schema.js'
import { behind, fieldNames, subquery, type Source } from './drizzle-source.js'
import { byColumn, columnFor, isNothing, onOwnTable, textOrNull, type Names } from './names.js'
import { queryValue } from './query.js'

/** What drizzle gives and is not followed here: rows of it make the verdict 'unknown'. */
export const LOST = unknown(new Set(['package:drizzle-orm']))

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
  const [first] = args
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
      return queryValue(withOrm(longer, { unjudged: conditional ? UNJUDGED.conditional : null }))
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
      return queryValue(insertOf(query, first))
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
  if ((name !== 'findMany' && name !== 'findFirst') || source.name === null) return LOST
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
