import { UNKNOWN, type Machine, type Site, type Value } from '../typescript/index.js'
import { UNJUDGED, insertOf, onConflict, restricted, unreadFilter, withOrm, type OrmQuery } from './builder.js'
import { columnsOfFilter, filterIn } from './condition.js'
import { conflictStart, isConflict } from './kysely-conflict.js'
import { asValue, built, columnOf, comparison } from './kysely-expression.js'
import type { KyselyDb } from './kysely.js'
import { byColumn, snakeCase, textOrNull, type Names } from './names.js'
import { isQuery, queryValue } from './query.js'

/** Methods that say nothing of which rows are meant, or that are only for types. */
const SAME = new Set([
  'distinct',
  'distinctOn',
  'orderBy',
  'clearOrderBy',
  'offset',
  'skipLocked',
  'noWait',
  'modifyEnd',
  'modifyFront',
  '$castTo',
  '$narrowType',
  '$assertType',
  '$asScalar',
  '$asTuple',
  'withPlugin',
  'defaultValues',
  'columns',
])

/** One more link of the chain (https://kysely-org.github.io/kysely-apidoc/classes/UpdateQueryBuilder.html and its kin). */
export function extendKysely(
  query: OrmQuery,
  name: string,
  args: readonly Value[],
  machine: Machine,
  site: Site,
): Value | null {
  const { orm } = query
  const [first, second, third] = args
  const db: KyselyDb = {
    type: 'orm:kysely',
    schema: query.schema,
    snake: orm.snake,
    repeatable: orm.repeatable,
    queries: orm.beside,
  }
  const ready = (take: OrmQuery['orm']['take']): Value => queryValue(withOrm(query, { ready: true, take }))
  const unread = (text: string, columns: readonly string[] = []): Value =>
    queryValue(restricted(query, unreadFilter(text, columns)))
  if (SAME.has(name)) return queryValue(query)
  switch (name) {
    case 'where':
      return queryValue(
        restricted(
          query,
          args.length > 1
            ? comparison(first, second, third, db, machine, site)
            : filterIn(built(first, db, machine, site)),
        ),
      )
    case 'whereRef':
      return queryValue(restricted(query, referenced(query, first, second, third)))
    case 'set':
    case 'values': {
      const value =
        args.length > 1
          ? machine.object([[columnOf(first) ?? '', built(second, db, machine, site)]])
          : built(first, db, machine, site)
      return queryValue({ ...query, payload: payloadOf(query, value, machine, site) })
    }
    case 'select':
    case 'returning': {
      const longer =
        name === 'select' && query.verb === 'select' ? query : { ...query, returning: query.verb !== 'select' }
      const listed = built(first, db, machine, site)
      return queryValue(withOrm(longer, { names: selected(orm.names, listed, orm, machine) }))
    }
    case 'selectAll':
    case 'returningAll':
      return queryValue(query.verb === 'select' ? query : { ...query, returning: true })
    case 'limit':
    case 'fetch':
    case 'top':
      return queryValue({ ...query, limit: built(first, db, machine, site) })
    case 'forUpdate':
    case 'forNoKeyUpdate':
      return queryValue(withOrm(query, { lock: 'update' }))
    case 'forShare':
    case 'forKeyShare':
      return queryValue(withOrm(query, { lock: orm.lock === 'update' ? 'update' : 'share' }))
    case 'onConflict': {
      const made = first?.kind === 'function' ? machine.apply(first, [conflictStart()], site) : UNKNOWN
      if (!isConflict(made) || made.data.action === null)
        return queryValue(withOrm(onConflict(query, 'update', [], machine), { unjudged: UNJUDGED.conditional }))
      const { action, columns, conditional } = made.data
      return queryValue(
        withOrm(onConflict(query, action, columns, machine), { unjudged: conditional ? UNJUDGED.conditional : null }),
      )
    }
    case 'expression':
      return queryValue(insertOf(query, built(first, db, machine, site)))
    case 'leftJoin':
    case 'leftJoinLateral':
      return queryValue(query)
    case 'from':
    case 'using':
      return queryValue(query)
    case '$call':
      return first ? machine.apply(first, [queryValue(query)], site) : UNKNOWN
    case '$if':
      return queryValue(maybe(query, second ? machine.apply(second, [queryValue(query)], site) : UNKNOWN))
    case 'as':
      return queryValue(query)
    case 'execute':
      return ready('all')
    case 'executeTakeFirst':
      return ready('first')
    case 'executeTakeFirstOrThrow':
      return ready('first-or-throw')
    case 'stream':
      return machine.await(ready('all'), site)
    case 'clearWhere':
      return queryValue({ ...query, filters: [] })
    case 'clearLimit':
      return queryValue({ ...query, limit: null })
    default:
      // Joins, groups, set operations, and what is not known: which rows there are is not known any more.
      return unread(`.${name}(…)`)
  }
}

/** `from('due').whereRef('crates.id', '=', 'due.id')`: the rows of a WITH query find those of the table. */
function referenced(query: OrmQuery, left: Value | undefined, op: Value | undefined, right: Value | undefined) {
  const sides = [columnOf(left), columnOf(right)]
  const unread = unreadFilter(
    `${sides[0]} ${textOrNull(op)} ${sides[1]}`,
    sides.filter((side) => side !== null),
  )
  if (textOrNull(op) !== '=' || sides[0] == null || sides[1] == null) return unread
  for (const [own, other] of [
    [sides[0], sides[1]],
    [sides[1], sides[0]],
  ] as const) {
    const at = other.lastIndexOf('.')
    const beside = at < 0 ? undefined : query.orm.beside.get(other.slice(0, at))
    if (beside && !query.orm.called.has(other.slice(0, at)))
      return { kind: 'found' as const, column: own, query: beside }
  }
  return unread
}

/** What is written, by column; columns of the row as expressions. */
function payloadOf(query: OrmQuery, value: Value, machine: Machine, site: Site): Value {
  const given = byColumn(value, query.orm.columns, machine)
  const before = query.payload ? machine.objectCell(query.payload) : null
  const cell = machine.objectCell(given)
  if (!cell) return given
  // `.set('a', 1).set('b', 2)` sets both.
  const props = [
    ...(before?.props ?? []),
    ...[...cell.props].map(([key, each]) => [key, asValue(each, machine, site)] as const),
  ]
  return machine.object(props, cell.rest)
}

/** `select(['c.id', 'due_at as due'])`: keys of the row, and the columns behind them. */
function selected(before: Names, listed: Value, orm: OrmQuery['orm'], machine: Machine): Names {
  const columns = new Map(before.columns)
  for (const item of textOrNull(listed) !== null ? [listed] : (machine.items(listed)?.items ?? [])) {
    const [, table, column, alias] =
      /^\s*(?:(\S+)\.)?([^\s.]+)(?:\s+as\s+(\S+))?\s*$/i.exec(textOrNull(item) ?? '') ?? []
    if (column === undefined) continue
    const name = orm.snake ? snakeCase(column) : column
    columns.set(alias ?? column, table && !orm.called.has(table) ? `${table}.${name}` : name)
  }
  return { columns, snake: before.snake }
}

/** `$if(condition, (qb) => qb.where(…))`: the conditions that it adds are there on some paths only and prove nothing. */
function maybe(query: OrmQuery, longer: Value): OrmQuery {
  if (longer.kind !== 'foreign' || !isQuery(longer)) return query
  const added = longer.data.query.filters.filter((filter) => !query.filters.includes(filter))
  const columns = added.flatMap(columnsOfFilter)
  return added.length > 0 ? restricted(query, unreadFilter('further conditions on some paths', columns)) : query
}
