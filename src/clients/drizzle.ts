import { computedText } from '../sql/index.js'
import {
  UNKNOWN,
  foreign,
  locationOf,
  unite,
  unknown,
  type External,
  type Foreign,
  type ForeignData,
  type Machine,
  type Site,
  type Value,
} from '../typescript/index.js'
import { PLAIN, isOrmQuery, startQuery, withOrm, type OrmPart } from './builder.js'
import { isChunk, textOfChunk } from './chunk.js'
import { LOST, findQuery } from './drizzle-query.js'
import { asSource, subquery, type Source } from './drizzle-source.js'
import { textOrNull } from './names.js'
import { isQuery, queryValue } from './query.js'
import type { SqlRun } from './sql.js'
import { inTransaction, isRepeatable } from './transaction.js'

/** A database of drizzle-orm over PostgreSQL, or a transaction in it (https://orm.drizzle.team/docs/overview). */
export interface DrizzleDb extends ForeignData {
  readonly type: 'orm:drizzle'
  /** The tables that `drizzle(client, { schema })` was given. */
  readonly tables: Value | null
  readonly snake: boolean
  readonly repeatable: boolean
}

/** `db.query`, `db.query.crates`. */
interface DrizzlePart extends ForeignData {
  readonly type: 'orm:drizzle-part'
  readonly db: DrizzleDb
  readonly path: readonly string[]
}

/** `db.select({ … })`, which waits for its `from`. */
interface DrizzleSelect extends ForeignData {
  readonly type: 'orm:drizzle-select'
  readonly db: DrizzleDb
  readonly fields: Value | null
  readonly site: Site
}

const isDb = (value: Foreign): value is Foreign & { data: DrizzleDb } => value.data.type === 'orm:drizzle'
const isPart = (value: Foreign): value is Foreign & { data: DrizzlePart } => value.data.type === 'orm:drizzle-part'
const isSelect = (value: Foreign): value is Foreign & { data: DrizzleSelect } =>
  value.data.type === 'orm:drizzle-select'

/** Drivers of other databases than PostgreSQL, which a Supabase project has not. */
const OTHERS = /mysql|sqlite|libsql|\/d1|planetscale|singlestore|tidb|mssql|gel|durable|proxy/

/** `drizzle(client, { schema, casing })`, `drizzle({ client, schema, casing })`, `drizzle(url)`. */
export function drizzleFactory(value: External, args: readonly Value[], machine: Machine): Value | undefined {
  if (value.path[value.path.length - 1] !== 'drizzle' || OTHERS.test(value.specifier)) return undefined
  const option = (name: string): Value | undefined => {
    for (const arg of args) {
      const found = machine.objectCell(arg)?.props.get(name)
      if (found) return found
    }
    return undefined
  }
  return foreign({
    type: 'orm:drizzle',
    tables: option('schema') ?? null,
    snake: textOrNull(option('casing')) === 'snake_case',
    repeatable: false,
  } as DrizzleDb)
}

export function drizzleProperty(value: Foreign, name: string | null): Value | undefined {
  if (isDb(value))
    return name === 'query' ? foreign({ type: 'orm:drizzle-part', db: value.data, path: [] } as DrizzlePart) : UNKNOWN
  if (isPart(value))
    return name === null ? UNKNOWN : foreign({ ...value.data, path: [...value.data.path, name] } as DrizzlePart)
  return isSelect(value) ? UNKNOWN : undefined
}

export function drizzleMethod(
  value: Foreign,
  name: string,
  args: readonly Value[],
  machine: Machine,
  site: Site,
  run: SqlRun,
): Value | undefined {
  if (value.data.type === 'orm:drizzle-with') return name === 'as' ? withQuery(args[0], machine, site) : UNKNOWN
  if (isSelect(value)) return name === 'from' ? selectFrom(value.data, args[0], machine) : value
  if (isPart(value)) {
    const table = machine.objectCell(value.data.db.tables ?? UNKNOWN)?.props.get(value.data.path[0] ?? '')
    const { snake, repeatable } = value.data.db
    return findQuery(name, asSource(table, snake), { ...PLAIN, snake, repeatable }, args[0], machine, site)
  }
  return isDb(value) ? dbMethod(value, name, args, machine, site, run) : undefined
}

function dbMethod(
  value: Foreign & { data: DrizzleDb },
  name: string,
  args: readonly Value[],
  machine: Machine,
  site: Site,
  run: SqlRun,
): Value {
  const db = value.data
  switch (name) {
    case 'select':
    case 'selectDistinct':
      return foreign({ type: 'orm:drizzle-select', db, fields: args[0] ?? null, site } as DrizzleSelect)
    case 'selectDistinctOn':
      return foreign({ type: 'orm:drizzle-select', db, fields: args[1] ?? null, site } as DrizzleSelect)
    case 'update':
    case 'insert':
    case 'delete':
      return queryValue(startQuery(name, asSource(args[0], db.snake), partOf(db, asSource(args[0], db.snake)), site))
    case 'transaction': {
      const level = machine.objectCell(args[1] ?? UNKNOWN)?.props.get('isolationLevel')
      const inner: DrizzleDb = { ...db, repeatable: db.repeatable || isRepeatable(textOrNull(level) ?? '') }
      return inTransaction(args[0], foreign(inner), machine, site)
    }
    case 'execute': {
      const given = args[0]
      const text = textOrNull(given)
      const chunk = given && isChunk(given) ? given.data.chunk : null
      const statement = chunk
        ? { text: textOfChunk(chunk), values: chunk.values }
        : { text: computedText(text ?? '', locationOf(site.node, site.file)), values: [] }
      return run({ ...statement, repeatable: db.repeatable, site: chunk?.site ?? site }, machine, site)
    }
    case 'batch': {
      const items = machine.items(args[0] ?? UNKNOWN)?.items ?? []
      const results = items.map((item, index) => machine.variant(200 + index, () => machine.await(item, site)))
      return machine.list({ items: results, element: results[0] ?? null })
    }
    case 'with':
      return value
    case '$with':
      return foreign({ type: 'orm:drizzle-with' } as ForeignData)
    default:
      return LOST
  }
}

/** `db.$with('due').as(query)`, `.as((qb) => query)`. */
function withQuery(given: Value | undefined, machine: Machine, site: Site): Value {
  const builder = foreign({ type: 'orm:drizzle', tables: null, snake: false, repeatable: false } as DrizzleDb)
  const query = given?.kind === 'function' ? machine.apply(given, [builder], site) : given
  return query?.kind === 'foreign' && isQuery(query) && isOrmQuery(query.data.query)
    ? subquery(query.data.query)
    : UNKNOWN
}

const partOf = (db: DrizzleDb, source: Source): OrmPart => ({
  ...PLAIN,
  snake: db.snake,
  repeatable: db.repeatable,
  called: source.called,
  columns: source.names,
})

function selectFrom(select: DrizzleSelect, from: Value | undefined, machine: Machine): Value {
  const source = asSource(from, select.db.snake)
  const names = source.fieldsOf(select.fields, machine)
  // Rows of a sub-query or a WITH query are that query's, with more conditions.
  if (source.query) return queryValue(withOrm(source.query, { names, base: source.query.filters }))
  if (source.name === null) return from ? unknown(unite([LOST.taints, machine.taints(from)])) : LOST
  const query = startQuery('select', source, { ...partOf(select.db, source), names }, select.site)
  return queryValue(query)
}
