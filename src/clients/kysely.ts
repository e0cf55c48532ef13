import {
  UNKNOWN,
  assume,
  foreign,
  forget,
  unknown,
  type External,
  type Foreign,
  type ForeignData,
  type Machine,
  type Site,
  type Value,
} from '../typescript/index.js'
import { PLAIN, isOrmQuery, startQuery, withOrm, type OrmQuery } from './builder.js'
import { built } from './kysely-expression.js'
import { AS_THEY_ARE, textOrNull, type Names } from './names.js'
import { isQuery, queryValue } from './query.js'
import { inTransaction, isRepeatable } from './transaction.js'

/** `new Kysely({ dialect })`, or a transaction of it (https://kysely-org.github.io/kysely-apidoc/classes/Kysely.html). */
export interface KyselyDb extends ForeignData {
  readonly type: 'orm:kysely'
  readonly schema: string | null
  /** CamelCasePlugin: the names of the code are those of the database in camelCase. */
  readonly snake: boolean
  readonly repeatable: boolean
  /** Queries that `with('name', …)` has named. */
  readonly queries: ReadonlyMap<string, OrmQuery>
}

/** `db.transaction()`, `db.connection()`, which wait for their `execute`. */
interface Scope extends ForeignData {
  readonly type: 'orm:kysely-scope'
  readonly db: KyselyDb
  /** `begin` and `end`: the code says itself where a controlled transaction begins and ends. */
  readonly does: 'transaction' | 'connection' | 'begin' | 'end' | 'nothing'
}

/** What kysely gives and is not followed here: rows of it make the verdict 'unknown'. */
const LOST = unknown(new Set(['package:kysely']))

const isDb = (value: Foreign): value is Foreign & { data: KyselyDb } => value.data.type === 'orm:kysely'
const isScope = (value: Foreign): value is Foreign & { data: Scope } => value.data.type === 'orm:kysely-scope'
const plugin = foreign({ type: 'orm:camel-case' })

const OTHERS = /^(Mysql|Sqlite|Mssql|LibSQL|D1|PlanetScale)\w*Dialect$/i

/** `new Kysely(…)` and the plugin that it may be given. The dialects of other databases are not followed. */
export function kyselyFactory(value: External, args: readonly Value[], machine: Machine): Value | undefined {
  const last = value.path[value.path.length - 1] ?? ''
  if (last === 'CamelCasePlugin') return plugin
  if (OTHERS.test(last)) return foreign({ type: 'orm:other-dialect' })
  if (last !== 'Kysely') return undefined
  const options = machine.objectCell(args[0] ?? UNKNOWN)?.props
  const dialect = options?.get('dialect')
  if (dialect?.kind === 'foreign' && dialect.data.type === 'orm:other-dialect') return undefined
  const plugins = machine.items(options?.get('plugins') ?? UNKNOWN)?.items ?? []
  return database({ schema: null, snake: plugins.includes(plugin), repeatable: false, queries: new Map() })
}

const database = (db: Omit<KyselyDb, 'type'>): Foreign => foreign({ ...db, type: 'orm:kysely' } as KyselyDb)

export function kyselyProperty(value: Foreign): Value | undefined {
  return isDb(value) || isScope(value) ? UNKNOWN : undefined
}

export function kyselyMethod(
  value: Foreign,
  name: string,
  args: readonly Value[],
  machine: Machine,
  site: Site,
): Value | undefined {
  if (isScope(value)) {
    const { db, does } = value.data
    if (name === 'setIsolationLevel')
      return foreign({ ...value.data, db: { ...db, repeatable: isRepeatable(textOrNull(args[0]) ?? '') } } as Scope)
    if (name !== 'execute') return value
    const inner = database(db)
    if (does === 'transaction') return inTransaction(args[0], inner, machine, site)
    if (does === 'begin') assume(machine.state, [`x:${site.file}`])
    if (does === 'end') forget(machine.state, (known) => known.startsWith('x:'))
    if (does !== 'connection') return inner
    return args[0] ? machine.await(machine.apply(args[0], [inner], site), site) : UNKNOWN
  }
  return isDb(value) ? startKysely(value.data, name, args, machine, site) : undefined
}

