import {
  UNKNOWN,
  foreign,
  type Foreign,
  type ForeignData,
  type Machine,
  type Site,
  type Value,
} from '../typescript/index.js'
import { ANY_COLUMN, isOrmQuery, unreadFilter, type OrmQuery } from './builder.js'
import { chunkOf, isChunk, plainChunk, quoted, type Named } from './chunk.js'
import { condition, filterIn, isCondition } from './condition.js'
import { filterOf, type Filter } from './filters.js'
import { textOrNull } from './names.js'
import { isQuery } from './query.js'
import type { KyselyDb } from './kysely.js'

/** The expression builder that callbacks get: `(eb) => eb.or([eb('a', '=', 1), …])`. */
export interface Builder extends ForeignData {
  readonly type: 'orm:eb'
  readonly db: KyselyDb
  /** A method of it that was taken out: `({ eb, or }) => …`. */
  readonly member: string | null
}

/** A column that is named as such: `eb.ref('c.id')`, `sql.ref('due_at')`. */
interface Reference extends ForeignData {
  readonly type: 'orm:ref'
  readonly column: string
}

export const isBuilder = (value: Foreign): value is Foreign & { data: Builder } => value.data.type === 'orm:eb'
const isReference = (value: Value | undefined): value is Foreign & { data: Reference } =>
  value?.kind === 'foreign' && value.data.type === 'orm:ref'

export const builder = (db: KyselyDb, member: string | null = null): Foreign =>
  foreign({ type: 'orm:eb', db, member } as Builder)

export const reference = (column: string): Foreign => foreign({ type: 'orm:ref', column } as Reference)

/** The column that stands on the left: a name, or a reference. */
export const columnOf = (value: Value | undefined): string | null =>
  isReference(value) ? value.data.column : textOrNull(value)

/** What a callback makes of the builder, or the value itself. */
export const built = (value: Value | undefined, db: KyselyDb, machine: Machine, site: Site): Value =>
  value?.kind === 'function' ? machine.apply(value, [builder(db)], site) : (value ?? UNKNOWN)

const COMPARISONS: Readonly<Record<string, string>> = {
  '=': 'eq',
  '==': 'eq',
  '!=': 'neq',
  '<>': 'neq',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
  is: 'is',
  in: 'in',
  'is distinct from': 'isdistinct',
}
const NEGATIONS: Readonly<Record<string, string>> = {
  'is not': 'is',
  'not in': 'in',
  'is not distinct from': 'isdistinct',
}

/** `column op value` (https://kysely-org.github.io/kysely-apidoc/interfaces/WhereInterface.html#where). */
export function comparison(
  left: Value | undefined,
  op: Value | undefined,
  right: Value | undefined,
  db: KyselyDb,
  machine: Machine,
  site: Site,
): Filter {
  const column = columnOf(left)
  const sign = (textOrNull(op) ?? '').toLowerCase()
  const columns = column === null ? (left && isChunk(left) ? left.data.chunk.columns : [ANY_COLUMN]) : [column]
  if (column === null || right === undefined) return unreadFilter(`… ${sign} …`, columns)
  const value = built(right, db, machine, site)
  const query = queryIn(value)
  if (query) return sign === 'in' || sign === '=' ? { kind: 'found', column, query } : unreadFilter(sign, columns)
  if (isReference(value)) return unreadFilter(`${column} ${sign} ${value.data.column}`, columns)
  if (isChunk(value) && (sign === 'in' || sign === 'not in')) return unreadFilter(`${column} ${sign} …`, columns)
  if (Object.hasOwn(COMPARISONS, sign)) return filterOf(COMPARISONS[sign]!, column, value, machine)
  if (Object.hasOwn(NEGATIONS, sign)) return { kind: 'not', filter: filterOf(NEGATIONS[sign]!, column, value, machine) }
  return unreadFilter(`${column} ${sign} …`, columns)
}

const queryIn = (value: Value): OrmQuery | null =>
  value.kind === 'foreign' && isQuery(value) && isOrmQuery(value.data.query) ? value.data.query : null

/** `eb('tries', '+', 1)`: an expression that is no condition. */
const arithmetic = (args: readonly Value[], op: string, machine: Machine, site: Site): Value => {
  const column = columnOf(args[0])
  const amount = args[2] ?? UNKNOWN
  if (column === null) return UNKNOWN
  return amount.kind === 'const'
    ? plainChunk(`${dotted(column)} ${op} ${String(amount.value)}`, [], [column], machine, site)
    : plainChunk(`${dotted(column)} ${op} $1`, [amount], [column], machine, site)
}

