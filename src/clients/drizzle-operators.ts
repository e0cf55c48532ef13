import { ts } from '../typescript/ts.js'
import type { Foreign, Machine, Site, Value } from '../typescript/index.js'
import { unreadFilter } from './builder.js'
import { chunkOf, chunkValue, isChunk, plainChunk, quoted, type Chunk, type Named } from './chunk.js'
import { columnsOfCondition, condition, filterIn } from './condition.js'
import { isColumn, isTable } from './drizzle-schema.js'
import { filterOf, type Filter } from './filters.js'
import { isNothing, textOrNull } from './names.js'
import { isQuery } from './query.js'

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: 'eq',
  ne: 'neq',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
}

const OTHERS = new Set([
  'like',
  'notLike',
  'ilike',
  'notIlike',
  'exists',
  'notExists',
  'arrayContains',
  'arrayContained',
  'arrayOverlaps',
])

/** The operators of drizzle-orm by name (https://orm.drizzle.team/docs/operators); undefined: it is none. */
export function operatorCall(name: string, args: readonly Value[], machine: Machine, site: Site): Value | undefined {
  const [left, right, third] = args
  const column = left && isColumn(left) ? `${left.data.table}.${left.data.column}` : null
  const unread = (): Value => condition(unreadFilter(`${name}(…)`, args.flatMap(columnsIn)))
  if (Object.hasOwn(COMPARISONS, name)) {
    if (column === null || !right || isColumn(right)) return unread()
    if (right.kind === 'foreign' && isQuery(right))
      return name === 'eq' ? condition({ kind: 'found', column, query: right.data.query }) : unread()
    return condition(filterOf(COMPARISONS[name]!, column, right, machine))
  }
  switch (name) {
    case 'isNull':
    case 'isNotNull': {
      if (column === null) return unread()
      const filter = filterOf('is', column, { kind: 'const', value: null }, machine)
      return condition(name === 'isNull' ? filter : { kind: 'not', filter })
    }
    case 'inArray':
    case 'notInArray': {
      if (column === null || !right) return unread()
      if (isChunk(right)) return name === 'inArray' ? chunkIn(left as Foreign, right.data.chunk) : unread()
      const found = right.kind === 'foreign' && isQuery(right)
      if (found && name === 'notInArray') return unread()
      if (found) return condition({ kind: 'found', column, query: right.data.query })
      const filter = filterOf('in', column, right, machine)
      return condition(name === 'inArray' ? filter : { kind: 'not', filter })
    }
    case 'between':
    case 'notBetween': {
      if (column === null || !right || !third) return unread()
      const filter: Filter = {
        kind: 'all',
        filters: [filterOf('gte', column, right, machine), filterOf('lte', column, third, machine)],
      }
      return condition(name === 'between' ? filter : { kind: 'not', filter })
    }
    case 'and':
    case 'or': {
      const given = args.filter((each) => !isNothing(each))
      if (given.length === 0) return { kind: 'const', value: undefined }
      // Of a list that is spread, any item stands for all of them; it may be there or not.
      const spread = ts.isCallExpression(site.node) && site.node.arguments.some(ts.isSpreadElement)
      const filters = given.map((each) =>
        spread && isChunk(each) ? unreadFilter('conditions on some paths', columnsIn(each)) : filterIn(each),
      )
      return condition({ kind: name === 'or' ? 'any' : 'all', filters })
    }
    case 'not':
      return left ? condition({ kind: 'not', filter: filterIn(left) }) : unread()
    default:
      return OTHERS.has(name) ? unread() : undefined
  }
}

/** `inArray(crates.id, sql`(select …)`)`. */
function chunkIn(column: Foreign, chunk: Chunk): Foreign {
  const text = named(column)!
  const first = chunk.pieces[0]?.offset ?? 0
  const pieces = [{ text: `${text.text} in `, offset: first }, ...chunk.pieces]
  return chunkValue({ ...chunk, pieces, columns: [...text.columns, ...chunk.columns] })
}

function columnsIn(value: Value): string[] {
  if (isColumn(value)) return [`${value.data.table}.${value.data.column}`]
  return columnsOfCondition(value)
}

/** What stands in a template of SQL for a table, a column, a condition (https://orm.drizzle.team/docs/sql). */
const named: Named = (value) => {
  if (isTable(value)) {
    const { schema, name } = value.data
    return { text: schema ? `${quoted(schema)}.${quoted(name)}` : quoted(name), columns: [] }
  }
  if (isColumn(value)) {
    const { table, column } = value.data
    return { text: `${quoted(table)}.${quoted(column)}`, columns: [`${table}.${column}`] }
  }
  return null
}

export const sqlTag = (strings: readonly string[], values: readonly Value[], machine: Machine, site: Site): Value =>
  chunkOf(strings, values, named, machine, site)

/** `sql.raw('…')`, `sql.identifier('…')`, and the methods of a piece of SQL, which stay that piece. */
export function sqlHelper(name: string, args: readonly Value[], machine: Machine, site: Site): Value | undefined {
  const text = textOrNull(args[0])
  if (name === 'raw' && text !== null) return plainChunk(text, [], [], machine, site)
  if (name === 'identifier' && text !== null) return plainChunk(quoted(text), [], [], machine, site)
  if (name === 'empty') return plainChunk('', [], [], machine, site)
  return undefined
}