const VERBS = { selectFrom: 'select', updateTable: 'update', insertInto: 'insert', deleteFrom: 'delete' } as const

/** What a database, a transaction and an expression builder have in common: the start of a query. */
export function startKysely(db: KyselyDb, name: string, args: readonly Value[], machine: Machine, site: Site): Value {
  const [first, second] = args
  switch (name) {
    case 'selectFrom':
    case 'updateTable':
    case 'insertInto':
    case 'deleteFrom': {
      const listed = first ? machine.items(first)?.items?.[0] : undefined
      const from = built(listed ?? first, db, machine, site)
      // A table that is not known; the rows that come of it are not either.
      if (name === 'selectFrom' && from.kind !== 'foreign' && textOrNull(from) === null) return LOST
      return queryValue(queryOn(VERBS[name], from, db, site))
    }
    case 'withSchema':
      return database({ ...db, schema: textOrNull(first) })
    case 'with':
    case 'withRecursive': {
      const called = (textOrNull(first) ?? '').replace(/\(.*$/s, '').trim()
      const query = second?.kind === 'function' ? machine.apply(second, [database(db)], site) : second
      const found =
        query?.kind === 'foreign' && isQuery(query) && isOrmQuery(query.data.query) ? query.data.query : null
      return database(found ? { ...db, queries: new Map([...db.queries, [called, found]]) } : db)
    }
    case 'transaction':
    case 'connection':
      return scope(db, name)
    case 'startTransaction':
      return scope(db, 'begin')
    case 'commit':
    case 'rollback':
      return scope(db, 'end')
    case 'savepoint':
    case 'rollbackToSavepoint':
    case 'releaseSavepoint':
      return scope(db, 'nothing')
    case 'destroy':
      return UNKNOWN
    case 'withPlugin':
      return database({ ...db, snake: db.snake || first === plugin })
    case 'withoutPlugins':
      return database({ ...db, snake: false })
    case 'withTables':
      return database(db)
    default:
      return LOST
  }
}

const scope = (db: KyselyDb, does: Scope['does']): Foreign => foreign({ type: 'orm:kysely-scope', db, does } as Scope)

/** `'depot.crates as c'`: the table, its schema, and what it is called. */
function queryOn(verb: (typeof VERBS)[keyof typeof VERBS], from: Value, db: KyselyDb, site: Site): OrmQuery {
  const text = /^\s*(?:([^\s.]+)\.)?([^\s.]+)(?:\s+as\s+(\S+))?\s*$/i.exec(textOrNull(from) ?? '')
  const [, schema, table = null, alias] = text ?? []
  const named = table === null ? undefined : db.queries.get(table)
  const inner = from.kind === 'foreign' && isQuery(from) && isOrmQuery(from.data.query) ? from.data.query : named
  // Rows of a sub-query or a WITH query are that query's, with more conditions.
  if (verb === 'select' && inner)
    return withOrm(inner, {
      called: new Set([...inner.orm.called, ...(table ? [table] : []), ...(alias ? [alias] : [])]),
    })
  const names: Names = db.snake ? { columns: new Map(), snake: true } : AS_THEY_ARE
  return startQuery(
    verb,
    { name: table, schema: schema ?? db.schema },
    {
      ...PLAIN,
      dialect: 'kysely',
      called: new Set([
        ...(table ? [table] : []),
        ...(alias ? [alias] : []),
        ...(schema ? [`${schema}.${table}`] : []),
      ]),
      columns: names,
      names,
      snake: db.snake,
      repeatable: db.repeatable,
      beside: db.queries,
    },
    site,
  )
}