/** Calls the builder: `eb('state', '=', 'waiting')`. */
export function callBuilder(value: Builder, args: readonly Value[], machine: Machine, site: Site): Value | undefined {
  if (value.member !== null) return builderMethod({ ...value, member: null }, value.member, args, machine, site)
  const op = textOrNull(args[1])
  if (op !== null && /^[-+*/%]$/.test(op)) return arithmetic(args, op, machine, site)
  return condition(comparison(args[0], args[1], args[2], value.db, machine, site))
}

/** https://kysely-org.github.io/kysely-apidoc/interfaces/ExpressionBuilder.html; undefined: it starts a query of its own. */
export function builderMethod(
  value: Builder,
  name: string,
  args: readonly Value[],
  machine: Machine,
  site: Site,
): Value | undefined {
  const [first, second, third] = args
  switch (name) {
    case 'eb':
      return callBuilder(value, args, machine, site)
    case 'and':
    case 'or':
      return condition({ kind: name === 'or' ? 'any' : 'all', filters: filtersIn(first, machine) })
    case 'not':
      return condition({ kind: 'not', filter: filterIn(first ?? UNKNOWN) })
    case 'parens':
      return args.length === 1 ? first : callBuilder(value, args, machine, site)
    case 'between': {
      const column = columnOf(first)
      if (column === null || !second || !third) return condition(unreadFilter('between', column ? [column] : []))
      const filters = [filterOf('gte', column, second, machine), filterOf('lte', column, third, machine)]
      return condition({ kind: 'all', filters })
    }
    case 'ref': {
      const column = textOrNull(first)
      return column === null ? UNKNOWN : reference(column)
    }
    case 'val':
    case 'lit':
    case 'cast':
      return first ?? UNKNOWN
    case 'exists':
    case 'case':
    case 'unary':
    case 'neg':
    case 'fn':
    case 'jsonPath':
    case 'betweenSymmetric':
    case 'refTuple':
    case 'tuple':
      return condition(unreadFilter(`${name}(…)`))
    default:
      return undefined
  }
}

/** `eb.and([…])`, `eb.and({ state: 'waiting', kind: null })`. */
function filtersIn(value: Value | undefined, machine: Machine): Filter[] {
  const cell = value ? machine.objectCell(value) : null
  if (cell) return [...cell.props].map(([column, given]) => ({ kind: 'compare', column, op: '=', value: given }))
  const items = value ? machine.items(value) : null
  return items?.items ? items.items.map(filterIn) : [unreadFilter('conditions that the program builds', [ANY_COLUMN])]
}

/** `eb('a', '=', 1).and('b', '=', 2)`, `.or(eb(…))`: an expression goes on. */
export function conditionMethod(
  value: Foreign,
  name: string,
  args: readonly Value[],
  machine: Machine,
  site: Site,
): Value {
  if (!isCondition(value) || (name !== 'and' && name !== 'or')) return value
  const nothing: KyselyDb = { type: 'orm:kysely', schema: null, snake: false, repeatable: false, queries: new Map() }
  const other =
    args.length > 1 ? comparison(args[0], args[1], args[2], nothing, machine, site) : filterIn(args[0] ?? UNKNOWN)
  return condition({ kind: name === 'or' ? 'any' : 'all', filters: [value.data.filter, other] })
}

const dotted = (name: string): string => name.split('.').map(quoted).join('.')

const named: Named = (value) =>
  isReference(value) ? { text: dotted(value.data.column), columns: [value.data.column] } : null

export const kyselyTag = (strings: readonly string[], values: readonly Value[], machine: Machine, site: Site): Value =>
  chunkOf(strings, values, named, machine, site)

/** `sql.ref('c.id')`, `sql.table('crates')`, `sql.lit(1)` (https://kysely-org.github.io/kysely-apidoc/interfaces/Sql.html). */
export function kyselyHelper(name: string, args: readonly Value[], machine: Machine, site: Site): Value | undefined {
  const text = textOrNull(args[0])
  if (name === 'val' || name === 'value') return args[0]
  if (name === 'lit' && args[0]?.kind === 'const') return args[0]
  if (text === null) return undefined
  if (name === 'ref') return reference(text)
  if (name === 'table' || name === 'id') return plainChunk(dotted(text), [], [], machine, site)
  return name === 'raw' ? plainChunk(text, [], [], machine, site) : undefined
}

/** A value in `set` or `values` as SQL has it: a column of the row is an expression. */
export const asValue = (value: Value, machine: Machine, site: Site): Value =>
  isReference(value) ? plainChunk(dotted(value.data.column), [], [value.data.column], machine, site) : value
